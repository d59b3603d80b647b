/* Writes GenericIO: little-endian, a rank for each piece, without a table of blocks. */
#include "write.h"

#include "crc64.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the structures that are written: the usual ones. */
enum { GLOBAL = 168, VARIABLE = 280, RANK = 48, CRC = 8, FIELD_COLUMNS = 8 };

static unsigned char *put_u64(unsigned char *at, uint64_t value) {
    io_put_u64(at, value, IO_LITTLE);
    return at + 8;
}

static unsigned char *put_f64(unsigned char *at, double value) {
    io_put_f64(at, value, IO_LITTLE);
    return at + 8;
}

static unsigned char *put_variable(unsigned char *at,
                                   const struct genericio_column *column) {
    strncpy((char *)at, column->name, GENERICIO_NAME);
    at = put_u64(at + GENERICIO_NAME, column->flags);
    at = put_u64(at, (uint64_t)(column->width * column->components));
    return put_u64(at, (uint64_t)column->width);
}

/* Rows in rank r, of n in all in pieces of `piece`. */
static int64_t rows(const struct genericio_table *table, int64_t r) {
    const int64_t left = table->n - r * table->piece;
    return left < table->piece ? left : table->piece;
}

bool genericio_put_header(struct io_output *output, const struct genericio_table *table,
                          struct io_error *error) {
    const uint64_t variables = (uint64_t)table->n_columns, ranks = (uint64_t)table->n_ranks;
    const uint64_t ranks_at = GLOBAL + variables * VARIABLE, size = ranks_at + ranks * RANK;
    uint64_t row = 0, start = size + CRC;
    unsigned char *header = calloc(size + CRC, 1), *at = header;
    if (header == NULL)
        return io_fail(error, "no memory for the header of %s", output->path);
    memcpy(at, "HACC01L", 8);
    const uint64_t all = ranks + (uint64_t)(table->before + table->beyond);
    const uint64_t numbers[] = {
        size, (uint64_t)table->n, all,   1, 1, variables, VARIABLE, GLOBAL, ranks,
        RANK, ranks_at,           GLOBAL};
    at += 8;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        at = put_u64(at, numbers[k]);
    for (int axis = 0; axis < 3; ++axis) {
        put_f64(at + 24, table->box[axis]); /* the origin before it stays 0 */
        at += 8;
    }
    at = header + GLOBAL;
    for (int k = 0; k < table->n_columns; ++k) {
        at = put_variable(at, &table->columns[k]);
        row += (uint64_t)(table->columns[k].width * table->columns[k].components);
    }
    for (int64_t r = 0; r < table->n_ranks; ++r) {
        const uint64_t n = (uint64_t)rows(table, r), global = (uint64_t)(table->before + r);
        at = put_u64(put_u64(put_u64(at, global), 0), 0);
        at = put_u64(put_u64(put_u64(at, n), start), global);
        start += n * row + variables * CRC;
    }
    put_u64(at, ~crc64(0, header, size));
    const bool done = particles_put(output, header, size + CRC, error);
    free(header);
    return done;
}

bool genericio_put_block(struct io_output *output, void *values, int width, int64_t n,
                         struct io_error *error) {
    unsigned char check[CRC];
    io_swap(values, width, n, IO_LITTLE);
    io_put_u64(check, ~crc64(0, values, (size_t)(n * width)), IO_LITTLE);
    return particles_put(output, values, (size_t)(n * width), error) &&
           particles_put(output, check, CRC, error);
}

/* One component of a field of a piece, side by side. */
static bool put_component(struct io_output *output, const void *values, int width,
                          int components, int axis, int64_t n, struct io_error *error) {
    char *column = io_allocate(n, (size_t)width, "a variable", error);
    for (int64_t i = 0; column != NULL && i < n; ++i)
        memcpy(column + i * width, (const char *)values + (i * components + axis) * width,
               (size_t)width);
    const bool done =
        column != NULL && genericio_put_block(output, column, width, n, error);
    free(column);
    return done;
}

static bool put_field(struct io_output *output, const struct particles *particles,
                      enum snapshot_field field, int64_t first, int64_t count,
                      struct io_error *error) {
    const int components = snapshot_components(field);
    void *values = particles_pull(particles, field, first, count, error);
    bool done = values != NULL;
    for (int axis = 0; done && axis < components; ++axis)
        done = put_component(output, values, particles->bytes[field], components, axis,
                             count, error);
    free(values);
    return done;
}

static bool put_other(struct io_output *output, const struct particles *particles,
                      int other, int64_t first, int64_t count, struct io_error *error) {
    const struct snapshot_other *what = &particles->snapshot->others[other];
    void *values = particles_pull_other(particles, other, first, count, error);
    const bool done =
        values != NULL &&
        genericio_put_block(output, values, what->bytes, count * what->components, error);
    free(values);
    return done;
}

/* The columns of the fields, then the others; returns how many. */
static int name_columns(const struct particles *particles,
                        struct genericio_column *columns) {
    const struct snapshot *snapshot = particles->snapshot;
    const uint64_t is_float = GENERICIO_FLOAT | GENERICIO_SIGNED;
    int n = 0;
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        for (int axis = 0; particles->bytes[f] != 0 && axis < snapshot_components(f);
             ++axis)
            columns[n++] = (struct genericio_column){
                genericio_names[f][axis],
                f == SNAPSHOT_IDS           ? (uint64_t)GENERICIO_SIGNED
                : f == SNAPSHOT_COORDINATES ? is_float | (uint64_t)GENERICIO_X << axis
                                            : is_float,
                particles->bytes[f], 1};
    }
    for (int k = 0; k < snapshot->n_others; ++k) {
        const struct snapshot_other *other = &snapshot->others[k];
        columns[n++] =
            (struct genericio_column){other->name,
                                      other->kind == 'f'   ? is_float
                                      : other->kind == 'i' ? (uint64_t)GENERICIO_SIGNED
                                                           : 0,
                                      other->bytes, other->components};
    }
    return n;
}

static bool put_rank(struct io_output *output, const struct particles *particles,
                     int64_t first, int64_t count, struct io_error *error) {
    bool done = true;
    for (enum snapshot_field f = 0; done && f < SNAPSHOT_FIELDS; ++f)
        done = particles->bytes[f] == 0 ||
               put_field(output, particles, f, first, count, error);
    for (int k = 0; done && k < particles->snapshot->n_others; ++k)
        done = put_other(output, particles, k, first, count, error);
    return done;
}

/* The columns of the particles, for free(); NULL where there is no memory. */
static struct genericio_column *lay_out(const struct particles *particles,
                                        const struct genericio_share *share,
                                        struct genericio_table *table,
                                        struct io_error *error) {
    const int64_t most = FIELD_COLUMNS + (int64_t)particles->snapshot->n_others;
    struct genericio_column *columns =
        io_allocate(most, sizeof *columns, "the variables", error);
    if (columns == NULL)
        return NULL;
    *table = (struct genericio_table){.n = share->n,
                                      .piece = PARTICLES_PIECE,
                                      .n_ranks = share->ranks,
                                      .before = share->before,
                                      .beyond = share->beyond,
                                      .n_columns = name_columns(particles, columns),
                                      .columns = columns};
    memcpy(table->box, particles->snapshot->info.box, sizeof table->box);
    return columns;
}

bool genericio_begin(struct io_output *output, const struct particles *particles,
                     const struct genericio_share *share, struct io_error *error) {
    struct genericio_table table;
    struct genericio_column *columns = lay_out(particles, share, &table, error);
    const bool done = columns != NULL && genericio_put_header(output, &table, error);
    free(columns);
    return done;
}

bool genericio_put_ranks(struct io_output *output, const struct particles *particles,
                         const struct genericio_share *share, int64_t first, int64_t count,
                         struct io_error *error) {
    const struct genericio_table table = {.n = share->n, .piece = PARTICLES_PIECE};
    bool done = true;
    for (int64_t r = first; done && r < first + count; ++r)
        done = put_rank(output, particles, share->first + r * table.piece, rows(&table, r),
                        error);
    return done;
}

bool genericio_seek(struct io_output *output, const struct particles *particles,
                    const struct genericio_share *share, int64_t rank,
                    struct io_error *error) {
    struct genericio_table table;
    struct genericio_column *columns = lay_out(particles, share, &table, error);
    int64_t at = GLOBAL + table.n_columns * (int64_t)VARIABLE + share->ranks * RANK + CRC;
    for (int k = 0; columns != NULL && k < table.n_columns; ++k)
        at +=
            rank * ((int64_t)columns[k].width * columns[k].components * table.piece + CRC);
    const bool done = columns != NULL && (fseeko(output->stream, at, SEEK_SET) == 0 ||
                                          io_output_fail(output, errno, error));
    free(columns);
    return done;
}

bool genericio_write_particles(struct io_output *output, const struct particles *particles,
                               struct io_error *error) {
    const struct genericio_share all = genericio_share(particles->n, 1, 0);
    return genericio_begin(output, particles, &all, error) &&
           genericio_put_ranks(output, particles, &all, 0, all.ranks, error);
}
