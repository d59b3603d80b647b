/* Densities of the sheet against what is known of them, and against themselves. */
#include "harness.h"
#include "sheet_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sheet_split.kernel.h"
WEFT_KERNEL(sheet_split, (value, u32, cells), (in, i64, value), (shared, u32, words, 0))

static weft_status sample(weft_device *on, const weft_lattice *lattice,
                          const weft_sheet_options *o, weft_array units) {
    return weft_sheet_sample(on, lattice, o, 3, units);
}

static void add(weft_device *on, const sheet *s, const weft_sheet_options *o, i64 *units) {
    scene_add(on, s, o, weft_sheet_deposit, units);
}

static i64 *deposit(const sheet *s, const weft_sheet_options *o) {
    i64 *units = calloc((size_t)scene_cells(o), sizeof *units);
    add(device, s, o, units);
    return units;
}

static void expect_total(const sheet *s, const weft_sheet_options *o, const i64 *units) {
    const i64 one = o->units ? o->units : weft_sheet_units(&s->lattice, o->tessellation);
    ck_assert_int_eq(scene_total(units, scene_cells(o)),
                     one * weft_sheet_tetrahedra(&s->lattice, o->tessellation));
}

START_TEST(cells_of_a_lattice_have_the_mean) {
    for (int t = 0; t < 3; t++)
        for (int shifted = 0; shifted < 2; shifted++) {
            sheet s = scene_sheet(4, 6, 8, 1);
            for (i64 k = 0; k < 3 * s.sites && shifted; k++)
                s.x[k] += (const f64[]){0.1234, 0.7, 1e-3}[k % 3];
            const weft_sheet_options o = {.grid = {8, 3, 12},
                                          .tessellation = (weft_tessellation)t};
            i64 *units = deposit(&s, &o);
            expect_total(&s, &o, units);
            const f64 mean = (f64)scene_total(units, 288) / 288;
            for (i64 i = 0; i < 288; i++)
                ck_assert_msg(fabs((f64)units[i] / mean - 1) < 1e-12, "%d %d: %.17g", t,
                              shifted, (f64)units[i] / mean);
            free(units), free(s.x);
        }
}
END_TEST

/* x = q - A sin(2 pi q) / (2 pi): the image of a piecewise linear map of a line. */
START_TEST(pancake) {
    enum { N = 10, CELLS = 24 };
    sheet s = scene_sheet(N, 3, 4, 1);
    f64 image[N + 1];
    for (int i = 0; i <= N; i++) {
        const f64 q = (f64)i / N, turn = 2 * 3.14159265358979323846;
        image[i] = i == N ? 1 : q - 1.7 * sin(turn * q) / turn;
    }
    for (i64 i = 0; i < s.sites; i++)
        s.x[3 * i] = image[i / 12];
    long double slab[CELLS] = {0};
    for (int i = 0; i < N; i++)
        for (int c = -CELLS; c < 2 * CELLS; c++) {
            const f64 a = fmin(image[i], image[i + 1]) * CELLS;
            const f64 b = fmax(image[i], image[i + 1]) * CELLS;
            const f64 low = fmax(a, c), high = fmin(b, c + 1);
            slab[(c + CELLS) % CELLS] += high > low ? (high - low) / (b - a) / N : 0;
        }
    for (int t = 0; t < 3; t++) {
        const weft_sheet_options o = {.grid = {CELLS, 5, 3},
                                      .tessellation = (weft_tessellation)t};
        i64 *units = deposit(&s, &o);
        expect_total(&s, &o, units);
        const long double all = scene_total(units, CELLS * 15);
        for (i64 i = 0; i < CELLS * 15; i++)
            ck_assert_msg(fabsl(units[i] / all * 15 - slab[i / 15]) < 1e-13,
                          "%lld: %.17Lg, not %.17Lg", (long long)i, units[i] / all * 15,
                          slab[i / 15]);
        free(units);
    }
    free(s.x);
}
END_TEST

START_TEST(moved_by_whole_cells) {
    for (int large = 0; large < 2; large++) {
        sheet s = scene_sheet(5, 5, 5, 8);
        scene_scatter(&s, 1, 3);
        const weft_sheet_options o = {
            .grid = {16, 16, 16}, .units = scene_units(&s, WEFT_TESSELLATION_ABEL, large)};
        i64 *units = deposit(&s, &o);
        for (i64 k = 0; k < 3 * s.sites; k++) {
            s.x[k] += (const f64[]){3.5, 0.5, 7}[k % 3];
            s.x[k] -= s.x[k] >= 8 ? 8 : 0;
        }
        i64 *moved = deposit(&s, &o);
        expect_total(&s, &o, moved);
        for (i64 i = 0; i < 4096; i++) {
            const i64 x = (i / 256 + 7) % 16, y = (i / 16 % 16 + 1) % 16,
                      z = (i % 16 + 14) % 16;
            ck_assert_int_eq(units[i], moved[(x * 16 + y) * 16 + z]);
        }
        free(units), free(moved), free(s.x);
    }
}
END_TEST

/* Tetrahedra of several windows, in a grid that is longer on one axis than on others. */
START_TEST(parts_make_the_whole) {
    for (int way = 0; way < 5; way++) {
        const int t = way % 3;
        sheet s = scene_sheet(3, 10, 9, 8); /* five blocks, the last cut short */
        scene_scatter(&s, 1.5, 11);
        const weft_sheet_options whole = {.grid = {18, 1, 70},
                                          .tessellation = (weft_tessellation)t,
                                          .units = scene_units(&s, t, way / 3)};
        i64 *units = deposit(&s, &whole);
        expect_total(&s, &whole, units);
        weft_device *serial = scene_serial();
        i64 *again = calloc((size_t)scene_cells(&whole), sizeof *again);
        for (int part = 0; part < 4; part++) { /* by cubes, on the serial backend */
            weft_sheet_options some = whole;
            some.begin = 270 * part / 4, some.end = 270 * (part + 1) / 4;
            add(serial, &s, &some, again);
        }
        weft_close(serial);
        ck_assert_mem_eq(units, again, (size_t)scene_cells(&whole) * sizeof *again);
        free(again);
        for (i64 x = 0; x < 18; x += 9)
            for (i64 z = 0; z < 70; z += 14) {
                weft_sheet_options box = whole;
                box.first[0] = x, box.first[2] = z;
                box.count[0] = 9, box.count[1] = 1, box.count[2] = 14;
                i64 *part = calloc(9 * 14, sizeof *part);
                for (int half = 0; half < 2; half++) { /* by cubes, amid a plane */
                    box.begin = 100 * half, box.end = half ? 270 : 100;
                    add(device, &s, &box, part);
                }
                for (i64 i = 0; i < 9; i++)
                    ck_assert_mem_eq(part + 14 * i, units + (x + i) * 70 + z, 14 * 8);
                free(part);
            }
        free(units), free(s.x);
    }
}
END_TEST

/* Planes `first` to `first` + cubes of the lattice, one more than planes of cubes. */
static sheet slab_of(const sheet *s, i64 first, i64 cubes) {
    const i64 *n = s->lattice.n, plane = 3 * n[1] * n[2];
    sheet slab = {.lattice = s->lattice, .sites = (cubes + 1) * n[1] * n[2]};
    slab.lattice.n[0] = cubes + 1;
    slab.x = malloc((size_t)slab.sites * 3 * sizeof *slab.x);
    for (i64 k = 0; k <= cubes; k++)
        memcpy(slab.x + k * plane, s->x + (first + k) % n[0] * plane,
               (size_t)plane * sizeof *slab.x);
    return slab;
}

/* Whole, and of some planes of cells, for which blocks of cubes are chosen. */
START_TEST(slabs_make_the_whole) {
    static scene_deposit *const hows[] = {weft_sheet_deposit, weft_sheet_deposit,
                                          weft_sheet_streams, sample};
    static const i64 cubes[] = {2, 4, 5, 6};
    sheet s = scene_sheet(17, 7, 7, 8);
    scene_scatter(&s, 1.5, 12);
    for (int how = 0; how < 4; how++) {
        weft_sheet_options o = {.grid = {12, 5, 9}};
        if (how > 0)
            o.first[0] = 7, o.count[0] = 3, o.count[1] = 5, o.count[2] = 9;
        i64 *units = calloc(540, sizeof *units), *again = calloc(540, sizeof *again);
        scene_add(device, &s, &o, hows[how], units);
        ck_assert_int_gt(scene_total(units, 540), 0);
        o.units = weft_sheet_units(&s.lattice, o.tessellation);
        for (i64 k = 0, first = 0; k < 4; first += cubes[k++]) {
            sheet slab = slab_of(&s, first, cubes[k]);
            o.end = cubes[k] * 49;
            ck_assert_int_gt(weft_sheet_units(&slab.lattice, o.tessellation), o.units);
            scene_add(device, &slab, &o, hows[how], again);
            free(slab.x);
        }
        ck_assert_mem_eq(units, again, 540 * sizeof *again);
        free(units), free(again);
    }
    free(s.x);
}
END_TEST

/* Positions of all bits; a cell of a coarse grid is exactly those of finer ones in it. */
START_TEST(coarse_cells_are_sums) {
    sheet s = scene_sheet(3, 5, 4, 9);
    u64 seed = 7;
    for (i64 k = 0; k < 3 * s.sites; k++)
        s.x[k] =
            fmod(s.x[k] + 3 * scene_uniform(&seed) + 0x1p-26 * scene_uniform(&seed), 9);
    for (int way = 0; way < 4; way++) {
        const int t = way % 2;
        weft_sheet_options o = {.grid = {5, 1, 7},
                                .tessellation = (weft_tessellation)t,
                                .units = scene_units(&s, t, way / 2)};
        i64 *coarse = deposit(&s, &o);
        for (int halved = 0; halved < 2; halved++) {
            const i64 y = o.grid[1], z = o.grid[2], cells = scene_cells(&o);
            for (int k = 0; k < 3; k++)
                o.grid[k] *= 2;
            i64 *fine = deposit(&s, &o);
            for (i64 i = 0; i < 8 * cells; i++)
                coarse[(i / (8 * y * z) * y + i / (4 * z) % y) * z + i / 2 % z] -= fine[i];
            for (i64 i = 0; i < cells; i++)
                ck_assert_msg(coarse[i] == 0, "%d %d: cell %lld is off by %lld", way,
                              halved, (long long)i, (long long)coarse[i]);
            free(coarse);
            coarse = fine;
        }
        free(coarse);
    }
    free(s.x);
}
END_TEST

START_TEST(sums_of_two_words) {
    enum { N = 4000, CELLS = 7 };
    i64 values[N], sums[CELLS] = {0}, expected[CELLS] = {0};
    u64 seed = 5;
    for (int i = 0; i < N; i++) {
        values[i] = (i64)test_random(&seed) >> (10 + i % 50);
        values[i] = i % 5 == 0 ? -1 : values[i];
        expected[i % CELLS] += values[i];
    }
    const weft_array words = weft_as(device, test_array(WEFT_I64, sums, CELLS), WEFT_U32);
    weft_for_each(device, N, sheet_split, .cells = CELLS,
                  .value = test_array(WEFT_I64, values, N), .words = words);
    weft_read(device, weft_as(device, words, WEFT_I64), sums);
    for (int c = 0; c < CELLS; c++)
        ck_assert_int_eq(sums[c], expected[c]);
}
END_TEST

START_TEST(units_of_a_tetrahedron) {
    const weft_lattice small = {.n = {3, 3, 3}}, middle = {.n = {6, 6, 6}},
                       large = {.n = {64, 64, 64}};
    ck_assert_int_eq(weft_sheet_units(&small, WEFT_TESSELLATION_ABEL), (i64)1 << 52);
    ck_assert_int_eq(weft_sheet_units(&middle, WEFT_TESSELLATION_ABEL), (i64)1 << 51);
    ck_assert_int_eq(weft_sheet_units(&large, WEFT_TESSELLATION_ABEL), (i64)1 << 41);
    ck_assert_int_eq(weft_sheet_units(&large, WEFT_TESSELLATION_MEAN), (i64)1 << 39);
}
END_TEST

START_TEST(refusals) {
    sheet s = scene_sheet(3, 3, 3, 1);
    weft_lattice lattice = s.lattice;
    const i64 none[8] = {0};
    weft_array units = test_array(WEFT_I64, none, 8);
    weft_sheet_options o = {.grid = {2, 2, 2}};
    weft_sheet_deposit(device, &lattice, &o, units);
    test_expect_error(WEFT_E_TYPE, "lattice.position");
    lattice.position = test_array(WEFT_F64, s.x, 81);
    weft_sheet_deposit(device, &lattice, &o, units);
    test_ok();
    lattice.n[1] = 2;
    weft_sheet_deposit(device, &lattice, &o, units);
    test_expect_error(WEFT_E_ARGUMENT, "not weft_lattice_find's");
    lattice.n[1] = 3;
    weft_sheet_deposit(device, &lattice, &o, weft_slice(device, units, 0, 7));
    test_expect_error(WEFT_E_SHAPE, "'units' has 7 elements");
    weft_sheet_deposit(device, &lattice, &o, weft_as(device, units, WEFT_U64));
    test_expect_error(WEFT_E_TYPE, "'units' is not of type i64");
    o.grid[2] = 0;
    weft_sheet_deposit(device, &lattice, &o, units);
    test_expect_error(WEFT_E_ARGUMENT, "grid[2] is 0");
    o.grid[2] = 2, o.first[0] = 1, o.count[0] = 2, o.count[1] = 1, o.count[2] = 1;
    weft_sheet_deposit(device, &lattice, &o, units);
    test_expect_error(WEFT_E_ARGUMENT, "cells 1 to 2 of axis 0");
    o = (weft_sheet_options){.grid = {2, 2, 2}, .begin = 5, .end = 28};
    weft_sheet_deposit(device, &lattice, &o, units);
    test_expect_error(WEFT_E_ARGUMENT, "cubes 5 to 28");
    o.tessellation = (weft_tessellation)3, o.end = 6;
    weft_sheet_deposit(device, &lattice, &o, units);
    test_expect_error(WEFT_E_ARGUMENT, "no tessellation 3");
    for (int k = 0; k < 3; k++) {
        o = (weft_sheet_options){.grid = {2, 2, 2}};
        o.units = (const i64[]){-1, 3, (i64)1 << 53}[k];
        weft_sheet_deposit(device, &lattice, &o, units);
        test_expect_error(WEFT_E_ARGUMENT, "a tetrahedron, no power of two up to");
    }
    free(s.x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {cells_of_a_lattice_have_the_mean,
                                  pancake,
                                  moved_by_whole_cells,
                                  parts_make_the_whole,
                                  slabs_make_the_whole,
                                  coarse_cells_are_sums,
                                  sums_of_two_words,
                                  units_of_a_tetrahedron,
                                  refusals};
    return test_main(argc, argv, "sheet", tests, sizeof tests / sizeof *tests);
}
