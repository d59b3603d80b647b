/* Power spectra by direct sums over particles, of waves, lattices and noise. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

static const f64 pi = 3.14159265358979323846;
enum { MOST = 64 };

typedef struct answer {
    i64 shells, modes[MOST];
    f64 k[MOST], power[MOST], shot;
} answer;

static f64 random_unit(u64 *seed) {
    return (f64)(test_random(seed) >> 11) * 0x1p-53;
}

static answer of_particles(const f64 *x, const f64 *mass, i64 count,
                           const weft_power_options *o) {
    answer a = {.shells = weft_power_shells(o)};
    const weft_array at = test_array(WEFT_F64, x, 3 * count);
    f32 narrow[MOST];
    for (i64 i = 0; mass && i < count; i++)
        narrow[i] = (f32)mass[i];
    const weft_array m = mass ? test_array(WEFT_F32, narrow, count) : (weft_array){0};
    const weft_points points = weft_points_interleaved(device, at);
    ck_assert_int_le(a.shells, MOST);
    weft_power_particles(device, &points, m, o, a.k, a.power, a.modes, &a.shot);
    test_ok();
    weft_array_free(device, at);
    if (mass)
        weft_array_free(device, m);
    return a;
}

/* Shells and sums by definition: all modes with |k| that fits, one particle after the
 * other. */
static void define(const f64 *x, const f64 *mass, i64 count, const f64 box[3], i64 shell,
                   f64 *k, f64 *power, i64 *modes) {
    const f64 base = 2 * pi / fmax(box[0], fmax(box[1], box[2]));
    const i64 most = shell + 1;
    f64 total = 0;
    *k = *power = 0, *modes = 0;
    for (i64 i = 0; i < count; i++)
        total += mass ? mass[i] : 1;
    for (i64 t = 0; t < (2 * most + 1) * (2 * most + 1) * (2 * most + 1); t++) {
        const i64 n = 2 * most + 1;
        const f64 wave[3] = {2 * pi * (f64)(t / n / n - most) / box[0],
                             2 * pi * (f64)(t / n % n - most) / box[1],
                             2 * pi * (f64)(t % n - most) / box[2]};
        const f64 size = sqrt(wave[0] * wave[0] + wave[1] * wave[1] + wave[2] * wave[2]);
        f64 re = 0, im = 0;
        if (!(size >= ((f64)shell - 0.5) * base && size < ((f64)shell + 0.5) * base))
            continue;
        for (i64 i = 0; i < count; i++) {
            const f64 angle =
                wave[0] * x[3 * i] + wave[1] * x[3 * i + 1] + wave[2] * x[3 * i + 2];
            re += (mass ? mass[i] : 1) * cos(angle);
            im -= (mass ? mass[i] : 1) * sin(angle);
        }
        *k += size;
        *power += box[0] * box[1] * box[2] * (re * re + im * im) / total / total;
        ++*modes;
    }
    *k /= (f64)*modes;
    *power /= (f64)*modes;
}

START_TEST(definition) {
    const f64 box[3] = {2, 1, 1.5};
    enum { COUNT = 20 };
    f64 x[3 * COUNT], mass[COUNT];
    u64 seed = 1;
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] = box[i % 3] * (3 * random_unit(&seed) - 1);
    for (int i = 0; i < COUNT; i++)
        mass[i] = 1 + i % 3;
    for (int massive = 0; massive < 2; massive++) {
        const weft_power_options o = {
            .n = {28, 16, 24}, .box = {2, 1, 1.5}, .window = WEFT_MESH_PCS};
        const answer a = of_particles(x, massive ? mass : NULL, COUNT, &o);
        ck_assert_int_eq(a.shells, 13);
        ck_assert_double_eq_tol(a.shot, massive ? 3.0 * 89 / 39 / 39 : 3.0 / COUNT, 1e-14);
        for (i64 s = 1; s <= 4; s++) {
            f64 k, power;
            i64 modes;
            define(x, massive ? mass : NULL, COUNT, box, s, &k, &power, &modes);
            ck_assert_int_eq(a.modes[s - 1], modes);
            ck_assert_double_eq_tol(a.k[s - 1] / k, 1, 1e-13);
            ck_assert_double_eq_tol(a.power[s - 1] / power, 1, 1e-4);
        }
    }
}
END_TEST

/* Of a lattice of 4 a side all modes vanish but those of whole turns from site to site,
 * which are 1: 6 of the 4th shell. Images alias by (1/3)^4 on one mesh, (1/7)^4 on two. */
START_TEST(lattice) {
    f64 x[3 * 64], error[2];
    for (int i = 0; i < 64; i++) {
        x[3 * i] = 2.5 * (i / 16) + 0.02;
        x[3 * i + 1] = 2.5 * (i / 4 % 4) + 0.02;
        x[3 * i + 2] = 2.5 * (i % 4) + 0.02;
    }
    for (int plain = 0; plain < 2; plain++) {
        const weft_power_options o = {.n = {16, 16, 16},
                                      .box = {10, 10, 10},
                                      .window = WEFT_MESH_PCS,
                                      .plain = plain};
        const answer a = of_particles(x, NULL, 64, &o);
        ck_assert_int_eq(a.shells, 7);
        for (i64 s = 0; s < 3; s++)
            ck_assert_double_eq_tol(a.power[s], 0, 1e-20);
        error[plain] = fabs(a.power[3] * (f64)a.modes[3] / 6 / 1000 - 1);
    }
    ck_assert_double_eq_tol(error[0], 0, 1.5e-3);
    ck_assert(error[1] > 1e-2);
}
END_TEST

/* Random particles have the shot noise at every wave number, windows or not. */
START_TEST(noise) {
    enum { COUNT = 3000 };
    static f64 x[3 * COUNT];
    u64 seed = 2;
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] = random_unit(&seed);
    for (int window = 1; window <= 4; window++) {
        if ((window + first_kind) % kind_step != 0)
            continue;
        const weft_power_options o = {
            .n = {16, 16, 16}, .box = {1, 1, 1}, .window = (weft_mesh_window)window};
        const answer a = of_particles(x, NULL, COUNT, &o);
        f64 sum = 0, modes = 0;
        for (i64 s = 0; s < 4; s++)
            sum += a.power[s] * (f64)a.modes[s], modes += (f64)a.modes[s];
        ck_assert_double_eq_tol(sum / modes / a.shot, 1, 4 * sqrt(2 / modes));
    }
}
END_TEST

/* One wave of amplitude 0.5 in a density: two modes of a quarter of its square. */
START_TEST(wave) {
    const i64 n[3] = {8, 12, 10}, all = 960;
    f64 density[960];
    i64 units[960];
    for (i64 i = 0; i < all; i++) {
        const f64 angle =
            2 * pi *
            (1 * (f64)(i / 120) / 8 + 2 * (f64)(i / 10 % 12) / 12 - 2 * (f64)(i % 10) / 10);
        density[i] = 3 * (1 + 0.5 * cos(angle + 0.4));
        units[i] = llrint(density[i] * 0x1p50);
    }
    for (int kind = 0; kind < 3; kind++) {
        const weft_power_options o = {.n = {n[0], n[1], n[2]},
                                      .box = {5, 5, 5},
                                      .window = (weft_mesh_window)(kind == 2)};
        const weft_array a = kind == 1 ? test_array(WEFT_I64, units, all)
                                       : test_array(WEFT_F64, density, all);
        const f64 fall =
            pi / 8 / sin(pi / 8) * (pi / 6 / sin(pi / 6)) * (pi / 5 / sin(pi / 5));
        f64 k[3], power[3];
        i64 modes[3];
        ck_assert_int_eq(weft_power_shells(&o), 3);
        weft_power_density(device, a, &o, k, power, modes);
        test_ok();
        for (int s = 0; s < 3; s++)
            ck_assert_double_eq_tol(
                power[s] * (f64)modes[s],
                s == 2 ? 2 * 125 * 0.0625 * (kind == 2 ? fall * fall : 1) : 0, 1e-12);
    }
}
END_TEST

/* A slab of all planes, which asks what a process alone does by itself. */
typedef struct alone {
    const weft_points *points;
    const weft_power_options *o;
    int turns;
} alone;

static weft_status in_turn(void *user, weft_device *d, weft_power_add *add, void *context,
                           void *sum, i64 bytes) {
    ck_assert_int_gt(bytes, 0);
    ((alone *)user)->turns++;
    add(context, sum);
    return weft_check(d);
}

static weft_status deposit_all(void *user, weft_device *d, const weft_mesh_options *options,
                               weft_array mesh) {
    return weft_mesh_deposit(d, ((alone *)user)->points, (weft_array){0}, options, mesh);
}

static weft_status transform_all(void *user, weft_device *d, weft_array real,
                                 weft_array spectrum) {
    return weft_fourier_transform(d, ((alone *)user)->o->n, WEFT_FOURIER_FORWARD, real,
                                  spectrum);
}

static weft_status copy_all(void *user, weft_device *d, weft_array rows,
                            weft_array planes) {
    (void)user;
    return weft_copy(d, rows, planes);
}

START_TEST(slab) {
    enum { COUNT = 40 };
    f64 x[3 * COUNT], k[MOST], power[MOST], shot, density[8 * 6 * 4];
    i64 modes[MOST];
    u64 seed = 9;
    for (int i = 0; i < 3 * COUNT; i++)
        x[i] = random_unit(&seed);
    for (int i = 0; i < 8 * 6 * 4; i++)
        density[i] = random_unit(&seed);
    weft_power_options o = {.n = {8, 6, 4}, .box = {1, 1, 1}, .window = WEFT_MESH_TSC};
    const weft_array at = test_array(WEFT_F64, x, 3 * COUNT), none = {0};
    const weft_points points = weft_points_interleaved(device, at);
    const answer a = of_particles(x, NULL, COUNT, &o);
    alone user = {&points, &o, 0};
    weft_power_slab all = {.planes = 8,
                           .rows = 6,
                           .columns = 3,
                           .in_turn = in_turn,
                           .deposit = deposit_all,
                           .transform = transform_all,
                           .to_planes = copy_all,
                           .user = &user};
    o.slab = &all;
    weft_power_particles(device, &points, none, &o, k, power, modes, &shot);
    test_ok();
    ck_assert_int_eq(user.turns, 4); /* masses, units of two meshes, shells */
    ck_assert(shot == a.shot);
    ck_assert_mem_eq(power, a.power, (size_t)a.shells * sizeof *power);
    ck_assert_mem_eq(k, a.k, (size_t)a.shells * sizeof *k);
    ck_assert_mem_eq(modes, a.modes, (size_t)a.shells * sizeof *modes);
    const weft_array grid = test_array(WEFT_F64, density, 8 * 6 * 4);
    f64 other[MOST];
    weft_power_density(device, grid, &o, k, power, modes);
    o.slab = NULL;
    weft_power_density(device, grid, &o, k, other, modes);
    test_ok();
    ck_assert_mem_eq(power, other, (size_t)a.shells * sizeof *power);
    o.slab = &all;
    all.first_row = 1;
    weft_power_particles(device, &points, none, &o, k, power, modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "6 rows from 1 on");
    all.first_row = 0, all.in_turn = NULL;
    weft_power_density(device, grid, &o, k, power, modes);
    test_expect_error(WEFT_E_ARGUMENT, "a slab lacks a function");
}
END_TEST

START_TEST(wrong_arguments) {
    f64 x[6] = {0}, k[MOST], power[MOST];
    i64 modes[MOST];
    const weft_array at = test_array(WEFT_F64, x, 6), none = {0};
    const weft_points points = weft_points_interleaved(device, at);
    weft_power_options o = {.n = {4, 4, 4}, .box = {1, 1, 1}, .window = WEFT_MESH_CIC};
    weft_power_particles(device, &points, weft_slice(device, at, 0, 2), &o, k, power, modes,
                         NULL);
    test_expect_error(WEFT_E_ARGUMENT, "the masses of 2 particles add up to 0");
    const f64 wrong[] = {NAN, INFINITY, -1};
    const char *const told[] = {"mass nan of particle 1 ", "inf of particle 1 ",
                                "mass -1 of particle 1 "};
    f64 density[64] = {0};
    for (int w = 0; w < 3; w++) {
        const f64 mass[2] = {3, wrong[w]};
        weft_power_particles(device, &points, test_array(WEFT_F64, mass, 2), &o, k, power,
                             modes, NULL);
        test_expect_error(WEFT_E_ARGUMENT, told[w]);
        density[17] = wrong[w];
        weft_power_density(device, test_array(WEFT_F64, density, 64), &o, k, power, modes);
        if (w < 2)
            test_expect_error(WEFT_E_ARGUMENT, "density 17 is not finite");
        test_ok();
    }
    const f64 tiny[2] = {1e-306, 1e-306};
    weft_power_particles(device, &points, test_array(WEFT_F64, tiny, 2), &o, k, power,
                         modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "of 1e-306 and less, have no squares");
    ck_assert(weft_mesh_units(1e-306, 1e-306) <= 0x1p1000);
    const f64 huge[2] = {1e200, 1};
    weft_power_particles(device, &points, test_array(WEFT_F64, huge, 2), &o, k, power,
                         modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "of 1e+200 and less, have no squares");
    weft_power_particles(device, NULL, none, &o, k, power, modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "'points' is NULL");
    weft_power_density(device, at, &o, k, power, modes);
    test_expect_error(WEFT_E_SHAPE, "'density' has 6 elements, at least 64");
    o.n[0] = 11;
    weft_power_particles(device, &points, none, &o, k, power, modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "n[0] is 11, which has a factor");
    o.n[0] = 1;
    ck_assert_int_eq(weft_power_shells(&o), 0);
    o.box[2] = -1;
    weft_power_particles(device, &points, none, &o, k, power, modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "box[2] is -1");
    o.box[2] = 1, o.window = 0;
    weft_power_particles(device, &points, none, &o, k, power, modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "there is no window 0");
    o.window = (weft_mesh_window)(WEFT_MESH_PCS + 1);
    weft_power_particles(device, &points, none, &o, k, power, modes, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "there is no window 5");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition, lattice, noise, wave, slab, wrong_arguments};
    return test_main(argc, argv, "power", tests, sizeof tests / sizeof *tests);
}
