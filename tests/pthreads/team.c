/* A team by itself: every element once, whoever is free takes the next, and no one waits
 * for a thread that is not inside. */
#define _GNU_SOURCE
#include "harness.h"
#include "backends/pthreads/processors.h"
#include "backends/pthreads/portion.h"
#include "backends/pthreads/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static const i64 sizes_of_teams[] = {1, 2, 3, 7, 16, 64};
enum { TEAMS = 6 };

/* What a team is told: with as many as threads, all are called, and wait awake. */
static i64 processors = 2;

i64 team_processors(void) {
    return processors;
}

static thread_team *new_team(i64 threads, i64 processors_told) {
    processors = processors_told;
    thread_team *team = team_new(threads);
    ck_assert_ptr_nonnull(team);
    ck_assert_int_eq(team_size(team), threads);
    return team;
}

static void rest(i64 microseconds) {
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

static f64 seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (f64)t.tv_sec + 1e-9 * (f64)t.tv_nsec;
}

typedef struct tally {
    atomic_uchar *seen;
    i64 least, most, n, threads;
    atomic_int wrong;
} tally;

static void count(void *context, i64 begin, i64 end, i64 thread) {
    tally *t = context;
    const int short_one = end - begin < t->least && end < t->n;
    if (begin < 0 || begin >= end || end > t->n || short_one || thread < 0 ||
        thread >= t->threads ||
        (t->threads > 1 && t->n > t->least && end - begin > t->most))
        atomic_fetch_add(&t->wrong, 1);
    for (i64 i = begin; i < end; i++)
        atomic_fetch_add(&t->seen[i], 1);
}

static void check_once(thread_team *team, i64 n, i64 least, i64 most) {
    tally t = {.least = least, .most = most, .n = n, .threads = team_size(team)};
    t.seen = calloc((size_t)n, sizeof *t.seen);
    team_run(team, n, least, most, count, &t);
    ck_assert_int_eq(t.wrong, 0);
    i64 once = 0;
    for (i64 i = 0; i < n; i++)
        once += t.seen[i] == 1;
    ck_assert_int_eq(once, n);
    t.least = 1;
    team_run_each(team, n, least, most, count, &t);
    ck_assert_int_eq(t.wrong, 0);
    for (i64 i = 0; i < n; i++)
        ck_assert_int_eq(t.seen[i], 2);
    free(t.seen);
}

START_TEST(every_element_once) {
    static const i64 sizes[] = {1, 2, 63, 64, 65, 1000, 100003, 1 << 20};
    static const i64 chunks[][2] = {{1, 1}, {1, 1000}, {64, 64}, {64, 1 << 20}};
    for (int k = 0; k < 2 * TEAMS; k++) {
        const i64 threads = sizes_of_teams[k / 2];
        thread_team *team = new_team(threads, k % 2 ? 2 : threads);
        for (int s = 0; s < 8; s++)
            for (int c = 0; c < 4; c++)
                if (chunks[c][1] > 1 || sizes[s] < 1 << 20)
                    check_once(team, sizes[s], chunks[c][0], chunks[c][1]);
        team_free(team);
    }
}
END_TEST

enum { HEAVY = 12 };

typedef struct shares {
    atomic_long heavy[16]; /* by thread */
} shares;

/* The first few elements are much work; sleeping leaves the processors to others. */
static void uneven(void *context, i64 begin, i64 end, i64 thread) {
    shares *s = context;
    for (i64 i = begin; i < end && i < HEAVY; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        atomic_fetch_add(&s->heavy[thread], 1);
    }
}

static void expect_shared(const shares *s) {
    long total = 0;
    for (int k = 0; k < 4; k++) {
        ck_assert_int_le(s->heavy[k], HEAVY / 2);
        total += s->heavy[k];
    }
    ck_assert_int_eq(total, HEAVY);
}

START_TEST(uneven_work) {
    thread_team *team = new_team(4, 4);
    shares few = {0}, many = {0};
    team_run(team, 1000, 1, 1 << 20, uneven, &few);
    expect_shared(&few);
    team_run_each(team, 1 << 17, 64, 1 << 20, uneven, &many);
    expect_shared(&many);
    team_free(team);
}
END_TEST

static i64 length_of(i64 left, i64 least, i64 size, i64 worth, i64 sharers) {
    portion p = {.end = 1000};
    i64 end = 0;
    atomic_init(&p.next, 1000 - left);
    const i64 begin = portion_take(&p, least, size, worth, sharers, &end);
    ck_assert_int_eq(begin, 1000 - left);
    ck_assert_int_eq(atomic_load(&p.next), end);
    return end - begin;
}

/* Chunks shrink towards the end of a portion, in shares of all threads where elements take
 * long, and in quarters where they are worth no share. */
START_TEST(lengths_of_chunks) {
    ck_assert_int_eq(length_of(960, 1, 1000, 1, 4), 240);
    ck_assert_int_eq(length_of(960, 1, 1000, 1, 16), 60);
    ck_assert_int_eq(length_of(960, 1, 1000, 100, 16), 100);
    ck_assert_int_eq(length_of(960, 1, 1000, 5000, 16), 240);
    ck_assert_int_eq(length_of(960, 64, 1000, 5000, 16), 192);
    ck_assert_int_eq(length_of(960, 1, 30, 5000, 16), 30);
    ck_assert_int_eq(length_of(960, 7, 1000, 1, 160), 7);
    ck_assert_int_eq(length_of(5, 7, 1000, 1, 160), 5);
    ck_assert_int_eq(length_of(1, 1, 1, 0, 16), 1);
}
END_TEST

static void nothing(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    atomic_fetch_add((atomic_long *)context, end - begin);
}

/* Loops so short that workers wake, enter and leave in every order. */
START_TEST(many_short_loops) {
    for (int k = 0; k < 2 * TEAMS; k++) {
        const i64 threads = sizes_of_teams[k / 2];
        thread_team *team = new_team(threads, k % 2 ? 2 : threads);
        atomic_long total = 0;
        long expected = 0;
        for (int r = 0; r < 3000; r++) {
            const i64 n = 1 + r % 19;
            team_run(team, n, 1, r % 2 ? 1 : 4, nothing, &total);
            expected += n;
            if (r % 500 == 0) /* time enough to fall asleep */
                rest(1000);
        }
        ck_assert_int_eq(total, expected);
        team_free(team);
    }
}
END_TEST

typedef struct mixture {
    u32 seed;
    atomic_long total, threads;
} mixture;

/* Elements of 0 to 40 microseconds, a few of them asleep. */
static void mixed(void *context, i64 begin, i64 end, i64 thread) {
    mixture *m = context;
    atomic_fetch_or(&m->threads, 1L << thread % 63);
    for (i64 i = begin; i < end; i++) {
        const u32 h = ((u32)i + m->seed) * 2654435761u >> 16;
        const f64 until = seconds() + 1e-6 * (h % 8 ? h % 4 : h % 40);
        if (h % 256 == 0)
            rest(50);
        while (seconds() < until) {
        }
        atomic_fetch_add(&m->total, i + 1);
    }
}

/* Long and short loops and pauses in quick succession, by teams that come and go. */
START_TEST(loops_of_all_lengths) {
    u64 seed = 5;
    for (int round = 0; round < 60; round++) {
        const i64 threads = sizes_of_teams[test_random(&seed) % TEAMS];
        thread_team *team = new_team(threads, test_random(&seed) % 2 ? 2 : threads);
        for (int r = 0; r < 20; r++) {
            const i64 n = 1 + (i64)(test_random(&seed) % (1u << test_random(&seed) % 10));
            mixture m = {.seed = (u32)test_random(&seed)};
            team_run(team, n, 1, test_random(&seed) % 2 ? 1 : 256, mixed, &m);
            ck_assert_int_eq(m.total, n * (n + 1) / 2);
            if (test_random(&seed) % 4 == 0)
                rest((i64)(test_random(&seed) % 200));
        }
        team_free(team);
    }
}
END_TEST

START_TEST(teams_come_and_go) {
    for (int r = 0; r < 300; r++) {
        thread_team *team = new_team(sizes_of_teams[r % 5], 16);
        atomic_long total = 0;
        if (r % 3)
            team_run(team, 40, 1, 1, nothing, &total);
        ck_assert_int_eq(total, r % 3 ? 40 : 0);
        team_free(team);
    }
}
END_TEST

typedef struct calling {
    atomic_long threads; /* bit by bit */
    i64 microseconds;    /* of an element */
} calling;

static void come(void *context, i64 begin, i64 end, i64 thread) {
    calling *c = context;
    atomic_fetch_or(&c->threads, (long)1 << thread);
    rest((end - begin) * c->microseconds);
}

/* The machine has other work at times: so often may what depends on time go wrong. */
enum { PATIENCE = 50 };

/* Who comes to elements of 10 ms, in the first round that has all 32, or the last. */
static long who_comes(thread_team *team, i64 n, i64 grain) {
    calling c = {.threads = 0};
    for (int r = 0; r < PATIENCE && c.threads != 0xffffffff; r++) {
        c = (calling){.microseconds = 10000};
        team_run(team, n, 1, grain, come, &c);
    }
    return c.threads;
}

/* Long loops get all threads, others as many as pay, and none comes to the shortest. */
START_TEST(as_many_as_pay) {
    thread_team *team = new_team(32, 32);
    calling c = {.microseconds = 1000};
    ck_assert_int_eq(who_comes(team, 64, 1), 0xffffffff);
    ck_assert_int_eq(who_comes(team, 128, 64), 0xffffffff);
    for (i64 n = 33; n < 64; n += 10) { /* a few elements a thread, and all asleep */
        rest(10000);
        ck_assert_int_eq(who_comes(team, n, 4), 0xffffffff);
    }
    rest(10000);
    team_run(team, 3, 1, 1, come, &c);
    ck_assert_int_eq(c.threads & ~7, 0); /* two others at most */
    for (int r = 0; r < 100; r++) {
        c = (calling){0};
        team_run(team, 200, 200, 400, come, &c);
        ck_assert_int_eq(c.threads, 1);
    }
    team_free(team);
}
END_TEST

/* Of a loop whose elements are long no more than a few begin on the caller alone, and none
 * is left with many at the end. */
START_TEST(long_elements) {
    thread_team *team = new_team(2, 2);
    f64 took = 1;
    for (int r = 0; r < PATIENCE && took >= 0.05; r++) {
        calling c = {.microseconds = 500};
        const f64 begin = seconds();
        team_run_each(team, 128, 64, 1 << 20, come, &c);
        const f64 end = seconds();
        took = end - begin < took ? end - begin : took;
    }
    ck_assert_msg(took < 0.05, "%g s", took); /* alone 64, and with 64 at first 48 */
    team_free(team);
}
END_TEST

typedef struct delay {
    atomic_int held;
    i64 n;
} delay;

/* Whoever has one certain element is held back there. */
static void hold_back(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    delay *d = context;
    for (i64 i = begin; i < end; i++) {
        if (i == d->n / 3 && atomic_exchange(&d->held, 1) == 0)
            rest(30000);
        const f64 until = seconds() + 1e-6;
        while (seconds() < until) {
        }
    }
}

/* One thread that does not run delays a loop by that time, not by that of many. */
START_TEST(held_back) {
    for (int k = 0; k < 6; k++) {
        thread_team *team = new_team(k < 2 ? 2 : 16, k % 2 ? 2 : 16);
        delay d = {.n = 2000};
        f64 took = 1;
        for (int r = 0; r < PATIENCE && took >= 0.06; r++) {
            d.held = 0;
            const f64 begin = seconds();
            team_run(team, d.n, 1, k < 4 ? 64 : 1, hold_back, &d);
            const f64 end = seconds();
            took = end - begin < took ? end - begin : took;
            ck_assert_int_eq(d.held, 1);
        }
        ck_assert_msg(took >= 0.03 && took < 0.06, "%g s", took);
        team_free(team);
    }
}
END_TEST

typedef struct meeting {
    cpu_set_t allowed;
    atomic_int came;
} meeting;

static void meet(void *context, i64 begin, i64 end, i64 thread) {
    (void)begin, (void)end;
    meeting *m = context;
    if (thread == 1) {
        pthread_getaffinity_np(pthread_self(), sizeof m->allowed, &m->allowed);
        m->came = 1;
    }
    for (int r = 0; r < 10000 && !m->came; r++)
        rest(1000);
}

/* Who kept off the caller's processor asleep may run there once it is awake. */
START_TEST(processors_stay_allowed) {
    thread_team *team = new_team(2, 2);
    cpu_set_t mine;
    ck_assert_int_eq(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine), 0);
    for (int r = 0; r < 3; r++) {
        meeting m = {.came = 0};
        team_run(team, 2, 1, 1, meet, &m);
        ck_assert_int_eq(m.came, 1);
        ck_assert(CPU_EQUAL(&mine, &m.allowed));
        rest(1000);
    }
    team_free(team);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        every_element_once,      uneven_work,      many_short_loops, loops_of_all_lengths,
        teams_come_and_go,       as_many_as_pay,   long_elements,    held_back,
        processors_stay_allowed, lengths_of_chunks};
    return test_main(argc, argv, "team", tests, sizeof tests / sizeof *tests);
}
