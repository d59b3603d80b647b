/* Faults of kernels: memory that is nobody's, and divisions by zero. They end the run, and
 * not the program. */
#define _DEFAULT_SOURCE
#include "checking.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

enum { SIGNALS = 3, PAGE = 4096 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE};
static struct sigaction before[SIGNALS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int watchers;

/* The run of this thread, and what ended it. */
typedef struct fault {
    sigjmp_buf back;
    int signal, has_address;
    const char *address;
} fault;
static _Thread_local fault *volatile running;

/* A fault that is not of a run goes to who was to get it before. */
static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    fault *f = running;
    if (!f) {
        for (int k = 0; k < SIGNALS; k++)
            if (signals[k] == number)
                sigaction(number, &before[k], NULL);
        return;
    }
    running = NULL;
    f->signal = number;
    f->address = info->si_addr;
    f->has_address = info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
    siglongjmp(f->back, 1);
}

void checking_watch_faults(int more) {
    pthread_mutex_lock(&lock);
    watchers += more;
    struct sigaction now, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigemptyset(&ours.sa_mask);
    for (int k = 0; k < SIGNALS; k++) {
        sigaction(signals[k], NULL, &now);
        const int watched = now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault;
        if (watchers > 0 && !watched) {
            before[k] = now;
            sigaction(signals[k], &ours, NULL);
        } else if (watchers == 0 && watched) {
            sigaction(signals[k], &before[k], NULL);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* The array whose elements are nearest, by how many bytes it was missed. */
static weft_status blame(weft_device *device, const checking_operation *o, const fault *f) {
    const uintptr_t at = (uintptr_t)f->address;
    const checking_region *nearest = NULL;
    uintptr_t least = CHECKING_GUARD;
    int below = 0;
    if (f->signal == SIGFPE)
        return weft_fail(device, WEFT_E_CHECK, "%s: divided an integer by zero", o->what);
    if (f->has_address && at < PAGE)
        return weft_fail(
            device, WEFT_E_CHECK,
            "%s: went through a null pointer: an optional array that is absent, "
            "or one without elements",
            o->what);
    for (i32 k = 0; k < o->regions && f->has_address; k++) {
        const checking_region *r = &o->region[k];
        const uintptr_t begin = (uintptr_t)r->begin, end = (uintptr_t)r->end;
        const uintptr_t distance = at < begin ? begin - at : at - end;
        if ((at < begin || at >= end) && distance < least) {
            least = distance;
            nearest = r;
            below = at < begin;
        }
    }
    if (!nearest)
        return weft_fail(device, WEFT_E_CHECK,
                         "%s: reached for memory that is far from all of its arrays",
                         o->what);
    const size_t size = WEFT_SIZE(nearest->type);
    const size_t length = (size_t)(nearest->end - nearest->begin) / size;
    if (below)
        return weft_fail(device, WEFT_E_CHECK,
                         "%s: reached far before array '%s', element -%zu of %zu", o->what,
                         nearest->name, (size_t)(least + size - 1) / size, length);
    return weft_fail(device, WEFT_E_CHECK,
                     "%s: reached far beyond array '%s', element %zu of %zu", o->what,
                     nearest->name, length + (size_t)least / size, length);
}

weft_status checking_run(weft_device *device, const checking_operation *o,
                         checking_order order) {
    fault f = {.signal = 0};
    if (sigsetjmp(f.back, 1) == 0) {
        running = &f;
        o->run(device, o->task, order);
        running = NULL;
    } else {
        blame(device, o, &f);
    }
    return weft_check(device);
}
