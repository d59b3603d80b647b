/* weft sql: SQLite over the tables of a catalogue or a GenericIO file. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/tables.h"
#include "io/snapshot.h"
#include "module.h"
#include "print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sql_options {
    const char *file, *query;
    bool csv, list;
};

enum { KEY_CSV = 512, KEY_LIST };

static const struct argp_option list[] = {
    {"csv", KEY_CSV, NULL, 0, "print CSV, with all digits, and not an aligned table", 0},
    {"list", KEY_LIST, NULL, 0, "list tables and columns", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct sql_options *options = state->input;
    switch (key) {
    case KEY_CSV:
        options->csv = true;
        return 0;
    case KEY_LIST:
        options->list = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->file && options->query)
            argp_error(state, "one query at a time: '%s' is one too many", text);
        if (options->file)
            options->query = text;
        else
            options->file = text;
        return 0;
    case ARGP_KEY_END:
        if (options->file == NULL)
            argp_error(state, "a file is missing");
        if (options->list && options->query)
            argp_error(state, "--list and a query exclude each other");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = list,
    .parser = parse,
    .args_doc = "CATALOGUE|FILE.gio [QUERY]",
    .doc =
        "Answers a query in SQL (SQLite's) about the tables of a catalogue, of any other "
        "HDF5 file or of a GenericIO file. Of the file only the columns that the query "
        "uses are read. Without QUERY it is read from standard input; where that is a "
        "terminal or empty, tables and columns are listed.",
};

static int failed(sqlite3 *database, int status) {
    return progress_fail(status, "%s", sqlite3_errmsg(database));
}

static int run(sqlite3 *database, const char *statement) {
    char *message = NULL;
    const int status = sqlite3_exec(database, statement, NULL, NULL, &message);
    if (status != SQLITE_OK)
        progress_fail(CLI_FAULT, "%s", message ? message : sqlite3_errstr(status));
    sqlite3_free(message);
    return status == SQLITE_OK ? CLI_DONE : CLI_FAULT;
}

/* A name and a value of the header, a number where it is one. */
static void add_note(void *database, const char *name, const char *value) {
    char *end, *statement;
    strtod(value, &end);
    const bool number = end != value && *end == '\0' && strpbrk(value, "xXnN") == NULL;
    statement =
        sqlite3_mprintf(number ? "INSERT INTO header VALUES (%Q, CAST(%Q AS NUMERIC))"
                               : "INSERT INTO header VALUES (%Q, %Q)",
                        name, value);
    sqlite3_exec(database, statement, NULL, NULL, NULL);
    sqlite3_free(statement);
}

static int add_tables(sqlite3 *database, struct columns_file *file) {
    struct io_error error;
    int status = CLI_DONE;
    for (int k = 0; k < file->n_tables && status == CLI_DONE; ++k) {
        const char *name = file->tables[k].name;
        char *statement = sqlite3_mprintf("CREATE VIRTUAL TABLE \"%w\" USING weft(%Q, %Q)",
                                          name, file->path, name);
        status = statement ? run(database, statement)
                           : progress_fail(CLI_FAULT, "out of memory: the tables");
        sqlite3_free(statement);
    }
    if (status == CLI_DONE && columns_find(file, "header") < 0) {
        status = run(database, "CREATE TABLE header(name TEXT, value)");
        if (status == CLI_DONE && !columns_notes(file, add_note, database, &error))
            status = progress_fail(CLI_FAULT, "%s", error.text);
    }
    return status;
}

/* Each statement of a query, one after another. */
static int answer(sqlite3 *database, const char *query, bool csv) {
    struct io_error error;
    int status = CLI_DONE;
    while (status == CLI_DONE && *query) {
        sqlite3_stmt *statement = NULL;
        const char *rest = query;
        if (sqlite3_prepare_v2(database, query, -1, &statement, &rest) != SQLITE_OK)
            status = failed(database, CLI_USAGE);
        else if (statement && !sql_print(statement, csv, &error))
            status = progress_fail(CLI_FAULT, "%s", error.text);
        sqlite3_finalize(statement);
        query = rest;
    }
    return status;
}

/* Standard input, for free(); NULL, and why. */
static char *read_input(struct io_error *error) {
    size_t n = 0, room = 1 << 12;
    char *text = malloc(room);
    while (text) {
        n += fread(text + n, 1, room - n - 1, stdin);
        if (n + 1 < room)
            break;
        char *longer = realloc(text, room *= 2);
        if (longer == NULL)
            free(text);
        text = longer;
    }
    if (text == NULL) {
        io_fail(error, "out of memory: the query");
    } else if (ferror(stdin)) {
        io_fail(error, "cannot read the query from standard input: %s", strerror(errno));
        free(text);
        return NULL;
    } else {
        text[n] = '\0';
    }
    return text;
}

static int work(const struct sql_options *options, struct columns_file *file) {
    char *input = NULL;
    struct io_error error;
    const char *query = options->query;
    if (query == NULL && !options->list && !isatty(STDIN_FILENO)) {
        query = input = read_input(&error);
        if (input == NULL)
            return progress_fail(CLI_FAULT, "%s", error.text);
    }
    if (query == NULL || query[strspn(query, " \t\r\n;")] == '\0') {
        tables_print(file);
        free(input);
        return CLI_DONE;
    }
    sqlite3 *database = NULL;
    int status = CLI_DONE;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK ||
        sql_module_add(database) != SQLITE_OK)
        status = failed(database, CLI_FAULT);
    if (status == CLI_DONE)
        status = add_tables(database, file);
    if (status == CLI_DONE)
        status = answer(database, query, options->csv);
    sqlite3_close(database);
    free(input);
    return status;
}

int command_sql(int argc, char **argv) {
    struct sql_options options = {0};
    struct io_error error;
    options_parse(&argp, argc, argv, &options);
    struct columns_file *file = columns_open(options.file, &error);
    if (file == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    int status = CLI_DONE;
    if (snapshot_verifies_all() && !columns_verify(file, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    if (status == CLI_DONE)
        status = work(&options, file);
    columns_close(file);
    return status;
}
