/* A thread that sleeps until another wakes it up. */
#ifndef WEFT_BACKENDS_PTHREADS_SLEEPER_H
#define WEFT_BACKENDS_PTHREADS_SLEEPER_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

typedef struct sleeper {
    _Atomic int asleep; /* or about to be */
    sem_t woken;
    pthread_t thread;
    int aside;                 /* the processor that it keeps off, or -1 */
    cpu_set_t allowed, others; /* where it may run, without that one */
} sleeper;

void sleeper_init(sleeper *s);
void sleeper_destroy(sleeper *s);

/* To sleep: lie down, then look once more whether there is a reason to stay awake, and get
 * up or sleep accordingly. Who gives a reason does so before it calls sleeper_wake: so one
 * of the two sees the other. Reasons may turn out to be gone after waking up. */
void sleeper_lie_down(sleeper *s);
void sleeper_get_up(sleeper *s);
void sleeper_sleep(sleeper *s);

int sleeper_is_asleep(sleeper *s);
/* Does nothing to a thread that is awake. `here`: the processor it should not wait for. */
void sleeper_wake(sleeper *s, int here);

/* Where a virtual machine's idle processors do not look idle to its kernel, it may let a
 * thread wake up behind who woke it, on the same processor. So a worker keeps off that one
 * while it sleeps, at its own expense; it may run there again once it is awake. */
void sleeper_step_aside(sleeper *s, int processor);
void sleeper_come_back(sleeper *s);

#endif
