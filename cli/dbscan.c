/* weft dbscan: clusters of points. */
#include "command.h"
#include "io/labels.h"
#include "io/output.h"
#include "io/points.h"
#include "options.h"
#include "progress.h"
#include "timings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/dbscan.h>

enum { KEY_EPS = 256 + 64, KEY_MIN_POINTS, KEY_CORE_ONLY, KEY_BOX, KEY_NO_PERIODIC };

struct dbscan_options {
    struct shared_options shared;
    const char *points, *output; /* output NULL where not given */
    double eps;                  /* -1 where not given */
    int64_t min_points;          /* 0 where not given */
    double box[3];
    bool box_given, no_periodic, core_only;
};

static const struct argp_option list[] = {
    {.doc = "What a cluster is:", .group = 1},
    {"eps", KEY_EPS, "E", 0, "points within E of each other are neighbours", 1},
    {"min-points", KEY_MIN_POINTS, "M", 0,
     "a core point has at least M points within E, itself counted", 1},
    {"core-only", KEY_CORE_ONLY, NULL, 0,
     "DBSCAN*: points that are not core are noise, those at the border of clusters too", 1},
    {"box", KEY_BOX, "L[,L[,L]]", 0,
     "wrap the axes at these sizes, 0 for an axis that does not wrap (default: what a "
     "snapshot says, and none for other files)",
     1},
    {"no-periodic", KEY_NO_PERIODIC, NULL, 0, "wrap none", 1},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "LABELS", 0,
     "for each point its cluster, 0 and up in the order of their first core points, -1 for "
     "noise: text with a header line where the name ends in .csv, and on standard output "
     "where it is -; otherwise raw little-endian int64",
     3},
    {0},
};

static void parse_box(struct dbscan_options *options, const char *text,
                      struct argp_state *state) {
    const char *at = text;
    int count = 0;
    for (bool more = true; more && count < 3; ++count) {
        char *end;
        options->box[count] = strtod(at, &end);
        if (end == at || !(options->box[count] >= 0 && options->box[count] < 1e300))
            argp_error(state, "--box: '%s' is not one to three sizes of at least 0", text);
        more = *end == ',';
        at = more ? end + 1 : end;
    }
    if (*at != '\0' || at[-1] == ',')
        argp_error(state, "--box: '%s' is not one to three sizes of at least 0", text);
    if (count == 1)
        options->box[1] = options->box[2] = options->box[0];
    options->box_given = true;
}

static void check(const struct dbscan_options *options, struct argp_state *state) {
    if (options->points == NULL)
        argp_error(state, "a file of points is missing");
    if (options->eps < 0)
        argp_error(state, "--eps is missing");
    if (options->min_points == 0)
        argp_error(state, "--min-points is missing");
    if (options->box_given && options->no_periodic)
        argp_error(state, "--box and --no-periodic exclude each other");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct dbscan_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        return 0;
    case KEY_EPS:
        options->eps = options_number(state, "--eps", text, 0);
        return 0;
    case KEY_MIN_POINTS:
        options->min_points = options_integer(state, "--min-points", text, 1);
        return 0;
    case KEY_CORE_ONLY:
        options->core_only = true;
        return 0;
    case KEY_BOX:
        parse_box(options, text, state);
        return 0;
    case KEY_NO_PERIODIC:
        options->no_periodic = true;
        return 0;
    case 'o':
        options->output = text;
        return 0;
    case ARGP_KEY_ARG:
        if (options->points)
            argp_error(state, "one file of points at a time: '%s' is one too many", text);
        options->points = text;
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{.argp = &shared_argp}, {0}};
static const struct argp argp = {
    .options = list,
    .parser = parse,
    .args_doc = "POINTS",
    .doc = "Finds clusters by DBSCAN, with scikit-learn's result. POINTS is a snapshot, "
           "NumPy's .npy of shape (n, 2) or (n, 3), text (.csv, .txt) of two or three "
           "numbers a line, or raw float32 x, y, z (.f32).",
    .children = children,
};

/* labels: [n], filled in. */
static void find(weft_device *device, const struct dbscan_options *options,
                 const struct points *points, int64_t *labels, struct timings *timings) {
    const int64_t numbers = points->n * points->axes;
    const weft_array at = weft_borrow_const(
        device, points->bytes == 4 ? WEFT_F32 : WEFT_F64, points->values, numbers);
    const weft_array out = weft_array_new(device, WEFT_I64, points->n);
    timings_end(timings, TIMINGS_UPLOAD, numbers * points->bytes);
    const weft_points view = points->axes == 2 ? weft_points_interleaved_2d(device, at)
                                               : weft_points_interleaved(device, at);
    weft_dbscan_options rule = {.eps = options->eps,
                                .min_points = options->min_points,
                                .core_only = options->core_only};
    for (int axis = 0; axis < points->axes; ++axis)
        rule.box[axis] = options->no_periodic ? 0
                         : options->box_given ? options->box[axis]
                                              : points->box[axis];
    weft_dbscan(device, &view, &rule, out);
    weft_read(device, out, labels);
    timings_end(timings, TIMINGS_DBSCAN, numbers * points->bytes + 8 * points->n);
    weft_array_free(device, out);
    weft_return(device, at);
}

static bool print_labels(const int64_t *labels, int64_t n) {
    puts("label");
    for (int64_t i = 0; i < n; ++i)
        printf("%" PRId64 "\n", labels[i]);
    return true; /* whether all went out is seen at the end of the program */
}

static int write_labels(const char *path, const int64_t *labels, int64_t n) {
    struct io_error error;
    const bool good = strcmp(path, "-") == 0     ? print_labels(labels, n)
                      : io_ends_in(path, ".csv") ? labels_write_csv(path, labels, n, &error)
                                                 : labels_write(path, labels, n, &error);
    return good ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}

static void print_summary(const struct dbscan_options *options, const struct points *points,
                          const int64_t *labels, const weft_device *device,
                          const struct timings *timings) {
    int64_t clusters = 0, noise = 0;
    for (int64_t i = 0; i < points->n; ++i) {
        clusters = labels[i] >= clusters ? labels[i] + 1 : clusters;
        noise += labels[i] < 0;
    }
    printf("%s: %" PRId64 " points in %d dimensions\n", options->points, points->n,
           points->axes);
    printf("%" PRId64 " clusters; %" PRId64 " points (%.1f %%) are noise\n", clusters,
           noise, points->n > 0 ? 100.0 * (double)noise / (double)points->n : 0.0);
    printf("%s, %s: read %.3f s, clusters %.3f s, written %.3f s\n",
           weft_backend_name(device), weft_device_name(device),
           timings->seconds[TIMINGS_READ],
           timings->seconds[TIMINGS_UPLOAD] + timings->seconds[TIMINGS_DBSCAN],
           timings->seconds[TIMINGS_WRITE]);
    if (options->output)
        printf("wrote %s\n", options->output);
}

static int run(const struct dbscan_options *options, const char *command,
               struct points *points, int64_t **labels, weft_device **device) {
    struct timings timings;
    struct io_error error;
    int status = CLI_DONE;
    timings_start(&timings);
    progress_show("reading %s", options->points);
    if (!points_read(options->points, points, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&timings, TIMINGS_READ, points->n * points->axes * points->bytes);
    *device = options_open(&options->shared, &status);
    if (*device == NULL)
        return status;
    *labels = io_allocate(points->n, sizeof **labels, "the labels", &error);
    if (*labels == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    progress_show("%s: %s · clusters", weft_backend_name(*device),
                  weft_device_name(*device));
    find(*device, options, points, *labels, &timings);
    if (weft_check(*device) != WEFT_OK)
        return progress_fail(CLI_FAULT, "%s: %s", options->points, weft_error(*device));
    if (options->output)
        status = write_labels(options->output, *labels, points->n);
    timings_end(&timings, TIMINGS_WRITE, options->output ? 8 * points->n : 0);
    if (status == CLI_DONE && options->shared.timings &&
        !timings_write(options->shared.timings, &timings, *device, command, points->n,
                       &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    if (status == CLI_DONE && !options->shared.quiet &&
        (options->output == NULL || strcmp(options->output, "-") != 0))
        print_summary(options, points, *labels, *device, &timings);
    return status;
}

int command_dbscan(int argc, char **argv) {
    struct dbscan_options options = {.eps = -1};
    struct points points = {0};
    int64_t *labels = NULL;
    weft_device *device = NULL;
    char *command = options_join(argc, argv);
    options_parse(&argp, argc, argv, &options);
    progress_start(argv[0], options.shared.quiet);
    const int status = command
                           ? run(&options, command, &points, &labels, &device)
                           : progress_fail(CLI_FAULT, "out of memory: the command line");
    weft_close(device);
    points_free(&points);
    free(labels);
    free(command);
    return status;
}
