/* Particles that visit: those of all ranks that are in one's cells, in order, and copies of
 * those around them; what was found of each comes to where it is. */
#include "scene.h"
#include "distributed/visits/visits.h"

#include <stdlib.h>

/* How many particles a rank has, and whether they are where it is asked for them. */
static const struct {
    int32_t n[3];
    i64 particles;
    int in_order;
} cases[] = {
    {{64, 1, 1}, 3000, 1}, {{16, 1, 1}, 2000, 0}, {{1, 1, 1}, 50, 0}, {{4, 4, 4}, 3000, 0},
    {{8, 8, 8}, 700, 1},   {{7, 1, 1}, 1, 0},     {{3, 2, 5}, 0, 0},  {{8, 4, 1}, 900, 1},
};
enum { CASES = sizeof cases / sizeof *cases };

struct places {
    i64 n; /* of all ranks; a rank has fewer than the one after it */
    u32 *x[3];
    i64 *first; /* [ranks + 1] */
};

static struct places make(int c) {
    struct places p = {.first = malloc(((size_t)comm.size + 1) * sizeof *p.first)};
    u64 seed = (u64)c + 1;
    for (int r = 0; r <= comm.size; r++) {
        p.first[r] = p.n;
        p.n += r < comm.size ? cases[c].particles + r * (cases[c].particles / 5) : 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        p.x[axis] = malloc((size_t)p.n * sizeof(u32) + 1);
        for (i64 i = 0; i < p.n; i++)
            p.x[axis][i] = (u32)(test_random(&seed) >> 32);
    }
    for (i64 i = 0; i < p.n && cases[c].in_order; i++)
        p.x[0][i] = (u32)(((u64)i << 32) / (u64)p.n) + (p.x[0][i] >> 7);
    return p;
}

static void free_places(struct places *p) {
    for (int axis = 0; axis < 3; axis++)
        free(p->x[axis]);
    free(p->first);
}

static i64 cell_of(const struct visits_cells *cells, const struct places *p, i64 i) {
    i64 at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (i64)((f64)p->x[axis][i] / 0x1p32 * (f64)cells->n[axis]);
    return visits_number(cells, at);
}

/* Cells along the first axis to rank after rank, or each to any. */
static void own(struct visits_cells *cells, int in_order) {
    const i64 count = visits_count(cells);
    u64 seed = 5;
    cells->owner = malloc((size_t)count * sizeof *cells->owner);
    for (i64 k = 0; k < count; k++)
        cells->owner[k] = in_order ? (int)(k * comm.size / count)
                                   : (int)(test_random(&seed) % (u64)comm.size);
}

/* Whether a rank that is not its owner needs the cell. */
static int is_needed(const struct visits_cells *cells, i64 cell, int rank) {
    const i64 n2 = cells->n[2], n1 = cells->n[1];
    const i64 at[3] = {cell / n2 / n1, cell / n2 % n1, cell % n2};
    i64 around[VISITS_AROUND];
    visits_list_around(cells, at, around);
    for (int k = 0; k < VISITS_AROUND; k++)
        if (cells->owner[around[k]] == rank)
            return cells->owner[cell] != rank;
    return 0;
}

/* Those of all ranks that this one asks for, its own before the copies. */
static i64 define(const struct visits_cells *cells, const struct places *p, i64 *which,
                  i64 *n) {
    i64 all = 0;
    for (i64 i = 0; i < p->n; i++)
        if (cells->owner[cell_of(cells, p, i)] == comm.rank)
            which[all++] = i;
    *n = all;
    for (i64 i = 0; i < p->n && cells->others; i++)
        if (is_needed(cells, cell_of(cells, p, i), comm.rank))
            which[all++] = i;
    return all;
}

static void expect_places(const struct visits *v, const struct places *p, const i64 *which,
                          i64 all) {
    u32 *got = malloc((size_t)all * sizeof *got + 1);
    for (int axis = 0; axis < 3; axis++) {
        ck_assert_int_eq(v->at[axis].length, all);
        weft_read(device, v->at[axis], got);
        test_ok();
        for (i64 k = 0; k < all; k++)
            ck_assert(got[k] == p->x[axis][which[k]]);
    }
    free(got);
}

/* What is found of a particle: its number among all, and two more. */
static f64 answer(i64 i, int component) {
    return component == 0 ? (f64)i : component == 1 ? -(f64)i : 0.5 * (f64)i;
}

static void expect_back(struct visits *v, const struct places *p, const i64 *which,
                        int components) {
    const i64 first = p->first[comm.rank], own = p->first[comm.rank + 1] - first;
    f64 *numbers = malloc((size_t)(v->n > own ? v->n : own) * sizeof *numbers + 1);
    weft_array found[3], out[3];
    for (int c = 0; c < components; c++) {
        for (i64 k = 0; k < v->n; k++)
            numbers[k] = answer(which[k], c);
        found[c] = test_array(WEFT_F64, numbers, v->n);
        out[c] = weft_array_new(device, WEFT_F64, own);
    }
    ck_assert(visits_return(v, components, found, out));
    for (int c = 0; c < components; c++) {
        weft_read(device, out[c], numbers);
        test_ok();
        for (i64 i = 0; i < own; i++)
            ck_assert(numbers[i] == answer(first + i, c));
        weft_array_free(device, found[c]);
        weft_array_free(device, out[c]);
    }
    free(numbers);
}

static void expect_weights(const struct visits_cells *cells, const struct places *p,
                           const weft_array x[3]) {
    const i64 count = visits_count(cells);
    i64 *got = malloc((size_t)count * sizeof *got);
    ck_assert(visits_weigh(&comm, device, cells, x, got));
    for (i64 i = 0; i < p->n; i++)
        --got[cell_of(cells, p, i)];
    for (i64 k = 0; k < count; k++)
        ck_assert_int_eq(got[k], 0);
    free(got);
}

static void expect_visits(int c, int copies, int components, struct comm_shelves *shelves) {
    struct visits_cells cells = {.n = {cases[c].n[0], cases[c].n[1], cases[c].n[2]}};
    struct places p = make(c);
    const i64 first = p.first[comm.rank];
    i64 *which = malloc((size_t)p.n * 2 * sizeof *which + 1), n;
    weft_array x[3];
    struct visits v;
    own(&cells, cases[c].in_order);
    if (copies)
        ck_assert(visits_find_others(&comm, &cells));
    for (int axis = 0; axis < 3; axis++)
        x[axis] = test_array(WEFT_U32, p.x[axis] + first, p.first[comm.rank + 1] - first);
    expect_weights(&cells, &p, x);
    const i64 all = define(&cells, &p, which, &n);
    weft_scope_open(device);
    ck_assert(visits_go(&v, &comm, shelves, device, &cells, x));
    ck_assert_int_eq(v.n, n);
    expect_places(&v, &p, which, all);
    expect_back(&v, &p, which, components);
    visits_free(&v);
    weft_scope_close(device);
    for (int axis = 0; axis < 3; axis++)
        weft_array_free(device, x[axis]);
    visits_free_cells(&cells);
    free_places(&p);
    free(which);
}

static void expect_all(struct comm_shelves *shelves) {
    for (int c = 0; c < CASES; c++)
        for (int copies = 0; copies < 2; copies++)
            expect_visits(c, copies, 1 + (c + copies) % 3, shelves);
}

START_TEST(places) {
    expect_all(NULL);
}
END_TEST

/* The same by shelves, of which the small ones have room for 20 places, or 10 answers of
 * three: many rounds. */
START_TEST(shelves) {
    struct comm_shelves whole;
    if (!comm_shelves(&comm, &whole))
        return;
    struct comm_shelves small = {240, whole.of, 0}, none = {0, NULL, 0};
    expect_all(&whole);
    expect_all(&small);
    expect_all(&none);
}
END_TEST

/* All ranks end where the device of one has an error. */
START_TEST(failure) {
    const struct comm before = comm;
    struct visits_cells cells = {.n = {4, 1, 1}};
    struct visits v;
    own(&cells, 1);
    const weft_array none = weft_array_new(device, WEFT_U32, 0), x[3] = {none, none, none};
    if (comm.rank == comm.size - 1)
        weft_fail(device, WEFT_E_ARGUMENT, "nothing");
    weft_scope_open(device);
    ck_assert(!visits_go(&v, &comm, NULL, device, &cells, x));
    ck_assert(!comm_agree(&comm));
    visits_free(&v);
    weft_scope_close(device);
    weft_clear(device);
    visits_free_cells(&cells);
    comm = before;
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {places, shelves, failure};
    return scene_main(argc, argv, "visits", tests, sizeof tests / sizeof *tests);
}
