#include "table.h"
#include "io/crew/crew.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

void table_free(struct table *table) {
    for (int c = 0; c < TABLE_COLUMNS; ++c)
        free(table->column[c]);
    *table = (struct table){0};
}

bool table_well(struct comm *comm, weft_device *device) {
    if (weft_check(device) == WEFT_OK)
        return true;
    io_fail(&comm->error, "%s", weft_error(device));
    return comm_fail(comm, 1);
}

/* What realloc does, which would have both at once. */
void table_move(char *from, size_t bytes, char *to) {
    enum { STEP = 1 << 22 };
    for (size_t k = 0; k < bytes; k += STEP) {
        const size_t n = bytes - k < STEP ? bytes - k : STEP;
        memcpy(to + k, from + k, n);
        pages_give_up(pages_within(from + k, from + k + n));
    }
}

struct gathering {
    const char *column;
    size_t bytes;
    const uint32_t *row;
    char *out;
};

/* The compiler makes loads of copies whose length it knows. */
static void gather(void *context, int64_t begin, int64_t end, int part) {
    const struct gathering *g = context;
    const char *in = g->column;
    char *out = g->out;
    const uint32_t *row = g->row;
    (void)part;
    switch (g->bytes) {
    case 4:
        for (int64_t k = begin; k < end; ++k)
            memcpy(out + 4 * k, in + 4 * (size_t)row[k], 4);
        break;
    case 8:
        for (int64_t k = begin; k < end; ++k)
            memcpy(out + 8 * k, in + 8 * (size_t)row[k], 8);
        break;
    case 12:
        for (int64_t k = begin; k < end; ++k)
            memcpy(out + 12 * k, in + 12 * (size_t)row[k], 12);
        break;
    case 24:
        for (int64_t k = begin; k < end; ++k)
            memcpy(out + 24 * k, in + 24 * (size_t)row[k], 24);
        break;
    default:
        for (int64_t k = begin; k < end; ++k)
            memcpy(out + (size_t)k * g->bytes, in + row[k] * g->bytes, g->bytes);
    }
}

void table_gather(int threads, const void *column, size_t bytes, const uint32_t *row,
                  int64_t n, void *out) {
    struct gathering gathering = {column, bytes, row, out};
    crew_run(threads, n, gather, &gathering);
}

struct places {
    const int64_t *place;
    int64_t first, *out;
};

static void fill_places(void *context, int64_t begin, int64_t end, int part) {
    const struct places *p = context;
    (void)part;
    for (int64_t i = begin; i < end; ++i)
        p->out[i] = p->place ? p->place[i] : p->first + i;
}

int64_t *table_places(struct comm *comm, const int64_t *place, int64_t first, int64_t n) {
    struct places places = {place, first, NULL};
    places.out = comm_allocate(comm, n, sizeof *places.out, "the particles' places");
    if (places.out)
        crew_run(comm->threads, n, fill_places, &places);
    return places.out;
}

bool table_take(struct comm *comm, struct table *table, const uint32_t *row, int64_t n) {
    for (int c = 0; c < TABLE_COLUMNS; ++c) {
        if (table->bytes[c] == 0)
            continue;
        void *taken = comm_allocate(comm, n, table->bytes[c], "the particles that stay");
        if (taken == NULL)
            return false;
        table_gather(comm->threads, table->column[c], table->bytes[c], row, n, taken);
        free(table->column[c]);
        table->column[c] = taken;
    }
    table->n = n;
    table->room = 0;
    return true;
}

/* The rows of each part are counted by each thread, and then noted from its place on;
 * where a block of rows has none it is not asked again. Threads that write to one line of
 * the cache would wait for each other. */
enum { LINE = 32, BLOCK = 16 };
struct asking {
    parts_rule *rule;
    const void *context;
    int stride, *found; /* [threads][stride] */
    int64_t *place;     /* [threads][stride] */
    uint8_t *some;      /* [n / BLOCK + threads]: whether a block has rows for any part */
    uint32_t *rows;     /* NULL: they are counted */
};

static bool ask_block(const struct asking *asking, int64_t begin, int64_t end, int *parts,
                      int64_t *place) {
    int any = 0;
    for (int64_t i = begin; i < end; ++i) {
        const int found = asking->rule(asking->context, i, parts);
        any |= found;
        for (int k = 0; k < found; ++k) {
            if (asking->rows)
                asking->rows[place[parts[k]]] = (uint32_t)i;
            ++place[parts[k]];
        }
    }
    return any != 0;
}

static void ask(void *context, int64_t begin, int64_t end, int thread) {
    const struct asking *asking = context;
    const size_t mine = (size_t)thread * (size_t)asking->stride;
    uint8_t *some = asking->some + begin / BLOCK + thread;
    for (int64_t i = begin; i < end; i += BLOCK, ++some) {
        if (asking->rows == NULL || *some)
            *some = ask_block(asking, i, end - i < BLOCK ? end : i + BLOCK,
                              asking->found + mine, asking->place + mine);
    }
}

/* From counts to places, part by part and in it thread by thread. */
static int64_t scan(int threads, int parts, int stride, int64_t *place, int64_t *count) {
    int64_t total = 0;
    for (int p = 0; p < parts; ++p) {
        const int64_t before = total;
        for (int t = 0; t < threads; ++t) {
            const int64_t n = place[(int64_t)t * stride + p];
            place[(int64_t)t * stride + p] = total;
            total += n;
        }
        count[p] = total - before;
    }
    return total;
}

void parts_list(struct comm *comm, int64_t n, int parts, parts_rule *rule,
                const void *context, uint32_t **rows, int64_t **count) {
    const char *what = "the lists of particles that move";
    const int threads = crew_parts(comm->threads, n);
    const int stride = (parts + LINE - 1) / LINE * LINE;
    const int64_t cells = (int64_t)threads * stride;
    struct asking asking = {rule, context, stride, NULL, NULL, NULL, NULL};
    asking.found = comm_allocate(comm, cells, sizeof *asking.found, what);
    asking.place = comm_allocate(comm, cells, sizeof *asking.place, what);
    asking.some = comm_allocate(comm, n / BLOCK + threads, sizeof *asking.some, what);
    *rows = NULL;
    *count = comm_allocate(comm, parts, sizeof **count, what);
    if (asking.found && asking.place && asking.some && *count) {
        memset(asking.place, 0, (size_t)cells * sizeof *asking.place);
        crew_run(comm->threads, n, ask, &asking);
        const int64_t total = scan(threads, parts, stride, asking.place, *count);
        *rows = asking.rows = comm_allocate(comm, total, sizeof **rows, what);
        if (*rows)
            crew_run(comm->threads, n, ask, &asking);
    }
    free(asking.found);
    free(asking.place);
    free(asking.some);
}
