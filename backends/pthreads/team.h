/* A team of threads that share the chunks of a loop. */
#ifndef WEFT_BACKENDS_PTHREADS_TEAM_H
#define WEFT_BACKENDS_PTHREADS_TEAM_H

#include "weft/short_names.h"

typedef struct thread_team thread_team;

/* Does [begin, end) of a loop; several threads call it at once for different parts. They
 * are numbered from 0, the caller, to the team's size less 1. */
typedef void team_work(void *context, i64 begin, i64 end, i64 thread);

/* The calling thread and as many more, at most `threads` in all, as the system starts.
 * NULL: out of memory. */
thread_team *team_new(i64 threads);
void team_free(thread_team *team);
i64 team_size(const thread_team *team);

/* Does [0, n), in chunks of `least` to `most` elements: small ones first, longer ones as
 * long as they take little time. The caller begins alone, and shares the loop once it has
 * proved long enough to pay for it. Then each thread begins with a portion of its own, far
 * from where others write, and helps others after that. Where least = most a chunk is worth
 * a thread: others are called at once, and chunks are taken in ascending order. */
void team_run(thread_team *team, i64 n, i64 least, i64 most, team_work *work,
              void *context);

/* The same where a chunk may be any elements: of those that take long fewer than `least`,
 * down to one. `least` is what keeps threads from writing side by side. */
void team_run_each(thread_team *team, i64 n, i64 least, i64 most, team_work *work,
                   void *context);

#endif
