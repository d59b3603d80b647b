/* GenericIO as a snapshot: which files there are, and what they hold. */
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool recognise(const char *path, const unsigned char head[SNAPSHOT_HEAD]) {
    (void)path;
    return memcmp(head, "HACC01", 6) == 0;
}

/* Takes over a part's widths, or refuses a part that differs from those before it. */
static bool agree(struct snapshot *snapshot, const struct genericio_fields *fields,
                  const char *path, struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        if (info->n > 0 && info->bytes[f] != fields->bytes[f])
            return io_fail(error,
                           "%s has %d bytes a number in %s and %d in files before it (0: "
                           "it is missing)",
                           genericio_names[f][0], fields->bytes[f], path, info->bytes[f]);
        info->bytes[f] = fields->bytes[f];
    }
    return true;
}

static bool set_box(struct snapshot *snapshot, const struct genericio_file *file,
                    struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    for (int axis = 0; axis < 3; ++axis) {
        if (file->scale[axis] < 0)
            return io_fail(error, "the box of %s has the size %g", file->input.path,
                           file->scale[axis]);
        info->box[axis] = file->scale[axis];
        info->periodic[axis] = file->scale[axis] > 0;
    }
    return true;
}

static bool add_part(struct snapshot *snapshot, int k, struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    struct snapshot_part *part = &snapshot->parts[k];
    struct genericio_file file;
    struct genericio_fields fields;
    if (!genericio_open(&file, part->path, error))
        return false;
    bool done = genericio_fields(&file, &fields, error);
    if (done && (k == 0 || (file.n > 0 && info->n == 0)))
        done = set_box(snapshot, &file, error);
    if (done && file.n > 0)
        done = agree(snapshot, &fields, part->path, error);
    else if (done && info->n == 0)
        memcpy(info->bytes, fields.bytes, sizeof info->bytes);
    if (done && file.n > 0 && info->n == 0)
        done = genericio_add_others(snapshot, &file, &fields, error);
    info->format = file.order == IO_LITTLE ? "GenericIO" : "GenericIO, big-endian";
    part->first = info->n;
    part->count = file.n;
    info->n += file.n;
    genericio_close(&file);
    return done;
}

static bool open_genericio(struct snapshot *snapshot, const char *path,
                           struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    info->redshift = NAN;
    info->scale_factor = 1;
    info->mass = 1;
    if (!genericio_parts(snapshot, path, error))
        return false;
    for (int k = 0; k < info->n_parts; ++k) {
        if (!add_part(snapshot, k, error))
            return false;
    }
    info->count[1] = info->n;
    snprintf(info->length_unit, sizeof info->length_unit, "code");
    snprintf(info->mass_unit, sizeof info->mass_unit,
             info->bytes[SNAPSHOT_MASSES] == 0 ? "1" : "code");
    return true;
}

const struct snapshot_format snapshot_genericio = {
    .recognise = recognise,
    .open = open_genericio,
    .read = genericio_read_particles,
    .read_other = genericio_read_other,
    .list = genericio_list,
};
