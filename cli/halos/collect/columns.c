/* Rows of columns that come together, part by part and rank by rank. */
#include "collect.h"
#include "cli/command.h"
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

bool collect_bring(struct comm *comm, const struct mailing *mailing,
                   const struct halos_columns *from, struct halos_columns *to) {
    bool well = true;
    for (int c = 0; well && c < from->n; ++c) {
        const struct catalogue_column *column = &from->column[c];
        void *data = mailing_send(comm, mailing, collect_width(column), column->data);
        if (data && !add_like(to, column, data)) {
            io_fail(&comm->error, "out of memory: the columns of the catalogue");
            comm_fail(comm, CLI_FAULT);
        }
        well = data != NULL && comm->trouble == 0;
    }
    return well;
}
