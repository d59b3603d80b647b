#include "rehearsal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the processor, and not of a slow disk. */
static const struct rlimit seconds = {60, 60}, no_core = {0, 0};

bool io_rehearse(void (*act)(const void *what), const void *what) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &no_core);
        setrlimit(RLIMIT_CPU, &seconds);
        act(what);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return true;
    }
    return status == 0;
}
