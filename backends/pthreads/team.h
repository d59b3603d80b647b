/* A team of threads that share the chunks of a loop. */
#ifndef WEFT_BACKENDS_PTHREADS_TEAM_H
#define WEFT_BACKENDS_PTHREADS_TEAM_H

#include "weft/types.h"

typedef struct thread_team thread_team;

/* Does [begin, end) of a loop; several threads call it at once for different parts. They
 * are numbered from 0, the caller, to the team's size less 1. */
typedef void team_work(void *context, i64 begin, i64 end, i64 thread);

/* The calling thread and as many more, at most `threads` in all, as the system starts.
 * NULL: out of memory. */
thread_team *team_new(i64 threads);
void team_free(thread_team *team);
i64 team_size(const thread_team *team);

/* How many processors this process may run on. */
i64 team_processors(void);

/* Does [0, n), in chunks of `least` to `most` elements: small ones first, longer ones as
 * long as they take little time. Each thread begins with a portion of its own, far from
 * where others write, and then helps them. The caller works too; whoever sleeps is woken
 * once the loop has proved long enough to pay for it. Where least = most a chunk is worth a
 * thread: all are woken at once, and take chunks in ascending order. */
void team_run(thread_team *team, i64 n, i64 least, i64 most, team_work *work,
              void *context);

/* For work whose pieces depend on earlier ones: waits until *counter is `value`, and sets
 * it, which no other thread may do at that time. */
void team_await(thread_team *team, _Atomic i64 *counter, i64 value);
void team_advance(thread_team *team, _Atomic i64 *counter, i64 value);

#endif
