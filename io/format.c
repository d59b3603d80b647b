#include "format.h"

#include <stdlib.h>
#include <string.h>

int snapshot_components(enum snapshot_field field) {
    return field == SNAPSHOT_COORDINATES || field == SNAPSHOT_VELOCITIES ? 3 : 1;
}

bool snapshot_set_parts(struct snapshot *snapshot, int n, struct io_error *error) {
    snapshot->parts = calloc((size_t)n, sizeof *snapshot->parts);
    if (snapshot->parts == NULL)
        return io_fail(error, "no memory for the list of %d files", n);
    snapshot->info.n_parts = n;
    return true;
}

bool snapshot_add_array(struct snapshot_contents *contents,
                        const struct snapshot_array *array, struct io_error *error) {
    for (int k = 0; k < contents->n_arrays; ++k) {
        if (strcmp(contents->arrays[k].name, array->name) == 0) {
            contents->arrays[k].shape[0] += array->shape[0];
            return true;
        }
    }
    struct snapshot_array *longer = realloc(
        contents->arrays, (size_t)(contents->n_arrays + 1) * sizeof *contents->arrays);
    if (longer == NULL)
        return io_fail(error, "no memory for the list of arrays");
    contents->arrays = longer;
    contents->arrays[contents->n_arrays++] = *array;
    return true;
}

bool snapshot_add_source(struct snapshot *snapshot, const char *path,
                         struct io_error *error) {
    for (int k = 0; k < snapshot->n_sources; ++k) {
        if (strcmp(snapshot->sources[k], path) == 0)
            return true;
    }
    for (int k = 0; k < snapshot->info.n_parts; ++k) {
        if (snapshot->parts[k].path != NULL && strcmp(snapshot->parts[k].path, path) == 0)
            return true;
    }
    char **longer = realloc(snapshot->sources,
                            (size_t)(snapshot->n_sources + 1) * sizeof *snapshot->sources);
    if (longer == NULL)
        return io_fail(error, "no memory for the list of files");
    snapshot->sources = longer;
    longer[snapshot->n_sources] = io_join(path, "", error);
    return longer[snapshot->n_sources] != NULL && ++snapshot->n_sources > 0;
}
