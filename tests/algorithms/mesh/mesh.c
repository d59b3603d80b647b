/* Masses on a mesh against B-splines by their recursion, and what the two calls promise. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

/* The last one is wide enough for pencils. */
static const i64 grids[][3] = {{4, 5, 6}, {1, 2, 3}, {16, 8, 4}, {3, 3, 3}, {64, 70, 5}};
enum { GRIDS = 5, MOST = 64 * 70 * 5 };

static const f64 box[3] = {1, 2.5, 0.3};

/* The centered B-spline of so many points (Cox and de Boor). */
static f64 spline(int order, f64 x) {
    const f64 half = 0.5 * order;
    if (order == 1)
        return x >= -0.5 && x < 0.5;
    return ((half + x) * spline(order - 1, x + 0.5) +
            (half - x) * spline(order - 1, x - 0.5)) /
           (order - 1);
}

/* The share of an axis' point among n that a particle at x has there. */
static f64 share(int order, f64 x, i64 point, i64 n) {
    f64 sum = 0;
    for (i64 image = -8; image <= 8; image++) {
        const f64 away = x - floor(x / (f64)n) * (f64)n - (f64)(point + image * n);
        sum += fabs(away) <= 3 ? spline(order, away) : 0;
    }
    return sum;
}

/* The shares of all points of an axis, of many particles: [count][n]. */
static f64 *shares(int order, const f64 *x, i64 count, int axis, i64 n, f64 shift) {
    f64 *all = malloc((size_t)(count * n + 1) * sizeof *all);
    for (i64 i = 0; i < count; i++)
        for (i64 point = 0; point < n; point++)
            all[i * n + point] =
                share(order, x[3 * i + axis] / box[axis] * (f64)n + shift, point, n);
    return all;
}

typedef struct scene {
    i64 count;
    f64 *x, *mass;
} scene;

/* Anywhere, some outside of the box, some on points of the mesh and halfway. */
static scene scene_new(i64 count, const i64 n[3], u64 seed) {
    scene s = {count, malloc((size_t)(3 * count + 1) * sizeof(f64)),
               malloc((size_t)(count + 1) * sizeof(f64))};
    for (i64 i = 0; i < 3 * count; i++) {
        const f64 random = (f64)(test_random(&seed) >> 11) * 0x1p-53;
        const f64 at =
            i / 3 % 4 == 0 ? floor(8 * random) / 2 / (f64)n[i % 3] : 3 * random - 1;
        s.x[i] = (f64)(f32)(at * box[i % 3]);
    }
    for (i64 i = 0; i < count; i++)
        s.mass[i] = (f64)(f32)(i % 5 == 0 ? 0 : (f64)(i % 7) + 0.25);
    return s;
}

static void scene_free(scene *s) {
    free(s->x), free(s->mass);
}

static weft_array floats(weft_type type, const f64 *x, i64 n) {
    f32 *narrow = malloc((size_t)(n + 1) * sizeof *narrow);
    for (i64 i = 0; i < n; i++)
        narrow[i] = (f32)x[i];
    const weft_array a =
        type == WEFT_F64 ? test_array(type, x, n) : test_array(type, narrow, n);
    free(narrow);
    return a;
}

static weft_mesh_options options_of(const i64 n[3], int order, f64 units) {
    return (weft_mesh_options){.n = {n[0], n[1], n[2]},
                               .box = {box[0], box[1], box[2]},
                               .units = units,
                               .window = (weft_mesh_window)order};
}

static void deposit(const scene *s, weft_type type, int massive, const weft_mesh_options *o,
                    i64 *mesh) {
    const i64 planes = o->planes > 0 ? o->planes : o->n[0];
    const i64 cells = planes * o->n[1] * o->n[2], zero = 0;
    const weft_array x = floats(type, s->x, 3 * s->count);
    const weft_array mass = massive ? floats(type, s->mass, s->count) : (weft_array){0};
    const weft_array out = weft_array_new(device, WEFT_I64, cells);
    const weft_points points = weft_points_interleaved(device, x);
    weft_fill(device, out, &zero);
    weft_mesh_deposit(device, &points, mass, o, out);
    weft_read(device, out, mesh);
    test_ok();
    weft_array_free(device, x);
    if (massive)
        weft_array_free(device, mass);
    weft_array_free(device, out);
}

START_TEST(definition) {
    static const i64 counts[] = {0, 1, 3, 50};
    static i64 mesh[MOST];
    int kind = 0;
    for (int g = 0; g < GRIDS; g++)
        for (int order = 1; order <= 4; order++, kind++) {
            const i64 *n = grids[g], cells = n[0] * n[1] * n[2], count = counts[kind % 4];
            scene s = scene_new(count, n, (u64)kind);
            const int massive = kind % 3 > 0;
            weft_mesh_options o = options_of(n, order, 0x1p40);
            for (int k = 0; k < 3; k++)
                o.shift[k] = kind % 2 ? 0.5 * k - 0.5 : 0;
            deposit(&s, kind % 5 < 3 ? WEFT_F32 : WEFT_F64, massive, &o, mesh);
            i64 sum = 0, whole = 0;
            f64 *of[3];
            for (int k = 0; k < 3; k++)
                of[k] = shares(order, s.x, count, k, n[k], o.shift[k]);
            for (i64 i = 0; i < count; i++)
                whole += (i64)((massive ? s.mass[i] : 1) * o.units);
            for (i64 c = 0; c < cells; c++) {
                const i64 at[3] = {c / (n[1] * n[2]), c / n[2] % n[1], c % n[2]};
                f64 expected = 0;
                for (i64 i = 0; i < count; i++)
                    expected += (massive ? s.mass[i] : 1) * o.units *
                                of[0][i * n[0] + at[0]] * of[1][i * n[1] + at[1]] *
                                of[2][i * n[2] + at[2]];
                sum += mesh[c];
                if (!(fabs((f64)mesh[c] - expected) <= (f64)count * (3 + o.units * 1e-14)))
                    ck_abort_msg("grid %d, order %d: point %lld has %lld, not %g", g, order,
                                 (long long)c, (long long)mesh[c], expected);
            }
            ck_assert_int_eq(sum, whole);
            free(of[0]), free(of[1]), free(of[2]);
            scene_free(&s);
        }
}
END_TEST

/* Any order of particles, and the serial backend where it is built in; by atomic sums and
 * by pencils, where devices differ in that. */
static void same_bytes_on(const i64 n[3], i64 count) {
    static i64 one[MOST], two[MOST], three[MOST];
    const size_t bytes = (size_t)(n[0] * n[1] * n[2]) * sizeof *one;
    scene s = scene_new(count, n, 5), turned = scene_new(count, n, 5);
    for (i64 i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            turned.x[3 * i + k] = s.x[3 * (count - 1 - i) + k];
        turned.mass[i] = s.mass[count - 1 - i];
    }
    const weft_mesh_options o = options_of(n, WEFT_MESH_PCS, 12345.678);
    deposit(&s, WEFT_F64, 1, &o, one);
    deposit(&turned, WEFT_F64, 1, &o, two);
    ck_assert_mem_eq(one, two, bytes);
    weft_device *here = device, *serial = weft_open("serial");
    if (weft_check(serial) == WEFT_OK) {
        device = serial;
        deposit(&s, WEFT_F64, 1, &o, three);
        device = here;
        ck_assert_mem_eq(one, three, bytes);
    }
    weft_close(serial);
    scene_free(&s), scene_free(&turned);
}

START_TEST(same_bytes) {
    same_bytes_on(grids[2], 200);
    same_bytes_on(grids[4], 3000);
}
END_TEST

/* Some planes have what they have of the whole mesh, some around its end; where each plane
 * of a particle is told. */
START_TEST(planes) {
    static const i64 some[][2] = {{0, 1}, {3, 7}, {40, 24}, {60, 20}, {63, 64}, {5, 62}};
    static i64 whole[MOST], part[MOST];
    for (int order = 1; order <= 4; order++) {
        const i64 *n = grids[4], area = n[1] * n[2];
        scene s = scene_new(3000, n, (u64)order);
        weft_mesh_options o = options_of(n, order, 0x1p40);
        o.shift[0] = 0.5 * (order % 2);
        deposit(&s, WEFT_F64, 1, &o, whole);
        for (int k = 0; k < 6; k++) {
            o.first_plane = some[k][0], o.planes = some[k][1];
            deposit(&s, WEFT_F64, 1, &o, part);
            for (i64 x = 0; x < o.planes; x++)
                ck_assert_mem_eq(part + x * area, whole + (o.first_plane + x) % n[0] * area,
                                 (size_t)area * sizeof *part);
        }
        f64 mass = 1;
        const scene alone = {1, s.x + 3, &mass};
        o.first_plane = weft_mesh_plane(&o, s.x[3]), o.planes = order;
        deposit(&alone, WEFT_F64, 1, &o, part);
        i64 sum = 0;
        for (i64 c = 0; c < order * area; c++)
            sum += part[c];
        ck_assert_int_eq(sum, (i64)1 << 40);
        scene_free(&s);
    }
}
END_TEST

/* What is gathered is the transpose of what is deposited, for both types of meshes. */
START_TEST(transpose) {
    const i64 *n = grids[2], cells = 16 * 8 * 4, count = 60;
    for (int order = 1; order <= 4; order++) {
        scene s = scene_new(count, n, (u64)order);
        static i64 mesh[MOST];
        static f64 field[MOST];
        f64 got[60], left = 0, right = 0;
        u64 seed = 9;
        for (i64 c = 0; c < cells; c++)
            field[c] = (f64)(f32)((f64)(i64)test_random(&seed) * 0x1p-63);
        const weft_mesh_options o = options_of(n, order, 0x1p44);
        deposit(&s, WEFT_F64, 1, &o, mesh);
        const weft_array x = floats(WEFT_F64, s.x, 3 * count);
        const weft_array f = floats(order % 2 ? WEFT_F32 : WEFT_F64, field, cells);
        const weft_array out = weft_array_new(device, WEFT_F64, count);
        const weft_points points = weft_points_interleaved(device, x);
        weft_mesh_gather(device, &points, &o, f, out);
        weft_read(device, out, got);
        test_ok();
        for (i64 i = 0; i < count; i++)
            left += s.mass[i] * got[i];
        for (i64 c = 0; c < cells; c++)
            right += (f64)mesh[c] / o.units * field[c];
        ck_assert_double_eq_tol(left, right, 1e-10);
        scene_free(&s);
    }
}
END_TEST

/* A force between points that is antisymmetric: all particles together feel none, nor does
 * one alone. */
START_TEST(momentum) {
    const i64 *n = grids[0], cells = 4 * 5 * 6;
    for (i64 count = 1; count <= 5; count += 4) {
        scene s = scene_new(count, n, 3);
        static i64 mesh[MOST];
        static f64 force[MOST];
        f64 got[5], sum = 0, size = 0;
        const weft_mesh_options o = options_of(n, WEFT_MESH_TSC, 0x1p44);
        deposit(&s, WEFT_F64, 0, &o, mesh);
        for (i64 c = 0; c < cells; c++) {
            force[c] = 0;
            for (i64 b = 0; b < cells; b++) {
                const f64 angle[3] = {
                    2 * 3.14159265358979323846 * (f64)(c / 30 - b / 30) / 4,
                    2 * 3.14159265358979323846 * (f64)(c / 6 % 5 - b / 6 % 5) / 5,
                    2 * 3.14159265358979323846 * (f64)(c % 6 - b % 6) / 6};
                force[c] +=
                    (f64)mesh[b] / o.units * sin(angle[0] + 2 * angle[1] + angle[2]);
            }
        }
        const weft_array x = floats(WEFT_F64, s.x, 3 * count);
        const weft_array out = weft_array_new(device, WEFT_F64, count);
        const weft_points points = weft_points_interleaved(device, x);
        weft_mesh_gather(device, &points, &o, test_array(WEFT_F64, force, cells), out);
        weft_read(device, out, got);
        test_ok();
        for (i64 i = 0; i < count; i++)
            sum += got[i], size += fabs(got[i]);
        ck_assert_double_eq_tol(sum, 0, 1e-12);
        ck_assert(count == 1 || size > 0.01);
        scene_free(&s);
    }
}
END_TEST

START_TEST(wrong_arguments) {
    f64 x[6] = {0.1, 0.2, 0.3, 0.1, 0.2, 0.3}, mass[2] = {1, -1};
    const i64 n[3] = {2, 2, 2};
    const weft_array mesh = weft_array_new(device, WEFT_I64, 8);
    const weft_array at = test_array(WEFT_F64, x, 6), m = test_array(WEFT_F64, mass, 2);
    const weft_points points = weft_points_interleaved(device, at);
    weft_mesh_options o = options_of(n, 2, 1);
    weft_mesh_deposit(device, &points, m, &o, mesh);
    test_expect_error(WEFT_E_ARGUMENT, "the mass of particle 1 is below 0");
    o.units = 0x1p53;
    weft_mesh_deposit(device, &points, (weft_array){0}, &o, mesh);
    test_expect_error(WEFT_E_ARGUMENT, "the mass of particle 0 is below 0, or above 2^52");
    o.units = 0;
    weft_mesh_deposit(device, &points, (weft_array){0}, &o, mesh);
    test_expect_error(WEFT_E_ARGUMENT, "units is 0, not above 0");
    o = options_of(n, 5, 1);
    weft_mesh_deposit(device, &points, (weft_array){0}, &o, mesh);
    test_expect_error(WEFT_E_ARGUMENT, "there is no window 5");
    o = options_of(n, 2, 1);
    o.box[1] = 0;
    weft_mesh_deposit(device, &points, (weft_array){0}, &o, mesh);
    test_expect_error(WEFT_E_ARGUMENT, "box[1] is 0, not a size");
    o = options_of(n, 2, 1);
    o.shift[2] = NAN;
    weft_mesh_gather(device, &points, &o, mesh, m);
    test_expect_error(WEFT_E_ARGUMENT, "shift[2] is nan");
    o = options_of(n, 2, 1);
    weft_mesh_gather(device, &points, &o, mesh, m);
    test_expect_error(WEFT_E_TYPE, "array 'mesh' is not of type f32 or f64");
    o.n[0] = 3;
    weft_mesh_deposit(device, &points, (weft_array){0}, &o, mesh);
    test_expect_error(WEFT_E_SHAPE, "array 'mesh' has 8 elements, at least 12");
    o.n[0] = 2, o.first_plane = 2;
    weft_mesh_deposit(device, &points, (weft_array){0}, &o, mesh);
    test_expect_error(WEFT_E_ARGUMENT, "0 planes from 2 on are not of the 2 of the mesh");
    o.first_plane = 1, o.planes = 1;
    weft_mesh_gather(device, &points, &o, mesh, m);
    test_expect_error(WEFT_E_ARGUMENT, "planes is 1, not 0");
    o.first_plane = o.planes = 0;
    x[4] = INFINITY;
    weft_write(device, at, x);
    o.n[0] = 2;
    weft_mesh_deposit(device, &points, (weft_array){0}, &o, mesh);
    test_expect_error(WEFT_E_ARGUMENT, "particle 1");
    ck_assert_double_eq(weft_mesh_units(1, 0x1p20), 0x1p42);
    ck_assert_double_eq(weft_mesh_units(3, 3), 0x1p48);
    ck_assert_double_eq(weft_mesh_units(1e-30, 1e-10) * 1e-10 > 0x1p60, 1);
    ck_assert_double_eq(weft_mesh_units(0, 0), 0x1p50);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition, same_bytes, planes,
                                  transpose,  momentum,   wrong_arguments};
    return test_main(argc, argv, "mesh", tests, sizeof tests / sizeof *tests);
}
