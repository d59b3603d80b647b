/* Points as text: a row of numbers a line. */
#include "table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

enum { MOST_COLUMNS = 256 };

static const char between[] = ",; \t\r\n\"";

static const char *const names[SNAPSHOT_FIELDS][3] = {
    {"x", "y", "z"}, {"vx", "vy", "vz"}, {"mass"}, {"id"}};

/* The file, and the line that was read last. */
struct lines {
    const char *path;
    FILE *stream;
    char *text;
    size_t room;
    int64_t number; /* from 1 */
    int n;          /* words of it */
    char *word[MOST_COLUMNS];
};

/* Cuts the line into words, each ended by a NUL. */
static bool split(struct lines *lines, struct io_error *error) {
    char *at = lines->text + strspn(lines->text, between);
    for (lines->n = 0; *at != '\0'; at += strspn(at, between)) {
        if (lines->n == MOST_COLUMNS)
            return io_fail(error, "%s: line %" PRId64 " has more than %d columns",
                           lines->path, lines->number, MOST_COLUMNS);
        lines->word[lines->n++] = at;
        at += strcspn(at, between);
        if (*at != '\0')
            *at++ = '\0';
    }
    return true;
}

/* The next line that is not empty and no comment; false at the end, and where it failed. */
static bool next(struct lines *lines, bool *failed, struct io_error *error) {
    ssize_t length;
    while ((length = getline(&lines->text, &lines->room, lines->stream)) >= 0) {
        ++lines->number;
        *failed = strlen(lines->text) != (size_t)length;
        if (*failed)
            return io_fail(error, "%s: line %" PRId64 " holds a byte 0, which no text does",
                           lines->path, lines->number);
        const char *first = lines->text + strspn(lines->text, between);
        if (*first == '\0' || *first == '#')
            continue;
        *failed = !split(lines, error);
        return !*failed;
    }
    *failed = ferror(lines->stream) != 0 || !feof(lines->stream);
    if (*failed)
        io_fail(error, "%s: %s", lines->path, strerror(errno));
    return false;
}

static bool to_number(const char *word, double *value) {
    char *end;
    *value = strtod(word, &end);
    return *end == '\0';
}

/* Ids of 2^63 and above come out negative. */
static bool to_id(const char *word, int64_t *value) {
    char *end;
    errno = 0;
    *value = word[0] == '-' ? (int64_t)strtoll(word, &end, 10)
                            : (int64_t)strtoull(word, &end, 10);
    return *end == '\0' && errno == 0;
}

static bool is_header(const struct lines *lines) {
    double ignored;
    for (int k = 0; k < lines->n; ++k) {
        if (to_number(lines->word[k], &ignored))
            return false;
    }
    return true;
}

/* The columns that the first line names, x and y among them; else the first three. */
static bool name_columns(struct table *table, const struct lines *lines, bool header,
                         struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        for (int axis = 0; axis < 3; ++axis) {
            table->column[f][axis] = -1;
            for (int k = 0; header && names[f][axis] && k < lines->n; ++k) {
                if (strcasecmp(lines->word[k], names[f][axis]) != 0)
                    continue;
                if (table->column[f][axis] >= 0)
                    return io_fail(error, "%s has two columns %s", lines->path,
                                   names[f][axis]);
                table->column[f][axis] = k;
            }
        }
    }
    int *position = table->column[SNAPSHOT_COORDINATES],
        *velocity = table->column[SNAPSHOT_VELOCITIES];
    table->n_columns = lines->n;
    if (position[0] < 0 || position[1] < 0) {
        table->n_columns = 0; /* as many as the first row of numbers has */
        for (int axis = 0; axis < 3; ++axis)
            position[axis] = axis;
        for (enum snapshot_field f = SNAPSHOT_COORDINATES + 1; f < SNAPSHOT_FIELDS; ++f)
            table->column[f][0] = -1;
    }
    if (velocity[1] < 0 || velocity[2] < 0)
        velocity[0] = -1;
    return true;
}

/* Without names there are two or three columns. */
static bool count_columns(struct table *table, const struct lines *lines,
                          struct io_error *error) {
    if (table->n_columns == 0) {
        if (lines->n != 2 && lines->n != 3)
            return io_fail(error, "%s: line %" PRId64 " does not hold two or three numbers",
                           lines->path, lines->number);
        table->n_columns = lines->n;
        if (lines->n == 2)
            table->column[SNAPSHOT_COORDINATES][2] = -1;
    }
    return lines->n == table->n_columns ||
           io_fail(error, "%s: line %" PRId64 " holds %d numbers, those before %d",
                   lines->path, lines->number, lines->n, table->n_columns);
}

/* One row into place `at` of each of the values that is not NULL; all are looked at. */
static bool take(const struct table *table, const struct lines *lines, int64_t at,
                 void *const values[SNAPSHOT_FIELDS], struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const int components = f == SNAPSHOT_COORDINATES && table->column[f][2] < 0    ? 2
                               : f == SNAPSHOT_COORDINATES || f == SNAPSHOT_VELOCITIES ? 3
                                                                                       : 1;
        for (int axis = 0; table->column[f][0] >= 0 && axis < components; ++axis) {
            const char *word = lines->word[table->column[f][axis]];
            double value = 0;
            int64_t id = 0;
            if (!(f == SNAPSHOT_IDS ? to_id(word, &id) : to_number(word, &value)))
                return io_fail(error, "%s: line %" PRId64 " does not hold %s: '%.40s'",
                               lines->path, lines->number,
                               f == SNAPSHOT_IDS ? "an id" : "a number", word);
            if (values == NULL || values[f] == NULL)
                continue;
            if (f == SNAPSHOT_IDS)
                ((int64_t *)values[f])[at] = id;
            else
                ((double *)values[f])[at * components + axis] = value;
        }
    }
    return true;
}

/* Goes over the rows; counts them in table->n where values is NULL, and otherwise keeps
 * first .. first + count. */
static bool scan(struct table *table, struct lines *lines, int64_t first, int64_t count,
                 void *const values[SNAPSHOT_FIELDS], struct io_error *error) {
    bool failed = false, begun = false;
    int64_t row = 0;
    while ((values == NULL || row < first + count) && next(lines, &failed, error)) {
        const bool header = !begun && is_header(lines);
        if (!begun && !name_columns(table, lines, header, error))
            return false;
        begun = true;
        if (header)
            continue;
        if (!count_columns(table, lines, error))
            return false;
        if (values != NULL &&
            (table->axes == 2) != (table->column[SNAPSHOT_COORDINATES][2] < 0))
            return io_fail(error, "%s has changed while it was read", lines->path);
        if (!take(table, lines, row - first, row < first ? NULL : values, error))
            return false;
        ++row;
    }
    if (failed)
        return false;
    if (values == NULL)
        table->n = row;
    else if (row < first + count)
        return io_fail(error, "%s has changed while it was read", lines->path);
    return true;
}

/* Windows marks UTF-8 with three bytes at the beginning. */
static void skip_mark(FILE *stream) {
    char mark[3];
    if (fread(mark, 1, sizeof mark, stream) != sizeof mark ||
        memcmp(mark, "\xef\xbb\xbf", sizeof mark) != 0)
        rewind(stream);
}

static bool run(struct table *table, const char *path, int64_t first, int64_t count,
                void *const values[SNAPSHOT_FIELDS], struct io_error *error) {
    struct lines lines = {.path = path, .stream = fopen(path, "r")};
    if (lines.stream == NULL)
        return io_fail(error, "%s: %s", path, strerror(errno));
    skip_mark(lines.stream);
    const bool done = scan(table, &lines, first, count, values, error);
    free(lines.text);
    fclose(lines.stream);
    return done;
}

bool table_open_text(struct table *table, const char *path, struct io_error *error) {
    if (!run(table, path, 0, 0, NULL, error))
        return false;
    table->axes = table->n == 0 || table->column[SNAPSHOT_COORDINATES][2] >= 0 ? 3 : 2;
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f)
        table->bytes[f] =
            f == SNAPSHOT_COORDINATES || (table->n > 0 && table->column[f][0] >= 0) ? 8 : 0;
    return true;
}

bool table_read_text(const struct table *table, const char *path, int64_t first,
                     int64_t count, void *const values[SNAPSHOT_FIELDS],
                     struct io_error *error) {
    struct table again = {.kind = table->kind, .axes = table->axes};
    return run(&again, path, first, count, values, error);
}
