/* The header of a GenericIO file. */
#include "file.h"

#include "crc64.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the fields lie. A file tells the size of its structures, which grew with time: a
 * field is there where it lies inside. */
enum {
    AT_HEADER_SIZE = 8,
    AT_N = 16,
    AT_DIMS = 24,
    AT_VARIABLES = 48, /* count, size, start */
    AT_RANKS = 72,
    AT_GLOBAL_SIZE = 96,
    AT_ORIGIN = 104,
    AT_SCALE = 128,
    AT_BLOCKS = 152, /* size, start */
    LEAST_GLOBAL = 104,
    LEAST_VARIABLE = 272,
    LEAST_RANK = 40,
    LEAST_BLOCK = 48,
    CRC = 8,
};

static const uint64_t MOST_ROWS = (uint64_t)1 << 48;

/* The header's bytes, which its CRC covers. */
struct header {
    unsigned char *bytes;
    uint64_t size, global_size;
    enum io_order order;
};

static uint64_t number(const struct header *header, uint64_t offset) {
    return io_get_u64(header->bytes + offset, header->order);
}

static bool damaged(const struct genericio_file *file, const char *what,
                    struct io_error *error) {
    return io_fail(error, "the header of %s is damaged: %s", file->input.path, what);
}

static bool read_header(struct genericio_file *file, struct header *header,
                        struct io_error *error) {
    unsigned char head[LEAST_GLOBAL];
    if (!io_input_read(&file->input, 0, head, sizeof head, "the header", error))
        return false;
    if (memcmp(head, "HACC01", 6) != 0 || (head[6] != 'L' && head[6] != 'B') ||
        head[7] != 0)
        return io_fail(error, "%s is not a GenericIO file", file->input.path);
    file->order = header->order = head[6] == 'L' ? IO_LITTLE : IO_BIG;
    header->size = io_get_u64(head + AT_HEADER_SIZE, file->order);
    if (!io_input_holds(&file->input, CRC, header->size, 1))
        return io_fail(error, "%s is cut off: the header is missing", file->input.path);
    header->global_size = io_get_u64(head + AT_GLOBAL_SIZE, file->order);
    if (header->size < LEAST_GLOBAL || header->global_size < LEAST_GLOBAL ||
        header->global_size > header->size)
        return damaged(file, "its sizes are impossible", error);
    header->bytes = io_allocate((int64_t)(header->size + CRC), 1, "the header", error);
    if (header->bytes == NULL || !io_input_read(&file->input, 0, header->bytes,
                                                header->size + CRC, "the header", error))
        return false;
    if (crc64(0, header->bytes, header->size + CRC) != UINT64_MAX)
        return damaged(file, "its checksum is wrong", error);
    return true;
}

/* A table of the header: that it lies inside, with entries of at least `least` bytes. */
static bool check_table(const struct genericio_file *file, const struct header *header,
                        uint64_t count, uint64_t each, uint64_t start, uint64_t least,
                        struct io_error *error) {
    if (count == 0 ||
        (each >= least && start <= header->size && count <= (header->size - start) / each))
        return true;
    return damaged(file, "its tables do not lie in it", error);
}

static bool read_variables(struct genericio_file *file, const struct header *header,
                           struct io_error *error) {
    const uint64_t count = number(header, AT_VARIABLES),
                   each = number(header, AT_VARIABLES + 8),
                   start = number(header, AT_VARIABLES + 16);
    if (!check_table(file, header, count, each, start, LEAST_VARIABLE, error))
        return false;
    file->n_variables = (int64_t)count;
    file->variables =
        io_allocate(file->n_variables, sizeof *file->variables, "the variables", error);
    for (uint64_t k = 0; file->variables != NULL && k < count; ++k) {
        const uint64_t at = start + k * each;
        struct genericio_variable *variable = &file->variables[k];
        memcpy(variable->name, header->bytes + at, GENERICIO_NAME);
        variable->name[GENERICIO_NAME] = '\0';
        variable->flags = number(header, at + 256);
        const uint64_t row = number(header, at + 264),
                       element = each >= 280 ? number(header, at + 272) : row;
        if (row == 0 || row > UINT32_MAX || element == 0 || row % element != 0)
            return damaged(file, "a variable has an impossible size", error);
        variable->row = (int64_t)row;
        variable->element = (int64_t)element;
    }
    return file->variables != NULL;
}

static bool read_ranks(struct genericio_file *file, const struct header *header,
                       struct io_error *error) {
    const uint64_t count = number(header, AT_RANKS), each = number(header, AT_RANKS + 8),
                   start = number(header, AT_RANKS + 16);
    uint64_t total = 0;
    if (!check_table(file, header, count, each, start, LEAST_RANK, error))
        return false;
    file->n_ranks = (int64_t)count;
    file->ranks = io_allocate(file->n_ranks, sizeof *file->ranks, "the ranks", error);
    for (uint64_t k = 0; file->ranks != NULL && k < count; ++k) {
        const uint64_t at = start + k * each, n = number(header, at + 24);
        if (n > MOST_ROWS || total > MOST_ROWS)
            return damaged(file, "a rank has too many rows", error);
        file->ranks[k] =
            (struct genericio_rank){.n = (int64_t)n, .start = number(header, at + 32)};
        total += n;
    }
    if (file->ranks != NULL && total != number(header, AT_N))
        return damaged(file, "its ranks do not hold as many rows as it says", error);
    file->n = (int64_t)total;
    return file->ranks != NULL;
}

/* Without a table of blocks, those of a rank follow each other. */
static bool lay_out_blocks(struct genericio_file *file, struct io_error *error) {
    for (int64_t r = 0; r < file->n_ranks; ++r) {
        uint64_t start = file->ranks[r].start;
        for (int64_t v = 0; v < file->n_variables; ++v) {
            const uint64_t row = (uint64_t)file->variables[v].row,
                           n = (uint64_t)file->ranks[r].n;
            if (!io_input_holds(&file->input, start, n, row))
                return io_fail(error, "%s is cut off: %s of rank %" PRId64 " is missing",
                               file->input.path, file->variables[v].name, r);
            file->blocks[r * file->n_variables + v] =
                (struct genericio_block){.start = start, .size = n * row};
            start += n * row + CRC;
        }
    }
    return true;
}

static bool read_block_table(struct genericio_file *file, const struct header *header,
                             uint64_t each, uint64_t start, struct io_error *error) {
    const uint64_t count = (uint64_t)(file->n_ranks * file->n_variables);
    if (!check_table(file, header, count, each, start, LEAST_BLOCK, error))
        return false;
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t at = start + k * each;
        struct genericio_block *block = &file->blocks[k];
        memcpy(block->filter, header->bytes + at, GENERICIO_FILTER);
        for (uint64_t f = 1; f < 4; ++f) {
            if (header->bytes[at + f * GENERICIO_FILTER] != 0)
                return io_fail(error, "%s has blocks with two filters, which is not read",
                               file->input.path);
        }
        block->start = number(header, at + 32);
        block->size = number(header, at + 40);
    }
    return true;
}

static bool read_blocks(struct genericio_file *file, const struct header *header,
                        struct io_error *error) {
    const bool told = header->global_size >= AT_BLOCKS + 16;
    const uint64_t each = told ? number(header, AT_BLOCKS) : 0,
                   start = told ? number(header, AT_BLOCKS + 8) : 0;
    file->blocks = NULL;
    if (file->n_variables > 0 && file->n_ranks > INT64_MAX / 64 / file->n_variables)
        return damaged(file, "it has too many blocks", error);
    const int64_t count = file->n_ranks * file->n_variables;
    if (start == 0 && !io_input_holds(&file->input, 0, (uint64_t)count, CRC))
        return io_fail(error, "%s is cut off: its blocks are missing", file->input.path);
    if (start != 0 &&
        !check_table(file, header, (uint64_t)count, each, start, LEAST_BLOCK, error))
        return false;
    file->blocks = calloc((size_t)count + 1, sizeof *file->blocks);
    if (file->blocks == NULL)
        return io_fail(error, "no memory for the %" PRId64 " blocks of %s", count,
                       file->input.path);
    return start == 0 ? lay_out_blocks(file, error)
                      : read_block_table(file, header, each, start, error);
}

bool genericio_open(struct genericio_file *file, const char *path, struct io_error *error) {
    struct header header = {0};
    *file = (struct genericio_file){.n = 0};
    if (!io_input_open(&file->input, path, error))
        return false;
    bool done = read_header(file, &header, error) && read_variables(file, &header, error) &&
                read_ranks(file, &header, error) && read_blocks(file, &header, error);
    for (int axis = 0; done && axis < 3; ++axis) {
        file->dims[axis] = number(&header, AT_DIMS + 8 * (uint64_t)axis);
        if (header.global_size < AT_BLOCKS)
            continue;
        const unsigned char *at = header.bytes + 8 * axis;
        file->origin[axis] = io_get_f64(at + AT_ORIGIN, file->order);
        file->scale[axis] = io_get_f64(at + AT_SCALE, file->order);
        if (!isfinite(file->origin[axis]) || !isfinite(file->scale[axis]))
            done = damaged(file, "its box is not finite", error);
    }
    free(header.bytes);
    if (!done)
        genericio_close(file);
    return done;
}

void genericio_close(struct genericio_file *file) {
    io_input_close(&file->input);
    free(file->variables);
    free(file->ranks);
    free(file->blocks);
    *file = (struct genericio_file){.input.descriptor = -1};
}

int64_t genericio_find(const struct genericio_file *file, const char *name) {
    for (int64_t v = 0; v < file->n_variables; ++v) {
        if (strcmp(file->variables[v].name, name) == 0)
            return v;
    }
    return -1;
}
