/* Tetrahedra of all shapes: against clipped ones, and the same on every backend and style.
 */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "sheet_clip.h"
#include "sheet_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheet_words.kernel.h"
WEFT_KERNEL(sheet_words, (value, sheet_frame, f), (in, f64, position, 0),
            (shared, u32, windows, 0), (shared, u32, units, 0))

typedef weft_status deposit_call(weft_device *on, const weft_lattice *lattice,
                                 const weft_sheet_options *options, weft_array units);

static void add(weft_device *on, const sheet *s, const weft_sheet_options *o,
                deposit_call *call, i64 *units) {
    weft_lattice lattice = s->lattice;
    lattice.position = weft_array_new(on, WEFT_F64, 3 * s->sites);
    weft_write(on, lattice.position, s->x);
    const weft_array out = weft_array_new(on, WEFT_I64, scene_cells(o));
    weft_write(on, out, units);
    call(on, &lattice, o, out);
    weft_read(on, out, units);
    weft_array_free(on, out);
    weft_array_free(on, lattice.position);
    ck_assert_msg(weft_check(on) == WEFT_OK, "%s", weft_error(on));
}

/* Cube 0 alone, with its corners anywhere. */
static void compare(const sheet *s, int tessellation, f64 tolerance) {
    enum { CELLS = 12 };
    weft_sheet_options o = {.grid = {CELLS, CELLS, CELLS},
                            .tessellation = (weft_tessellation)tessellation,
                            .end = 1};
    static i64 units[CELLS * CELLS * CELLS];
    static long double expected[CELLS * CELLS * CELLS];
    memset(units, 0, sizeof units);
    memset(expected, 0, sizeof expected);
    add(device, s, &o, weft_sheet_deposit, units);
    int corners[24][4];
    const int n = clip_tetrahedra(tessellation, corners);
    const f64 one = (f64)weft_sheet_units(&s->lattice, o.tessellation);
    ck_assert_int_eq(scene_total(units, CELLS * CELLS * CELLS), (i64)one * n);
    const i64 m = s->lattice.n[0];
    for (int t = 0; t < n; t++) {
        f64 at[4][3];
        i64 low[3] = {CELLS, CELLS, CELLS}, high[3] = {0};
        for (int v = 0; v < 4; v++)
            for (int k = 0; k < 3; k++) {
                const int c = corners[t][v];
                const i64 site = ((c >> 2) * m + (c >> 1 & 1)) * m + (c & 1);
                const f64 x = at[v][k] = s->x[3 * site + k];
                low[k] = (i64)floor(x) < low[k] ? (i64)floor(x) : low[k];
                high[k] = (i64)floor(x) > high[k] ? (i64)floor(x) : high[k];
            }
        for (i64 x = low[0]; x <= high[0]; x++)
            for (i64 y = low[1]; y <= high[1]; y++)
                for (i64 z = low[2]; z <= high[2]; z++)
                    expected[(x * CELLS + y) * CELLS + z] += clip_fraction(
                        at, (const i64[]){x, y, z}, (const i64[]){x + 1, y + 1, z + 1});
    }
    for (i64 i = 0; i < CELLS * CELLS * CELLS; i++)
        ck_assert_msg(fabsl((long double)units[i] / one - expected[i]) <= tolerance,
                      "cell %lld: %.18g, not %.18Lg", (long long)i, (f64)units[i] / one,
                      expected[i]);
}

enum { KINDS = 10 };

/* Site c of a shape: anywhere in some cells; on faces, edges and corners of cells; on
 * corners alone; on a line; in a plane; in one between cells; at one place; nearly in a
 * plane, 2^-thin cells thick; on multiples of a half; at one of two places. */
static void place(int kind, int turn, const f64 *from, const f64 *along, int thin,
                  u64 *seed, f64 *x) {
    const f64 t = scene_uniform(seed);
    for (int k = 0; k < 3; k++) {
        const f64 any = from[k] + 3 * scene_uniform(seed);
        const int whole = (int)(test_random(seed) & 1);
        x[k] = kind == 1 && whole       ? floor(any)
               : kind == 2              ? floor(any)
               : kind == 3              ? from[k] + t * along[k]
               : kind == 6              ? (turn % 2 ? from[k] : floor(from[k]))
               : kind == 8              ? floor(2 * any) / 2
               : kind == 9 && (t < 0.5) ? from[k]
               : kind == 9              ? from[k] + along[k]
                                        : any;
    }
    if (kind == 4)
        x[turn % 3] = x[(turn + 1) % 3];
    if (kind == 5)
        x[turn % 3] = 4;
    if (kind == 7)
        x[turn % 3] = 3 + (x[(turn + 1) % 3] - x[(turn + 2) % 3]) / 4 + ldexp(t, -thin);
}

/* The corners of cube 0. A sliver's planes are told by its corners to 2^-52 of a cell. */
static f64 shape(sheet *s, int number, u64 *seed) {
    f64 from[3], along[3];
    const int kind = number % KINDS, turn = number / KINDS, thin = turn % 30;
    for (int k = 0; k < 3; k++) {
        from[k] = 2 + 2 * scene_uniform(seed);
        along[k] = 3 * scene_uniform(seed);
    }
    for (int c = 0; c < 8; c++)
        place(kind, turn, from, along, thin, seed,
              s->x + 3 * (((c >> 2) * 3 + (c >> 1 & 1)) * 3 + (c & 1)));
    return kind == 7 ? 5e-14 + ldexp(1e-14, thin) : 5e-14;
}

/* 150,000 tetrahedra with WEFT_TEST=all; one in ten on the serial backend, few elsewhere.
 */
START_TEST(tetrahedra_are_as_clipped) {
    sheet s = scene_sheet(3, 3, 3, 12);
    const int host = strcmp(weft_backend_name(device), "serial") == 0;
    const int shapes = test_is_whole() ? 12500 : host ? 1250 : 60;
    u64 seed = 7;
    for (int number = 0; number < shapes; number++) {
        const f64 tolerance = shape(&s, number, &seed);
        compare(&s, number / KINDS % 3 == 2 ? 2 : number / KINDS % 2, tolerance);
    }
    free(s.x);
}
END_TEST

static weft_device *open_serial(const char *style) {
    setenv("WEFT_STYLE", style, 1);
    weft_device *serial = scene_serial();
    unsetenv("WEFT_STYLE");
    return serial;
}

/* A lattice of such places. */
START_TEST(styles_are_equal) {
    enum { SIDE = 6, CELLS = 12 };
    deposit_call *const calls[] = {weft_sheet_deposit, weft_sheet_streams};
    weft_device *const on[] = {device, open_serial("simd"), open_serial("simt")};
    static i64 units[3][CELLS * CELLS * CELLS];
    sheet s = scene_sheet(SIDE, SIDE, SIDE, CELLS);
    u64 seed = 11;
    const f64 from[3] = {3.25, 4.5, 2}, along[3] = {1, 2, 3};
    for (i64 i = 0; i < s.sites; i++)
        place((int)(i % KINDS), (int)(i / KINDS), from, along, 10, &seed, s.x + 3 * i);
    for (int call = 0; call < 2; call++) {
        const weft_sheet_options o = {.grid = {CELLS, CELLS, CELLS},
                                      .tessellation = (weft_tessellation)(2 * call)};
        memset(units, 0, sizeof units);
        for (int k = 0; k < 3; k++)
            add(on[k], &s, &o, calls[call], units[k]);
        ck_assert_mem_eq(units[0], units[1], sizeof units[0]);
        ck_assert_mem_eq(units[0], units[2], sizeof units[0]);
    }
    weft_close(on[1]), weft_close(on[2]);
    free(s.x);
}
END_TEST

/* The same lattice, where 64-bit sums are two words and a carry. */
START_TEST(words_are_equal) {
    enum { SIDE = 5, CELLS = 9 };
    static i64 units[2][CELLS * CELLS * CELLS];
    sheet s = scene_sheet(SIDE, SIDE, SIDE, CELLS);
    scene_scatter(&s, 3, 5);
    const weft_sheet_options o = {.grid = {CELLS, CELLS, CELLS}};
    const i64 n = 6 * s.sites;
    const f64 one = (f64)weft_sheet_units(&s.lattice, o.tessellation);
    const sheet_frame frame = {.n = {SIDE, SIDE, SIDE},
                               .cells = {CELLS, CELLS, CELLS},
                               .count = {CELLS, CELLS, CELLS},
                               .box = {CELLS, CELLS, CELLS},
                               .scale = {1, 1, 1},
                               .units = one,
                               .end = n,
                               .each = 6};
    memset(units, 0, sizeof units);
    add(device, &s, &o, weft_sheet_deposit, units[0]);
    const weft_array position = weft_array_new(device, WEFT_F64, 3 * s.sites);
    const weft_array windows = weft_array_new(device, WEFT_U32, n);
    const weft_array out = weft_array_new(device, WEFT_I64, CELLS * CELLS * CELLS);
    weft_write(device, position, s.x);
    weft_write(device, out, units[1]);
    weft_for_each(device, n / 6, sheet_words, .f = frame, .position = position,
                  .windows = windows, .units = weft_as(device, out, WEFT_U32));
    weft_read(device, out, units[1]);
    ck_assert_msg(weft_check(device) == WEFT_OK, "%s", weft_error(device));
    ck_assert_int_eq(scene_total(units[1], CELLS * CELLS * CELLS), (i64)one * n);
    ck_assert_mem_eq(units[0], units[1], sizeof units[0]);
    weft_array_free(device, position), weft_array_free(device, windows);
    weft_array_free(device, out);
    free(s.x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {tetrahedra_are_as_clipped, styles_are_equal,
                                  words_are_equal};
    return test_main(argc, argv, "sheet_shapes", tests, sizeof tests / sizeof *tests);
}
