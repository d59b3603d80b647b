/* Merger trees, for Python: the steps of `weft link`. */
#include "cli/link/link.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "glue.h"

#include <stdlib.h>

struct weft_python_trees {
    struct link_run run;
    double *redshift; /* [run.n] */
};

static int link_all(weft_python_trees *trees) {
    struct io_error error;
    struct link_run *run = &trees->run;
    int status = link_open(run);
    if (status == CLI_DONE)
        status = link_join(run);
    if (status == CLI_DONE)
        status = link_grow(run);
    if (status == CLI_DONE)
        status = link_fill(run);
    if (status == CLI_DONE && progress_stopped())
        status = progress_fail(CLI_FAULT, "interrupted");
    if (status == CLI_DONE && run->options.output)
        status = link_write(run);
    if (status != CLI_DONE)
        return status;
    trees->redshift = io_allocate(run->n, sizeof *trees->redshift, "redshifts", &error);
    if (trees->redshift == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    for (int s = 0; s < run->n; ++s) {
        trees->redshift[s] = run->catalogue[s].redshift;
        columns_close(run->catalogue[s].file);
        run->catalogue[s].file = NULL;
    }
    return CLI_DONE;
}

weft_python_trees *weft_python_link(weft_device *device, char **paths, int n, int halos,
                                    const char *output, int *status) {
    static char command[] = "weft.link, in Python";
    weft_python_trees *trees = calloc(1, sizeof *trees);
    if (trees == NULL) {
        *status = progress_fail(CLI_FAULT, "out of memory: trees");
        return NULL;
    }
    trees->run = (struct link_run){
        .options = {.paths = paths, .count = n, .output = output, .halos = halos != 0},
        .command = command,
        .device = device,
    };
    timings_start(&trees->run.timings);
    progress_hear(device);
    *status = link_all(trees);
    progress_unhear(device);
    trees->run.options.paths = NULL;
    trees->run.options.output = NULL;
    if (*status == CLI_DONE)
        return trees;
    weft_python_trees_free(trees);
    return NULL;
}

void weft_python_trees_about(const weft_python_trees *trees,
                             struct weft_python_forest *out) {
    const struct link_run *run = &trees->run;
    *out = (struct weft_python_forest){
        .halos = run->groups,
        .trees = run->n_trees,
        .columns = run->n_columns,
        .snapshots = run->n,
        .length = run->length,
        .start = run->start,
        .redshift = trees->redshift,
        .kind = run->subhalos ? "subhalos" : "halos",
    };
}

void weft_python_trees_column(const weft_python_trees *trees, int64_t k,
                              struct weft_python_column *out) {
    const struct trees_column *column = &trees->run.columns[k];
    *out = (struct weft_python_column){
        .name = column->name,
        .unit = column->unit,
        .description = column->description,
        .type = column->whole ? "i8" : "f8",
        .data = column->data,
        .rows = trees->run.groups,
        .components = column->components,
    };
}

void weft_python_trees_free(weft_python_trees *trees) {
    if (trees == NULL)
        return;
    link_release(&trees->run);
    free(trees->redshift);
    free(trees);
}
