/* weft dbscan: clusters of points. */
#include "command.h"
#include "distributed/clusters.h"
#include "cli/notes/inside.h"
#include "launch/devices.h"
#include "cli/notes/left_out.h"
#include "io/files/output.h"
#include "io/files/standard.h"
#include "io/points.h"
#include "options.h"
#include "cli/outputs/outputs.h"
#include "parallel.h"
#include "progress.h"
#include "range.h"
#include "timings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/dbscan.h>

enum {
    KEY_EPS = 256 + 64,
    KEY_MIN_POINTS,
    KEY_CORE_ONLY,
    KEY_BOX,
    KEY_NO_PERIODIC,
    KEY_MEMORY_LIMIT
};

struct dbscan_options {
    struct shared_options shared;
    const char *points, *output; /* output NULL where not given */
    double eps;                  /* -1 where not given */
    int64_t min_points;          /* 0 where not given */
    int64_t memory_limit;        /* the same */
    double box[3];
    bool box_given, no_periodic, core_only;
};

static const struct argp_option list[] = {
    {.doc = "What a cluster is:", .group = 1},
    {"eps", KEY_EPS, "E", 0, "points within E of each other are neighbours", 1},
    {"min-points", KEY_MIN_POINTS, "M", 0,
     "a core point has at least M points within E, itself counted", 1},
    {"core-only", KEY_CORE_ONLY, NULL, 0,
     "DBSCAN*: all points that are not core points are noise, at the border of clusters, "
     "too",
     1},
    {"box", KEY_BOX, "L[,L[,L]]", 0,
     "periods of the axes, 0 for an axis that is not periodic (default: what a snapshot "
     "says, none for other files)",
     1},
    {"no-periodic", KEY_NO_PERIODIC, NULL, 0, "treat no axis as periodic", 1},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "LABELS", 0,
     "write the cluster of each point, numbered from 0 in the order of their first core "
     "points, -1 for noise: as text with a header line if the name ends in .csv, or on "
     "standard output if it is -, as .npy if it ends so, else as raw little-endian int64",
     3},
    {.doc = "More points than a device holds:", .group = 4},
    {"memory-limit", KEY_MEMORY_LIMIT, "SIZE", 0,
     "use at most SIZE bytes of the device's memory (K, M, G, T: powers of 1024), and "
     "process the points in pieces (default: no limit)",
     4},
    {0},
};

static void check(const struct dbscan_options *options, struct argp_state *state) {
    if (options->points == NULL)
        argp_error(state, "a file of points is missing");
    if (options->eps < 0)
        argp_error(state, "--eps is missing");
    if (options->min_points == 0)
        argp_error(state, "--min-points is missing");
    if (options->box_given && options->no_periodic)
        argp_error(state, "--box and --no-periodic exclude each other");
    struct io_error error;
    if (!outputs_labels_named("--output", options->output, &error))
        argp_error(state, "%s", error.text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct dbscan_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        return 0;
    case KEY_EPS:
        options->eps = range_option(state, "--eps", text);
        return 0;
    case KEY_MIN_POINTS:
        options->min_points = options_integer(state, "--min-points", text, 1);
        return 0;
    case KEY_CORE_ONLY:
        options->core_only = true;
        return 0;
    case KEY_BOX:
        range_box(state, text, options->box);
        options->box_given = true;
        return 0;
    case KEY_NO_PERIODIC:
        options->no_periodic = true;
        return 0;
    case KEY_MEMORY_LIMIT:
        options->memory_limit = options_size(state, "--memory-limit", text);
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

static const struct argp_child children[] = {{.argp = &devices_argp}, {0}};
static const struct argp argp = {
    .options = list,
    .parser = parse,
    .args_doc = "POINTS",
    .doc = "Finds clusters with DBSCAN, the same as scikit-learn's. POINTS is a snapshot, "
           "NumPy's .npy of shape (n, 2) or (n, 3), text (.csv, .txt, .tsv, .dat, .asc) of "
           "two or three "
           "numbers a line, or raw float32 x, y, z (.f32).",
    .children = children,
};

struct dbscan_run {
    struct dbscan_options options;
    char *command; /* as it was typed */
    struct timings timings;
    weft_device *device;
    struct points points; /* this rank's share */
    int64_t *labels;      /* [points.n] */
};

static weft_dbscan_options rule_of(const struct dbscan_run *run) {
    const struct dbscan_options *options = &run->options;
    weft_dbscan_options rule = {.eps = options->eps,
                                .min_points = options->min_points,
                                .core_only = options->core_only};
    for (int axis = 0; axis < run->points.axes; ++axis)
        rule.box[axis] = options->no_periodic ? 0
                         : options->box_given ? options->box[axis]
                                              : run->points.box[axis];
    return rule;
}

/* All at once. */
static int find(struct dbscan_run *run) {
    weft_device *device = run->device;
    const struct points *points = &run->points;
    const weft_dbscan_options rule = rule_of(run);
    const int64_t numbers = points->n * points->axes;
    const weft_array at = weft_borrow_const(
        device, points->bytes == 4 ? WEFT_F32 : WEFT_F64, points->values, numbers);
    const weft_array out = weft_array_new(device, WEFT_I64, points->n);
    timings_end(&run->timings, TIMINGS_UPLOAD, numbers * points->bytes);
    const weft_points view = points->axes == 2 ? weft_points_interleaved_2d(device, at)
                                               : weft_points_interleaved(device, at);
    weft_dbscan(device, &view, &rule, out);
    weft_read(device, out, run->labels);
    weft_array_free(device, out);
    weft_return(device, at);
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", run->options.points,
                               progress_error(device));
}

/* The points as a table, in three dimensions. */
static bool give(struct comm *comm, struct points *points, struct table *table) {
    const size_t bytes = (size_t)points->bytes, row = bytes * (size_t)points->axes;
    *table = (struct table){.n = points->n};
    table->bytes[LINK_POSITION] = 3 * bytes;
    table->bytes[LINK_INDEX] = sizeof(int64_t);
    int64_t *index = comm_allocate(comm, points->n, sizeof *index, "the points' places");
    for (int64_t i = 0; index && i < points->n; ++i)
        index[i] = points->first + i;
    table->column[LINK_INDEX] = index;
    if (points->axes == 3) {
        table->column[LINK_POSITION] = points->values;
        points->values = NULL;
        return index != NULL;
    }
    char *at = comm_allocate(comm, points->n, 3 * bytes, "points in a plane");
    for (int64_t i = 0; at && i < points->n; ++i) {
        memcpy(at + 3 * bytes * (size_t)i, (char *)points->values + row * (size_t)i, row);
        memset(at + 3 * bytes * (size_t)i + row, 0, bytes);
    }
    table->column[LINK_POSITION] = at;
    return index && at;
}

/* On several ranks, or piece by piece. */
static int find_in_parts(struct dbscan_run *run, struct comm *comm) {
    const weft_dbscan_options rule = rule_of(run);
    struct table table;
    if (run->options.memory_limit)
        parallel_save_memory();
    int status = give(comm, &run->points, &table) ? CLI_DONE : parallel_stop(comm);
    points_free(&run->points);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE &&
        !clusters_find(comm, run->device, &table, &rule, run->points.first,
                       run->options.memory_limit, run->labels))
        status = parallel_stop(comm);
    table_free(&table);
    return status;
}

static void print_summary(const struct dbscan_run *run, int64_t clusters, int64_t noise,
                          int ranks) {
    const struct timings *timings = &run->timings;
    const int64_t n = run->points.total;
    printf("%s: %" PRId64 " point%s in %d dimensions\n", outputs_shown(run->options.points),
           n, progress_plural(n), run->points.axes);
    printf("%" PRId64 " cluster%s; %" PRId64 " point%s (%.1f %%) %s noise\n", clusters,
           progress_plural(clusters), noise, progress_plural(noise),
           n > 0 ? 100.0 * (double)noise / (double)n : 0.0, noise == 1 ? "is" : "are");
    if (ranks > 1)
        printf("%d ranks, which sent %.1f MiB to each other; the first: ", ranks,
               (double)timings_sent(timings) / 1048576.0);
    printf("%s, %s: read %.3f s, clusters %.3f s, written %.3f s\n",
           weft_backend_name(run->device), weft_device_name(run->device),
           timings->seconds[TIMINGS_READ],
           timings->seconds[TIMINGS_UPLOAD] + timings->seconds[TIMINGS_DBSCAN],
           timings->seconds[TIMINGS_WRITE]);
    if (run->options.output)
        printf("wrote %s\n", outputs_shown(run->options.output));
}

static int check_outputs(const struct dbscan_options *options) {
    const char *const paths[] = {options->output, options->shared.timings};
    enum { PATHS = sizeof paths / sizeof *paths };
    for (int k = 0; k < PATHS; ++k) {
        if (paths[k] && points_has_part(options->points, paths[k]))
            return outputs_refuse_input(paths[k]);
    }
    return outputs_check(paths, PATHS);
}

static int read_share(struct dbscan_run *run, struct comm *comm) {
    struct io_error error;
    int status = CLI_DONE;
    progress_show("reading %s", run->options.points);
    if (!points_read(run->options.points, comm->rank, comm->size, comm->threads,
                     &run->points, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    const struct points *points = &run->points;
    bool in_range =
        range_positions(run->options.points, points->values, points->bytes, points->axes,
                        points->first, points->n, points->low, points->high, &error);
    for (int axis = 0; in_range && axis < 3; ++axis)
        in_range = range_length(run->options.points, "the box", points->box[axis], &error);
    if (!in_range)
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_READ,
                run->points.n * run->points.axes * run->points.bytes);
    run->device =
        parallel_open(&run->options.shared, comm, run->options.memory_limit, &status);
    if (run->device == NULL)
        return status;
    run->labels = io_allocate(run->points.n, sizeof *run->labels, "the labels", &error);
    return run->labels ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}

static int write_all(struct dbscan_run *run, struct comm *comm) {
    const char *output = run->options.output;
    const bool text = output && strcmp(output, "-") == 0;
    const int status =
        output ? parallel_write_labels(comm, output,
                                       text ? LABELS_TEXT : labels_form_of(output),
                                       run->labels, run->points.n)
               : CLI_DONE;
    timings_end(&run->timings, TIMINGS_WRITE, output ? 8 * run->points.n : 0);
    return status;
}

/* Rank 0 tells what all found. */
static int tell(struct dbscan_run *run, struct comm *comm) {
    const struct dbscan_options *options = &run->options;
    int64_t last = -1, noise = 0;
    struct io_error error;
    for (int64_t i = 0; i < run->points.n; ++i) {
        last = run->labels[i] > last ? run->labels[i] : last;
        noise += run->labels[i] < 0;
    }
    if (!comm_reduce_i64(comm, &last, 1, COMM_MAX) ||
        !comm_reduce_i64(comm, &noise, 1, COMM_SUM) || !timings_gather(&run->timings, comm))
        return parallel_stop(comm);
    if (comm->rank > 0)
        return CLI_DONE;
    if (options->shared.timings &&
        !timings_write(options->shared.timings, &run->timings, run->device, run->command,
                       run->points.total, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    const char *const paths[] = {options->output, options->shared.timings};
    if (!options->shared.quiet && !outputs_take_stdout(paths, 2))
        print_summary(run, last + 1, noise, comm->size);
    return CLI_DONE;
}

static int run_on_ranks(void *context, struct comm *comm) {
    struct dbscan_run *run = context;
    if (run->command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the command line");
    const int64_t limit = run->options.memory_limit;
    if (limit > 0 && limit < OPTIONS_LEAST_MEMORY)
        return progress_fail(CLI_FAULT,
                             "--memory-limit: nothing is done within %" PRId64
                             " bytes: the least that does is %d",
                             limit, (int)OPTIONS_LEAST_MEMORY);
    int status =
        parallel_meet(comm, comm->rank == 0 ? check_outputs(&run->options) : CLI_DONE);
    if (status == CLI_DONE)
        status = parallel_meet(comm, read_share(run, comm));
    if (status == CLI_DONE)
        status = parallel_same(comm, run->options.points, run->points.fingerprint);
    if (status != CLI_DONE)
        return status;
    const weft_dbscan_options rule = rule_of(run);
    left_out_tell(run->options.points, run->points.count);
    if (!inside_tell(comm, run->options.points, run->points.values, run->points.bytes,
                     run->points.axes, run->points.n, run->points.low, run->points.high,
                     rule.box, ""))
        return parallel_stop(comm);
    progress_show("%s: %s · clusters", weft_backend_name(run->device),
                  weft_device_name(run->device));
    const int64_t row = run->points.axes * run->points.bytes;
    comm->told = progress_part;
    status =
        comm->size > 1 || run->options.memory_limit ? find_in_parts(run, comm) : find(run);
    timings_end(&run->timings, TIMINGS_DBSCAN, run->points.n * (row + 8));
    if (status == CLI_DONE)
        status = write_all(run, comm);
    if (status == CLI_DONE)
        status = tell(run, comm);
    progress_end();
    return status;
}

int command_dbscan(int argc, char **argv) {
    struct dbscan_run run = {.options = {.eps = -1}, .command = options_join(argc, argv)};
    struct comm comm;
    options_parse(&argp, argc, argv, &run.options);
    timings_start(&run.timings);
    const bool read_input = standard_is(run.options.points);
    const int status =
        parallel_run(argv[0], &run.options.shared, read_input, &comm, run_on_ranks, &run);
    weft_close(run.device);
    points_free(&run.points);
    free(run.labels);
    free(run.command);
    return status;
}
