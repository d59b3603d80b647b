/* Points as text: a row of numbers a line. */
#include "io/files/output.h"
#include "io/files/standard.h"
#include "table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

enum { MOST_COLUMNS = 256 };

static const char blank[] = " \t\r\n\"";

static const char *const names[SNAPSHOT_FIELDS][3] = {
    {"x", "y", "z"}, {"vx", "vy", "vz"}, {"mass"}, {"id"}};

/* The file, and the line that was read last. */
struct lines {
    const char *path;
    FILE *stream;
    char *text;
    size_t room;
    int64_t number; /* from 1 */
    bool remark;    /* it began with a # */
    bool decimal_commas;
    int n; /* words of it */
    char *word[MOST_COLUMNS];
};

/* What separates fields in this line: a semicolon, a comma, a tab in .tsv, or 0: blanks. */
static char separator_of(const struct lines *lines) {
    if (strchr(lines->text, ';') != NULL)
        return ';';
    if (strchr(lines->text, ',') != NULL)
        return ',';
    return io_ends_in(lines->path, ".tsv") && strchr(lines->text, '\t') != NULL ? '\t' : 0;
}

static bool add_word(struct lines *lines, char *word, struct io_error *error) {
    if (lines->n == MOST_COLUMNS)
        return io_fail(error, "%s: line %" PRId64 " has more than %d columns", lines->path,
                       lines->number, MOST_COLUMNS);
    lines->word[lines->n++] = word;
    return true;
}

/* Refuses "5 2" of a line "1,5 2,5". */
static bool is_one(const struct lines *lines, char separator, const char *word,
                   struct io_error *error) {
    static const char digits[] = "0123456789+-.";
    const char *gap = strpbrk(word, blank);
    return separator != ',' || gap == NULL || strchr(digits, word[0]) == NULL ||
           strchr(digits, gap[strspn(gap, blank)]) == NULL ||
           io_fail(error,
                   "%s: line %" PRId64 ": column %d is '%.20s': blanks between numbers "
                   "with decimal commas are not read, write points",
                   lines->path, lines->number, lines->n + 1, word);
}

/* Fields between separators, without blanks and quotes around them. The last may be empty:
 * some programs end lines with a comma. */
static bool split_at(struct lines *lines, char separator, struct io_error *error) {
    const char ends[] = {separator, '\0'};
    char *at = lines->text;
    for (bool more = true; more;) {
        char *end = at + strcspn(at, ends), *word = at + strspn(at, blank);
        more = *end != '\0';
        at = end + 1;
        while (end > word && strchr(blank, end[-1]) != NULL)
            --end;
        if (end <= word) {
            return !more || io_fail(error,
                                    "%s: line %" PRId64 ": column %d is empty, which is no "
                                    "number",
                                    lines->path, lines->number, lines->n + 1);
        }
        *end = '\0';
        if (!is_one(lines, separator, word, error) || !add_word(lines, word, error))
            return false;
    }
    return true;
}

/* Behind the unit of the name before it, "[1e10 Msun]" or "(kpc)"; NULL: this is none. */
static char *behind_unit(const struct lines *lines, char *at) {
    if (lines->n == 0 || (*at != '[' && *at != '(') ||
        strchr("0123456789+-.", lines->word[lines->n - 1][0]) != NULL)
        return NULL;
    char *end = strchr(at, *at == '[' ? ']' : ')');
    return end ? end + 1 : NULL;
}

/* Cuts the line into words, each ended by a NUL. */
static bool split(struct lines *lines, struct io_error *error) {
    const char separator = separator_of(lines);
    lines->n = 0;
    lines->decimal_commas = separator == ';' && strchr(lines->text, ',') != NULL;
    if (separator != 0)
        return split_at(lines, separator, error);
    for (char *at = lines->text + strspn(lines->text, blank); *at != '\0';
         at += strspn(at, blank)) {
        char *unit = behind_unit(lines, at);
        if (unit != NULL) {
            at = unit;
            continue;
        }
        if (!add_word(lines, at, error))
            return false;
        at += strcspn(at, blank);
        if (*at != '\0')
            *at++ = '\0';
    }
    return true;
}

/* The next line that is not empty, or a remark where those are asked for; false at the end,
 * and where it failed. */
static bool next(struct lines *lines, bool remarks, bool *failed, struct io_error *error) {
    ssize_t length;
    while ((length = getline(&lines->text, &lines->room, lines->stream)) >= 0) {
        ++lines->number;
        *failed = strlen(lines->text) != (size_t)length;
        if (*failed)
            return io_fail(error, "%s: line %" PRId64 " holds a byte 0, which no text does",
                           lines->path, lines->number);
        char *first = lines->text + strspn(lines->text, blank);
        lines->remark = *first == '#';
        if (lines->remark)
            *first = ' ';
        char *remark = strchr(first, '#');
        if (remark != NULL)
            *remark = '\0';
        if (first[strspn(first, blank)] == '\0' || (lines->remark && !remarks))
            continue;
        if (split(lines, error))
            return true;
        *failed = !lines->remark;
        if (*failed)
            return false;
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
    if (*end == '\0' || errno != 0)
        return errno == 0;
    double number; /* NumPy's savetxt writes 7 as 7.000000000000000000e+00 */
    if (!to_number(word, &number) || number != trunc(number) || fabs(number) > 0x1p53)
        return false;
    *value = (int64_t)number;
    return true;
}

static bool is_header(const struct lines *lines) {
    double ignored;
    for (int k = 0; k < lines->n; ++k) {
        if (to_number(lines->word[k], &ignored) ||
            (lines->decimal_commas && strchr("0123456789+-", lines->word[k][0]) != NULL))
            return false;
    }
    return true;
}

/* Whether a column is called so; "x [Mpc]" is x. */
static bool is_called(const char *word, const char *name) {
    const size_t length = strlen(name);
    const char *rest = word + length;
    return strncasecmp(word, name, length) == 0 &&
           (*rest == '\0' || *rest == '[' || *rest == '(' ||
            (*rest == ' ' && strchr("[(", rest[strspn(rest, " ")]) != NULL));
}

/* The columns that the first line names, x and y among them; else the first three. */
static bool name_columns(struct table *table, const struct lines *lines, bool header,
                         struct io_error *error) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        for (int axis = 0; axis < 3; ++axis) {
            table->column[f][axis] = -1;
            for (int k = 0; header && names[f][axis] && k < lines->n; ++k) {
                if (!is_called(lines->word[k], names[f][axis]))
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
            return io_fail(
                error,
                "%s: line %" PRId64 " does not hold two or three numbers; of more, "
                "a line before them is to name x, y, z, and vx, vy, vz, mass, id",
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

/* The columns of the first row of numbers: as a remark before it named them, where that has
 * as many words (NumPy's savetxt writes names so), else in their order. */
static bool begin(struct table *table, const struct table *remarked,
                  const struct lines *lines, struct io_error *error) {
    if (!name_columns(table, lines, false, error))
        return false;
    if (remarked->n_columns == lines->n) {
        memcpy(table->column, remarked->column, sizeof table->column);
        table->n_columns = remarked->n_columns;
    }
    return true;
}

/* Names of columns, before any row. */
static bool take_names(struct table *table, struct table *remarked,
                       const struct lines *lines, bool *named, struct io_error *error) {
    struct io_error ignored;
    if (lines->remark) {
        struct table found = *table;
        if (is_header(lines) && name_columns(&found, lines, true, &ignored) &&
            found.n_columns > 0)
            *remarked = found;
        return true;
    }
    *named = true;
    return name_columns(table, lines, true, error);
}

/* Goes over the rows; counts them in table->n where values is NULL, and otherwise keeps
 * first .. first + count. */
static bool scan(struct table *table, struct lines *lines, int64_t first, int64_t count,
                 void *const values[SNAPSHOT_FIELDS], struct io_error *error) {
    struct table remarked = {.n_columns = 0};
    bool failed = false, named = false;
    int64_t row = 0;
    while ((values == NULL || row < first + count) &&
           next(lines, row == 0 && !named, &failed, error)) {
        if (row == 0 && !named && (lines->remark || is_header(lines))) {
            if (!take_names(table, &remarked, lines, &named, error))
                return false;
            continue;
        }
        if (row == 0 && !named && !begin(table, &remarked, lines, error))
            return false;
        if (lines->decimal_commas)
            return io_fail(error,
                           "%s: line %" PRId64 " has commas between semicolons: decimal "
                           "commas are not read, write points",
                           lines->path, lines->number);
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
    struct lines lines = {.path = path, .stream = standard_stream(path)};
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
