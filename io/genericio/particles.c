/* From HACC's variables to the fields of particles. */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

const char *const genericio_names[SNAPSHOT_FIELDS][3] = {
    {"x", "y", "z"}, {"vx", "vy", "vz"}, {"mass"}, {"id"}};

/* The bytes of a number in memory; 0 where the variable cannot be of that field. */
static int width(const struct genericio_variable *variable, enum snapshot_field field) {
    const int64_t bytes = variable->element;
    const bool is_float = (variable->flags & GENERICIO_FLOAT) != 0;
    if (variable->row != bytes || is_float == (field == SNAPSHOT_IDS))
        return 0;
    if (field == SNAPSHOT_IDS)
        return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? 8 : 0;
    return bytes == 4 || bytes == 8 ? (int)bytes : 0;
}

/* The variables of a field, and the bytes of a number; 0 where a component is missing. */
static bool find_field(const struct genericio_file *file, enum snapshot_field field,
                       int64_t variable[3], int *bytes, struct io_error *error) {
    bool missing = false;
    for (int axis = 0; axis < snapshot_components(field); ++axis) {
        const char *name = genericio_names[field][axis];
        const int64_t v = variable[axis] = genericio_find(file, name);
        const int found = v < 0 ? 0 : width(&file->variables[v], field);
        if (v >= 0 && found == 0)
            return io_fail(error, "%s in %s is not %s", name, file->input.path,
                           field == SNAPSHOT_IDS ? "one integer a particle"
                                                 : "one float32 or float64 a particle");
        missing = missing || v < 0;
        if (axis == 0)
            *bytes = found;
        else if (!missing && found != *bytes)
            return io_fail(error, "%s in %s has %d bytes a number, %s has %d", name,
                           file->input.path, found, genericio_names[field][0], *bytes);
    }
    if (missing)
        *bytes = 0;
    return true;
}

bool genericio_fields(const struct genericio_file *file, struct genericio_fields *fields,
                      struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        if (!find_field(file, f, fields->variable[f], &fields->bytes[f], error))
            return false;
    }
    return true;
}

/* `scratch` holds the rows of one variable; puts them at component `axis`. */
static void place(const char *scratch, int bytes, int axis, int components, int64_t count,
                  char *values) {
    for (int64_t i = 0; i < count; ++i) {
        char *to = values + (i * components + axis) * bytes;
        if (bytes == 4)
            memcpy(to, scratch + 4 * i, 4);
        else
            memcpy(to, scratch + 8 * i, 8);
    }
}

static bool read_rank(const struct genericio_file *file,
                      const struct genericio_fields *fields, int64_t rank, int64_t first,
                      int64_t count, int64_t to, void *const values[SNAPSHOT_FIELDS],
                      char *scratch, struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const int components = snapshot_components(f), bytes = fields->bytes[f];
        for (int axis = 0; values[f] != NULL && axis < components; ++axis) {
            const int64_t v = fields->variable[f][axis];
            const struct genericio_variable *variable = &file->variables[v];
            char *rows = (char *)values[f] + to * components * bytes;
            if (!genericio_read(file, rank, v, first, count, scratch, error))
                return false;
            if (f == SNAPSHOT_IDS)
                io_widen(scratch, (int)variable->element,
                         (variable->flags & GENERICIO_SIGNED) != 0, count, (int64_t *)rows);
            else
                place(scratch, bytes, axis, components, count, rows);
        }
    }
    return true;
}

static bool read_ranks(const struct genericio_file *file,
                       const struct genericio_fields *fields, int64_t first, int64_t end,
                       void *const values[SNAPSHOT_FIELDS], struct io_error *error) {
    int64_t begin = 0, most = 0;
    for (int64_t r = 0; r < file->n_ranks; ++r)
        most = file->ranks[r].n > most ? file->ranks[r].n : most;
    most = most < end - first ? most : end - first;
    char *scratch = io_allocate(most, 8, "the particles of a rank", error);
    bool done = scratch != NULL;
    for (int64_t r = 0; done && r < file->n_ranks; begin += file->ranks[r++].n) {
        const int64_t from = first > begin ? first : begin,
                      to = end < begin + file->ranks[r].n ? end : begin + file->ranks[r].n;
        if (from < to)
            done = read_rank(file, fields, r, from - begin, to - from, from - first, values,
                             scratch, error);
    }
    free(scratch);
    return done;
}

bool genericio_read_particles(const struct snapshot *snapshot,
                              const struct snapshot_part *part, int64_t first,
                              int64_t count, void *const values[SNAPSHOT_FIELDS],
                              struct io_seen *seen, struct io_error *error) {
    (void)seen;
    struct genericio_file file;
    struct genericio_fields fields;
    if (!genericio_open(&file, part->path, error))
        return false;
    bool done = genericio_fields(&file, &fields, error);
    /* looked at again, since the file may have changed since it was opened */
    for (enum snapshot_field f = 0; done && f < SNAPSHOT_FIELDS; ++f) {
        if (file.n != part->count ||
            (file.n > 0 && fields.bytes[f] != snapshot->info.bytes[f]))
            done = io_fail(error, "%s has changed while it was read", part->path);
    }
    done = done && read_ranks(&file, &fields, first, first + count, values, error);
    genericio_close(&file);
    return done;
}
