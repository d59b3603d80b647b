/* Variables of a GenericIO file as columns: a piece is a block, which its CRC covers. */
#include "columns.h"
#include "io/genericio/file.h"
#include "io/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPONENTS = 64 };

struct parts {
    struct snapshot *snapshot; /* the parts' names are its */
    int n;
    struct genericio_file *file; /* [n], of which those that are open have variables */
    bool *open;                  /* [n] */
};

static bool open_part(struct columns_file *file, struct parts *parts,
                      struct snapshot *snapshot, int k, struct io_error *error) {
    const struct genericio_file *first = &parts->file[0], *part = &parts->file[k];
    parts->open[k] = genericio_open(&parts->file[k], snapshot_part(snapshot, k), error);
    if (!parts->open[k])
        return false;
    bool alike = part->n_variables == first->n_variables;
    for (int64_t v = 0; alike && v < first->n_variables; ++v)
        alike = strcmp(part->variables[v].name, first->variables[v].name) == 0 &&
                part->variables[v].row == first->variables[v].row &&
                part->variables[v].element == first->variables[v].element;
    return alike || io_fail(error, "%s has other variables than %s",
                            snapshot_part(snapshot, k), file->path);
}

static bool add_variable(struct columns_file *file, const struct genericio_variable *v,
                         int index, struct io_error *error) {
    const bool real = (v->flags & GENERICIO_FLOAT) != 0;
    const int64_t components = v->row / v->element;
    struct columns_column column = {.integer = !real, .source = index};
    if (components > MOST_COMPONENTS)
        return true;
    snprintf(column.name, sizeof column.name, "%.90s", v->name);
    snprintf(column.type, sizeof column.type, "%c%d",
             real                          ? 'f'
             : v->flags & GENERICIO_SIGNED ? 'i'
                                           : 'u',
             (int)v->element);
    return columns_add(file, 0, &column, (int)components, error);
}

static bool open_file(struct columns_file *file, struct io_error *error) {
    struct snapshot *snapshot = snapshot_inspect(file->path, error);
    struct parts *parts = snapshot ? calloc(1, sizeof *parts) : NULL;
    const int n = snapshot ? snapshot_info(snapshot)->n_parts : 0;
    int64_t rows = 0;
    file->context = parts;
    if (parts) {
        parts->snapshot = snapshot;
        parts->file = io_allocate(n, sizeof *parts->file, "parts", error);
        parts->open = calloc((size_t)n + 1, sizeof *parts->open);
    }
    bool done = parts && parts->file && parts->open;
    for (int k = 0; done && k < n; ++k) {
        parts->n = n;
        done = open_part(file, parts, snapshot, k, error);
        rows += done ? parts->file[k].n : 0;
    }
    done = done && columns_add_table(file, "data", rows, error);
    for (int64_t v = 0; done && v < parts->file[0].n_variables; ++v)
        done = add_variable(file, &parts->file[0].variables[v], (int)v, error);
    if (parts == NULL)
        snapshot_close(snapshot);
    return done;
}

static void close_file(struct columns_file *file) {
    struct parts *parts = file->context;
    for (int k = 0; parts && k < parts->n; ++k) {
        if (parts->open[k])
            genericio_close(&parts->file[k]);
    }
    if (parts == NULL)
        return;
    snapshot_close(parts->snapshot);
    free(parts->file);
    free(parts->open);
    free(parts);
}

/* A number of `bytes` bytes as eight; false where i64 does not hold it. */
static bool widen(const char *at, int64_t bytes, uint64_t flags, void *out) {
    int64_t whole = 0;
    double real;
    if (flags & GENERICIO_FLOAT) {
        if (bytes == 4) {
            float narrow;
            memcpy(&narrow, at, sizeof narrow);
            real = narrow;
        } else {
            memcpy(&real, at, sizeof real);
        }
        memcpy(out, &real, sizeof real);
        return true;
    }
    memcpy(&whole, at, (size_t)bytes); /* the machine is little-endian, or bytes is 8 */
    if ((flags & GENERICIO_SIGNED) && bytes < 8) {
        const int64_t sign = (int64_t)1 << (8 * bytes - 1);
        whole = (whole ^ sign) - sign;
    }
    memcpy(out, &whole, sizeof whole);
    return (flags & GENERICIO_SIGNED) || whole >= 0;
}

static bool read_rank(const struct genericio_file *part, int64_t rank,
                      const struct columns_column *column, struct columns_piece *piece,
                      struct io_error *error) {
    const struct genericio_variable *v = &part->variables[column->source];
    const int64_t n = part->ranks[rank].n;
    char *rows = io_allocate(n, (size_t)v->row, "a block", error);
    bool done = rows && columns_make_room(piece, n, error) &&
                genericio_read(part, rank, column->source, 0, n, rows, error);
    for (int64_t k = 0; done && k < n; ++k) {
        done = widen(rows + k * v->row + column->component * v->element, v->element,
                     v->flags, (char *)piece->values + 8 * k) ||
               io_fail(error, "%s in %s is not below 2^63", column->name, part->input.path);
    }
    free(rows);
    return done;
}

static bool read_piece(struct columns_file *file, int table, int column, int64_t row,
                       struct columns_piece *piece, struct io_error *error) {
    const struct parts *parts = file->context;
    int64_t first = 0;
    for (int k = 0; k < parts->n; ++k) {
        const struct genericio_file *part = &parts->file[k];
        for (int64_t r = 0; r < part->n_ranks; first += part->ranks[r++].n) {
            if (row < first || row >= first + part->ranks[r].n)
                continue;
            if (!read_rank(part, r, &file->tables[table].columns[column], piece, error))
                return false;
            piece->first = first;
            piece->count = part->ranks[r].n;
            return true;
        }
    }
    return io_fail(error, "%s has no row %lld", file->path, (long long)row);
}

const struct columns_format columns_genericio = {
    .open = open_file, .close = close_file, .read = read_piece};
