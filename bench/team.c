#define _GNU_SOURCE
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct team {
    int threads;
    pthread_barrier_t begin, end;
    void (*work)(void *state, int rank, int threads); /* NULL: go home */
    void *state;
    struct member {
        struct team *team;
        pthread_t thread;
        int rank;
    } members[];
};

static void *serve(void *argument) {
    const struct member *member = argument;
    struct team *team = member->team;
    for (;;) {
        pthread_barrier_wait(&team->begin);
        if (team->work == NULL)
            return NULL;
        team->work(team->state, member->rank, team->threads);
        pthread_barrier_wait(&team->end);
    }
}

struct team *bench_team_new(int threads) {
    struct team *team = calloc(1, sizeof *team + (size_t)threads * sizeof *team->members);
    if (team == NULL)
        return NULL;
    team->threads = threads;
    pthread_barrier_init(&team->begin, NULL, (unsigned)threads);
    pthread_barrier_init(&team->end, NULL, (unsigned)threads);
    for (int rank = 1; rank < threads; ++rank) {
        struct member *member = &team->members[rank];
        *member = (struct member){.team = team, .rank = rank};
        if (pthread_create(&member->thread, NULL, serve, member) != 0)
            return NULL; /* those that wait already end with the process */
    }
    return team;
}

void bench_team_free(struct team *team) {
    if (team == NULL)
        return;
    bench_team_run(team, NULL, NULL);
    for (int rank = 1; rank < team->threads; ++rank)
        pthread_join(team->members[rank].thread, NULL);
    pthread_barrier_destroy(&team->begin);
    pthread_barrier_destroy(&team->end);
    free(team);
}

/* Every thread a processor, not that of the caller, until it is awake. */
static void wake_elsewhere(struct team *team) {
    cpu_set_t all, others;
    sched_getaffinity(0, sizeof all, &all);
    others = all;
    CPU_CLR((size_t)sched_getcpu(), &others);
    const int alone = CPU_COUNT(&others) == 0;
    for (int rank = 1; rank < team->threads && !alone; ++rank)
        pthread_setaffinity_np(team->members[rank].thread, sizeof others, &others);
    pthread_barrier_wait(&team->begin);
    for (int rank = 1; rank < team->threads && !alone; ++rank)
        pthread_setaffinity_np(team->members[rank].thread, sizeof all, &all);
}

void bench_team_run(struct team *team, void (*work)(void *state, int rank, int threads),
                    void *state) {
    team->work = work;
    team->state = state;
    wake_elsewhere(team);
    if (work == NULL)
        return;
    work(state, 0, team->threads);
    pthread_barrier_wait(&team->end);
}
