/* What `weft info` shows of a GenericIO file: every variable, every block verified. */
#include "snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void describe(const struct genericio_file *file, int64_t v,
                     struct snapshot_array *array) {
    const struct genericio_variable *variable = &file->variables[v];
    const bool is_float = (variable->flags & GENERICIO_FLOAT) != 0;
    const char *order = file->order == IO_BIG && variable->element > 1 ? ">" : "";
    const char kind = is_float                                    ? 'f'
                      : (variable->flags & GENERICIO_SIGNED) != 0 ? 'i'
                                                                  : 'u';
    bool packed = false;
    for (int64_t r = 0; r < file->n_ranks; ++r)
        packed = packed || file->blocks[r * file->n_variables + v].filter[0] != '\0';
    *array = (struct snapshot_array){
        .rank = variable->row == variable->element ? 1 : 2,
        .shape = {file->n, variable->row / variable->element},
        .checked = true,
    };
    snprintf(array->name, sizeof array->name, "%.95s", variable->name);
    snprintf(array->type, sizeof array->type, "%s%c%" PRId64, order, kind,
             variable->element);
    snprintf(array->storage, sizeof array->storage, "%s", packed ? "Blosc" : "plain");
}

/* Reads every block of a variable; the rows are not kept. */
static bool verify(const struct genericio_file *file, int64_t v, struct io_error *error) {
    char nothing;
    for (int64_t r = 0; r < file->n_ranks; ++r) {
        if (!genericio_read(file, r, v, 0, 0, &nothing, error))
            return false;
    }
    return true;
}

bool genericio_list(const struct snapshot *snapshot, struct snapshot_contents *contents,
                    struct io_error *error) {
    bool done = true;
    for (int k = 0; done && k < snapshot->info.n_parts; ++k) {
        struct genericio_file file;
        if (!genericio_open(&file, snapshot->parts[k].path, error))
            return false;
        for (int64_t v = 0; done && v < file.n_variables; ++v) {
            struct snapshot_array array;
            describe(&file, v, &array);
            done = verify(&file, v, error) && snapshot_add_array(contents, &array, error);
        }
        genericio_close(&file);
    }
    return done;
}
