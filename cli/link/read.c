/* Columns of a catalogue, and the members of its groups. */
#include "link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_column(const struct columns_table *table, const char *name) {
    for (int k = 0; k < table->n_columns; ++k)
        if (strcmp(table->columns[k].name, name) == 0)
            return k;
    return -1;
}

int link_find(const struct columns_file *file, const char *group, const char *name,
              int *table) {
    char own[2 * COLUMNS_NAME];
    snprintf(own, sizeof own, "%s_%s", group, name);
    *table = columns_find(file, group);
    const int column = *table < 0 ? -1 : find_column(&file->tables[*table], name);
    if (column >= 0)
        return column;
    *table = columns_find(file, own); /* an array of another length */
    return *table < 0 ? -1 : find_column(&file->tables[*table], name);
}

bool link_read(struct columns_file *file, const char *group, const char *name, bool whole,
               int64_t n, void *to, int step, struct io_error *error) {
    struct columns_piece piece = {0};
    int table;
    const int column = link_find(file, group, name, &table);
    bool done = column >= 0 || io_fail(error, "%s has no %s/%s", file->path, group, name);
    done = done && (file->tables[table].columns[column].integer == whole ||
                    io_fail(error, "%s/%s in %s is no list of %s", group, name, file->path,
                            whole ? "integers" : "floating-point numbers"));
    done = done && (file->tables[table].n == n ||
                    io_fail(error, "%s/%s in %s has %" PRId64 " rows, not %" PRId64, group,
                            name, file->path, file->tables[table].n, n));
    for (int64_t row = 0; done && row < n; row = piece.first + piece.count) {
        done = columns_read(file, table, column, row, &piece, error);
        for (int64_t k = 0; done && k < piece.count; ++k)
            memcpy((char *)to + 8 * step * (piece.first + k),
                   (const char *)piece.values + 8 * k, 8);
    }
    columns_forget(&piece);
    return done;
}

/* Where the members of each halo begin, by the halo of each member. */
static bool count_members(struct link_catalogue *catalogue, const int64_t *halo,
                          struct io_error *error) {
    int64_t *offset = catalogue->offset;
    memset(offset, 0, ((size_t)catalogue->n + 1) * sizeof *offset);
    for (int64_t k = 0; k < catalogue->members; ++k) {
        if (halo[k] >= catalogue->n)
            return io_fail(error, "members/offset in %s has more rows than halos",
                           catalogue->path);
        ++offset[halo[k] + 1];
    }
    for (int64_t h = 0; h < catalogue->n; ++h)
        offset[h + 1] += offset[h];
    return true;
}

static bool read_halos(struct link_catalogue *catalogue, struct io_error *error) {
    const int64_t n = catalogue->members;
    int64_t *halo = io_allocate(n, sizeof *halo, "halos of members", error);
    const bool done =
        halo && link_read(catalogue->file, "members", "halo", true, n, halo, 1, error) &&
        count_members(catalogue, halo, error);
    free(halo);
    return done;
}

static bool read_subhalos(struct link_catalogue *catalogue, struct io_error *error) {
    const int64_t n = catalogue->n, *offset = catalogue->offset;
    bool done = link_read(catalogue->file, "subhalos", "offset", true, n + 1,
                          catalogue->offset, 1, error);
    if (!done)
        return false;
    done = offset[0] == 0 && offset[n] == catalogue->members;
    for (int64_t k = 0; k < n; ++k)
        done = done && offset[k] <= offset[k + 1];
    return done ||
           io_fail(error, "subhalos/offset in %s does not ascend from 0 to %" PRId64,
                   catalogue->path, catalogue->members);
}

bool link_read_members(struct link_catalogue *catalogue, bool subhalos,
                       struct io_error *error) {
    const char *group = subhalos ? "subhalos" : "members";
    const int64_t n = catalogue->members;
    catalogue->offset =
        io_allocate(catalogue->n + 1, sizeof *catalogue->offset, "offsets", error);
    catalogue->id = io_allocate(n, sizeof *catalogue->id, "ids of members", error);
    return catalogue->offset && catalogue->id &&
           link_read(catalogue->file, group, "particle_id", true, n, catalogue->id, 1,
                     error) &&
           (subhalos ? read_subhalos(catalogue, error) : read_halos(catalogue, error));
}
