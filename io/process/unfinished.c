#define _XOPEN_SOURCE 700 /* SIGXCPU */
#include "unfinished.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 64 };
enum state { FREE, CHANGING, LISTED };

static struct {
    atomic_int state;
    char path[PATH_MAX];
} files[FILES];

const int unfinished_signals[UNFINISHED_SIGNALS] = {
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};

/* Calls nothing but what a handler may. */
static void remove_all(int number) {
    for (int k = 0; k < FILES; ++k) {
        if (atomic_load(&files[k].state) == LISTED)
            unlink(files[k].path);
    }
    raise(number); /* which ends the process once this returns */
}

void unfinished_guard(void) {
    struct sigaction action = {.sa_handler = remove_all, .sa_flags = (int)SA_RESETHAND},
                     before;
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < UNFINISHED_SIGNALS; ++k) {
        const int number = unfinished_signals[k];
        if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(number, &action, NULL);
    }
}

void unfinished_hold(sigset_t *before) {
    sigset_t held;
    sigemptyset(&held);
    for (int k = 0; k < UNFINISHED_SIGNALS; ++k)
        sigaddset(&held, unfinished_signals[k]);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void unfinished_let_go(const sigset_t *before) {
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

int unfinished_add(const char *path) {
    for (int k = 0; k < FILES && strlen(path) < PATH_MAX; ++k) {
        int free = FREE;
        if (!atomic_compare_exchange_strong(&files[k].state, &free, CHANGING))
            continue;
        strcpy(files[k].path, path);
        atomic_store(&files[k].state, LISTED);
        return k;
    }
    return -1;
}

void unfinished_remove(int number) {
    if (number >= 0)
        atomic_store(&files[number].state, FREE);
}
