/* Rows of columns that come together, part by part and rank by rank. */
#include "collect.h"
#include "cli/command.h"
#include "io/crew/crew.h"
#include "io/files/error.h"

#include <stdlib.h>
#include <string.h>

size_t collect_width(const struct catalogue_column *column) {
    const size_t one = column->type == CATALOGUE_U8 ? 1 : 8;
    return one * (size_t)column->components;
}

/* Appends `more` rows to an array of `n`, which may move. */
static bool append(void **array, int64_t n, const void *rows, int64_t more, size_t bytes) {
    void *longer = realloc(*array, (size_t)(n + more + 1) * bytes);
    if (longer == NULL)
        return false;
    if (more > 0)
        memcpy((char *)longer + (size_t)n * bytes, rows, (size_t)more * bytes);
    *array = longer;
    return true;
}

bool collect_i64(int64_t **array, int64_t n, const int64_t *rows, int64_t more) {
    void *longer = *array;
    const bool done = rows == NULL || append(&longer, n, rows, more, sizeof **array);
    *array = longer;
    return done;
}

/* Adds a column like that one, of other data. */
static bool add_like(struct halos_columns *columns, const struct catalogue_column *model,
                     const void *data) {
    struct catalogue_column column = *model;
    column.data = data;
    return halos_columns_add(columns, &column);
}

/* The first rows need not be copied. */
static bool append_rows(struct catalogue_column *column, int64_t n,
                        struct catalogue_column *more, int64_t rows) {
    void *data = (void *)(uintptr_t)column->data;
    if (n == 0 && data == NULL) {
        column->data = more->data;
        more->data = NULL;
        return true;
    }
    const bool done = append(&data, n, more->data, rows, collect_width(column));
    column->data = data;
    return done;
}

bool collect_rows(struct halos_columns *all, int64_t n, struct halos_columns *more,
                  int64_t rows) {
    bool done = true;
    for (int c = 0; done && c < more->n; ++c) {
        struct catalogue_column *column = &more->column[c];
        done = (c < all->n || add_like(all, column, NULL)) &&
               append_rows(&all->column[c], n, column, rows);
    }
    return done;
}

int collect_to_first(const void *context, int64_t row, int *ranks) {
    (void)context, (void)row;
    ranks[0] = 0;
    return 1;
}

/* Columns that travel as one, since each journey waits for all ranks several times: rows of
 * their numbers side by side. */
struct bundle {
    const struct halos_columns *from;
    struct halos_columns *to;
    int first, n; /* columns */
    size_t bytes; /* of a row */
    const uint32_t *row;
    char *came;
};

static void copy(char *to, const char *from, size_t bytes) {
    if (bytes == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

static void pack(const void *context, int64_t first, int64_t n, void *out) {
    const struct bundle *b = context;
    char *to = out;
    for (int64_t k = first; k < first + n; ++k) {
        for (int c = b->first; c < b->first + b->n; ++c) {
            const struct catalogue_column *column = &b->from->column[c];
            const size_t bytes = collect_width(column);
            copy(to, (const char *)column->data + b->row[k] * bytes, bytes);
            to += bytes;
        }
    }
}

static void unpack(void *context, int64_t begin, int64_t end, int part) {
    const struct bundle *b = context;
    const char *from = b->came + (size_t)begin * b->bytes;
    (void)part;
    for (int64_t k = begin; k < end; ++k) {
        for (int c = b->first; c < b->first + b->n; ++c) {
            const struct catalogue_column *column = &b->to->column[c];
            const size_t bytes = collect_width(column);
            copy((char *)(uintptr_t)column->data + (size_t)k * bytes, from, bytes);
            from += bytes;
        }
    }
}

/* As many columns as a row may have bytes, or one. */
static void choose(struct bundle *b) {
    enum { ROW = 256 };
    b->first += b->n;
    b->n = 0;
    b->bytes = 0;
    for (int c = b->first; c < b->from->n; ++c) {
        const size_t bytes = collect_width(&b->from->column[c]);
        if (b->n > 0 && b->bytes + bytes > ROW)
            return;
        b->bytes += bytes;
        ++b->n;
    }
}

/* Memory for the columns of a bundle, and for its rows. */
static bool prepare(struct comm *comm, int64_t rows, struct bundle *b) {
    static const char what[] = "the columns of the catalogue";
    b->came = comm_allocate(comm, rows, b->bytes, what);
    for (int c = b->first; c < b->first + b->n; ++c) {
        const struct catalogue_column *column = &b->from->column[c];
        void *data = comm_allocate(comm, rows, collect_width(column), what);
        if (data && !add_like(b->to, column, data)) {
            io_fail(&comm->error, "out of memory: %s", what);
            comm_fail(comm, CLI_FAULT);
        }
    }
    return comm->trouble == 0;
}

bool collect_bring(struct comm *comm, const struct mailing *mailing,
                   const struct halos_columns *from, struct halos_columns *to) {
    struct bundle b = {.from = from, .to = to, .row = mailing->row};
    bool well = true;
    for (choose(&b); well && b.n > 0; choose(&b)) {
        prepare(comm, mailing->route.n_from, &b);
        well = route_send_packed(comm, &mailing->route, b.bytes, pack, &b, b.came);
        if (well)
            crew_run(comm->threads, mailing->route.n_from, unpack, &b);
        free(b.came);
    }
    return well;
}
