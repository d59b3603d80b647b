/* Momentum and energy of the sheet against clipped tetrahedra. */
#include "harness.h"
#include "sheet_clip.h"
#include "sheet_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Momentum of each cell, then energies. */
static void add(weft_device *on, const sheet *s, const f64 *v, f64 speed,
                const weft_sheet_options *o, i64 *sums) {
    const i64 n = scene_cells(o);
    weft_lattice lattice = s->lattice;
    weft_scope_open(on);
    const weft_array velocity = weft_scratch(on, WEFT_F64, 3 * s->sites);
    lattice.position = weft_scratch(on, WEFT_F64, 3 * s->sites);
    weft_write(on, lattice.position, s->x);
    weft_write(on, velocity, v);
    const weft_array out = weft_scratch(on, WEFT_I64, 4 * n);
    weft_write(on, out, sums);
    weft_sheet_momentum(on, &lattice, velocity, speed, o, weft_slice(on, out, 0, 3 * n),
                        weft_slice(on, out, 3 * n, n));
    weft_read(on, out, sums);
    weft_scope_close(on);
    ck_assert_msg(weft_check(on) == WEFT_OK, "%s", weft_error(on));
}

static f64 *velocities(i64 sites, f64 most, u64 seed) {
    f64 *v = malloc((size_t)(3 * sites) * sizeof *v);
    for (i64 k = 0; k < 3 * sites; k++)
        v[k] = most * (2 * scene_uniform(&seed) - 1);
    return v;
}

/* Cube 0 alone: anywhere in some cells, in one cell, in a plane, at a place, along cells.
 */
START_TEST(moments_are_as_clipped) {
    enum { CELLS = 8, ALL = CELLS * CELLS * CELLS };
    static long double expected[4 * ALL];
    static i64 sums[4 * ALL];
    u64 seed = 9;
    for (int shape = 0; shape < 15; shape++) {
        sheet s = scene_sheet(3, 3, 3, CELLS);
        f64 *v = velocities(s.sites, 300, 5);
        int corners[24][4];
        const int t = shape % 3, n = clip_tetrahedra(t, corners);
        const f64 size = (const f64[]){3.5, 0.4, 3, 0, 3}[shape / 3];
        for (int c = 0; c < 8; c++)
            for (int k = 0; k < 3; k++) {
                const f64 x = 2.25 + size * scene_uniform(&seed);
                s.x[3 * (((c >> 2) * 3 + (c >> 1 & 1)) * 3 + (c & 1)) + k] =
                    shape / 3 == 2 && k == t ? 3
                    : shape / 3 == 4         ? floor(x)
                                             : x;
            }
        memset(expected, 0, sizeof expected);
        memset(sums, 0, sizeof sums);
        for (int i = 0; i < n; i++) {
            f64 at[4][3], speed[4][3];
            for (int w = 0; w < 12; w++) {
                const int c = corners[i][w / 3];
                const i64 site = ((c >> 2) * 3 + (c >> 1 & 1)) * 3 + (c & 1);
                at[w / 3][w % 3] = s.x[3 * site + w % 3];
                speed[w / 3][w % 3] = v[3 * site + w % 3] / 512;
            }
            for (i64 cell = 0; cell < 64; cell++) {
                const i64 low[3] = {2 + cell / 16, 2 + cell / 4 % 4, 2 + cell % 4};
                const i64 high[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
                const i64 to = (low[0] * CELLS + low[1]) * CELLS + low[2];
                long double part[5];
                clip_moments(at, speed, low, high, part);
                for (int k = 0; k < 3; k++)
                    expected[3 * to + k] += part[1 + k];
                expected[3 * ALL + to] += part[4];
            }
        }
        const weft_sheet_options o = {
            .grid = {CELLS, CELLS, CELLS}, .tessellation = (weft_tessellation)t, .end = 1};
        add(device, &s, v, 512, &o, sums);
        const f64 one = (f64)weft_sheet_units(&s.lattice, o.tessellation);
        for (int i = 0; i < 4 * ALL; i++)
            ck_assert_msg(fabsl((f64)sums[i] / one - expected[i]) < 1e-13,
                          "shape %d, number %d: %.17g, not %.17Lg", shape, i,
                          (f64)sums[i] / one, expected[i]);
        free(s.x), free(v);
    }
}
END_TEST

/* Cubes and boxes; and with one velocity for all, a cell has that times its mass. */
START_TEST(parts_make_the_whole) {
    enum { ALL = 19 * 17 * 15, BOX = 19 * 5 * 6 };
    static i64 sums[4 * ALL], again[4 * ALL], box[4 * BOX], mass[ALL];
    sheet s = scene_sheet(3, 4, 3, 8);
    scene_scatter(&s, 2, 11);
    f64 *v = velocities(s.sites, 1, 3);
    const weft_sheet_options whole = {.grid = {19, 17, 15}};
    memset(sums, 0, sizeof sums);
    memset(again, 0, sizeof again);
    memset(box, 0, sizeof box);
    memset(mass, 0, sizeof mass);
    add(device, &s, v, 1, &whole, sums);
    weft_device *serial = scene_serial();
    for (int part = 0; part < 2; part++) { /* by cubes */
        weft_sheet_options some = whole;
        some.begin = 20 * part, some.end = 20 + 16 * part;
        add(serial, &s, v, 1, &some, again);
    }
    ck_assert_mem_eq(sums, again, sizeof sums);
    weft_sheet_options some = whole;
    some.first[1] = 8, some.first[2] = 4;
    some.count[0] = 19, some.count[1] = 5, some.count[2] = 6;
    add(device, &s, v, 1, &some, box);
    for (int i = 0; i < BOX; i++) {
        const int to = (i / 30 * 17 + 8 + i / 6 % 5) * 15 + 4 + i % 6;
        ck_assert_int_eq(box[3 * BOX + i], sums[3 * ALL + to]);
        ck_assert_mem_eq(box + 3 * i, sums + 3 * to, 3 * sizeof *box);
    }
    for (i64 i = 0; i < s.sites; i++)
        v[3 * i] = 0.5, v[3 * i + 1] = -0.25, v[3 * i + 2] = 0.25;
    memset(sums, 0, sizeof sums);
    add(device, &s, v, 1, &whole, sums);
    s.lattice.position = test_array(WEFT_F64, s.x, 3 * s.sites);
    const weft_array units = test_array(WEFT_I64, mass, ALL);
    weft_sheet_deposit(device, &s.lattice, &whole, units);
    weft_read(device, units, mass);
    const i64 one = weft_sheet_units(&s.lattice, whole.tessellation);
    ck_assert_int_eq(scene_total(sums + 3 * ALL, ALL) * 8, one * 6 * s.sites);
    for (int i = 0; i < ALL; i++) {
        ck_assert(llabs(sums[3 * i] - mass[i] / 2) < one >> 30);
        ck_assert(llabs(sums[3 * i + 1] + mass[i] / 4) < one >> 30);
        ck_assert(llabs(sums[3 * i + 2] - mass[i] / 4) < one >> 30);
    }
    weft_close(serial);
    free(s.x), free(v);
}
END_TEST

START_TEST(velocities_of_sites) {
    enum { SITES = 27 };
    u32 particle[SITES];
    f32 narrow[3 * SITES];
    f64 wide[3 * SITES], out[3 * SITES];
    weft_lattice lattice = {.n = {3, 3, 3}, .box = {1, 1, 1}};
    for (u32 i = 0; i < 3 * SITES; i++) {
        wide[i] = i * 1.5 - 77;
        narrow[i] = (f32)wide[i];
        particle[i / 3] = i / 3 * 5 % SITES;
    }
    lattice.particle = test_array(WEFT_U32, particle, SITES);
    const weft_array to = test_array(WEFT_F64, wide, 3 * SITES);
    for (int type = 0; type < 2; type++) {
        const weft_array from = type ? test_array(WEFT_F32, narrow, 3 * SITES)
                                     : test_array(WEFT_F64, wide, 3 * SITES);
        weft_lattice_take(device, &lattice, from, to);
        weft_read(device, to, out);
        for (u32 i = 0; i < 3 * SITES; i++)
            ck_assert(out[i] == wide[3 * particle[i / 3] + i % 3]);
    }
    ck_assert(weft_sheet_speed(device, to) == 128);
    wide[0] = 64, wide[80] = 0;
    ck_assert(weft_sheet_speed(device, test_array(WEFT_F64, wide, 1)) == 128);
    ck_assert(weft_sheet_speed(device, test_array(WEFT_F64, wide + 80, 1)) == 1);
    weft_lattice_take(device, &lattice, test_array(WEFT_F32, narrow, 80), to);
    test_expect_error(WEFT_E_SHAPE, "'vectors' has 80 elements, at least 81");
}
END_TEST

START_TEST(refusals) {
    sheet s = scene_sheet(3, 3, 3, 1);
    const i64 none[24] = {0};
    f64 *v = velocities(s.sites, 1, 3);
    const weft_sheet_options o = {.grid = {2, 2, 2}};
    const weft_array momentum = test_array(WEFT_I64, none, 24),
                     energy = test_array(WEFT_I64, none, 8);
    s.lattice.position = test_array(WEFT_F64, s.x, 81);
    v[13] = -2;
    weft_array velocity = test_array(WEFT_F64, v, 81);
    weft_sheet_momentum(device, &s.lattice, velocity, 1, &o, momentum, energy);
    test_expect_error(WEFT_E_ARGUMENT,
                      "component 1 of the velocity at site 4 is -2, not within 1");
    weft_sheet_momentum(device, &s.lattice, velocity, NAN, &o, momentum, energy);
    test_expect_error(WEFT_E_ARGUMENT, "speed is nan");
    v[13] = NAN;
    velocity = test_array(WEFT_F64, v, 81);
    weft_sheet_momentum(device, &s.lattice, velocity, 2, &o, momentum, energy);
    test_expect_error(WEFT_E_ARGUMENT, "at site 4 is nan");
    weft_sheet_momentum(device, &s.lattice, energy, 2, &o, momentum, energy);
    test_expect_error(WEFT_E_TYPE, "'velocity' is not of type f64");
    velocity = test_array(WEFT_F64, s.x, 81);
    weft_sheet_momentum(device, &s.lattice, velocity, 2, &o, energy, energy);
    test_expect_error(WEFT_E_SHAPE, "'momentum' has 8 elements, at least 24");
    free(s.x), free(v);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {moments_are_as_clipped, parts_make_the_whole,
                                  velocities_of_sites, refusals};
    return test_main(argc, argv, "sheet_moments", tests, sizeof tests / sizeof *tests);
}
