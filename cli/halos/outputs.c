/* What shall be written, looked at before the work. */
#include "cli/command.h"
#include "halos.h"
#include "io/convert.h"
#include "io/files/output.h"
#include "io/files/standard.h"
#include "cli/outputs.h"
#include "cli/plot/plot.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

/* STEM.halos.hdf5: STEM is the name of the file without its folder, its ending and, where
 * it is one of several, its number. */
static char *default_name(const struct halos_run *run) {
    const char *path = standard_is(run->options.snapshot) ? "stdin" : run->options.snapshot;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        --length;
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/')
        --begin;
    char *name = malloc(length - begin + sizeof ".halos.hdf5");
    if (name == NULL)
        return NULL;
    memcpy(name, path + begin, length - begin);
    name[length - begin] = '\0';
    const char *ending = convert_ending(name);
    if (ending && strlen(name) > strlen(ending))
        name[strlen(name) - strlen(ending)] = '\0';
    char *point = strrchr(name, '.');
    if (run->info.n_parts > 1 && point && point > name && point[1] &&
        point[1 + strspn(point + 1, "0123456789")] == '\0')
        *point = '\0';
    strcat(name, ".halos.hdf5");
    return name;
}

/* CATALOGUE.xdmf, without the catalogue's ending. */
static char *xdmf_name(const char *catalogue) {
    char *name = malloc(strlen(catalogue) + sizeof ".xdmf");
    if (name == NULL)
        return NULL;
    strcpy(name, catalogue);
    if (io_ends_in(name, ".hdf5") || io_ends_in(name, ".h5"))
        *strrchr(name, '.') = '\0';
    return strcat(name, ".xdmf");
}

int halos_check_outputs(struct halos_run *run, const struct snapshot *snapshot) {
    const struct halos_options *options = &run->options;
    struct io_error error;
    run->output = options->output ? strdup(options->output) : default_name(run);
    run->xdmf = run->output && options->xdmf ? xdmf_name(run->output) : NULL;
    if (run->output == NULL || (options->xdmf && run->xdmf == NULL))
        return progress_fail(CLI_FAULT, "out of memory: the name of the catalogue");
    const char *const paths[] = {run->output, run->xdmf, options->labels, options->plot,
                                 options->shared.timings};
    enum { PATHS = sizeof paths / sizeof *paths };
    for (int k = 0; k < PATHS; ++k) {
        if (paths[k] && snapshot_has_part(snapshot, paths[k]))
            return outputs_refuse_input(paths[k]);
    }
    int status = outputs_check(paths, PATHS);
    if (status == CLI_DONE && options->plot && !plot_ready(&error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    return status;
}
