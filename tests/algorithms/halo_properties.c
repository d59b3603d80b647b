/* Halo properties against their definition in long double, and against themselves. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/halo_properties.h>

/* One particle set: halos of given sizes, the rest outside. */
typedef struct scene {
    i64 n, count;
    f64 *x, *v, *m; /* [3 n], [3 n], [n] */
    i64 *offset;
    u32 *member;
} scene;

typedef struct properties {
    f64 *mass, *center, *radius, *velocity, *dispersion;
    u8 *wraps;
} properties;

static f64 uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

/* Halos of these sizes at random places of a box, some over its faces, some positions a few
 * boxes outside; members are scattered over the particles. */
static scene scene_new(const i64 *sizes, i64 count, f64 box, f64 width, u64 seed) {
    scene s = {.count = count, .offset = calloc((size_t)count + 1, sizeof(i64))};
    for (i64 h = 0; h < count; h++)
        s.offset[h + 1] = s.offset[h] + sizes[h];
    const i64 members = s.offset[count];
    s.n = members + 100;
    s.x = malloc((size_t)(3 * s.n) * sizeof(f64));
    s.v = malloc((size_t)(3 * s.n) * sizeof(f64));
    s.m = malloc((size_t)s.n * sizeof(f64));
    s.member = malloc((size_t)(members + 1) * sizeof(u32));
    for (i64 i = 0; i < 3 * s.n; i++)
        s.x[i] = box * uniform(&seed), s.v[i] = 1000 * uniform(&seed) - 300;
    for (i64 i = 0; i < s.n; i++)
        s.m[i] = 0.5 + uniform(&seed);
    u32 *order = malloc((size_t)s.n * sizeof *order);
    for (i64 i = 0; i < s.n; i++)
        order[i] = (u32)i;
    for (i64 i = s.n - 1; i > 0; i--) {
        const i64 j = (i64)(test_random(&seed) % (u64)(i + 1));
        const u32 kept = order[i];
        order[i] = order[j], order[j] = kept;
    }
    memcpy(s.member, order, (size_t)members * sizeof(u32));
    free(order);
    for (i64 h = 0; h < count; h++) {
        f64 center[3];
        for (int axis = 0; axis < 3; axis++)
            center[axis] = box * uniform(&seed);
        for (i64 k = s.offset[h]; k < s.offset[h + 1]; k++)
            for (int axis = 0; axis < 3; axis++)
                s.x[3 * (i64)s.member[k] + axis] =
                    center[axis] + width * (uniform(&seed) - 0.5) +
                    (k % 7 == 0 ? box * (f64)(k % 5 - 2) : 0);
    }
    return s;
}

static void scene_free(scene *s) {
    free(s->x), free(s->v), free(s->m), free(s->offset), free(s->member);
}

static properties properties_new(i64 count) {
    const size_t n = (size_t)count + 1;
    return (properties){calloc(n, 8),     calloc(3 * n, 8), calloc(n, 8),
                        calloc(3 * n, 8), calloc(n, 8),     calloc(n, 1)};
}

static void properties_free(properties *p) {
    free(p->mass), free(p->center), free(p->radius);
    free(p->velocity), free(p->dispersion), free(p->wraps);
}

static f32 *narrow(const f64 *values, i64 n) {
    f32 *out = malloc((size_t)(n + 1) * sizeof *out);
    for (i64 i = 0; i < n; i++)
        out[i] = (f32)values[i];
    return out;
}

static weft_array lend(weft_device *on, weft_type type, const f64 *wide, const f32 *slim,
                       i64 n) {
    const weft_array array = weft_array_new(on, type, n);
    weft_write(on, array, type == WEFT_F64 ? (const void *)wide : slim);
    return array;
}

/* What the device makes of the scene, in arrays of this type. */
static properties measured(weft_device *on, const scene *s, const f64 box[3],
                           weft_type type) {
    const i64 members = s->offset[s->count];
    f32 *x = narrow(s->x, 3 * s->n), *v = narrow(s->v, 3 * s->n), *m = narrow(s->m, s->n);
    const weft_array position = lend(on, type, s->x, x, 3 * s->n);
    const weft_bodies bodies = {.points = weft_points_interleaved(on, position),
                                .velocity = lend(on, type, s->v, v, 3 * s->n),
                                .mass = lend(on, type, s->m, m, s->n),
                                .box = {box[0], box[1], box[2]}};
    weft_halos halos = {.count = s->count, .members = members};
    halos.offset = weft_array_new(on, WEFT_I64, s->count + 1);
    halos.member = weft_array_new(on, WEFT_U32, members);
    weft_write(on, halos.offset, s->offset);
    weft_write(on, halos.member, s->member);
    weft_halo_properties out;
    weft_halos_measure(on, &bodies, &halos, &out);
    properties p = properties_new(s->count);
    weft_read(on, out.mass, p.mass);
    weft_read(on, out.center_of_mass, p.center);
    weft_read(on, out.radius_max, p.radius);
    weft_read(on, out.velocity, p.velocity);
    weft_read(on, out.dispersion, p.dispersion);
    weft_read(on, out.wraps, p.wraps);
    ck_assert_msg(weft_check(on) == WEFT_OK, "%s", weft_error(on));
    weft_halo_properties_free(on, &out);
    free(x), free(v), free(m);
    return p;
}

static f64 as_read(f64 value, weft_type type) {
    const volatile f32 narrow = (f32)value; /* gcc 12 -O3 skips the rounding of others */
    return type == WEFT_F32 ? (f64)narrow : value;
}

/* One halo by the definition. */
static void define(const scene *s, const f64 box[3], weft_type type, i64 h,
                   const properties *p) {
    const i64 first = s->offset[h], end = s->offset[h + 1];
    const i64 tag = s->member[first];
    long double mass = 0, mean[3] = {0}, drift[3] = {0}, square = 0, farthest = 0;
    f64 low[3] = {0}, high[3] = {0};
    for (i64 k = first; k < end; k++) {
        const i64 i = s->member[k];
        const f64 m = as_read(s->m[i], type);
        mass += m;
        for (int axis = 0; axis < 3; axis++) {
            f64 d = as_read(s->x[3 * i + axis], type) - as_read(s->x[3 * tag + axis], type);
            d = box[axis] > 0 ? remainder(d, box[axis]) : d;
            mean[axis] += (long double)m * d;
            drift[axis] += (long double)m * as_read(s->v[3 * i + axis], type);
            low[axis] = fmin(low[axis], d), high[axis] = fmax(high[axis], d);
        }
    }
    for (int axis = 0; axis < 3; axis++)
        mean[axis] /= mass, drift[axis] /= mass;
    for (i64 k = first; k < end; k++) {
        const i64 i = s->member[k];
        long double r2 = 0, v2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            f64 d = as_read(s->x[3 * i + axis], type) - as_read(s->x[3 * tag + axis], type);
            d = box[axis] > 0 ? remainder(d, box[axis]) : d;
            const long double from = d - mean[axis];
            const long double v = as_read(s->v[3 * i + axis], type) - drift[axis];
            r2 += from * from, v2 += v * v;
        }
        farthest = r2 > farthest ? r2 : farthest;
        square += as_read(s->m[i], type) * v2;
    }
    ck_assert_double_eq_tol(p->mass[h], (f64)mass, 1e-12 * (f64)mass);
    ck_assert_double_eq_tol(p->radius[h], (f64)sqrtl(farthest), 1e-9);
    ck_assert_double_eq_tol(p->dispersion[h], (f64)sqrtl(square / (3 * mass)), 1e-9);
    int far = 0;
    for (int axis = 0; axis < 3; axis++) {
        const f64 center = p->center[3 * h + axis];
        f64 off = center - as_read(s->x[3 * tag + axis], type) - (f64)mean[axis];
        if (box[axis] > 0) {
            ck_assert(center >= 0 && center < box[axis]);
            off = remainder(off, box[axis]);
            far |= high[axis] - low[axis] >= box[axis] / 2;
        }
        ck_assert_double_eq_tol(off, 0, 1e-9);
        ck_assert_double_eq_tol(p->velocity[3 * h + axis], (f64)drift[axis], 1e-9);
    }
    ck_assert_int_eq(p->wraps[h], far);
}

/* Sizes around those of a block, largest first as halos come. */
static const i64 halo_sizes[] = {100003, 5000, 1025, 1024, 1023, 513, 512, 511, 300, 257,
                                 256,    256,  255,  65,   64,   63,  20,  2,   1,   1};
static const i64 halo_count = sizeof halo_sizes / sizeof *halo_sizes;

START_TEST(definition) {
    const f64 boxes[][3] = {{100, 100, 100}, {0, 0, 0}, {100, 0, 100}};
    const weft_type types[] = {WEFT_F32, WEFT_F64};
    for (int b = 0; b < 3; b++)
        for (int t = 0; t < 2; t++) {
            scene s = scene_new(halo_sizes, halo_count, 100, 4, (u64)(b + 1));
            properties p = measured(device, &s, boxes[b], types[t]);
            for (i64 h = 0; h < s.count; h++)
                define(&s, boxes[b], types[t], h, &p);
            properties_free(&p);
            scene_free(&s);
        }
}
END_TEST

/* Halos wider than half the box are flagged, narrower ones are not. */
START_TEST(wide) {
    const f64 box[3] = {100, 100, 100};
    const i64 sizes[] = {400, 300, 300};
    const f64 widths[] = {49, 75};
    for (int w = 0; w < 2; w++) {
        scene s = scene_new(sizes, 3, 100, widths[w], 7);
        properties p = measured(device, &s, box, WEFT_F64);
        for (i64 h = 0; h < 3; h++) {
            define(&s, box, WEFT_F64, h, &p);
            ck_assert_int_eq(p.wraps[h], w);
        }
        properties_free(&p);
        scene_free(&s);
    }
}
END_TEST

/* The same bits as the serial backend gives, and whatever halos stand before a halo. */
START_TEST(repeats) {
    const f64 box[3] = {100, 100, 100};
    weft_device *serial = weft_open("serial");
    scene s = scene_new(halo_sizes, halo_count, 100, 4, 11);
    properties here = measured(device, &s, box, WEFT_F64);
    scene rest = s;
    rest.count = s.count - 3, rest.offset = s.offset + 3;
    const i64 skipped = rest.offset[0];
    i64 *offset = malloc(((size_t)rest.count + 1) * sizeof *offset);
    for (i64 h = 0; h <= rest.count; h++)
        offset[h] = rest.offset[h] - skipped;
    rest.offset = offset, rest.member = s.member + skipped;
    properties alone = measured(device, &rest, box, WEFT_F64);
    ck_assert_mem_eq(alone.center, here.center + 9, (size_t)rest.count * 3 * sizeof(f64));
    ck_assert_mem_eq(alone.radius, here.radius + 3, (size_t)rest.count * sizeof(f64));
    ck_assert_mem_eq(alone.dispersion, here.dispersion + 3,
                     (size_t)rest.count * sizeof(f64));
    if (weft_check(serial) == WEFT_OK) {
        const size_t bytes = (size_t)s.count * sizeof(f64);
        properties there = measured(serial, &s, box, WEFT_F64);
        ck_assert_mem_eq(here.mass, there.mass, bytes);
        ck_assert_mem_eq(here.center, there.center, 3 * bytes);
        ck_assert_mem_eq(here.radius, there.radius, bytes);
        ck_assert_mem_eq(here.velocity, there.velocity, 3 * bytes);
        ck_assert_mem_eq(here.dispersion, there.dispersion, bytes);
        properties_free(&there);
    }
    weft_close(serial);
    free(offset);
    properties_free(&alone);
    properties_free(&here);
    scene_free(&s);
}
END_TEST

static weft_halos two_halos(void) {
    static const i64 offset[] = {0, 2, 3};
    static const u32 member[] = {0, 2, 1};
    weft_halos halos = {.count = 2, .members = 3};
    halos.offset = test_array(WEFT_I64, offset, 3);
    halos.member = test_array(WEFT_U32, member, 3);
    return halos;
}

/* No velocities, no masses, columns of their own, far from the origin; and no halo. */
START_TEST(bare) {
    const f64 x[] = {9.5, 3, 0.5}, y[] = {1e9, 5, 1e9 + 1}, z[] = {0, -0.25, 0};
    weft_bodies bodies = {.points = weft_points_separate(device, test_array(WEFT_F64, x, 3),
                                                         test_array(WEFT_F64, y, 3),
                                                         test_array(WEFT_F64, z, 3)),
                          .particle_mass = 2.5,
                          .box = {10, 0, 0}};
    const weft_halos halos = two_halos();
    weft_halo_properties out;
    f64 mass[2], center[6], radius[2];
    weft_halos_measure(device, &bodies, &halos, &out);
    weft_read(device, out.mass, mass);
    weft_read(device, out.center_of_mass, center);
    weft_read(device, out.radius_max, radius);
    test_ok();
    const f64 expected[] = {0, 1e9 + 0.5, 0, 3, 5, -0.25};
    ck_assert_mem_eq(center, expected, sizeof expected);
    ck_assert(mass[0] == 5 && mass[1] == 2.5);
    ck_assert(radius[0] == sqrt(0.5) && radius[1] == 0);
    ck_assert(out.velocity.type == 0 && out.dispersion.type == 0);
    weft_halo_properties_free(device, &out);

    const i64 zero = 0;
    const weft_halos nothing = {.offset = test_array(WEFT_I64, &zero, 1),
                                .member = test_array(WEFT_U32, NULL, 0)};
    bodies.particle_mass = 1;
    weft_halos_measure(device, &bodies, &nothing, &out);
    test_ok();
    ck_assert_int_eq(out.mass.length, 0);
    weft_halo_properties_free(device, &out);
}
END_TEST

/* A halo is flagged from half of the box on, and measured right up to there; what is too
 * far apart for f64 is measured in finite time; just below 0 is not the box. */
START_TEST(half) {
    const f64 huge = 1.7e308;
    const f64 x[] = {50, 25, 75, 50, 25, 74.875, -huge, huge, -1e-20};
    const i64 offset[] = {0, 3, 6, 8, 9};
    const u32 member[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const f64 zeros[9] = {0};
    const weft_array flat = test_array(WEFT_F64, zeros, 9);
    const weft_bodies bodies = {
        .points = weft_points_separate(device, test_array(WEFT_F64, x, 9), flat, flat),
        .particle_mass = 1,
        .box = {100, 100, 100}};
    weft_halos halos = {.count = 4, .members = 9};
    halos.offset = test_array(WEFT_I64, offset, 5);
    halos.member = test_array(WEFT_U32, member, 9);
    weft_halo_properties out;
    u8 wraps[4];
    f64 center[12], radius[4];
    weft_halos_measure(device, &bodies, &halos, &out);
    weft_read(device, out.wraps, wraps);
    weft_read(device, out.center_of_mass, center);
    weft_read(device, out.radius_max, radius);
    test_ok();
    ck_assert(wraps[0] == 1 && wraps[1] == 0);
    ck_assert(center[0] == 50 && radius[0] == 25);
    ck_assert(center[9] == 0);
    weft_halo_properties_free(device, &out);
}
END_TEST

START_TEST(wrong_arguments) {
    const f64 x[] = {1, 2, 3};
    const weft_array good = test_array(WEFT_F64, x, 3);
    const weft_array slice = weft_slice(device, good, 0, 2);
    const weft_bodies bodies = {.points = weft_points_separate(device, good, good, good),
                                .particle_mass = 1};
    const weft_halos halos = two_halos();
    weft_bodies b = bodies;
    weft_halo_properties out;
    b.points.y = slice;
    weft_halos_measure(device, &b, &halos, &out);
    test_expect_error(WEFT_E_SHAPE, "weft_halos_measure: y has fewer than 3 coordinates");
    b = bodies, b.points.z = weft_as(device, good, WEFT_I64);
    weft_halos_measure(device, &b, &halos, &out);
    test_expect_error(WEFT_E_TYPE, "z coordinates are neither f32 nor f64");
    b = bodies, b.velocity = good;
    weft_halos_measure(device, &b, &halos, &out);
    test_expect_error(WEFT_E_SHAPE, "'velocity' has 3 elements, at least 9");
    b = bodies, b.mass = slice;
    weft_halos_measure(device, &b, &halos, &out);
    test_expect_error(WEFT_E_SHAPE, "'mass' has 2 elements, at least 3");
    b = bodies, b.particle_mass = 0;
    weft_halos_measure(device, &b, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "particle_mass is 0, not above 0");
    b.particle_mass = NAN;
    weft_halos_measure(device, &b, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "particle_mass is nan");
    b = bodies, b.box[1] = -1;
    weft_halos_measure(device, &b, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "box[1] is -1");
    ck_assert(out.mass.type == 0 && out.center_of_mass.type == 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition, wide, repeats, bare, half, wrong_arguments};
    return test_main(argc, argv, "halo_properties", tests, sizeof tests / sizeof *tests);
}
