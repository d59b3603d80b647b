#include "file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the header's numbers lie. */
enum {
    AT_N = 0,
    AT_MASS = 24,
    AT_REDSHIFT = 80,
    AT_TOTAL = 96,
    AT_FILES = 124,
    AT_BOX = 128,
    AT_OMEGA_MATTER = 136,
    AT_OMEGA_LAMBDA = 144,
    AT_H = 152,
    MARK = 4,
    NAME = 8, /* bytes of the record with a name */
    MOST_FILES = 1 << 16,
};

static bool read_mark(const struct gadget_file *file, uint64_t offset, uint64_t *mark,
                      struct io_error *error) {
    unsigned char bytes[MARK];
    if (!io_input_read(&file->input, offset, bytes, MARK, "a record's length", error))
        return false;
    *mark = io_get_u32(bytes, file->order);
    return true;
}

/* The record at *offset, which moves on to the next. */
static bool read_record(const struct gadget_file *file, uint64_t *offset, uint64_t *start,
                        uint64_t *size, struct io_error *error) {
    uint64_t after;
    if (!read_mark(file, *offset, size, error))
        return false;
    *start = *offset + MARK;
    if (!io_input_holds(&file->input, *start, *size, 1))
        return io_fail(error, "%s is cut off in the record at byte %llu", file->input.path,
                       (unsigned long long)*offset);
    if (!read_mark(file, *start + *size, &after, error))
        return false;
    if (after != *size)
        return io_fail(error,
                       "%s is damaged: the record at byte %llu begins with the length %llu "
                       "and ends with %llu",
                       file->input.path, (unsigned long long)*offset,
                       (unsigned long long)*size, (unsigned long long)after);
    *offset = *start + *size + MARK;
    return true;
}

static bool read_name(const struct gadget_file *file, uint64_t *offset,
                      char name[GADGET_NAME], struct io_error *error) {
    uint64_t start, size;
    if (!read_record(file, offset, &start, &size, error))
        return false;
    if (size != NAME)
        return io_fail(error, "%s is damaged: the name of a block has %llu bytes, not 8",
                       file->input.path, (unsigned long long)size);
    memset(name, 0, GADGET_NAME);
    if (!io_input_read(&file->input, start, name, 4, "a name", error))
        return false;
    for (int k = 3; k >= 0 && (name[k] == ' ' || name[k] == '\0'); --k)
        name[k] = '\0';
    return true;
}

static bool has_mass_block(const struct gadget_file *file) {
    for (int type = 0; type < GADGET_TYPES; ++type) {
        if (file->n[type] > 0 && file->mass[type] == 0)
            return true;
    }
    return false;
}

/* In format 1 a block is what its place says. */
static void name_by_place(const struct gadget_file *file, int place,
                          char name[GADGET_NAME]) {
    static const char *const names[] = {"HEAD", "POS", "VEL", "ID"};
    if (place < 4)
        snprintf(name, GADGET_NAME, "%s", names[place]);
    else if (place == 4 && has_mass_block(file))
        snprintf(name, GADGET_NAME, "MASS");
    else
        snprintf(name, GADGET_NAME, "block %d", place);
}

static bool read_header(struct gadget_file *file, const struct gadget_block *block,
                        struct io_error *error) {
    unsigned char head[GADGET_HEADER];
    if (block->size != GADGET_HEADER)
        return io_fail(error, "the header of %s has %llu bytes, not 256", file->input.path,
                       (unsigned long long)block->size);
    if (!io_input_read(&file->input, block->start, head, sizeof head, "the header", error))
        return false;
    for (int type = 0; type < GADGET_TYPES; ++type) {
        file->n[type] = (int32_t)io_get_u32(head + AT_N + 4 * type, file->order);
        file->mass[type] = io_get_f64(head + AT_MASS + 8 * type, file->order);
        file->total[type] = io_get_u32(head + AT_TOTAL + 4 * type, file->order);
        if (file->n[type] < 0)
            return io_fail(error, "%s has %lld particles of type %d", file->input.path,
                           (long long)file->n[type], type);
        if (!isfinite(file->mass[type]) || file->mass[type] < 0)
            return io_fail(error, "the mass table of %s is %g for type %d",
                           file->input.path, file->mass[type], type);
    }
    file->redshift = io_get_f64(head + AT_REDSHIFT, file->order);
    file->box = io_get_f64(head + AT_BOX, file->order);
    file->cosmology = (struct snapshot_cosmology){
        .h = io_get_f64(head + AT_H, file->order),
        .omega_matter = io_get_f64(head + AT_OMEGA_MATTER, file->order),
        .omega_lambda = io_get_f64(head + AT_OMEGA_LAMBDA, file->order)};
    if (file->cosmology.h == 0)
        file->cosmology = (struct snapshot_cosmology){0};
    const int32_t n_files = (int32_t)io_get_u32(head + AT_FILES, file->order);
    if (!isfinite(file->redshift) || file->redshift <= -1)
        return io_fail(error, "the redshift of %s is %g", file->input.path, file->redshift);
    if (!isfinite(file->box) || file->box < 0)
        return io_fail(error, "the box of %s is %g", file->input.path, file->box);
    if (n_files < 0 || n_files > MOST_FILES)
        return io_fail(error, "%s says that it is one of %d files", file->input.path,
                       n_files);
    file->n_files = n_files > 0 ? n_files : 1;
    return true;
}

static bool read_blocks(struct gadget_file *file, struct io_error *error) {
    uint64_t offset = 0;
    while (offset < (uint64_t)file->input.length) {
        if (file->n_blocks == GADGET_BLOCKS)
            return io_fail(error, "%s has more than %d blocks", file->input.path,
                           GADGET_BLOCKS);
        struct gadget_block *block = &file->blocks[file->n_blocks];
        if (file->named && !read_name(file, &offset, block->name, error))
            return false;
        if (!read_record(file, &offset, &block->start, &block->size, error))
            return false;
        if (file->n_blocks == 0 && !read_header(file, block, error))
            return false;
        if (!file->named)
            name_by_place(file, file->n_blocks, block->name);
        ++file->n_blocks;
    }
    return true;
}

bool gadget_open(struct gadget_file *file, const char *path, struct io_error *error) {
    unsigned char first[MARK];
    *file = (struct gadget_file){.named = false};
    if (!io_input_open(&file->input, path, error))
        return false;
    bool done = io_input_read(&file->input, 0, first, MARK, "the header", error);
    if (done) {
        const uint32_t little = io_get_u32(first, IO_LITTLE),
                       big = io_get_u32(first, IO_BIG);
        file->order = big == GADGET_HEADER || big == NAME ? IO_BIG : IO_LITTLE;
        file->named = little == NAME || big == NAME;
        if (!file->named && little != GADGET_HEADER && big != GADGET_HEADER)
            done = io_fail(error, "%s is not a Gadget-2 file", path);
    }
    done = done && read_blocks(file, error);
    if (!done)
        gadget_close(file);
    return done;
}

void gadget_close(struct gadget_file *file) {
    io_input_close(&file->input);
}

/* Particles in a field's block, of all types and of those before one. */
static void count(const struct gadget_file *file, int wanted, enum snapshot_field field,
                  int64_t *all, int64_t *before) {
    *all = *before = 0;
    for (int type = 0; type < GADGET_TYPES; ++type) {
        const bool in_block = field != SNAPSHOT_MASSES || file->mass[type] == 0;
        *all += in_block ? file->n[type] : 0;
        *before += in_block && type < wanted ? file->n[type] : 0;
    }
}

bool gadget_find(const struct gadget_file *file, int type, enum snapshot_field field,
                 struct gadget_field *found, struct io_error *error) {
    static const char *const names[] = {"POS", "VEL", "MASS", "ID"};
    const uint64_t components = (uint64_t)snapshot_components(field);
    int64_t all, before;
    int k = 1;
    count(file, type, field, &all, &before);
    *found = (struct gadget_field){.bytes = 0};
    if (field == SNAPSHOT_MASSES && file->mass[type] != 0)
        return true;
    while (k < file->n_blocks && strcmp(file->blocks[k].name, names[field]) != 0)
        ++k;
    if (k == file->n_blocks) {
        const bool needed =
            field == SNAPSHOT_COORDINATES || field == SNAPSHOT_MASSES || !file->named;
        return all == 0 || !needed ||
               io_fail(error, "%s is cut off: it has no block %s", file->input.path,
                       names[field]);
    }
    const struct gadget_block *block = &file->blocks[k];
    const uint64_t numbers = (uint64_t)all * components;
    const uint64_t bytes = numbers == 0 ? 4 : block->size / numbers;
    if (numbers * bytes != block->size || (bytes != 4 && bytes != 8))
        return io_fail(
            error,
            "the block %s of %s has %llu bytes, neither 4 nor 8 for each of %llu "
            "numbers",
            names[field], file->input.path, (unsigned long long)block->size,
            (unsigned long long)numbers);
    found->bytes = (int)bytes;
    found->start = block->start + (uint64_t)before * components * bytes;
    return true;
}
