#define _GNU_SOURCE
#include "sleeper.h"

#include <stdatomic.h>

void sleeper_init(sleeper *s) {
    atomic_init(&s->asleep, 0);
    sem_init(&s->woken, 0, 0);
    s->aside = -1;
}

void sleeper_destroy(sleeper *s) {
    sem_destroy(&s->woken);
}

void sleeper_lie_down(sleeper *s) {
    atomic_store(&s->asleep, 1);
}

void sleeper_sleep(sleeper *s) {
    while (sem_wait(&s->woken) != 0) {
        /* interrupted by a signal */
    }
}

void sleeper_get_up(sleeper *s) {
    if (atomic_exchange(&s->asleep, 0) == 0)
        sleeper_sleep(s); /* who woke it has posted, or is about to */
}

int sleeper_is_asleep(sleeper *s) {
    return atomic_load(&s->asleep);
}

static void keep_off(sleeper *s, int processor) {
    s->others = s->allowed;
    CPU_CLR((size_t)processor, &s->others);
    s->aside = CPU_COUNT(&s->others) > 0 &&
                       pthread_setaffinity_np(s->thread, sizeof s->others, &s->others) == 0
                   ? processor
                   : -1;
}

void sleeper_step_aside(sleeper *s, int processor) {
    s->thread = pthread_self();
    if (processor >= 0 && processor < CPU_SETSIZE &&
        pthread_getaffinity_np(s->thread, sizeof s->allowed, &s->allowed) == 0)
        keep_off(s, processor);
}

/* Whether nobody else has said since where it may run. */
static int still_aside(sleeper *s) {
    cpu_set_t now;
    return s->aside >= 0 && pthread_getaffinity_np(s->thread, sizeof now, &now) == 0 &&
           CPU_EQUAL(&now, &s->others);
}

void sleeper_come_back(sleeper *s) {
    if (still_aside(s))
        pthread_setaffinity_np(s->thread, sizeof s->allowed, &s->allowed);
    s->aside = -1;
}

void sleeper_wake(sleeper *s, int here) {
    if (!sleeper_is_asleep(s) || atomic_exchange(&s->asleep, 0) == 0)
        return;
    if (here >= 0 && here < CPU_SETSIZE && s->aside != here && still_aside(s))
        keep_off(s, here);
    sem_post(&s->woken);
}
