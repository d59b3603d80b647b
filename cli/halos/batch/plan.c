/* Which snapshots the named files are, and whether their outputs get in each other's way.
 */
#include "batch.h"
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "io/files/path.h"
#include "names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is read, whatever its name. */
struct input {
    dev_t device;
    ino_t number;
};

/* A file that is written, by its name and by one for all of its names, and for which
 * snapshot. */
struct output {
    char *path, *whole;
    const char *file;
};

struct plan {
    void *inputs, *outputs; /* trees */
    bool no_memory;
};

static int by_file(const void *a, const void *b) {
    const struct input *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct output *)a)->whole, ((const struct output *)b)->whole);
}

static bool is_input(const struct plan *plan, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    const struct input wanted = {status.st_dev, status.st_ino};
    return tfind(&wanted, &plan->inputs, by_file) != NULL;
}

static void add_input(struct plan *plan, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || is_input(plan, path))
        return;
    struct input *input = malloc(sizeof *input);
    if (input)
        *input = (struct input){status.st_dev, status.st_ino};
    if (input == NULL || tsearch(input, &plan->inputs, by_file) == NULL) {
        free(input);
        plan->no_memory = true;
    }
}

/* snap_*.hdf5 names what was made of snap_000.hdf5, too. */
static bool is_catalogue(const char *file) {
    struct catalogue_record record;
    struct io_error error;
    if (!catalogue_read_record(file, &record, &error))
        return false;
    progress_note("%s is a catalogue and no snapshot: it is passed over", file);
    return true;
}

/* Notes the snapshot's files, unless it is one of those before. Returns whether it is new;
 * one that cannot be opened is, and says so when its turn comes. */
static bool add_snapshot(struct plan *plan, const char *file, int type, int *n_parts) {
    struct io_error error;
    *n_parts = 1;
    if (is_input(plan, file))
        return false;
    struct snapshot *snapshot = snapshot_open_type(file, type, SNAPSHOT_ALL, &error);
    if (snapshot == NULL)
        return !is_catalogue(file);
    const bool fresh = !is_input(plan, snapshot_part(snapshot, 0));
    *n_parts = snapshot_info(snapshot)->n_parts;
    for (int part = 0; fresh && part < *n_parts; ++part)
        add_input(plan, snapshot_part(snapshot, part));
    snapshot_close(snapshot);
    return fresh;
}

/* Notes a name; NULL, or the file for which it was noted before. */
static const char *add_output(struct plan *plan, const char *path, const char *file) {
    struct output *output = malloc(sizeof *output);
    char *copy = strdup(path), *whole = io_whole_name(path);
    if (whole == NULL)
        whole = strdup(path); /* it cannot be written, which its turn will tell */
    if (output)
        *output = (struct output){copy, whole, file};
    void **found =
        output && copy && whole ? tsearch(output, &plan->outputs, by_name) : NULL;
    plan->no_memory = plan->no_memory || found == NULL;
    if (found && *found == (void *)output)
        return NULL;
    free(output);
    free(copy);
    free(whole);
    return found ? (*(struct output **)found)->file : NULL;
}

static int add_outputs(struct plan *plan, const struct halos_run *run) {
    const char *paths[NAMES_MOST];
    halos_names_list(run, paths);
    for (int k = 0; k < NAMES_MOST; ++k) {
        const char *summary = run->options.summary;
        if (paths[k] == NULL || paths[k] == summary)
            continue;
        if (summary && io_same_output(paths[k], summary))
            return progress_fail(CLI_USAGE, "%s is named for two outputs", summary);
        const char *other = add_output(plan, paths[k], run->options.snapshot);
        if (other && other != run->options.snapshot)
            return progress_fail(CLI_USAGE, "%s would be written for %s and for %s",
                                 paths[k], other, run->options.snapshot);
    }
    return CLI_DONE;
}

/* The other parts of a snapshot are named by patterns; a file is named again by mistake. */
static void tell_again(const struct halos_options *options, const char *file) {
    struct stat status, other;
    if (stat(file, &status) != 0)
        return;
    for (char **before = options->snapshots; *before != file; ++before)
        if (stat(*before, &other) == 0 && status.st_dev == other.st_dev &&
            status.st_ino == other.st_ino) {
            progress_note("%s is %s again: it is read once", file, *before);
            return;
        }
}

static int add(struct plan *plan, struct halos_batch *batch, const char *file) {
    struct halos_run run = {.options = batch->options};
    int status = CLI_DONE;
    run.options.snapshot = file;
    if (!add_snapshot(plan, file, run.options.types.linked[0], &run.info.n_parts)) {
        tell_again(&batch->options, file);
        return CLI_DONE;
    }
    batch->result[batch->n++] = (struct batch_result){.file = file};
    if (!halos_names_settle(&run))
        plan->no_memory = true;
    else
        status = add_outputs(plan, &run);
    halos_names_free(&run);
    return status;
}

/* Once all inputs are known. */
static const struct plan *looked_at;
static const char *read_and_written;

static void look(const void *node, VISIT visit, int depth) {
    const struct output *output = *(struct output *const *)node;
    (void)depth;
    if ((visit == postorder || visit == leaf) && is_input(looked_at, output->path))
        read_and_written = output->path;
}

static void plan_free(struct plan *plan) {
    while (plan->inputs) {
        struct input *input = *(struct input **)plan->inputs;
        tdelete(input, &plan->inputs, by_file);
        free(input);
    }
    while (plan->outputs) {
        struct output *output = *(struct output **)plan->outputs;
        tdelete(output, &plan->outputs, by_name);
        free(output->path);
        free(output->whole);
        free(output);
    }
}

int batch_plan(struct halos_batch *batch) {
    const struct halos_options *options = &batch->options;
    struct plan plan = {0};
    int status = CLI_DONE;
    batch->result = calloc((size_t)options->n_snapshots, sizeof *batch->result);
    plan.no_memory = batch->result == NULL;
    if (options->n_snapshots == 1 && !options->summary &&
        !plan.no_memory) { /* its own checks tell all */
        batch->n = 1;
        batch->result[0].file = options->snapshots[0];
        return CLI_DONE;
    }
    for (int k = 0; k < options->n_snapshots && status == CLI_DONE && !plan.no_memory; ++k)
        status = add(&plan, batch, options->snapshots[k]);
    looked_at = &plan;
    read_and_written = NULL;
    twalk(plan.outputs, look);
    if (status == CLI_DONE && plan.no_memory)
        status = progress_fail(CLI_FAULT, "out of memory: the list of snapshots");
    if (status == CLI_DONE && batch->n == 0)
        status = progress_fail(CLI_FAULT, "none of the files is a snapshot");
    if (status == CLI_DONE && read_and_written)
        status = outputs_refuse_input(read_and_written);
    if (status == CLI_DONE && options->summary && is_input(&plan, options->summary))
        status = outputs_refuse_input(options->summary);
    if (status == CLI_DONE)
        status = outputs_check(&options->summary, 1);
    plan_free(&plan);
    return status;
}
