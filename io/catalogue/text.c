/* Rows as text, by threads: each makes that of some rows, then it is passed on in order. */
#include "formats.h"
#include "print.h"

#include <pthread.h>
#include <stdlib.h>

enum { ROWS = 1 << 12, MOST_THREADS = 64 };

struct part {
    const struct catalogue *catalogue;
    int64_t first, n;
    char *text, *end;
};

static char *put_value(char *at, const struct catalogue_column *column, int64_t index) {
    if (column->type == CATALOGUE_F64)
        return io_print_f64(at, ((const double *)column->data)[index]);
    return io_print_i64(at, column->type == CATALOGUE_I64
                                ? ((const int64_t *)column->data)[index]
                                : ((const uint8_t *)column->data)[index]);
}

static void *make_text(void *argument) {
    struct part *part = argument;
    const struct catalogue *catalogue = part->catalogue;
    char *at = part->text;
    for (int64_t i = part->first; i < part->first + part->n; ++i) {
        for (int k = 0; k < catalogue->n_columns; ++k) {
            const struct catalogue_column *column = &catalogue->columns[k];
            for (int axis = 0; axis < column->components; ++axis) {
                at = put_value(at, column, column->components * i + axis);
                *at++ = ',';
            }
        }
        at[-1] = '\n';
    }
    part->end = at;
    return NULL;
}

/* Each part by a thread, or by the caller where there is none. */
static void make_all(struct part *parts, int n) {
    pthread_t thread[MOST_THREADS];
    int others = 0;
    while (others < n - 1 &&
           pthread_create(&thread[others], NULL, make_text, &parts[others + 1]) == 0)
        ++others;
    make_text(&parts[0]);
    for (int k = others + 1; k < n; ++k)
        make_text(&parts[k]);
    for (int k = 0; k < others; ++k)
        pthread_join(thread[k], NULL);
}

/* Of a row, at most. */
static int64_t row_text(const struct catalogue *catalogue) {
    int64_t numbers = 0;
    for (int k = 0; k < catalogue->n_columns; ++k)
        numbers += catalogue->columns[k].components;
    return numbers * (IO_PRINT_MOST + 1);
}

bool catalogue_each_text(const struct catalogue *catalogue, catalogue_text *put,
                         void *context, struct io_error *error) {
    struct part parts[MOST_THREADS];
    const int64_t row = row_text(catalogue), n = row > 0 ? catalogue->n : 0;
    const int asked = catalogue->threads < MOST_THREADS ? catalogue->threads : MOST_THREADS;
    const int64_t pieces = (n + ROWS - 1) / ROWS;
    const int most = pieces < asked ? (int)pieces : asked > 1 ? asked : 1;
    const int64_t rows = n < 1 ? 1 : n < ROWS ? n : ROWS;
    char *text =
        io_allocate(most, (size_t)(rows * row + 1), "the text of the catalogue", error);
    bool done = text != NULL;
    for (int64_t first = 0; done && first < n;) {
        int count = 0;
        for (; count < most && first < n; ++count, first += ROWS)
            parts[count] =
                (struct part){catalogue, first, n - first < ROWS ? n - first : ROWS,
                              text + count * rows * row, NULL};
        make_all(parts, count);
        for (int k = 0; done && k < count; ++k)
            done =
                put(context, parts[k].text, (size_t)(parts[k].end - parts[k].text), error);
    }
    free(text);
    return done;
}
