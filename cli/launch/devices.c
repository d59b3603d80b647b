#include "devices.h"
#include "cli/command.h"
#include "cli/job.h"
#include "cli/progress.h"
#include "distributed/ranks/launcher.h"
#include "launch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_DEVICES = 512, ALL = -1, MOST = 64 };

static const struct argp_option list[] = {
    {"devices", KEY_DEVICES, "N|all", 0,
     "work on the first N OpenCL devices of this machine, or on all of them: on its GPUs "
     "where there are; starts a rank for each, by mpirun",
     8},
    {0},
};

/* A launcher that started this process, which cannot start another; NULL: none did. */
static const char *started_by(void) {
    static const char alone[] = "OMPI_UNIVERSE_SIZE"; /* mpirun -n 1 */
    const struct launcher launcher = launcher_find();
    return launcher.variable ? launcher.variable : getenv(alone) ? alone : NULL;
}

static void check(struct shared_options *options, struct argp_state *state) {
    if (options->device || options->threads)
        argp_error(state, "--devices and %s exclude each other",
                   options->device ? "--device" : "--threads");
    if (options->backend && backend_takes(options->backend) != BACKEND_TAKES_DEVICE)
        argp_error(state, "--devices is for the backend %s",
                   backend_that_takes(BACKEND_TAKES_DEVICE));
    if (!launch_is_rank() && job_is_alone())
        argp_error(state, "--devices and --no-mpi exclude each other");
    if (!launch_is_rank() && started_by())
        argp_error(
            state,
            "--devices starts ranks by itself: leave it out where a launcher started "
            "them (%s)",
            started_by());
    options->backend = backend_that_takes(BACKEND_TAKES_DEVICE);
}

static int64_t number_of(const char *text, struct argp_state *state) {
    if (strcmp(text, "all") == 0)
        return ALL;
    if (strspn(text, "0123456789") != strlen(text) || strspn(text, "0") == strlen(text))
        argp_error(state, "--devices: '%s' is neither all nor a whole number of at least 1",
                   text);
    return options_integer(state, "--devices", text, 1);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct shared_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_DEVICES:
        options->devices = number_of(text, state);
        return 0;
    case ARGP_KEY_END:
        if (options->devices)
            check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{.argp = &shared_argp}, {0}};
const struct argp devices_argp = {.options = list, .parser = parse, .children = children};

int devices_alike(int64_t *number, int most) {
    weft_device_info info[MOST];
    int64_t found = weft_devices(info, MOST);
    int count = 0;
    bool gpu = false;
    found = found < MOST ? found : MOST;
    for (int64_t k = 0; k < found; ++k)
        gpu |= backend_takes(info[k].backend) == BACKEND_TAKES_DEVICE && info[k].is_gpu;
    for (int64_t k = 0; k < found && count < most; ++k) {
        if (backend_takes(info[k].backend) == BACKEND_TAKES_DEVICE &&
            (info[k].is_gpu != 0) == gpu)
            number[count++] = info[k].number;
    }
    return count;
}

int devices_too_few(int64_t asked, int there) {
    return progress_fail(CLI_FAULT, "--devices %lld: there %s %d; weft devices lists all",
                         (long long)asked, there == 1 ? "is" : "are", there);
}

/* Whether so many GPUs have files: to ask their driver takes it up to a second to begin,
 * and ranks ask it anyway. */
static bool are_in_sight(int64_t devices) {
    char name[32];
    bool all = devices > 0;
    for (int64_t k = 0; all && k < devices; ++k) {
        snprintf(name, sizeof name, "/dev/nvidia%lld", (long long)k);
        all = access(name, R_OK | W_OK) == 0;
    }
    return all;
}

static bool sees_own;

/* A driver takes longer to begin for each GPU that it sees, and more so in several ranks at
 * once; so each sees that of its place on the machine. */
static void see_own(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    const char *ranks = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const int64_t count = ranks ? strtoll(ranks, NULL, 10) : 0;
    sees_own = rank && count > 1 && are_in_sight(count) &&
               !getenv("CUDA_VISIBLE_DEVICES") &&
               setenv("CUDA_VISIBLE_DEVICES", rank, 0) == 0;
}

/* Whether it is said which of the devices is taken, as in opencl:1. */
static bool is_named(const struct shared_options *options) {
    const char *backend = options->backend ? options->backend : getenv("WEFT_BACKEND");
    return options->device || getenv("WEFT_DEVICE") || (backend && strchr(backend, ':'));
}

/* The same of a process that takes one device, the first, of several GPUs. */
static void see_first(const struct shared_options *options) {
    if (options->devices <= 1 && options->devices != ALL && !is_named(options) &&
        !started_by() && options_take(options) == BACKEND_TAKES_DEVICE && are_in_sight(2))
        setenv("CUDA_VISIBLE_DEVICES", "0", 0);
}

bool devices_have_own(void) {
    weft_device_info info[MOST];
    const int64_t found = sees_own ? weft_devices(info, MOST) : 0;
    bool gpu = false;
    for (int64_t k = 0; k < found && k < MOST; ++k)
        gpu |= info[k].is_gpu;
    return gpu;
}

static pthread_t beginning;

static void *look(void *unused) {
    (void)unused;
    weft_devices(NULL, 0);
    return NULL;
}

static void end_beginning(void) {
    pthread_join(beginning, NULL);
}

void devices_begin(void) {
    if (!launch_is_rank())
        return;
    see_own();
    if (pthread_create(&beginning, NULL, look, NULL) == 0 && atexit(end_beginning) != 0)
        end_beginning();
}

bool devices_start(const struct shared_options *options, bool read_input, int *status) {
    int64_t number[MOST];
    if (!launch_is_rank())
        see_first(options);
    if (options->devices == 0 || launch_is_rank())
        return false;
    if (!backend_is_built_in(options->backend))
        return false; /* which is told where it is opened */
    launch_hold_signals();
    const int there = are_in_sight(options->devices) ? (int)options->devices
                                                     : devices_alike(number, MOST);
    const int64_t ranks = options->devices == ALL ? there : options->devices;
    if (there == 0)
        *status = progress_fail(CLI_FAULT, "--devices: there is no OpenCL device");
    else if (ranks > there)
        *status = devices_too_few(ranks, there);
    else if (ranks > 1)
        *status = launch_ranks((int)ranks, read_input);
    launch_let_signals_go();
    return there == 0 || ranks != 1;
}
