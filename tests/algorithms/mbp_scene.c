#include "mbp_scene.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BLOCKS = 1024 };

scene scene_new(const i64 *sizes, i64 count) {
    scene s = {.count = count, .type = WEFT_F64, .options = {.particle_mass = 1}};
    s.offset = calloc((size_t)count + 1, sizeof(i64));
    for (i64 h = 0; h < count; h++)
        s.offset[h + 1] = s.offset[h] + sizes[h];
    s.n = s.offset[count];
    s.x = calloc((size_t)(3 * s.n + 1), sizeof(f64));
    s.m = calloc((size_t)(s.n + 1), sizeof(f64));
    for (i64 k = 0; k < s.n; k++)
        s.m[k] = 1;
    return s;
}

void scene_free(scene *s) {
    free(s->x), free(s->m), free(s->offset);
}

static f64 as_read(const scene *s, f64 value) {
    const volatile f32 narrow = (f32)value; /* gcc 12 -O3 skips the rounding of others */
    return s->type == WEFT_F32 ? (f64)narrow : value;
}

/* A member's place relative to the first of its halo. */
static void unwrapped(const scene *s, i64 first, i64 k, f64 at[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const volatile f64 d =
            as_read(s, s->x[3 * k + axis]) - as_read(s, s->x[3 * first + axis]);
        const f64 box = s->options.box[axis];
        at[axis] = box > 0 ? remainder(d, box) : d;
    }
}

static f64 defined(const scene *s, i64 first, i64 end, i64 i, const f64 *at) {
    const volatile f64 soft2 = s->options.softening * s->options.softening;
    f64 block[MOST_BLOCKS] = {0};
    const f64 *me = at + 3 * (i - first);
    for (i64 j = first; j < end; j++) {
        const f64 *other = at + 3 * (j - first);
        volatile f64 square[3];
        for (int axis = 0; axis < 3; axis++) {
            const volatile f64 d = other[axis] - me[axis];
            square[axis] = d * d;
        }
        const volatile f64 xy = square[0] + square[1], r2 = xy + square[2], s2 = r2 + soft2;
        const f64 mass = s->has_mass ? as_read(s, s->m[j]) : s->options.particle_mass;
        if (j != i && s2 > 0)
            block[(j - first) / 256] += mass / sqrt(s2);
    }
    for (i64 blocks = (end - first + 255) / 256; blocks > 1; blocks = (blocks + 1) / 2)
        for (i64 b = 0; b < (blocks + 1) / 2; b++)
            block[b] = block[2 * b] + (2 * b + 1 < blocks ? block[2 * b + 1] : 0);
    return -block[0];
}

static weft_array lend(weft_type type, const f64 *values, i64 n, i64 parts) {
    f32 *narrow = malloc((size_t)(n * parts + 1) * sizeof *narrow);
    f64 *wide = malloc((size_t)(n * parts + 1) * sizeof *wide);
    for (i64 k = 0; k < n; k++)
        for (i64 part = 0; part < parts; part++) {
            wide[(n - 1 - k) * parts + part] = values[k * parts + part];
            narrow[(n - 1 - k) * parts + part] = (f32)values[k * parts + part];
        }
    const weft_array array =
        test_array(type, type == WEFT_F64 ? (void *)wide : narrow, n * parts);
    free(narrow), free(wide);
    return array;
}

/* A scene on the device; particles lie in memory in the opposite order of the members. */
typedef struct lent {
    weft_array position, mass;
    weft_points points;
    weft_halos halos;
} lent;

static lent lend_scene(const scene *s) {
    u32 *member = malloc((size_t)(s->n + 1) * sizeof *member);
    for (i64 k = 0; k < s->n; k++)
        member[k] = (u32)(s->n - 1 - k);
    lent l = {.position = lend(s->type, s->x, s->n, 3)};
    if (s->has_mass)
        l.mass = lend(s->type, s->m, s->n, 1);
    l.points = weft_points_interleaved(device, l.position);
    l.halos = (weft_halos){.count = s->count,
                           .members = s->n,
                           .offset = test_array(WEFT_I64, s->offset, s->count + 1),
                           .member = test_array(WEFT_U32, member, s->n)};
    free(member);
    return l;
}

static void end_lent(lent *l) {
    weft_array_free(device, l->position);
    weft_array_free(device, l->halos.offset);
    weft_array_free(device, l->halos.member);
    if (l->mass.type)
        weft_array_free(device, l->mass);
}

void scene_find(const scene *s, u32 *particle, f64 *potential) {
    lent l = lend_scene(s);
    const weft_array found = weft_array_new(device, WEFT_U32, s->count);
    const weft_array phi = weft_array_new(device, WEFT_F64, s->count);
    weft_mbp(device, &l.points, l.mass, &s->options, &l.halos, found, phi);
    weft_read(device, found, particle);
    weft_read(device, phi, potential);
    test_ok();
    for (i64 h = 0; h < s->count; h++)
        particle[h] = (u32)(s->n - 1) - particle[h];
    weft_array_free(device, found);
    weft_array_free(device, phi);
    end_lent(&l);
}

void scene_potential(const scene *s, f64 error, f64 *potential) {
    lent l = lend_scene(s);
    const weft_array phi = weft_array_new(device, WEFT_F64, s->n);
    weft_potential(device, &l.points, l.mass, &s->options, &l.halos, error, phi);
    weft_read(device, phi, potential);
    test_ok();
    weft_array_free(device, phi);
    end_lent(&l);
}

void scene_define(const scene *s, f64 *potential) {
    f64 *at = malloc((size_t)(3 * s->n + 1) * sizeof *at);
    for (i64 h = 0; h < s->count; h++) {
        const i64 first = s->offset[h], end = s->offset[h + 1];
        for (i64 k = first; k < end; k++)
            unwrapped(s, first, k, at + 3 * (k - first));
        for (i64 k = first; k < end; k++)
            potential[k] = defined(s, first, end, k, at);
    }
    free(at);
}

/* That bounds from all pairs lead to the same. */
static void compare_ways(const scene *s, const u32 *particle, const f64 *potential) {
    const size_t n = (size_t)s->count;
    u32 *other = malloc((n + 1) * sizeof *other);
    f64 *other_potential = malloc((n + 1) * sizeof *other_potential);
    scene by_pairs = *s;
    by_pairs.options.all_pairs = 1;
    scene_find(&by_pairs, other, other_potential);
    ck_assert_mem_eq(other, particle, n * sizeof *other);
    ck_assert_mem_eq(other_potential, potential, n * sizeof *other_potential);
    free(other), free(other_potential);
}

void scene_compare(const scene *s, i64 most) {
    u32 *particle = malloc((size_t)(s->count + 1) * sizeof *particle);
    f64 *potential = malloc((size_t)(s->count + 1) * sizeof *potential);
    f64 *at = malloc((size_t)(3 * s->n + 1) * sizeof *at);
    scene_find(s, particle, potential);
    compare_ways(s, particle, potential);
    for (i64 h = 0; h < s->count; h++) {
        const i64 first = s->offset[h], end = s->offset[h + 1];
        for (i64 k = first; k < end; k++)
            unwrapped(s, first, k, at + 3 * (k - first));
        i64 best = end - first > most ? particle[h] : first;
        f64 phi = defined(s, first, end, best, at);
        for (i64 k = first; k < end && end - first <= most; k++) {
            const f64 other = defined(s, first, end, k, at);
            best = other < phi ? k : best;
            phi = other < phi ? other : phi;
        }
        ck_assert_msg(particle[h] == best && potential[h] == phi,
                      "halo %lld of %lld: member %lld at %.17g, not %lld at %.17g",
                      (long long)h, (long long)(end - first),
                      (long long)(particle[h] - first), potential[h],
                      (long long)(best - first), phi);
    }
    free(particle), free(potential), free(at);
}
