/* Rows that threads share, and rows in more messages than are under way at once. */
#include "scene.h"
#include "io/crew/crew.h"
#include "distributed/table/passing.h"

#include <stdlib.h>
#include <string.h>

static void add_places(void *context, i64 begin, i64 end, int part) {
    i64 *seen = context;
    for (i64 i = begin; i < end; i++)
        seen[i] += 1 + part;
}

/* Each row once, in parts that ascend. */
START_TEST(crew_does_all) {
    const i64 sizes[] = {0, 1, 63, 4095, 4096, 8192, 100003};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int threads = 0; threads < 9; threads += 4) {
            i64 *seen = calloc((size_t)sizes[s] + 1, sizeof *seen);
            const int parts = crew_parts(threads, sizes[s]);
            crew_run(threads, sizes[s], add_places, seen);
            ck_assert_int_le(parts, threads > 1 ? threads : 1);
            for (i64 i = 0; i < sizes[s]; i++) {
                ck_assert_int_ge(seen[i], i ? seen[i - 1] : 1);
                ck_assert_int_le(seen[i], parts);
            }
            ck_assert(sizes[s] == 0 || seen[sizes[s] - 1] == parts);
            free(seen);
        }
}
END_TEST

enum { OUTER = 5, INNER = 20000 };

static void begin_another(void *context, i64 begin, i64 end, int part) {
    i64 *seen = context;
    (void)part;
    for (i64 k = begin; k < end; k += 4096)
        crew_run(3, INNER, add_places, seen + k / 4096 * INNER);
}

/* Threads of a pass begin others, and wait for them. */
START_TEST(crews_nest) {
    i64 *seen = calloc(OUTER * INNER, sizeof *seen);
    crew_run(OUTER, OUTER * 4096, begin_another, seen);
    for (i64 i = 0; i < OUTER * INNER; i++)
        ck_assert_int_eq(seen[i] >= 1 && seen[i] <= 3, 1);
    free(seen);
}
END_TEST

/* What is around them stays, and both memories can be used again; given bit by bit, more
 * than there are, and none. */
START_TEST(pages_are_passed) {
    const size_t sizes[] = {1, 100, 4096, 8191, 70000, 3000001};
    enum { BYTES = 3000001, AT = 5003, ROOM = BYTES + 2 * AT };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char *from = malloc(ROOM), *to = malloc(ROOM);
        i64 wrong = 0;
        memset(from, 1, ROOM);
        memset(to, 2, AT);
        memset(to + AT + BYTES, 2, AT);
        struct pages spare = pages_within(from + AT, from + AT + BYTES);
        char *end = to + AT + BYTES;
        for (char *begin = to + AT; begin < end; begin += sizes[s]) {
            const size_t left = (size_t)(end - begin),
                         n = left < sizes[s] ? left : sizes[s];
            const char *const before = spare.begin;
            const struct pages whole = pages_within(begin, begin + n);
            ck_assert(pages_pass(&spare, begin, begin + n));
            if (spare.begin > before)
                wrong += *whole.begin != 1 || *before != 0;
            memset(begin, 3, n);
        }
        pages_give_up(spare);
        ck_assert(pages_pass(&(struct pages){NULL, NULL}, to, to + ROOM));
        for (size_t k = 0; k < ROOM; k++) {
            const bool outside = k < AT || k >= AT + BYTES;
            wrong += to[k] != (outside ? 2 : 3) || (outside && from[k] != 1);
        }
        ck_assert_int_eq(wrong, 0);
        memset(from, 4, ROOM);
        memset(to, 5, ROOM);
        ck_assert(from[AT + BYTES / 2] == 4 && to[AT + BYTES / 2] == 5);
        free(from);
        free(to);
    }
}
END_TEST

enum { STREAMS = 3, BLOCKS = 8 };

/* A row of each rank in turn, a few at a time, from where the rank begins around to there:
 * what was written stays, whatever else is sent meanwhile. */
static void expect_passed(i64 n, size_t bytes, i64 most, int turn) {
    char *from = aligned_alloc(2 << 20, ((size_t)n * bytes / (2 << 20) + 1) * (2 << 20));
    char *to = aligned_alloc(2 << 20, ((size_t)n * bytes / (2 << 20) + 1) * (2 << 20));
    struct passing_stream stream[STREAMS];
    struct pages spare[BLOCKS];
    i64 done[STREAMS] = {0}, wrong = 0, sent = 0, rows = 0;
    struct passing p = {.sent = from,
                        .receive = to,
                        .sent_bytes = bytes,
                        .receive_bytes = bytes,
                        .page = passing_page((size_t)n * bytes, (size_t)n * bytes),
                        .ranks = STREAMS,
                        .stream = stream,
                        .spare = spare};
    memset(from, 1, (size_t)n * bytes);
    for (int r = 0; r < STREAMS; r++) {
        const i64 first = n * r / STREAMS, end = n * (r + 1) / STREAMS;
        stream[r] = (struct passing_stream){
            first, first + (end - first) * ((turn + r) % BLOCKS) / BLOCKS, end, NULL};
    }
    for (u64 seed = 5; rows < n;) {
        const int r = (int)(test_random(&seed) % STREAMS);
        const struct passing_stream *s = &stream[r];
        const i64 all = s->end - s->first, later = s->end - s->start;
        const i64 row = done[r] < later ? s->start + done[r] : s->first + done[r] - later;
        const i64 last = done[r] < later ? s->end : s->start;
        i64 some = 1 + (i64)(test_random(&seed) % (u64)most);
        some = some < last - row ? some : last - row;
        if (done[r] == all)
            continue;
        ck_assert(passing_comes(&p, row, some));
        memset(to + (size_t)row * bytes, 3 + r, (size_t)some * bytes);
        done[r] += some;
        rows += some;
        for (; sent < BLOCKS && (sent + 1) * n / BLOCKS < rows; sent++) {
            const i64 block = (sent + turn) % BLOCKS;
            passing_gone(&p, n * block / BLOCKS, n * (block + 1) / BLOCKS);
        }
    }
    for (int r = 0; r < STREAMS; r++)
        for (i64 k = stream[r].first * (i64)bytes; k < stream[r].end * (i64)bytes; k++)
            wrong += to[k] != 3 + r;
    ck_assert_int_eq(wrong, 0);
    free(from);
    free(to);
}

START_TEST(columns_are_passed) {
    for (int turn = 0; turn < BLOCKS; turn += 3) {
        expect_passed(1, 12, 10, turn);
        expect_passed(5000, 12, 100, turn);
        expect_passed(1000003, 12, 100000, turn);
        expect_passed(1000003, 4, 5000, turn);
    }
    expect_passed(6000007, 12, 300000, 5); /* large pages */
    expect_passed(9000007, 8, 1000000, 0);
}
END_TEST

enum { PARTS = 7 };

/* To none, one or two parts. */
static int some(const void *context, i64 row, int *parts) {
    const u32 *mixed = context;
    parts[0] = (int)(mixed[row] % PARTS);
    parts[1] = (parts[0] + 1) % PARTS;
    return (int)(mixed[row] / PARTS % 3);
}

START_TEST(lists_ascend) {
    enum { N = 100003 };
    struct comm one = {.size = 1, .culprit = -1, .threads = 5};
    u32 *mixed = malloc(N * 3 * sizeof *mixed), *rows, *out = malloc(N * 6 * sizeof *out);
    i64 *count;
    for (u32 i = 0; i < 3 * N; i++)
        mixed[i] = i * 2654435761u;
    parts_list(&one, N, PARTS, some, mixed, &rows, &count);
    ck_assert(rows && count);
    i64 k = 0;
    for (int p = 0; p < PARTS; p++) {
        const i64 end = k + count[p];
        for (i64 i = 0; i < N; i++) {
            int parts[2];
            const int n = some(mixed, i, parts);
            if ((n > 0 && parts[0] == p) || (n > 1 && parts[1] == p))
                ck_assert_int_eq(rows[k++], i);
        }
        ck_assert_int_eq(k, end);
    }
    for (size_t bytes = 1; bytes <= 12; bytes++) {
        table_gather(5, mixed, bytes, rows, k, out);
        i64 wrong = 0;
        for (i64 i = 0; i < k; i++)
            wrong += memcmp((char *)out + (size_t)i * bytes,
                            (char *)mixed + rows[i] * bytes, bytes) != 0;
        ck_assert_int_eq(wrong, 0);
    }
    free(mixed);
    free(rows);
    free(count);
    free(out);
}
END_TEST

/* Two ranks send to the next, and to themselves. */
static void expect_large(size_t bytes) {
    enum { ROWS = 13 };
    const int next = (comm.rank + 1) % comm.size;
    const int before = (comm.rank + comm.size - 1) % comm.size;
    struct route route;
    i64 *to = calloc((size_t)comm.size, sizeof *to);
    if (comm.rank < 2)
        to[next] += ROWS;
    to[comm.rank]++;
    ck_assert(route_find(&comm, to, &route));
    char *send = malloc((size_t)route.n_to * bytes);
    char *receive = malloc((size_t)route.n_from * bytes);
    i64 row = 0;
    for (int r = 0; r < comm.size; r++)
        for (i64 k = 0; k < route.to[r]; k++, row++)
            memset(send + (size_t)row * bytes, 1 + 16 * comm.rank + (int)k, bytes);
    ck_assert_int_eq(row, route.n_to);
    ck_assert_int_eq(route.n_from, 1 + (before < 2 ? ROWS : 0));
    ck_assert(route_send(&comm, &route, bytes, send, receive));
    row = 0;
    for (int r = 0; r < comm.size; r++)
        for (i64 k = 0; k < route.from[r]; k++, row++) {
            const char expected = (char)(1 + 16 * r + (int)k);
            ck_assert_int_eq(receive[(size_t)row * bytes], expected);
            ck_assert_int_eq(receive[(size_t)row * bytes + bytes - 1], expected);
        }
    ck_assert(route_send_back(&comm, &route, bytes, receive, send));
    row = 0;
    for (int r = 0; r < comm.size; r++)
        for (i64 k = 0; k < route.to[r]; k++, row++)
            ck_assert_int_eq(send[(size_t)row * bytes + bytes / 2],
                             (char)(1 + 16 * comm.rank + (int)k));
    free(send);
    free(receive);
    route_free(&route);
}

/* Larger than a slot of shared memory among many ranks, and smaller. */
START_TEST(large_rows) {
    for (comm.threads = 1; comm.threads < 4; comm.threads += 2) {
        expect_large(5000001);
        expect_large(100003);
    }
}
END_TEST

/* To the ranks in turn; sorted, as snapshots may be, so that most go to one at a time; all
 * to the last. */
enum order { IN_TURN, SORTED, ALL_TO_ONE, ORDERS };

struct destinations {
    i64 n;
    enum order order;
};

static u32 destination(const struct destinations *d, i64 row) {
    return (u32)(d->order == ALL_TO_ONE ? comm.size - 1
                 : d->order == SORTED   ? row * comm.size / d->n
                                        : (7 * row + row / 1000) % comm.size);
}

static void tell(const void *context, i64 first, i64 n, uint16_t *rank) {
    for (i64 i = 0; i < n; i++)
        rank[i] = (uint16_t)destination(context, first + i);
}

/* Columns arrive in turn, all of them but that which is missing. */
static void see_arrival(void *user, int column, const void *rows, i64 n) {
    i64 *seen = user;
    ck_assert(rows && n >= 0);
    *seen = *seen * TABLE_COLUMNS + column;
}

/* Rank r has rows r N .. (r + 1) N less some, told by what is in their columns; or the last
 * column is missing, as it has the rows' numbers. */
static void expect_some(i64 most, enum order order, bool missing) {
    const i64 less = most / 3;
    const struct destinations d = {most - less * (comm.rank % 3), order};
    struct table table = {.n = d.n, .bytes = {12, 0, 8}};
    u32 *wide = malloc((size_t)d.n * 12 + 1);
    i64 *name = malloc((size_t)d.n * 8 + 1);
    for (i64 i = 0; i < d.n; i++) {
        name[i] = most * comm.rank + i;
        for (int k = 0; k < 3; k++)
            wide[3 * i + k] = (u32)(3 * name[i] + k);
    }
    table.column[0] = wide;
    table.column[2] = name;
    if (missing) {
        free(name);
        table.column[2] = NULL;
        table.first = most * comm.rank;
    }
    i64 seen = 1;
    struct parcels parcels;
    ck_assert(parcels_sort(&comm, d.n, tell, &d, &parcels));
    ck_assert(table_send(&comm, &table, &parcels, see_arrival, &seen));
    parcels_free(&parcels);
    i64 k = 0, wrong = 0;
    for (int r = 0; r < comm.size; r++) {
        const struct destinations theirs = {most - less * (r % 3), order};
        for (i64 i = 0; i < theirs.n; i++) {
            if (destination(&theirs, i) != (u32)comm.rank)
                continue;
            ck_assert_int_lt(k, table.n);
            const u32 *came = (const u32 *)table.column[0] + 3 * k;
            const i64 expected = most * r + i;
            wrong += ((const i64 *)table.column[2])[k++] != expected;
            for (int c = 0; c < 3; c++)
                wrong += came[c] != (u32)(3 * expected + c);
        }
    }
    ck_assert_int_eq(k, table.n);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(seen, missing ? TABLE_COLUMNS : TABLE_COLUMNS * TABLE_COLUMNS + 2);
    table_free(&table);
}

static void expect_arrivals(i64 most, enum order order) {
    expect_some(most, order, false);
    expect_some(most, order, true);
}

/* In one block, in the fewest rows for several, and in many; as messages, and through
 * memory of the machine. */
START_TEST(tables_travel) {
    const i64 sizes[] = {0, 1, 2, 131072, 131073, 262145};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (enum order order = IN_TURN; order < ORDERS; order++)
            for (int t = 0; t < 3; t++) {
                comm.threads = t * t;
                expect_arrivals(sizes[s], order);
            }
    /* More than there is shared memory, so that slots are used again. */
    for (comm.threads = 1; comm.threads < 4; comm.threads += 2)
        for (enum order order = IN_TURN; comm.size > 1 && order < ORDERS; order++)
            expect_arrivals((48 << 20) / 12 / (comm.size - 1), order);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {crew_does_all,      crews_nest,   pages_are_passed,
                                  columns_are_passed, lists_ascend, large_rows,
                                  tables_travel};
    return scene_main(argc, argv, "rows", tests, sizeof tests / sizeof *tests);
}
