#define _GNU_SOURCE
#include "launch.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "door.h"
#include "io/files/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* OpenCL's loader (ocl-icd) cuts its value where it lies. */
static const char files[] = "OCL_ICD_FILENAMES";

static const char told[] = "WEFT_STARTED_BY"; /* the door of the process that did */

enum { NOT_FOUND = 127, SIGNALLED = 128 };

static char **words; /* of the command line, as it was */
static int n_words;
static char *loaders; /* files of OpenCL's, as the environment names them */
static bool is_rank;
static sigset_t caught, before; /* signals that are held, and were */

bool launch_is_rank(void) {
    return is_rank;
}

bool launch_begin(int argc, char **argv) {
    struct io_error error;
    const char *door = getenv(told);
    words = malloc(((size_t)argc + 1) * sizeof *words);
    for (int k = 0; words && k < argc; ++k)
        words[n_words++] = argv[k];
    if (getenv(files))
        loaders = strdup(getenv(files));
    if (door == NULL) {
        door_remember();
        return true;
    }
    is_rank = true;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* with the launcher */
    const bool done = door_knock(door, &error);
    unsetenv(told);
    if (!done)
        progress_fail(CLI_FAULT, "%s", error.text);
    return done;
}

struct launch {
    struct door door;
    int input;        /* a copy of standard input; -1: ranks do not read it */
    int said;         /* what the launcher says is kept there */
    int signals;      /* is readable where one came */
    int ended_by;     /* a signal, which was passed on; 0: none */
    char **arguments; /* of the launcher */
    char self[PATH_MAX], number[16], host[32];
};

static bool fail(const char *what) {
    progress_fail(CLI_FAULT, "--devices: %s: %s", what, strerror(errno));
    return false;
}

/* Ranks outnumber slots where a batch system knows of fewer tasks; their threads are free
 * to run on all of the machine's cores. */
static bool list_arguments(struct launch *launch, int ranks) {
    const ssize_t length =
        readlink("/proc/self/exe", launch->self, sizeof launch->self - 1);
    if (length < 0)
        return fail("this program's own file is not known");
    snprintf(launch->number, sizeof launch->number, "%d", ranks);
    snprintf(launch->host, sizeof launch->host, "localhost:%d", ranks);
    const char *const first[] = {"mpirun",         "--host",    launch->host, "-n",
                                 launch->number,   "--bind-to", "none",       "--map-by",
                                 ":OVERSUBSCRIBE", launch->self};
    enum { FIRST = sizeof first / sizeof *first };
    launch->arguments = calloc((size_t)FIRST + (size_t)n_words + 1, sizeof(char *));
    if (launch->arguments == NULL || words == NULL) {
        progress_fail(CLI_FAULT, "out of memory: the command line");
        return false;
    }
    memcpy(launch->arguments, first, sizeof first);
    for (int k = 1; k < n_words; ++k)
        launch->arguments[FIRST + k - 1] = words[k];
    return true;
}

void launch_hold_signals(void) {
    sigemptyset(&caught);
    for (const int *s = (const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, 0}; *s;
         ++s)
        sigaddset(&caught, *s);
    sigprocmask(SIG_BLOCK, &caught, &before);
}

void launch_let_signals_go(void) {
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool catch_signals(struct launch *launch) {
    signal(SIGCHLD, SIG_DFL); /* who started this process may have ignored it */
    launch->signals = signalfd(-1, &caught, SFD_CLOEXEC);
    return launch->signals >= 0 || fail("signals cannot be waited for");
}

static bool prepare(struct launch *launch, int ranks, bool read_input) {
    struct io_error error;
    if (!list_arguments(launch, ranks))
        return false;
    if (!door_open(&launch->door, &error)) {
        progress_fail(CLI_FAULT, "--devices: %s", error.text);
        return false;
    }
    launch->input = read_input ? standard_open("-") : -1;
    if (read_input && launch->input < 0)
        return fail("cannot read standard input");
    launch->said = memfd_create("mpirun", MFD_CLOEXEC);
    return (launch->said >= 0 || fail("there is no memory for what mpirun says")) &&
           catch_signals(launch);
}

/* In a group of its own: what a terminal's keys do, they do to the process that waits. */
static void become_launcher(const struct launch *launch, pid_t parent) {
    const int nothing = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    if (nothing < 0 || getppid() != parent)
        _exit(1);
    dup2(nothing, STDIN_FILENO);
    dup2(launch->said, STDOUT_FILENO);
    dup2(launch->said, STDERR_FILENO);
    setenv(told, launch->door.name, 1);
    setenv("OMPI_MCA_pml", "ob1", 0); /* on one machine; others look for networks first */
    setenv("HWLOC_COMPONENTS", "-opencl", 0); /* of which mpirun needs to know nothing */
    if (loaders)
        setenv(files, loaders, 1);
    unsetenv("WEFT_DEVICE");
    launch_let_signals_go();
    execvp("mpirun", launch->arguments);
    _exit(NOT_FOUND);
}

/* How the launcher ended. */
static int wait_for(struct launch *launch, pid_t launcher) {
    struct pollfd at[] = {{.fd = launch->signals, .events = POLLIN},
                          {.fd = launch->door.socket, .events = POLLIN}};
    struct signalfd_siginfo came;
    for (;;) {
        int status;
        if (poll(at, 2, -1) < 0)
            continue;
        if (at[1].revents)
            door_answer(&launch->door, launch->input);
        if (!at[0].revents || read(launch->signals, &came, sizeof came) != sizeof came)
            continue;
        if (waitpid(launcher, &status, WNOHANG) == launcher)
            return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
        if (came.ssi_signo != SIGCHLD) {
            launch->ended_by = (int)came.ssi_signo;
            kill(launcher, SIGTERM);
        }
    }
}

/* All but that ranks failed, which the first of them told. */
static void repeat_said(const struct launch *launch) {
    char text[16384];
    const ssize_t n = pread(launch->said, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    if (strstr(text, "returned\na non-zero exit code") == NULL)
        fputs(text, stderr);
}

/* Ranks tell themselves why they failed; what is told here is what they cannot. */
static int conclude(const struct launch *launch, int ranks, int status) {
    if (launch->ended_by)
        return SIGNALLED + launch->ended_by;
    if (launch->door.taken == 0 && status == NOT_FOUND)
        return progress_fail(CLI_FAULT, "--devices starts ranks by mpirun, of the Open MPI "
                                        "that weft was built with, which is not in PATH");
    if (launch->door.taken < ranks && status <= SIGNALLED) {
        progress_fail(CLI_FAULT, "--devices: of %d ranks mpirun started %d", ranks,
                      launch->door.taken);
        repeat_said(launch);
        return CLI_FAULT;
    }
    if (status > SIGNALLED && status != SIGNALLED + SIGPIPE) /* who reads may leave */
        return progress_fail(status, "a rank, or mpirun, was ended by signal %d (%s)",
                             status - SIGNALLED, strsignal(status - SIGNALLED));
    if (status != CLI_DONE)
        repeat_said(launch);
    return status;
}

/* Open MPI's own answer is fifteen lines. */
static bool is_allowed(void) {
    const char *const names[] = {"OMPI_ALLOW_RUN_AS_ROOT",
                                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"};
    for (int k = 0; k < 2 && geteuid() == 0; ++k) {
        const char *value = getenv(names[k]);
        if (value == NULL || strcmp(value, "1") != 0) {
            progress_fail(CLI_FAULT,
                          "--devices starts ranks by Open MPI's mpirun, which does not run "
                          "as root: where that is meant, as in a container, set %s=1 and "
                          "%s=1",
                          names[0], names[1]);
            return false;
        }
    }
    return true;
}

int launch_ranks(int ranks, bool read_input) {
    struct launch launch = {.door = {.socket = -1}, .input = -1, .said = -1, .signals = -1};
    int status = CLI_FAULT;
    if (is_allowed() && prepare(&launch, ranks, read_input)) {
        const pid_t parent = getpid(), launcher = fork();
        if (launcher == 0)
            become_launcher(&launch, parent);
        if (launcher > 0)
            status = conclude(&launch, ranks, wait_for(&launch, launcher));
        else
            fail("there is no process for mpirun");
    }
    launch_let_signals_go();
    door_close(&launch.door);
    const int opened[] = {launch.input, launch.said, launch.signals};
    for (int k = 0; k < 3; ++k) {
        if (opened[k] >= 0)
            close(opened[k]);
    }
    free(launch.arguments);
    if (launch.ended_by) {
        signal(launch.ended_by, SIG_DFL);
        raise(launch.ended_by);
    }
    return status;
}
