/* Tetrahedra of all shapes, one by one and by cubes, against clipped ones. */
#include "harness.h"
#include "sheet_clip.h"
#include "sheet_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheet_one.kernel.h"
WEFT_KERNEL(sheet_one, (value, sheet_frame, f), (in, u32, which), (in, u32, none),
            (in, f64, position, 0), (shared, u32, units, 0))

enum { CELLS = 12, ALL = CELLS * CELLS * CELLS, MOST = 24 };

/* The tetrahedra of cube 0, each in a grid of its own. */
static void add_each(const sheet *s, int tessellation, int n, i64 one, i64 *units) {
    const sheet_frame frame = {.n = {3, 3, 3},
                               .cells = {CELLS, CELLS, CELLS},
                               .count = {CELLS, CELLS, CELLS},
                               .box = {CELLS, CELLS, CELLS},
                               .scale = {1, 1, 1},
                               .units = (f64)one,
                               .end = n,
                               .each = n,
                               .kind = tessellation == 0 ? 0 : 6};
    u32 number[MOST];
    const i64 nothing = 0;
    const u32 first = 0;
    for (int t = 0; t < n; t++)
        number[t] = (u32)t;
    weft_scope_open(device);
    const weft_array position = weft_scratch(device, WEFT_F64, 3 * s->sites);
    const weft_array which = weft_scratch(device, WEFT_U32, n);
    const weft_array none = weft_scratch(device, WEFT_U32, n);
    const weft_array out = weft_scratch(device, WEFT_I64, (i64)n * ALL);
    weft_write(device, position, s->x);
    weft_write(device, which, number);
    weft_fill(device, none, &first);
    weft_fill(device, out, &nothing);
    weft_for_each(device, n, sheet_one, .f = frame, .which = which, .none = none,
                  .position = position, .units = weft_as(device, out, WEFT_U32));
    weft_read(device, out, units);
    weft_scope_close(device);
    test_ok();
}

/* The cube by the library. */
static void add_cube(const sheet *s, int tessellation, i64 one, i64 *units) {
    const weft_sheet_options o = {.grid = {CELLS, CELLS, CELLS},
                                  .tessellation = (weft_tessellation)tessellation,
                                  .end = 1,
                                  .units = one};
    weft_lattice lattice = s->lattice;
    const i64 nothing = 0;
    weft_scope_open(device);
    lattice.position = weft_scratch(device, WEFT_F64, 3 * s->sites);
    const weft_array out = weft_scratch(device, WEFT_I64, ALL);
    weft_write(device, lattice.position, s->x);
    weft_fill(device, out, &nothing);
    weft_sheet_deposit(device, &lattice, &o, out);
    weft_read(device, out, units);
    weft_scope_close(device);
    test_ok();
}

static void clip(const sheet *s, const int *corner, long double *out) {
    f64 at[4][3];
    i64 low[3] = {CELLS, CELLS, CELLS}, high[3] = {0};
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < 3; k++) {
            const f64 x = at[v][k] = s->x[3 * scene_site(3, corner[v]) + k];
            low[k] = (i64)floor(x) < low[k] ? (i64)floor(x) : low[k];
            high[k] = (i64)floor(x) >= high[k] ? (i64)floor(x) + 1 : high[k];
        }
    memset(out, 0, ALL * sizeof *out);
    clip_cells(at, low, high, CELLS, out);
}

/* What cells are off by at most, of a tetrahedron's mass, in units of small lattices: the
 * aim of them, and what f64 and twelve numbers that are each rounded to whole units, of
 * 2^-50, may be off by at most. */
static const f64 tolerance[2] = {1e-15, 6 * 0x1p-50 + 1e-15};

/* Each tetrahedron of cube 0 as it is clipped; and the library's cube is exactly all of
 * them. */
static void compare(const sheet *s, int number, int tessellation) {
    static i64 units[2][MOST * ALL], cube[ALL];
    static long double expected[ALL];
    int corners[MOST][4];
    const int n = clip_tetrahedra(tessellation, corners);
    for (int large = 0; large < 2; large++) {
        const i64 one = scene_units(s, tessellation, large);
        add_each(s, tessellation, n, one, units[large]);
        add_cube(s, tessellation, one, cube);
        for (int t = 0; t < n; t++) {
            ck_assert_int_eq(scene_total(units[large] + t * ALL, ALL), one);
            for (int i = 0; i < ALL; i++)
                cube[i] -= units[large][t * ALL + i];
        }
        for (int i = 0; i < ALL; i++)
            ck_assert_msg(cube[i] == 0, "shape %d, cell %d: the cube's is off by %lld",
                          number, i, (long long)cube[i]);
    }
    for (int t = 0; t < n; t++) {
        clip(s, corners[t], expected);
        for (int i = 0; i < 2 * ALL; i++) {
            const int large = i / ALL, cell = i % ALL;
            const long double got = (long double)units[large][t * ALL + cell] /
                                    (long double)scene_units(s, tessellation, large);
            ck_assert_msg(fabsl(got - expected[cell]) <= tolerance[large],
                          "shape %d, tetrahedron %d, cell %d: %.18Lg, not %.18Lg", number,
                          t, cell, got, expected[cell]);
        }
    }
}

/* 100,000 tetrahedra with WEFT_TEST=all; one in thirty on the serial backend, few
 * elsewhere.
 */
START_TEST(tetrahedra_are_as_clipped) {
    sheet s = scene_sheet(3, 3, 3, CELLS);
    const int host = strcmp(weft_backend_name(device), "serial") == 0;
    const int shapes = test_is_whole() ? 600 * SCENE_KINDS : (host ? 20 : 3) * SCENE_KINDS;
    u64 seed = 7;
    for (int number = 0; number < shapes; number++) {
        const int kind = number % SCENE_KINDS, turn = number / SCENE_KINDS;
        const scene_shape shape = scene_shape_of(kind, turn, &seed);
        for (int c = 0; c < 8; c++)
            scene_place(&shape, &seed, s.x + 3 * scene_site(3, c));
        compare(&s, number, turn % 3 == 2 ? 2 : turn % 2);
    }
    free(s.x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {tetrahedra_are_as_clipped};
    return test_main(argc, argv, "sheet_shapes", tests, sizeof tests / sizeof *tests);
}
