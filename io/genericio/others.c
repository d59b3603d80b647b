/* Variables that are no fields: phi, mask, ... */
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

static bool is_field(const struct genericio_fields *fields, int64_t v) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        for (int axis = 0; fields->bytes[f] != 0 && axis < snapshot_components(f); ++axis) {
            if (fields->variable[f][axis] == v)
                return true;
        }
    }
    return false;
}

static struct snapshot_other describe(const struct genericio_variable *variable) {
    const bool is_float = (variable->flags & GENERICIO_FLOAT) != 0,
               is_signed = (variable->flags & GENERICIO_SIGNED) != 0;
    const int64_t components = variable->row / variable->element;
    struct snapshot_other other = {
        .kind = is_float    ? 'f'
                : is_signed ? 'i'
                            : 'u',
        .bytes = variable->element <= 8 ? (int)variable->element : 0,
        .components = components <= INT32_MAX ? (int)components : 0,
    };
    if (strlen(variable->name) <
        SNAPSHOT_NAME) /* otherwise it has none, and is not taken */
        memcpy(other.name, variable->name, strlen(variable->name) + 1);
    return other;
}

bool genericio_add_others(struct snapshot *snapshot, const struct genericio_file *file,
                          const struct genericio_fields *fields, struct io_error *error) {
    for (int64_t v = 0; v < file->n_variables; ++v) {
        const struct snapshot_other other = describe(&file->variables[v]);
        if (!is_field(fields, v) && !snapshot_add_other(snapshot, &other, error))
            return false;
    }
    return true;
}

static bool read_ranks(const struct genericio_file *file, int64_t variable, int64_t first,
                       int64_t count, char *values, struct io_error *error) {
    const int64_t end = first + count, row = file->variables[variable].row;
    int64_t begin = 0;
    for (int64_t r = 0; r < file->n_ranks; begin += file->ranks[r++].n) {
        const int64_t from = first > begin ? first : begin,
                      to = end < begin + file->ranks[r].n ? end : begin + file->ranks[r].n;
        if (from < to && !genericio_read(file, r, variable, from - begin, to - from,
                                         values + (from - first) * row, error))
            return false;
    }
    return true;
}

bool genericio_read_other(const struct snapshot *snapshot, const struct snapshot_part *part,
                          const struct snapshot_other *other, int64_t first, int64_t count,
                          void *values, struct io_error *error) {
    struct genericio_file file;
    (void)snapshot;
    if (!genericio_open(&file, part->path, error))
        return false;
    const int64_t v = genericio_find(&file, other->name);
    const struct snapshot_other found =
        v < 0 ? (struct snapshot_other){.kind = 0} : describe(&file.variables[v]);
    const bool same = found.kind == other->kind && found.bytes == other->bytes &&
                      found.components == other->components && file.n == part->count;
    const bool done = same ? read_ranks(&file, v, first, count, values, error)
                           : io_fail(error, "%s in %s is not what it is in files before it",
                                     other->name, part->path);
    genericio_close(&file);
    return done;
}
