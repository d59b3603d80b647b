/* Streams, projections and previews of the sheet against their definitions. */
#include "harness.h"
#include "sheet_clip.h"
#include "sheet_scene.h"

#include <math.h>
#include <stdlib.h>

enum { MASS = -2, STREAMS = -1 }; /* else the axis of a projection */

static i64 *deposit(const sheet *s, const weft_sheet_options *o, int what) {
    weft_lattice lattice = s->lattice;
    const i64 n =
        scene_cells(o) / (what < 0 ? 1 : (o->count[0] ? o->count : o->grid)[what]);
    i64 *units = calloc((size_t)n, sizeof *units);
    weft_scope_open(device);
    lattice.position = weft_scratch(device, WEFT_F64, 3 * s->sites);
    weft_write(device, lattice.position, s->x);
    const weft_array out = weft_scratch(device, WEFT_I64, n);
    weft_write(device, out, units);
    if (what == MASS)
        weft_sheet_deposit(device, &lattice, o, out);
    else if (what == STREAMS)
        weft_sheet_streams(device, &lattice, o, out);
    else
        weft_sheet_project(device, &lattice, o, what, out);
    weft_read(device, out, units);
    weft_scope_close(device);
    test_ok();
    return units;
}

static long double volume(f64 at[4][3]) {
    long double d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = (long double)at[i + 1][k] - at[0][k];
    return fabsl(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                 d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                 d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0])) /
           6;
}

/* Cube 0 alone, larger and smaller than a cell, and flat. */
START_TEST(streams_are_volumes) {
    enum { CELLS = 8, ALL = CELLS * CELLS * CELLS };
    static long double expected[ALL];
    u64 seed = 5;
    for (int shape = 0; shape < 9; shape++) {
        const int t = shape % 3;
        sheet s = scene_sheet(3, 3, 3, CELLS);
        const f64 size = (const f64[]){3.5, 0.4, 2.5}[shape / 3];
        int corners[24][4];
        const int n = clip_tetrahedra(t, corners);
        for (int c = 0; c < 8; c++)
            for (int k = 0; k < 3; k++)
                s.x[3 * (((c >> 2) * 3 + (c >> 1 & 1)) * 3 + (c & 1)) + k] =
                    shape == 6 && k == 1 ? 2.25 : 2.125 + size * scene_uniform(&seed);
        for (int i = 0; i < ALL; i++)
            expected[i] = 0;
        for (int i = 0; i < n; i++) {
            f64 at[4][3];
            for (int v = 0; v < 4; v++)
                for (int k = 0; k < 3; k++) {
                    const int c = corners[i][v];
                    at[v][k] = s.x[3 * (((c >> 2) * 3 + (c >> 1 & 1)) * 3 + (c & 1)) + k];
                }
            for (i64 cell = 0; cell < ALL; cell++) {
                const i64 low[3] = {cell / CELLS / CELLS, cell / CELLS % CELLS,
                                    cell % CELLS};
                const i64 high[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
                if (low[0] > 1 && low[1] > 1 && low[2] > 1 && low[0] < 6 && low[1] < 6 &&
                    low[2] < 6)
                    expected[cell] += volume(at) * clip_fraction(at, low, high);
            }
        }
        const weft_sheet_options o = {
            .grid = {CELLS, CELLS, CELLS}, .tessellation = (weft_tessellation)t, .end = 1};
        i64 *units = deposit(&s, &o, STREAMS);
        const f64 one = (f64)weft_sheet_units(&s.lattice, o.tessellation);
        for (int i = 0; i < ALL; i++)
            ck_assert_msg(fabsl((f64)units[i] / one - expected[i]) < 1e-12,
                          "shape %d, cell %d: %.17g, not %.17Lg", shape, i,
                          (f64)units[i] / one, expected[i]);
        free(units), free(s.x);
    }
}
END_TEST

static const f64 turn = 2 * 3.14159265358979323846;

/* Where q is after x = q - a sin(turn q) / turn. */
static f64 moved(f64 q, f64 a) {
    return q - a * sin(turn * q) / turn;
}

/* A pancake after it folded has three streams inside, and one outside. */
START_TEST(streams_of_a_pancake) {
    enum { N = 12, CELLS = 24 };
    sheet s = scene_sheet(N, 3, 4, 1);
    f64 fold = 0;
    for (i64 i = 0; i < s.sites; i++) {
        const f64 q = (f64)(i / 12) / N;
        s.x[3 * i] = moved(q, 3);
        fold = q < 0.5 ? fmin(fold, s.x[3 * i]) : fold;
        s.x[3 * i] -= floor(s.x[3 * i]);
    }
    ck_assert(fold < -0.2);
    for (int t = 0; t < 3; t++) {
        const weft_sheet_options o = {.grid = {CELLS, 3, 2},
                                      .tessellation = (weft_tessellation)t};
        i64 *units = deposit(&s, &o, STREAMS);
        const f64 one =
            (f64)weft_sheet_units(&s.lattice, o.tessellation) * (t == 2 ? 4 : 1);
        int inside = 0, outside = 0;
        for (int i = 0; i < CELLS * 6; i++) {
            const f64 low = i / 6 < CELLS / 2 ? i / 6 : CELLS - i / 6 - 1;
            const int in = low + 1 < -fold * CELLS, out = low > -fold * CELLS;
            if (in || out)
                ck_assert_msg(fabs((f64)units[i] / one - (in ? 3 : 1)) < 1e-12,
                              "%d %d: %.17g", t, i, (f64)units[i] / one);
            inside += in, outside += out;
        }
        ck_assert(inside == 60 && outside == 72);
        free(units);
    }
    free(s.x);
}
END_TEST

/* The mass in cells of a line of n pieces, each between the images of its ends. */
static void image_of_line(int n, f64 a, int cells, long double *mass) {
    for (int i = 0; i < n; i++) {
        const f64 p = moved((f64)i / n, a) * cells, q = moved((f64)(i + 1) / n, a) * cells;
        for (int c = -cells; c < 2 * cells; c++) {
            const f64 low = fmax(fmin(p, q), c), high = fmin(fmax(p, q), c + 1);
            mass[(c + cells) % cells] += high > low ? (high - low) / fabs(q - p) / n : 0;
        }
    }
}

/* Two that cross, after both folded: the product of the images of lines. */
START_TEST(crossed_pancakes) {
    enum { CELLS = 16 };
    for (int t = 0; t < 3; t++) {
        sheet s = scene_sheet(9, 8, 3, 1);
        long double along_x[CELLS] = {0}, along_y[CELLS] = {0};
        for (i64 i = 0; i < s.sites; i++) {
            s.x[3 * i] = moved((f64)(i / 24) / 9, 1.7);
            s.x[3 * i + 1] = moved((f64)(i / 3 % 8) / 8, 1.4);
            for (int k = 0; k < 2; k++)
                s.x[3 * i + k] -= floor(s.x[3 * i + k]);
        }
        image_of_line(9, 1.7, CELLS, along_x);
        image_of_line(8, 1.4, CELLS, along_y);
        const weft_sheet_options o = {.grid = {CELLS, CELLS, 2},
                                      .tessellation = (weft_tessellation)t};
        i64 *units = deposit(&s, &o, MASS);
        const long double all = scene_total(units, CELLS * CELLS * 2);
        for (int i = 0; i < CELLS * CELLS * 2; i++) {
            const long double expected =
                along_x[i / 2 / CELLS] * along_y[i / 2 % CELLS] / 2;
            ck_assert_msg(fabsl((long double)units[i] / all - expected) < 1e-13,
                          "%d %d: %.17Lg, not %.17Lg", t, i, (long double)units[i] / all,
                          expected);
        }
        free(units), free(s.x);
    }
}
END_TEST

/* Before it folds a pancake nears the density of the map itself as the square of the
 * spacing. */
START_TEST(pancakes_converge) {
    enum { CELLS = 12 };
    f64 error[2] = {0};
    for (int k = 0; k < 2; k++) {
        const int n = 16 << 2 * k;
        sheet s = scene_sheet(n, 3, 3, 1);
        for (i64 i = 0; i < s.sites; i++)
            s.x[3 * i] = moved((f64)(i / 9) / n, 0.7);
        const weft_sheet_options o = {.grid = {CELLS, 1, 1}};
        i64 *units = deposit(&s, &o, MASS);
        const f64 all = (f64)scene_total(units, CELLS);
        f64 before = 0;
        for (int c = 0; c < CELLS; c++) {
            f64 low = 0, high = 1; /* where q is at the end of the cell */
            for (int step = 0; step < 60; step++) {
                const f64 q = (low + high) / 2;
                if (moved(q, 0.7) < (f64)(c + 1) / CELLS)
                    low = q;
                else
                    high = q;
            }
            error[k] += fabs((f64)units[c] / all - (high - before));
            before = high;
        }
        free(units), free(s.x);
    }
    ck_assert_msg(error[0] / error[1] > 10 && error[0] / error[1] < 20, "%g, then %g",
                  error[0], error[1]);
}
END_TEST

/* What the cells of a column have, and for boxes of columns the same bytes. */
START_TEST(projections_are_columns) {
    const i64 grid[3] = {7, 20, 9};
    for (int way = 0; way < 6; way++) {
        const int axis = way % 3;
        sheet s = scene_sheet(4, 3, 5, 8);
        scene_scatter(&s, 2, 7);
        const weft_sheet_options o = {.grid = {7, 20, 9},
                                      .tessellation = (weft_tessellation)axis,
                                      .units = scene_units(&s, axis, way / 3)};
        const int u = axis == 0, v = axis == 2 ? 1 : 2;
        const i64 all = o.units * weft_sheet_tetrahedra(&s.lattice, o.tessellation);
        i64 *mass = deposit(&s, &o, MASS), *units = deposit(&s, &o, axis);
        ck_assert_int_eq(scene_total(units, grid[u] * grid[v]), all);
        i64 *sum = calloc((size_t)(grid[u] * grid[v]), sizeof *sum);
        for (i64 i = 0; i < 7 * 20 * 9; i++) {
            const i64 at[3] = {i / 180, i / 9 % 20, i % 9};
            sum[at[u] * grid[v] + at[v]] += mass[i];
        }
        for (i64 i = 0; i < grid[u] * grid[v]; i++)
            ck_assert_msg(llabs(sum[i] - units[i]) <= all / 100000000000,
                          "axis %d, column %lld: %lld, not %lld", axis, (long long)i,
                          (long long)units[i], (long long)sum[i]);
        weft_sheet_options box = o;
        for (int k = 0; k < 3; k++) {
            box.first[k] = k == axis ? 0 : 2;
            box.count[k] = k == axis ? grid[k] : 3;
        }
        i64 *part = deposit(&s, &box, axis);
        for (i64 i = 0; i < 9; i++)
            ck_assert_int_eq(part[i], units[(2 + i / 3) * grid[v] + 2 + i % 3]);
        free(mass), free(units), free(sum), free(part), free(s.x);
    }
}
END_TEST

/* A column has exactly the units of the four that are half as wide in it: cubes that meet
 * many columns are cut another way than those that meet few, and those with a tetrahedron
 * that is flat along another axis than what is projected, too. */
START_TEST(columns_are_sums_of_finer_ones) {
    enum { TIMES = 16 };
    for (int scene = 0; scene < 24; scene++) {
        const int axis = scene % 3, flat = scene / 3 % 4;
        u64 seed = 3;
        sheet s = scene_sheet(4, 3, 5, 8);
        scene_scatter(&s, 2, 11);
        for (i64 i = 0; i < s.sites && flat < 3; i++)
            s.x[3 * i + flat] = scene_uniform(&seed) < 0.5 ? 1.25 : 4.5;
        weft_sheet_options o = {.grid = {3, 2, 5},
                                .tessellation = (weft_tessellation)axis,
                                .units = scene_units(&s, axis, scene / 12)};
        const int u = axis == 0, v = axis == 2 ? 1 : 2;
        i64 *coarse = deposit(&s, &o, axis);
        for (int times = 2; times <= TIMES; times *= 2) {
            for (int k = 0; k < 3; k++)
                o.grid[k] *= 2;
            const i64 n = o.grid[u] * o.grid[v], wide = o.grid[v] / 2;
            i64 *fine = deposit(&s, &o, axis), *sum = calloc((size_t)n, sizeof *sum);
            for (i64 i = 0; i < n; i++)
                sum[i / o.grid[v] / 2 * wide + i % o.grid[v] / 2] += fine[i];
            for (i64 i = 0; i < n / 4; i++)
                ck_assert_msg(sum[i] == coarse[i],
                              "axis %d, %d times, column %lld: %lld, not %lld", axis, times,
                              (long long)i, (long long)coarse[i], (long long)sum[i]);
            free(coarse), free(sum);
            coarse = fine;
        }
        free(coarse), free(s.x);
    }
}
END_TEST

/* Sums are exact, boxes have the same bytes, and more points are nearer. */
START_TEST(samples_are_points) {
    sheet s = scene_sheet(4, 4, 4, 8);
    scene_scatter(&s, 2, 3);
    weft_sheet_options o = {.grid = {6, 5, 7}, .tessellation = WEFT_TESSELLATION_KUHN};
    const i64 one = weft_sheet_units(&s.lattice, o.tessellation);
    i64 *exact = deposit(&s, &o, MASS), units[210], part[6];
    f64 error[3] = {0}, all = 0;
    s.lattice.position = test_array(WEFT_F64, s.x, 3 * s.sites);
    for (int k = 0; k < 3; k++) {
        const int samples = (const int[]){1, 27, 3000}[k];
        const i64 zero = 0;
        const weft_array out = weft_array_new(device, WEFT_I64, 210);
        weft_fill(device, out, &zero);
        weft_sheet_sample(device, &s.lattice, &o, samples, out);
        weft_read(device, out, units);
        test_ok();
        ck_assert_int_eq(scene_total(units, 210), one * 6 * s.sites);
        for (int i = 0; i < 210; i++) {
            const f64 off = (f64)(units[i] - exact[i]) / (f64)one;
            error[k] += off * off;
            all += (f64)exact[i] / (f64)one;
        }
        weft_sheet_options box = o;
        box.first[0] = 1, box.first[1] = 2, box.first[2] = 3;
        box.count[0] = 1, box.count[1] = 2, box.count[2] = 3;
        weft_fill(device, out, &zero);
        weft_sheet_sample(device, &s.lattice, &box, samples, out);
        weft_read(device, weft_slice(device, out, 0, 6), part);
        for (int i = 0; i < 6; i++)
            ck_assert_int_eq(part[i], units[(5 + 2 + i / 3) * 7 + 3 + i % 3]);
    }
    for (int k = 0; k < 3; k++)
        error[k] = sqrt(error[k] / 210) / (all / 3 / 210);
    ck_assert_msg(error[0] > 0.1 && error[1] < error[0] / 4 && error[2] < 0.01, "%g %g %g",
                  error[0], error[1], error[2]);
    free(exact), free(s.x);
}
END_TEST

START_TEST(refusals) {
    sheet s = scene_sheet(3, 3, 3, 1);
    const i64 none[4] = {0};
    const weft_array units = test_array(WEFT_I64, none, 4);
    s.lattice.position = test_array(WEFT_F64, s.x, 81);
    weft_sheet_options o = {.grid = {2, 2, 2}};
    weft_sheet_project(device, &s.lattice, &o, 3, units);
    test_expect_error(WEFT_E_ARGUMENT, "axis is 3, not 0 to 2");
    weft_sheet_streams(device, &s.lattice, &o, units);
    test_expect_error(WEFT_E_SHAPE, "weft_sheet_streams: array 'units' has 4 elements");
    weft_sheet_sample(device, &s.lattice, &o, 0, units);
    test_expect_error(WEFT_E_ARGUMENT, "samples is 0, not 1 to 1048576");
    o.count[0] = o.count[1] = o.count[2] = 1;
    weft_sheet_project(device, &s.lattice, &o, 1, units);
    test_expect_error(WEFT_E_ARGUMENT, "cells 0 to 0 of axis 1 are not all of it");
    free(s.x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {streams_are_volumes,     streams_of_a_pancake,
                                  crossed_pancakes,        pancakes_converge,
                                  projections_are_columns, columns_are_sums_of_finer_ones,
                                  samples_are_points,      refusals};
    return test_main(argc, argv, "sheet_fields", tests, sizeof tests / sizeof *tests);
}
