#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#include "io/columns/columns.h"
#include "module.h"

#include <stdlib.h>
#include <string.h>

struct table {
    sqlite3_vtab base; /* first: SQLite's */
    struct columns_file *file;
    int number;
};

struct cursor {
    sqlite3_vtab_cursor base;
    int64_t row, end;
    struct columns_piece *piece; /* [columns] */
};

/* Bounds of the rowid that a plan has, in this order among its arguments. */
enum { ROW_IS = 1, ROW_FROM = 2, ROW_TO = 4 };

/* The text of an argument as SQL writes it, 'it''s' or it. For sqlite3_free(). */
static char *unquoted(const char *text) {
    const size_t length = strlen(text);
    const char quote = text[0];
    char *plain = sqlite3_malloc64(length + 1), *to = plain;
    if (plain == NULL)
        return NULL;
    if (length < 2 || (quote != '\'' && quote != '"') || text[length - 1] != quote)
        return strcpy(plain, text);
    for (const char *from = text + 1; from < text + length - 1; ++from) {
        *to++ = *from;
        if (from[0] == quote && from[1] == quote)
            ++from;
    }
    *to = '\0';
    return plain;
}

static char *declaration(const struct columns_table *table) {
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendall(text, "CREATE TABLE x(");
    for (int k = 0; k < table->n_columns; ++k)
        sqlite3_str_appendf(text, "%s\"%w\" %s", k > 0 ? ", " : "", table->columns[k].name,
                            table->columns[k].integer ? "INTEGER" : "REAL");
    sqlite3_str_appendall(text, ")");
    return sqlite3_str_finish(text);
}

/* Opens the file and finds the table. */
static bool find(const char *path, const char *name, struct table *table,
                 struct io_error *error) {
    table->file = columns_open(path, error);
    if (table->file == NULL)
        return false;
    if (name == NULL && table->file->n_tables != 1)
        return io_fail(error, "%s has %d tables: name one of them", path,
                       table->file->n_tables);
    table->number = name ? columns_find(table->file, name) : 0;
    return table->number >= 0 || io_fail(error, "%s has no table '%s'", path, name);
}

static int disconnect(sqlite3_vtab *base) {
    struct table *table = (struct table *)base;
    columns_close(table->file);
    free(table);
    return SQLITE_OK;
}

static int connect(sqlite3 *database, void *context, int argc, const char *const *argv,
                   sqlite3_vtab **out, char **message) {
    struct io_error error;
    (void)context;
    if (argc < 4 || argc > 5) {
        *message = sqlite3_mprintf("weft takes a file and a table: "
                                   "USING weft('catalogue.hdf5', 'halos')");
        return SQLITE_ERROR;
    }
    struct table *table = calloc(1, sizeof *table);
    char *path = unquoted(argv[3]), *name = argc > 4 ? unquoted(argv[4]) : NULL;
    int status = table && path && (name || argc == 4) ? SQLITE_OK : SQLITE_NOMEM;
    if (status == SQLITE_OK && !find(path, name, table, &error)) {
        *message = sqlite3_mprintf("%s", error.text);
        status = SQLITE_ERROR;
    }
    if (status == SQLITE_OK) {
        char *declared = declaration(&table->file->tables[table->number]);
        status = declared ? sqlite3_declare_vtab(database, declared) : SQLITE_NOMEM;
        if (status == SQLITE_ERROR)
            *message = sqlite3_mprintf("%s", sqlite3_errmsg(database));
        sqlite3_free(declared);
    }
    sqlite3_free(path);
    sqlite3_free(name);
    if (status == SQLITE_OK)
        *out = &table->base;
    else if (table)
        disconnect(&table->base);
    return status;
}

static int bound_of(unsigned char operation) {
    switch (operation) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return ROW_IS;
    case SQLITE_INDEX_CONSTRAINT_GT:
    case SQLITE_INDEX_CONSTRAINT_GE:
        return ROW_FROM;
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE:
        return ROW_TO;
    default:
        return 0;
    }
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
    const struct table *table = (struct table *)base;
    double rows = (double)table->file->tables[table->number].n + 1;
    int chosen[ROW_TO + 1] = {0}, arguments = 0;
    for (int k = 0; k < info->nConstraint; ++k) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[k];
        const int bound = bound_of(constraint->op);
        if (constraint->iColumn == -1 && constraint->usable && bound && !chosen[bound])
            chosen[bound] = k + 1;
    }
    /* SQLite looks at the rows again, so that < is as good as <=. */
    for (int bound = ROW_IS; bound <= ROW_TO; bound *= 2) {
        if (chosen[bound] == 0)
            continue;
        info->aConstraintUsage[chosen[bound] - 1].argvIndex = ++arguments;
        info->idxNum |= bound;
        rows = bound == ROW_IS ? 1 : rows / 4 + 1;
    }
    if (info->nOrderBy == 1 && info->aOrderBy[0].iColumn == -1 && !info->aOrderBy[0].desc)
        info->orderByConsumed = 1;
    info->estimatedRows = (sqlite3_int64)rows;
    info->estimatedCost = rows;
    if (info->idxNum & ROW_IS)
        info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    return SQLITE_OK;
}

static int columns_of(const struct table *table) {
    return table->file->tables[table->number].n_columns;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
    const struct table *table = (struct table *)base;
    struct cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor)
        cursor->piece = calloc((size_t)columns_of(table) + 1, sizeof *cursor->piece);
    if (cursor == NULL || cursor->piece == NULL) {
        free(cursor);
        return SQLITE_NOMEM;
    }
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    struct cursor *cursor = (struct cursor *)base;
    const struct table *table = (struct table *)base->pVtab;
    for (int k = 0; k < columns_of(table); ++k)
        columns_forget(&cursor->piece[k]);
    free(cursor->piece);
    free(cursor);
    return SQLITE_OK;
}

/* Narrows the rows; a bound that is no number is left to SQLite. */
static void narrow(struct cursor *cursor, int bound, sqlite3_value *value) {
    const int type = sqlite3_value_type(value);
    if (type == SQLITE_NULL)
        cursor->end = cursor->row; /* nothing is equal to it, or larger */
    if (type != SQLITE_INTEGER)
        return;
    const int64_t at = sqlite3_value_int64(value);
    if (bound != ROW_TO && at > cursor->row)
        cursor->row = at < cursor->end ? at : cursor->end;
    if (bound != ROW_FROM && at < cursor->end - 1)
        cursor->end = at < cursor->row ? cursor->row : at + 1;
}

static int filter(sqlite3_vtab_cursor *base, int bounds, const char *text, int argc,
                  sqlite3_value **argv) {
    struct cursor *cursor = (struct cursor *)base;
    const struct table *table = (struct table *)base->pVtab;
    (void)text;
    cursor->row = 0;
    cursor->end = table->file->tables[table->number].n;
    for (int bound = ROW_IS, k = 0; bound <= ROW_TO && k < argc; bound *= 2) {
        if (bounds & bound)
            narrow(cursor, bound, argv[k++]);
    }
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
    ++((struct cursor *)base)->row;
    return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base) {
    const struct cursor *cursor = (struct cursor *)base;
    return cursor->row >= cursor->end;
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int k) {
    struct cursor *cursor = (struct cursor *)base;
    const struct table *table = (struct table *)base->pVtab;
    struct columns_piece *piece = &cursor->piece[k];
    struct io_error error;
    if (!columns_read(table->file, table->number, k, cursor->row, piece, &error)) {
        sqlite3_result_error(context, error.text, -1);
        return SQLITE_ERROR;
    }
    const int64_t at = cursor->row - piece->first;
    if (table->file->tables[table->number].columns[k].integer)
        sqlite3_result_int64(context, ((const int64_t *)piece->values)[at]);
    else
        sqlite3_result_double(context, ((const double *)piece->values)[at]);
    return SQLITE_OK;
}

static int give_row(sqlite3_vtab_cursor *base, sqlite3_int64 *row) {
    *row = ((struct cursor *)base)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xCreate = connect,
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = at_end,
    .xColumn = give_column,
    .xRowid = give_row,
};

int sql_module_add(sqlite3 *database) {
    return sqlite3_create_module(database, "weft", &module, NULL);
}
