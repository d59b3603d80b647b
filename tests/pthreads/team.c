/* A team by itself: every element once, whoever is free takes the next, and counters that
 * threads wait for. */
#define _GNU_SOURCE
#include "harness.h"
#include "backends/pthreads/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static const i64 sizes_of_teams[] = {1, 2, 3, 7, 16};
enum { TEAMS = 5 };

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

START_TEST(every_element_once) {
    static const i64 sizes[] = {1, 2, 63, 64, 65, 1000, 100003};
    static const i64 chunks[][2] = {{1, 1}, {1, 1000}, {64, 64}, {64, 1 << 20}};
    for (int k = 0; k < TEAMS; k++) {
        thread_team *team = team_new(sizes_of_teams[k]);
        for (int s = 0; s < 7; s++)
            for (int c = 0; c < 4; c++) {
                const i64 n = sizes[s];
                tally t = {.least = chunks[c][0],
                           .most = chunks[c][1],
                           .n = n,
                           .threads = team_size(team)};
                t.seen = calloc((size_t)n, sizeof *t.seen);
                team_run(team, n, t.least, t.most, count, &t);
                ck_assert_int_eq(t.wrong, 0);
                i64 once = 0;
                for (i64 i = 0; i < n; i++)
                    once += t.seen[i] == 1;
                ck_assert_int_eq(once, n);
                free(t.seen);
            }
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

START_TEST(uneven_work) {
    thread_team *team = team_new(4);
    ck_assert_int_eq(team_size(team), 4);
    shares s = {0};
    team_run(team, 1000, 1, 1 << 20, uneven, &s);
    long total = 0;
    for (int k = 0; k < 4; k++) {
        ck_assert_int_le(s.heavy[k], HEAVY / 2);
        total += s.heavy[k];
    }
    ck_assert_int_eq(total, HEAVY);
    team_free(team);
}
END_TEST

typedef struct relay {
    thread_team *team;
    _Atomic i64 next;
    i64 sum; /* guarded by `next` */
} relay;

static void pass_on(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    relay *r = context;
    for (i64 i = begin; i < end; i++) {
        team_await(r->team, &r->next, i);
        r->sum = (i64)((u64)r->sum * 31 + (u64)i);
        team_advance(r->team, &r->next, i + 1);
    }
}

START_TEST(waiting_in_turn) {
    for (int k = 0; k < TEAMS; k++) {
        thread_team *team = team_new(sizes_of_teams[k]);
        relay r = {.team = team};
        team_run(team, 40, 1, 1, pass_on, &r);
        i64 sum = 0;
        for (i64 i = 0; i < 40; i++)
            sum = (i64)((u64)sum * 31 + (u64)i);
        ck_assert_int_eq(r.sum, sum);
        ck_assert_int_eq(r.next, 40);
        team_free(team);
    }
}
END_TEST

static void nothing(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    atomic_fetch_add((atomic_long *)context, end - begin);
}

/* Loops so short that workers wake, enter and leave in every order. */
START_TEST(many_short_loops) {
    for (int k = 0; k < TEAMS; k++) {
        thread_team *team = team_new(sizes_of_teams[k]);
        atomic_long total = 0;
        for (int r = 0; r < 5000; r++) {
            team_run(team, 1 + r % 9, 1, 1, nothing, &total);
            if (r % 1000 == 0) /* time enough to fall asleep */
                nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        long expected = 0;
        for (int r = 0; r < 5000; r++)
            expected += 1 + r % 9;
        ck_assert_int_eq(total, expected);
        team_free(team);
    }
}
END_TEST

static void meet(void *context, i64 begin, i64 end, i64 thread) {
    (void)begin, (void)end;
    if (thread == 1)
        *(pthread_t *)context = pthread_self();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* Who was woken away from the caller's processor may run there afterwards. */
START_TEST(processors_stay_allowed) {
    enum { LOOPS = 3 };
    thread_team *team = team_new(2);
    pthread_t other = pthread_self();
    cpu_set_t mine, others;
    for (int r = 0; r < LOOPS; r++) {
        team_run(team, 2, 1, 1, meet, &other);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    ck_assert(!pthread_equal(other, pthread_self()));
    ck_assert_int_eq(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine), 0);
    ck_assert_int_eq(pthread_getaffinity_np(other, sizeof others, &others), 0);
    ck_assert(CPU_EQUAL(&mine, &others));
    team_free(team);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {every_element_once, uneven_work, waiting_in_turn,
                                  many_short_loops, processors_stay_allowed};
    return test_main(argc, argv, "team", tests, sizeof tests / sizeof *tests);
}
