#include "print.h"
#include "io/files/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 1000 };

/* A column of what is kept to see how wide it is. */
struct rows {
    int columns, n; /* rows that are kept */
    char **cell;    /* [n][columns] */
    bool *right;    /* [n][columns]: numbers */
    int *width;     /* [columns] */
    bool no_memory;
};

/* Letters of UTF-8. */
static int letters(const char *text) {
    int n = 0;
    for (; *text; ++text)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* A value in words, for free(). */
static char *value_of(sqlite3_stmt *statement, int k, bool csv) {
    char number[64];
    switch (sqlite3_column_type(statement, k)) {
    case SQLITE_NULL:
        return strdup("");
    case SQLITE_INTEGER:
        snprintf(number, sizeof number, "%lld",
                 (long long)sqlite3_column_int64(statement, k));
        return strdup(number);
    case SQLITE_FLOAT:
        snprintf(number, sizeof number, csv ? "%.17g" : "%.10g",
                 sqlite3_column_double(statement, k));
        return strdup(number);
    default: {
        const char *text = (const char *)sqlite3_column_text(statement, k);
        const size_t room = 4 * strlen(text ? text : "") + 1;
        char *shown = malloc(room);
        if (shown && csv)
            strcpy(shown, text ? text : "");
        else if (shown)
            visible(text ? text : "", shown, room);
        return shown;
    }
    }
}

static void put_csv(const char *text) {
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; ++text) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void put_aligned(const char *text, int width, bool right, bool last) {
    const int rest = width - letters(text);
    if (right)
        printf("%*s%s", rest > 0 ? rest : 0, "", text);
    else
        printf("%s%*s", text, !last && rest > 0 ? rest : 0, "");
    fputs(last ? "\n" : "  ", stdout);
}

static int step(sqlite3_stmt *statement, struct io_error *error) {
    const int status = sqlite3_step(statement);
    if (status != SQLITE_ROW && status != SQLITE_DONE)
        io_fail(error, "%s", sqlite3_errmsg(sqlite3_db_handle(statement)));
    return status;
}

static int print_csv(sqlite3_stmt *statement, struct io_error *error) {
    const int columns = sqlite3_column_count(statement);
    int status;
    for (int k = 0; k < columns; ++k) {
        put_csv(sqlite3_column_name(statement, k));
        putchar(k + 1 < columns ? ',' : '\n');
    }
    while ((status = step(statement, error)) == SQLITE_ROW) {
        for (int k = 0; k < columns; ++k) {
            char *text = value_of(statement, k, true);
            put_csv(text ? text : "");
            putchar(k + 1 < columns ? ',' : '\n');
            free(text);
        }
    }
    return status;
}

static bool is_number(sqlite3_stmt *statement, int k) {
    const int type = sqlite3_column_type(statement, k);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void keep(struct rows *rows, sqlite3_stmt *statement) {
    for (int k = 0; k < rows->columns; ++k) {
        const int at = rows->n * rows->columns + k;
        rows->cell[at] = value_of(statement, k, false);
        rows->right[at] = is_number(statement, k);
        rows->no_memory = rows->no_memory || rows->cell[at] == NULL;
        const int width = rows->cell[at] ? letters(rows->cell[at]) : 0;
        rows->width[k] = width > rows->width[k] ? width : rows->width[k];
    }
    ++rows->n;
}

static void put_kept(const struct rows *rows, sqlite3_stmt *statement) {
    for (int k = 0; k < rows->columns; ++k)
        put_aligned(sqlite3_column_name(statement, k), rows->width[k],
                    rows->n > 0 && rows->right[k], k + 1 == rows->columns);
    for (int at = 0; at < rows->n * rows->columns; ++at) {
        const int k = at % rows->columns;
        put_aligned(rows->cell[at], rows->width[k], rows->right[at],
                    k + 1 == rows->columns);
    }
}

static int print_aligned(sqlite3_stmt *statement, struct rows *rows,
                         struct io_error *error) {
    int status = SQLITE_ROW;
    for (int k = 0; k < rows->columns; ++k)
        rows->width[k] = letters(sqlite3_column_name(statement, k));
    while (rows->n < LOOKED_AT && (status = step(statement, error)) == SQLITE_ROW)
        keep(rows, statement);
    if (rows->no_memory || (status != SQLITE_ROW && status != SQLITE_DONE))
        return status;
    put_kept(rows, statement);
    while (status == SQLITE_ROW && (status = step(statement, error)) == SQLITE_ROW) {
        for (int k = 0; k < rows->columns; ++k) {
            char *text = value_of(statement, k, false);
            put_aligned(text ? text : "", rows->width[k], is_number(statement, k),
                        k + 1 == rows->columns);
            free(text);
        }
    }
    return status;
}

bool sql_print(sqlite3_stmt *statement, bool csv, struct io_error *error) {
    struct rows rows = {.columns = sqlite3_column_count(statement)};
    if (rows.columns == 0) /* it has no rows to give */
        return step(statement, error) == SQLITE_DONE;
    if (csv)
        return print_csv(statement, error) == SQLITE_DONE;
    const size_t cells = (size_t)LOOKED_AT * (size_t)rows.columns;
    rows.cell = calloc(cells, sizeof *rows.cell);
    rows.right = calloc(cells, sizeof *rows.right);
    rows.width = calloc((size_t)rows.columns, sizeof *rows.width);
    rows.no_memory = !rows.cell || !rows.right || !rows.width;
    const bool done =
        !rows.no_memory && print_aligned(statement, &rows, error) == SQLITE_DONE;
    if (rows.no_memory)
        io_fail(error, "out of memory: the rows of the query");
    for (size_t k = 0; rows.cell && k < cells; ++k)
        free(rows.cell[k]);
    free(rows.cell);
    free(rows.right);
    free(rows.width);
    return done && !rows.no_memory;
}
