/* Threads that wait for work: the benchmark's own, so that it does not measure the library
 * with the library. */
#ifndef WEFT_BENCH_TEAM_H
#define WEFT_BENCH_TEAM_H

/* Threads beyond the caller's own; NULL where they cannot be started. */
struct team *bench_team_new(int threads);
void bench_team_free(struct team *team);

/* Calls work(state, rank, threads) for every rank at once, and returns when all are done.
 */
void bench_team_run(struct team *team, void (*work)(void *state, int rank, int threads),
                    void *state);

#endif
