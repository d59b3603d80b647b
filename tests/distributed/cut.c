/* Cells for pairs: each rank has about as much to do. */
#include "scene.h"
#include "distributed/visits/visits.h"

#include <stdlib.h>

struct clumps {
    i64 n; /* of all ranks */
    u32 *x[3];
};

static i64 cell_of(const struct visits_cells *cells, const struct clumps *p, i64 i) {
    i64 at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = (i64)((f64)p->x[axis][i] / 0x1p32 * (f64)cells->n[axis]);
    return visits_number(cells, at);
}

/* Half of all in clumps, which are in a third of space; the same on all ranks. */
static struct clumps clumped(int bits) {
    enum { CLUMPS = 64, IN_CUBE = 64 };
    struct clumps p = {.n = (i64)IN_CUBE << (3 * bits)};
    u64 seed = 11;
    for (int axis = 0; axis < 3; axis++)
        p.x[axis] = malloc((size_t)p.n * sizeof(u32));
    for (i64 i = 0; i < p.n; i++)
        for (int axis = 0; axis < 3; axis++) {
            const u32 at = (u32)(test_random(&seed) >> 32);
            u64 place = (u64)(i % CLUMPS * 3 + axis + 1) * 0x9e3779b97f4a7c15u;
            const u32 clump = (u32)(test_random(&place) >> 32);
            p.x[axis][i] = i < p.n / 2 ? at : (axis == 0 ? clump / 3 : clump) + at / 64;
        }
    return p;
}

/* What pairs take of each rank's cells: for each of its particles all that are in the cubes
 * around its own, and 500. */
static void define_work(const struct clumps *p, const struct visits_cells *cells, int bits,
                        f64 *work) {
    const struct visits_cells cubes = {.n = {1 << bits, 1 << bits, 1 << bits}};
    i64 *in = calloc((size_t)visits_count(&cubes), sizeof *in);
    for (i64 i = 0; i < p->n; i++)
        in[cell_of(&cubes, p, i)]++;
    for (i64 i = 0; i < p->n; i++) {
        const i64 own = cell_of(&cubes, p, i), n = cubes.n[0];
        const i64 at[3] = {own / n / n, own / n % n, own % n};
        i64 around[VISITS_AROUND], near = in[own];
        visits_list_around(&cubes, at, around);
        for (int k = 0; k < VISITS_AROUND; k++)
            near += in[around[k]];
        work[cells->owner[cell_of(cells, p, i)]] += (f64)near + 500;
    }
    free(in);
}

/* No rank's cells have much more of it than all have on average: up to 8 ranks 1.08 times
 * as much, where cells are shared out by their number 1.7 and more, by that of particles
 * 1.2 and more. */
static void expect_even(int bits) {
    struct clumps p = clumped(bits);
    const i64 first = p.n * comm.rank / comm.size;
    const i64 own = p.n * (comm.rank + 1) / comm.size - first;
    struct visits_cells cells = {.owner = NULL};
    f64 *work = calloc((size_t)comm.size, sizeof *work), most = 0, all = 0;
    weft_array x[3];
    for (int axis = 0; axis < 3; axis++)
        x[axis] = test_array(WEFT_U32, p.x[axis] + first, own);
    ck_assert(visits_cut(&comm, device, bits, x, 0, &cells));
    ck_assert(cells.others && cells.count);
    for (int axis = 0; axis < 3; axis++)
        ck_assert((1 << bits) % cells.n[axis] == 0);
    define_work(&p, &cells, bits, work);
    for (int rank = 0; rank < comm.size; rank++) {
        most = work[rank] > most ? work[rank] : most;
        all += work[rank];
    }
    ck_assert(most * comm.size / all < 1.1);
    for (int axis = 0; axis < 3; axis++)
        weft_array_free(device, x[axis]);
    visits_free_cells(&cells);
    for (int axis = 0; axis < 3; axis++)
        free(p.x[axis]);
    free(work);
}

/* How much of all work the first rank's cells have. */
static f64 first_part(const struct clumps *p, const struct visits_cells *cells, int bits) {
    f64 *work = calloc((size_t)comm.size, sizeof *work), all = 0;
    define_work(p, cells, bits, work);
    for (int rank = 0; rank < comm.size; rank++)
        all += work[rank];
    const f64 part = work[0] / all;
    free(work);
    return part;
}

/* A rank that took longer than the others has less from then on, by a fifth at most; where
 * one does not know nothing changes. */
START_TEST(learnt) {
    enum { BITS = 4 };
    struct clumps p = clumped(BITS);
    const i64 first = p.n * comm.rank / comm.size;
    const i64 own = p.n * (comm.rank + 1) / comm.size - first;
    struct visits_cells cells = {.owner = NULL};
    const f64 slow = comm.rank == 0 ? 4 : 2, many = comm.rank == 0 ? 1000 : 1;
    weft_array x[3];
    for (int axis = 0; axis < 3; axis++)
        x[axis] = test_array(WEFT_U32, p.x[axis] + first, own);
    ck_assert(visits_cut(&comm, device, BITS, x, slow, &cells));
    const f64 even = first_part(&p, &cells, BITS);
    ck_assert(visits_cut(&comm, device, BITS, x, comm.rank == 0 ? 0 : many, &cells));
    ck_assert(first_part(&p, &cells, BITS) == even);
    ck_assert(visits_cut(&comm, device, BITS, x, many, &cells));
    const f64 less = first_part(&p, &cells, BITS), full = comm.size == 1 ? 1 : 0.93;
    ck_assert(less <= full * even && less > 0.55 * even);
    ck_assert(visits_cut(&comm, device, BITS, x, comm.rank == 0 ? 1 : 1.5, &cells));
    ck_assert(comm.size == 1 || first_part(&p, &cells, BITS) > less);
    for (int axis = 0; axis < 3; axis++) {
        weft_array_free(device, x[axis]);
        free(p.x[axis]);
    }
    visits_free_cells(&cells);
}
END_TEST

/* Columns, and cubes where there are many ranks. */
START_TEST(cut) {
    expect_even(4);
    expect_even(3);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {cut, learnt};
    return scene_main(argc, argv, "cut", tests, sizeof tests / sizeof *tests);
}
