#include "options.h"
#include "backends.h"
#include "command.h"
#include "io/files/output.h"
#include "io/files/visible.h"
#include "io/snapshot.h"
#include "progress.h"
#include "cli/typos/typos.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_BACKEND = 256,
    KEY_DEVICE,
    KEY_THREADS,
    KEY_TIMINGS,
    KEY_NO_MPI,
    KEY_ALLOW_EXTERNAL,
    KEY_NO_CLOBBER,
    KEY_VERIFY,
    KEY_USAGE
};

static const struct argp_option device_list[] = {
    {.doc = "Where to run, and what to report:", .group = 8},
    {"backend", KEY_BACKEND, "NAME", 0, "%s (default: $WEFT_BACKEND, else %s)", 8},
    {"device", KEY_DEVICE, "N|NAME", 0,
     "the OpenCL device with that number, or the first with NAME in its name (default: "
     "$WEFT_DEVICE, else a GPU before a CPU)",
     8},
    {"threads", KEY_THREADS, "N", 0,
     "threads of the pthreads backend (default: $WEFT_NUM_THREADS, else as many as the "
     "process may use)",
     8},
    {0},
};

static const struct argp_option shared_list[] = {
    {"quiet", 'q', NULL, 0, "print errors only", 8},
    {"timings", KEY_TIMINGS, "FILE.json", 0,
     "write seconds and bytes of each step, and peak memory", 8},
    {0},
};

static const char *name_of(struct argp_state *state, const char *option, const char *text) {
    if (*text == '\0')
        argp_error(state, "%s: the name is empty", option);
    return text;
}

static error_t parse_device(int key, char *text, struct argp_state *state) {
    struct shared_options *options = state->input;
    switch (key) {
    case KEY_BACKEND:
        options->backend = name_of(state, "--backend", text);
        return 0;
    case KEY_DEVICE:
        options->device = name_of(state, "--device", text);
        return 0;
    case KEY_THREADS:
        options->threads = options_integer(state, "--threads", text, 1);
        return 0;
    case ARGP_KEY_END:
        backends_check(state, options->backend, options->device, options->threads);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *complete(int key, const char *text, void *input) {
    (void)input;
    return key == KEY_BACKEND ? backends_complete(text) : (char *)(uintptr_t)text;
}

const struct argp device_argp = {
    .options = device_list, .parser = parse_device, .help_filter = complete};

static error_t parse_shared(int key, char *text, struct argp_state *state) {
    struct shared_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_TIMINGS:
        options->timings = text;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child shared_children[] = {{.argp = &device_argp}, {0}};
const struct argp shared_argp = {
    .options = shared_list, .parser = parse_shared, .children = shared_children};

/* argp's own --help does not notice that standard output is full. */
static const struct argp_option help_list[] = {
    {"help", 'h', NULL, 0, "print this, and exit", -1},
    {"no-mpi", KEY_NO_MPI, NULL, 0,
     "work alone, though a launcher started several processes, as in a task farm", -1},
    {"allow-external", KEY_ALLOW_EXTERNAL, NULL, 0,
     "read numbers that an HDF5 file keeps in files outside of its folder, too", -1},
    {"verify", KEY_VERIFY, NULL, 0,
     "first verify all checksums of the file, also those of what is not read", -1},
    {"no-clobber", KEY_NO_CLOBBER, NULL, 0, "replace no file that is there already", -1},
    {"usage", KEY_USAGE, NULL, OPTION_HIDDEN, NULL, -1}, /* argp's errors name it */
    {0},
};

static error_t parse_help(int key, char *text, struct argp_state *state) {
    (void)text;
    if (key == KEY_NO_MPI) /* job.c saw it */
        return 0;
    if (key == KEY_ALLOW_EXTERNAL) {
        snapshot_allow_external();
        return 0;
    }
    if (key == KEY_VERIFY) {
        snapshot_verify_all();
        return 0;
    }
    if (key == KEY_NO_CLOBBER) {
        io_output_keep_old();
        return 0;
    }
    if (key != 'h' && key != KEY_USAGE)
        return ARGP_ERR_UNKNOWN;
    const unsigned what = key == 'h' ? ARGP_HELP_STD_HELP : ARGP_HELP_USAGE;
    argp_state_help(state, stdout, what & ~(unsigned)ARGP_HELP_EXIT_OK);
    exit(progress_finish(CLI_DONE));
}

static const struct argp help_argp = {.options = help_list, .parser = parse_help};

static bool silent;

void options_silence(void) {
    silent = true;
}

/* Neither argp nor getopt is heard. */
static int hush(void) {
    const int spoken = silent ? dup(STDERR_FILENO) : -1,
              nowhere = spoken < 0 ? -1 : open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    return spoken;
}

static void unhush(int spoken) {
    if (spoken >= 0) {
        dup2(spoken, STDERR_FILENO);
        close(spoken);
    }
}

/* More than any command has of its own, with one for each center. (Memory that is asked for
 * could be refused on one rank, before ranks agree on anything.) */
enum { CHILDREN = 40 };

static options_agreement *agreement;

void options_share(options_agreement *agree) {
    agreement = agree;
}

/* What argp finds wrong it finds on all ranks, but for memory that is out on one. */
static void end_unless_parsed(error_t error) {
    bool tells = error != 0;
    if (agreement ? agreement(error == 0, &tells) : error == 0)
        return;
    if (tells)
        progress_fail(CLI_FAULT, "the options: %s", strerror(error));
    exit(CLI_FAULT);
}

void options_parse(const struct argp *argp, int argc, char **argv, void *input) {
    struct argp_child children[CHILDREN + 2] = {{.argp = &help_argp}};
    for (int k = 0; k < CHILDREN && argp->children && argp->children[k].argp; ++k)
        children[k + 1] = argp->children[k];
    struct argp whole = *argp;
    whole.children = children;
    progress_start(argv[0], false);
    argp_err_exit_status = CLI_USAGE;
    const int spoken = hush();
    const struct typo typo = typos_look(&whole, argc, argv);
    if (typo.meant)
        exit(progress_fail(CLI_USAGE, "there is no option '--%s': is it --%s?", typo.name,
                           typo.meant));
    const error_t error = argp_parse(&whole, argc, argv, ARGP_NO_HELP, NULL, input);
    unhush(spoken);
    end_unless_parsed(error);
}

double options_number(struct argp_state *state, const char *option, const char *text,
                      double least) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value < least)
        argp_error(state, "%s: '%s' is not a number of at least %g", option, text, least);
    return value;
}

int64_t options_integer(struct argp_state *state, const char *option, const char *text,
                        int64_t least) {
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end != text && *end == '\0' && errno && value > 0)
        argp_error(state, "%s: '%s' is above 2^63 - 1", option, text);
    if (end == text || *end != '\0' || errno || value < least)
        argp_error(state, "%s: '%s' is not a whole number of at least %lld", option, text,
                   (long long)least);
    return value;
}

int64_t options_size(struct argp_state *state, const char *option, const char *text) {
    static const char letters[] = "KMGT";
    char *end;
    double size = strtod(text, &end);
    const char *letter = *end ? strchr(letters, *end) : NULL;
    if (letter) {
        for (const char *power = letters; power <= letter; ++power)
            size *= 1024;
        ++end;
        if (strcmp(end, "B") == 0 || strcmp(end, "iB") == 0) /* as people write them, too */
            end += strlen(end);
    }
    if (end != text && *end == '\0' && size >= 0x1p62)
        argp_error(state, "%s: '%s' is more than 2^62 bytes", option, text);
    if (end == text || *end != '\0' || !(size >= 1 && size < 0x1p62))
        argp_error(state,
                   "%s: '%s' is not a number of bytes: 1 or more, and perhaps K, M, G or T "
                   "(5G)",
                   option, text);
    return (int64_t)size;
}

enum { NAME = 256 };

/* As weft_open takes it. */
static void name_device(const struct shared_options *options, char name[static NAME]) {
    const char *environment = getenv("WEFT_BACKEND");
    if (environment && *environment == '\0')
        environment = NULL;
    if (options->threads)
        snprintf(name, NAME, "%s:%lld", backend_that_takes(BACKEND_TAKES_THREADS),
                 (long long)options->threads);
    else if (options->device)
        snprintf(name, NAME, "%s:%s", backend_that_takes(BACKEND_TAKES_DEVICE),
                 options->device);
    else if (options->backend || environment)
        snprintf(name, NAME, "%s", options->backend ? options->backend : environment);
    else
        snprintf(name, NAME, "%s", weft_backend_built_in(0));
}

enum backend_takes options_take(const struct shared_options *options) {
    char name[NAME];
    name_device(options, name);
    name[strcspn(name, ":")] = '\0';
    return backend_takes(name);
}

weft_device *options_try(const struct shared_options *options) {
    char name[NAME];
    name_device(options, name);
    const bool named = options->threads || options->device || options->backend;
    return weft_open(named ? name : NULL);
}

/* What is wrong with the environment is no matter of usage: those sentences begin with the
 * variable. */
static bool is_usage(const struct shared_options *options, const weft_device *device) {
    char name[NAME];
    name_device(options, name);
    name[strcspn(name, ":")] = '\0';
    return weft_check(device) == WEFT_E_BACKEND &&
           strncmp(weft_error(device), "WEFT_", 5) != 0 &&
           (options->threads || !backend_is_built_in(name));
}

weft_device *options_judge(const struct shared_options *options, weft_device *device,
                           int *status) {
    if (weft_check(device) == WEFT_OK)
        return device;
    *status = progress_fail(is_usage(options, device) ? CLI_USAGE : CLI_FAULT, "%s",
                            weft_error(device));
    weft_close(device);
    return NULL;
}

weft_device *options_open(const struct shared_options *options, int *status) {
    return options_judge(options, options_try(options), status);
}

char *options_join(int argc, char **argv) {
    size_t room = 1;
    for (int k = 0; k < argc; ++k)
        room += strlen(argv[k]) * 4 + 4;
    char *text = malloc(room), *at = text;
    for (int k = 0; text && k < argc; ++k) {
        const char *safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "-_=+,./:@%";
        const bool plain = k == 0 || (*argv[k] && argv[k][strspn(argv[k], safe)] == '\0');
        if (k > 0)
            *at++ = ' ';
        if (!plain)
            *at++ = '\'';
        for (const char *c = argv[k]; *c; ++c) {
            if (*c == '\'')
                at = stpcpy(at, "'\\'");
            *at++ = *c;
        }
        if (!plain)
            *at++ = '\'';
    }
    if (text == NULL)
        return NULL;
    *at = '\0';
    const size_t length = 4 * (size_t)(at - text) + 1; /* each byte as \xNN */
    char *shown = malloc(length);
    if (shown)
        visible(text, shown, length);
    free(text);
    return shown;
}
