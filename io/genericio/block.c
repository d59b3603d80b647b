/* The blocks of a GenericIO file: one variable of one rank each. */
#include "blosc.h"
#include "crc64.h"
#include "file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20, CRC = 8 };

/* What is read at the moment, for sentences. */
struct place {
    const struct genericio_file *file;
    const struct genericio_block *block;
    int64_t rank;
    const char *name;
};

static bool damaged(const struct place *place, const char *why, struct io_error *error) {
    return io_fail(error, "the block of %s in rank %" PRId64 " of %s is damaged: %s",
                   place->name, place->rank, place->file->input.path, why);
}

static bool checksum_wrong(const struct place *place, struct io_error *error) {
    return damaged(place, "its checksum is wrong", error);
}

/* Reads the block in pieces, and keeps bytes from .. to. */
static bool read_plain(const struct place *place, uint64_t from, uint64_t to, char *rows,
                       struct io_error *error) {
    const struct genericio_block *block = place->block;
    const struct io_input *input = &place->file->input;
    const uint64_t end = block->size + CRC;
    char *piece = io_allocate(end < PIECE ? (int64_t)end : PIECE, 1, "a block", error);
    uint64_t crc = 0;
    bool done = piece != NULL;
    for (uint64_t at = 0; done && at < end; at += PIECE) {
        const uint64_t n = end - at < PIECE ? end - at : PIECE;
        done = io_input_read(input, block->start + at, piece, n, place->name, error);
        if (!done)
            break;
        crc = crc64(crc, piece, n);
        const uint64_t first = from > at ? from : at, last = to < at + n ? to : at + n;
        if (first < last)
            memcpy(rows + (first - from), piece + (first - at), last - first);
    }
    free(piece);
    return done && (crc == UINT64_MAX || checksum_wrong(place, error));
}

/* A block of Blosc's: the CRC of what it holds, then Blosc's buffer. Nothing is allocated
 * for what it holds before its own checksum is right. */
static bool unpack(const struct place *place, const char *packed, uint64_t size,
                   uint64_t from, uint64_t to, char *rows, struct io_error *error) {
    char *plain = io_allocate((int64_t)size, 1, "a block", error);
    if (plain == NULL)
        return false;
    const char *why = genericio_blosc(packed + CRC, place->block->size - CRC, plain, size);
    if (why == NULL && crc64(0, plain, size) != io_get_u64(packed, place->file->order))
        why = "what it holds has another checksum";
    if (why == NULL)
        memcpy(rows, plain + from, to - from);
    free(plain);
    return why == NULL ||
           io_fail(error, "cannot unpack the block of %s in rank %" PRId64 " of %s: %s",
                   place->name, place->rank, place->file->input.path, why);
}

static bool read_blosc(const struct place *place, uint64_t size, uint64_t from, uint64_t to,
                       char *rows, struct io_error *error) {
    const uint64_t n = place->block->size + CRC;
    char *packed = io_allocate((int64_t)n, 1, "a block", error);
    const bool done = packed != NULL &&
                      io_input_read(&place->file->input, place->block->start, packed, n,
                                    place->name, error) &&
                      (crc64(0, packed, n) == UINT64_MAX || checksum_wrong(place, error)) &&
                      unpack(place, packed, size, from, to, rows, error);
    free(packed);
    return done;
}

bool genericio_read(const struct genericio_file *file, int64_t rank, int64_t variable,
                    int64_t first, int64_t count, void *rows, struct io_error *error) {
    const struct genericio_variable *what = &file->variables[variable];
    const struct place place = {file, &file->blocks[rank * file->n_variables + variable],
                                rank, what->name};
    const uint64_t row = (uint64_t)what->row, n = (uint64_t)file->ranks[rank].n,
                   from = (uint64_t)first * row, to = from + (uint64_t)count * row;
    const bool packed = strcmp(place.block->filter, "BLOSC") == 0;
    if (place.block->filter[0] != '\0' && !packed)
        return io_fail(error,
                       "the block of %s in rank %" PRId64
                       " of %s is stored with the filter %s, which is not read",
                       what->name, rank, file->input.path, place.block->filter);
    if (!io_input_holds(&file->input, place.block->start, place.block->size, 1) ||
        !io_input_holds(&file->input, place.block->start + place.block->size, CRC, 1))
        return io_fail(error, "%s is cut off: %s of rank %" PRId64 " is missing",
                       file->input.path, what->name, rank);
    if (packed ? place.block->size < CRC || n > INT32_MAX / row
               : place.block->size / row != n || place.block->size % row != 0)
        return damaged(&place, "its size is not that of its rows", error);
    if (!(packed ? read_blosc(&place, n * row, from, to, rows, error)
                 : read_plain(&place, from, to, rows, error)))
        return false;
    if (what->element == 2 || what->element == 4 || what->element == 8)
        io_swap(rows, (int)what->element, count * (what->row / what->element), file->order);
    return true;
}
