/* Tables as a format builds them. */
#include "columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int columns_find(const struct columns_file *file, const char *name) {
    for (int k = 0; k < file->n_tables; ++k) {
        if (strcasecmp(file->tables[k].name, name) == 0)
            return k;
    }
    return -1;
}

bool columns_add_table(struct columns_file *file, const char *name, int64_t n,
                       struct io_error *error) {
    const size_t count = (size_t)file->n_tables + 1;
    struct columns_table *longer = realloc(file->tables, count * sizeof *longer);
    if (longer == NULL)
        return io_fail(error, "out of memory: the tables of %s", file->path);
    file->tables = longer;
    struct columns_table *table = &longer[file->n_tables];
    *table = (struct columns_table){.n = n};
    snprintf(table->name, sizeof table->name, "%s", name);
    for (int k = 2; columns_find(file, table->name) >= 0; ++k)
        snprintf(table->name, sizeof table->name, "%.80s_%d", name, k);
    ++file->n_tables;
    return true;
}

static bool has_column(const struct columns_table *table, const char *name) {
    for (int k = 0; k < table->n_columns; ++k) {
        if (strcasecmp(table->columns[k].name, name) == 0)
            return true;
    }
    return false;
}

bool columns_add(struct columns_file *file, int number, const struct columns_column *like,
                 int components, struct io_error *error) {
    struct columns_table *table = &file->tables[number];
    const size_t count = (size_t)(table->n_columns + components);
    struct columns_column *longer = realloc(table->columns, count * sizeof *longer);
    if (longer == NULL)
        return io_fail(error, "out of memory: the columns of %s", file->path);
    table->columns = longer;
    for (int c = 0; c < components; ++c) {
        struct columns_column column = *like;
        char name[COLUMNS_NAME];
        column.component = c;
        if (components == 3)
            snprintf(name, sizeof name, "%.80s_%c", like->name, "xyz"[c]);
        else if (components > 1)
            snprintf(name, sizeof name, "%.80s_%d", like->name, c);
        else
            snprintf(name, sizeof name, "%s", like->name);
        memcpy(column.name, name, sizeof name);
        for (int k = 2; has_column(table, column.name); ++k)
            snprintf(column.name, sizeof column.name, "%.80s_%d", name, k);
        table->columns[table->n_columns++] = column;
    }
    return true;
}

bool columns_make_room(struct columns_piece *piece, int64_t count, struct io_error *error) {
    if (piece->room >= count)
        return true;
    free(piece->values);
    piece->values = io_allocate(count, 8, "a column", error);
    piece->room = piece->values ? count : 0;
    return piece->values != NULL;
}

void columns_forget(struct columns_piece *piece) {
    free(piece->values);
    *piece = (struct columns_piece){0};
}
