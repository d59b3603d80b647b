/* Gadget-2 binary as a snapshot: one file or several. */
#include "file.h"
#include "io/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SNAPSHOT_FIELDS] = {"POS", "VEL", "MASS", "ID"};

static bool recognise(const char *path, const unsigned char head[SNAPSHOT_HEAD]) {
    (void)path;
    const uint32_t little = io_get_u32(head, IO_LITTLE), big = io_get_u32(head, IO_BIG);
    return little == GADGET_HEADER || big == GADGET_HEADER ||
           ((little == 8 || big == 8) && memcmp(head + 4, "HEAD", 4) == 0);
}

/* The bytes of a field's numbers in memory. */
static bool find_widths(const struct snapshot *snapshot, const struct gadget_file *file,
                        int bytes[SNAPSHOT_FIELDS], struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        struct gadget_field field = {0};
        if (snapshot->fields & 1u << f &&
            !gadget_find(file, snapshot->type, f, &field, error))
            return false;
        bytes[f] = f == SNAPSHOT_IDS && field.bytes != 0 ? 8 : field.bytes;
    }
    return true;
}

/* Takes over what the first part with particles says, and refuses one that differs. */
static bool agree(struct snapshot *snapshot, const struct gadget_file *file,
                  struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    int bytes[SNAPSHOT_FIELDS];
    const int type = snapshot->type;
    const bool first = info->n == 0;
    if (!find_widths(snapshot, file, bytes, error))
        return false;
    for (enum snapshot_field f = 0; !first && file->n[type] > 0 && f < SNAPSHOT_FIELDS;
         ++f) {
        if (bytes[f] != info->bytes[f])
            return io_fail(
                error,
                "%s has %d bytes a number in %s and %d in files before it (0: it "
                "is missing)",
                names[f], bytes[f], file->input.path, info->bytes[f]);
    }
    if (!first && file->box != info->box[0])
        return io_fail(error, "the box of %s is %g, of %s %g", file->input.path, file->box,
                       snapshot->parts[0].path, info->box[0]);
    if (!first && file->redshift != info->redshift)
        return io_fail(error, "the redshift of %s is %g, of %s %g", file->input.path,
                       file->redshift, snapshot->parts[0].path, info->redshift);
    if (!first)
        return true;
    memcpy(info->bytes, bytes, sizeof info->bytes);
    if (info->bytes[SNAPSHOT_COORDINATES] == 0)
        info->bytes[SNAPSHOT_COORDINATES] = 4; /* of no particles */
    info->mass = file->mass[type] > 0 ? file->mass[type] : 1;
    snprintf(info->mass_unit, sizeof info->mass_unit,
             bytes[SNAPSHOT_MASSES] == 0 && file->mass[type] == 0 ? "1" : "code");
    info->redshift = file->redshift;
    info->scale_factor = 1 / (1 + file->redshift);
    info->cosmology = file->cosmology;
    snapshot->velocity_factor = sqrt(info->scale_factor);
    for (int axis = 0; axis < 3; ++axis) {
        info->box[axis] = file->box;
        info->periodic[axis] = file->box > 0;
    }
    return true;
}

static bool add_part(struct snapshot *snapshot, int k, uint32_t *total,
                     struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    struct snapshot_part *part = &snapshot->parts[k];
    struct gadget_file file;
    if (!gadget_open(&file, part->path, error))
        return false;
    bool done = agree(snapshot, &file, error);
    if (done && file.n_files != info->n_parts)
        done = io_fail(error, "%s says that it is one of %d files, %s of %d", part->path,
                       file.n_files, snapshot->parts[0].path, info->n_parts);
    for (int b = 1; b < file.n_blocks; ++b) {
        enum snapshot_field f = 0;
        while (f < SNAPSHOT_FIELDS && strcmp(names[f], file.blocks[b].name) != 0)
            ++f;
        snapshot->more = snapshot->more || f == SNAPSHOT_FIELDS;
    }
    info->format = file.named ? "Gadget-2, format 2" : "Gadget-2, format 1";
    part->first = info->n;
    part->count = file.n[snapshot->type];
    for (int type = 0; type < GADGET_TYPES; ++type)
        info->count[type] += file.n[type];
    info->n = info->count[snapshot->type];
    *total = file.total[snapshot->type];
    gadget_close(&file);
    return done;
}

static bool count_parts(struct snapshot *snapshot, const char *path,
                        struct io_error *error) {
    struct gadget_file file;
    if (!gadget_open(&file, path, error))
        return false;
    const int n = file.n_files;
    gadget_close(&file);
    return snapshot_set_parts(snapshot, n, error);
}

static bool name_part(struct snapshot *snapshot, int k, const char *path,
                      struct io_error *error) {
    snapshot->parts[k].path = snapshot->info.n_parts == 1 ? io_join(path, "", error)
                                                          : io_parts_name(path, k, error);
    return snapshot->parts[k].path != NULL;
}

static bool open_gadget(struct snapshot *snapshot, const char *path,
                        struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    uint32_t total = 0;
    if (!count_parts(snapshot, path, error))
        return false;
    for (int k = 0; k < info->n_parts; ++k) {
        if (!name_part(snapshot, k, path, error) || !add_part(snapshot, k, &total, error))
            return false;
    }
    snprintf(info->length_unit, sizeof info->length_unit, "code");
    if (total != (uint32_t)info->n)
        return io_fail(error,
                       "the header of %s tells of %lu particles of type %d in all, "
                       "but there are %lld",
                       snapshot->parts[0].path, (unsigned long)total, snapshot->type,
                       (long long)info->n);
    return true;
}

static bool read_field(const struct gadget_file *file, int type, enum snapshot_field f,
                       int64_t first, int64_t count, void *values, struct io_error *error) {
    struct gadget_field field;
    const int64_t components = snapshot_components(f), numbers = count * components;
    if (!gadget_find(file, type, f, &field, error))
        return false;
    const uint64_t at =
        field.start + (uint64_t)(first * components) * (uint64_t)field.bytes;
    /* narrow ids are read into the upper half of their place, and widened from below */
    char *to = f == SNAPSHOT_IDS ? (char *)values + count * (8 - field.bytes) : values;
    if (!io_input_read(&file->input, at, to, (uint64_t)(numbers * field.bytes), names[f],
                       error))
        return false;
    io_swap(to, field.bytes, numbers, file->order);
    if (f == SNAPSHOT_IDS)
        io_widen(to, field.bytes, false, count, values);
    return true;
}

static bool read_gadget(const struct snapshot *snapshot, const struct snapshot_part *part,
                        int64_t first, int64_t count, void *const values[SNAPSHOT_FIELDS],
                        struct io_seen *seen, struct io_error *error) {
    (void)seen;
    struct gadget_file file;
    int bytes[SNAPSHOT_FIELDS];
    if (!gadget_open(&file, part->path, error))
        return false;
    /* looked at again, since the file may have changed since it was opened */
    bool done = find_widths(snapshot, &file, bytes, error);
    if (done && (file.n[snapshot->type] != part->count ||
                 memcmp(bytes, snapshot->info.bytes, sizeof bytes) != 0))
        done = io_fail(error, "%s has changed while it was read", part->path);
    for (enum snapshot_field f = 0; done && f < SNAPSHOT_FIELDS; ++f) {
        if (values[f] != NULL)
            done = read_field(&file, snapshot->type, f, first, count, values[f], error);
    }
    gadget_close(&file);
    return done;
}

/* A block as an array of all particle types; one that is not known by its bytes. */
static void describe(const struct gadget_file *file, const struct gadget_block *block,
                     struct snapshot_array *array) {
    struct io_error ignored;
    struct gadget_field field = {.bytes = 0};
    enum snapshot_field f = 0;
    while (f < SNAPSHOT_FIELDS && strcmp(names[f], block->name) != 0)
        ++f;
    *array = (struct snapshot_array){.rank = 1, .storage = "record"};
    snprintf(array->name, sizeof array->name, "%s", block->name);
    if (f < SNAPSHOT_FIELDS)
        gadget_find(file, 1, f, &field, &ignored);
    if (field.bytes == 0) {
        snprintf(array->type, sizeof array->type, "bytes");
        array->shape[0] = (int64_t)block->size;
        return;
    }
    const int components = snapshot_components(f);
    snprintf(array->type, sizeof array->type, "%s%c%d", file->order == IO_BIG ? ">" : "",
             f == SNAPSHOT_IDS ? 'u' : 'f', field.bytes);
    array->rank = components == 1 ? 1 : 2;
    array->shape[0] = (int64_t)(block->size / (uint64_t)(components * field.bytes));
    array->shape[1] = components;
}

static bool list(const struct snapshot *snapshot, struct snapshot_contents *contents,
                 struct io_error *error) {
    bool done = true;
    for (int k = 0; done && k < snapshot->info.n_parts; ++k) {
        struct gadget_file file;
        if (!gadget_open(&file, snapshot->parts[k].path, error))
            return false;
        for (int b = 1; done && b < file.n_blocks; ++b) {
            struct snapshot_array array;
            describe(&file, &file.blocks[b], &array);
            done = snapshot_add_array(contents, &array, error);
        }
        gadget_close(&file);
    }
    return done;
}

const struct snapshot_format snapshot_gadget = {
    .in_pieces = true,
    .types = GADGET_TYPES,
    .recognise = recognise,
    .open = open_gadget,
    .read = read_gadget,
    .list = list,
};
