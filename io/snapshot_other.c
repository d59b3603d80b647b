/* Arrays that are no fields: carried along, and not looked into. */
#include "format.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COMPONENTS = 1024 };

/* Names that a format has for a field, so that no other array may have them there. */
static bool is_taken(const struct snapshot *snapshot, const char *name) {
    static const char *const taken[] = {
        "x",  "y",           "z",          "vx",       "vy",     "vz",   "mass",
        "id", "Coordinates", "Velocities", "Velocity", "Masses", "Mass", "ParticleIDs"};
    for (size_t k = 0; k < sizeof taken / sizeof *taken; ++k) {
        if (strcmp(name, taken[k]) == 0)
            return true;
    }
    for (int k = 0; k < snapshot->n_others; ++k) {
        if (strcmp(name, snapshot->others[k].name) == 0)
            return true;
    }
    return name[0] == '\0' || strchr(name, '/') != NULL || strcmp(name, ".") == 0;
}

bool snapshot_add_other(struct snapshot *snapshot, const struct snapshot_other *other,
                        struct io_error *error) {
    const int bytes = other->bytes;
    const bool known =
        bytes == 4 || bytes == 8 || (other->kind != 'f' && (bytes == 1 || bytes == 2));
    if (!known || other->components < 1 || other->components > MOST_COMPONENTS ||
        is_taken(snapshot, other->name)) {
        snapshot->more = true;
        return true;
    }
    struct snapshot_other *longer =
        realloc(snapshot->others, (size_t)(snapshot->n_others + 1) * sizeof *longer);
    if (longer == NULL)
        return io_fail(error, "no memory for the list of arrays");
    snapshot->others = longer;
    snapshot->others[snapshot->n_others++] = *other;
    return true;
}

bool snapshot_read_other(const struct snapshot *snapshot, int other, int64_t first,
                         int64_t count, void *values, struct io_error *error) {
    const struct snapshot_other *what = &snapshot->others[other];
    const int64_t end = first + count, row = what->bytes * what->components;
    for (int k = 0; k < snapshot->info.n_parts; ++k) {
        const struct snapshot_part *part = &snapshot->parts[k];
        const int64_t part_end = part->first + part->count,
                      from = first > part->first ? first : part->first,
                      to = end < part_end ? end : part_end;
        if (from < to && !snapshot->format->read_other(
                             snapshot, part, what, from - part->first, to - from,
                             (char *)values + (from - first) * row, error))
            return false;
    }
    return true;
}
