#include "ends.h"
#include "io/process/unfinished.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static struct {
    const char *folder;
    const char *const *files;
    int n;
    volatile sig_atomic_t child;
    struct sigaction before[UNFINISHED_SIGNALS];
} guard;

/* Calls nothing but what a handler may. */
static void clear(int number) {
    const int folder = open(guard.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (guard.child > 0)
        kill((pid_t)guard.child, SIGKILL);
    for (int k = 0; folder >= 0 && k < guard.n; ++k)
        unlinkat(folder, guard.files[k], 0);
    rmdir(guard.folder);
    for (int k = 0; k < UNFINISHED_SIGNALS; ++k) {
        if (unfinished_signals[k] == number)
            sigaction(number, &guard.before[k], NULL);
    }
    raise(number); /* which ends the command once this returns */
}

void ends_guard(const char *folder, const char *const *files, int n) {
    guard.folder = folder;
    guard.files = files;
    guard.n = n;
    guard.child = 0;
    struct sigaction action = {.sa_handler = clear};
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < UNFINISHED_SIGNALS; ++k) {
        /* what was ignored before, as under nohup, stays so */
        if (sigaction(unfinished_signals[k], NULL, &guard.before[k]) == 0 &&
            guard.before[k].sa_handler != SIG_IGN)
            sigaction(unfinished_signals[k], &action, NULL);
    }
}

void ends_child(pid_t child) {
    guard.child = child;
}

void ends_release(void) {
    for (int k = 0; k < UNFINISHED_SIGNALS; ++k)
        sigaction(unfinished_signals[k], &guard.before[k], NULL);
}
