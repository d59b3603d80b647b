/* Points as text: two or three numbers a line. */
#include "points.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char between[] = ",; \t\r\n";

/* Reads up to four numbers of a line; returns how many, or -1 where something is none. */
static int parse_line(const char *line, double values[4]) {
    int count = 0;
    for (line += strspn(line, between); *line && count < 4; line += strspn(line, between)) {
        char *end;
        values[count] = strtod(line, &end);
        if (end == line || (*end && strchr(between, *end) == NULL))
            return -1;
        line = end;
        ++count;
    }
    return count;
}

static bool add(const char *path, struct points *points, int64_t *room,
                const double *values, struct io_error *error) {
    if (points->n == *room) {
        *room = *room ? 2 * *room : 1024;
        void *more =
            realloc(points->values, (size_t)*room * (size_t)points->axes * sizeof(double));
        if (more == NULL)
            return io_fail(error, "out of memory: %s: %" PRId64 " points", path, *room);
        points->values = more;
    }
    memcpy((double *)points->values + points->n * points->axes, values,
           (size_t)points->axes * sizeof(double));
    points->n++;
    return true;
}

static bool read_lines(const char *path, FILE *stream, char **line, struct points *points,
                       struct io_error *error) {
    size_t length = 0;
    int64_t number = 0, room = 0;
    bool header_may_come = true;
    points->bytes = 8;
    while (getline(line, &length, stream) >= 0) {
        double values[4];
        ++number;
        const char *first = *line + strspn(*line, between);
        if (*first == '\0' || *first == '#')
            continue;
        const int count = parse_line(*line, values);
        const bool header = count < 0 && header_may_come;
        header_may_come = false;
        if (header)
            continue;
        if (count != 2 && count != 3)
            return io_fail(error, "%s: line %" PRId64 " does not hold two or three numbers",
                           path, number);
        if (points->axes && count != points->axes)
            return io_fail(error, "%s: line %" PRId64 " holds %d numbers, those before %d",
                           path, number, count, points->axes);
        points->axes = count;
        if (!add(path, points, &room, values, error))
            return false;
    }
    if (ferror(stream))
        return io_fail(error, "%s: %s", path, strerror(errno));
    points->axes = points->axes ? points->axes : 3;
    return true;
}

bool points_read_text(const char *path, struct points *points, struct io_error *error) {
    char *line = NULL;
    FILE *stream = fopen(path, "r");
    if (stream == NULL)
        return io_fail(error, "%s: %s", path, strerror(errno));
    const bool good = read_lines(path, stream, &line, points, error);
    free(line);
    fclose(stream);
    if (!good)
        points_free(points);
    return good;
}
