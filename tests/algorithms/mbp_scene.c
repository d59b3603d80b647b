#include "mbp_scene.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = 256, AT_ONCE = 64 };

scene scene_new(const i64 *sizes, i64 count) {
    scene s = {.count = count, .type = WEFT_F64, .mass_type = WEFT_F64, .particle_mass = 1};
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

f64 scene_uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

void scene_scatter(scene *s, i64 first, i64 end, const f64 center[3], f64 width,
                   u64 *seed) {
    for (i64 k = first; k < end; k++) {
        f64 d[3], r2 = 2;
        while (r2 > 1 || r2 < 1e-4) {
            r2 = 0;
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = 2 * scene_uniform(seed) - 1;
                r2 += d[axis] * d[axis];
            }
        }
        const f64 r = width * pow(scene_uniform(seed), 1.5) / sqrt(r2);
        for (int axis = 0; axis < 3; axis++)
            s->x[3 * k + axis] = center[axis] + r * d[axis];
        s->m[k] = exp(3 * scene_uniform(seed));
    }
}

void scene_scatter_all(scene *s, f64 box, f64 width, u64 seed) {
    for (i64 h = 0; h < s->count; h++) {
        const f64 center[3] = {box * scene_uniform(&seed), box * scene_uniform(&seed),
                               box * scene_uniform(&seed)};
        scene_scatter(s, s->offset[h], s->offset[h + 1], center, width, &seed);
        for (i64 k = s->offset[h]; k < s->offset[h + 1]; k++)
            for (int axis = 0; axis < 3; axis++)
                s->x[3 * k + axis] += k % 7 == 0 ? box * (f64)(k % 5 - 2) : 0;
    }
}

static f64 as_read(weft_type type, f64 value) {
    const volatile f32 narrow = (f32)value; /* gcc 12 -O3 skips the rounding of others */
    return type == WEFT_F32 ? (f64)narrow : value;
}

/* A member's place relative to the first of its halo. */
static void unwrapped(const scene *s, i64 first, i64 k, f64 at[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const f64 d =
            as_read(s->type, s->x[3 * k + axis]) - as_read(s->type, s->x[3 * first + axis]);
        const f64 box = s->box[axis];
        at[axis] = box > 0 ? remainder(d, box) : d;
    }
}

/* Members of a halo, unwrapped and as they were read. */
typedef struct host_halo {
    i64 members;
    f64 *x, *y, *z, *mass;
} host_halo;

static host_halo host_halo_new(const scene *s, i64 first, i64 end) {
    const i64 n = end - first;
    f64 *values = malloc((size_t)(4 * n + 1) * sizeof *values);
    const host_halo h = {n, values, values + n, values + 2 * n, values + 3 * n};
    for (i64 k = 0; k < n; k++) {
        f64 at[3];
        unwrapped(s, first, first + k, at);
        h.x[k] = at[0], h.y[k] = at[1], h.z[k] = at[2];
        h.mass[k] = s->has_mass ? as_read(s->mass_type, s->m[first + k]) : s->particle_mass;
    }
    return h;
}

/* The potentials of up to 64 members from `from` on. All terms of a block are added in the
 * order of the members. */
static void define_some(const host_halo *h, i64 from, i64 count, f64 soft2, f64 *phi) {
    const i64 all = (h->members + BLOCK - 1) / BLOCK;
    f64(*sum)[AT_ONCE] = calloc((size_t)all + 1, sizeof *sum);
    for (i64 j = 0; j < h->members; j++)
        for (i64 k = 0; k < count; k++) {
            const i64 i = from + k;
            const f64 dx = h->x[j] - h->x[i], dy = h->y[j] - h->y[i];
            const f64 dz = h->z[j] - h->z[i];
            const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + soft2;
            sum[j / BLOCK][k] += i != j && s2 > 0 ? h->mass[j] / sqrt(s2) : 0;
        }
    for (i64 blocks = all; blocks > 1; blocks = (blocks + 1) / 2)
        for (i64 b = 0; b < (blocks + 1) / 2; b++)
            for (i64 k = 0; k < count; k++)
                sum[b][k] = sum[2 * b][k] + (2 * b + 1 < blocks ? sum[2 * b + 1][k] : 0);
    for (i64 k = 0; k < count; k++)
        phi[k] = -sum[0][k];
    free(sum);
}

/* Of members [from, end) of a halo. */
static void define(const host_halo *h, i64 from, i64 end, f64 softening, f64 *phi) {
    for (i64 k = from; k < end; k += AT_ONCE)
        define_some(h, k, end - k < AT_ONCE ? end - k : AT_ONCE, softening * softening,
                    phi + k - from);
}

static weft_array lend(weft_type type, const f64 *values, i64 n, i64 parts, int separate) {
    f32 *narrow = malloc((size_t)(n * parts + 1) * sizeof *narrow);
    f64 *wide = malloc((size_t)(n * parts + 1) * sizeof *wide);
    for (i64 k = 0; k < n; k++)
        for (i64 part = 0; part < parts; part++) {
            const i64 i = n - 1 - k, to = separate ? part * n + i : i * parts + part;
            wide[to] = values[k * parts + part];
            narrow[to] = (f32)values[k * parts + part];
        }
    const weft_array array =
        test_array(type, type == WEFT_F64 ? (void *)wide : narrow, n * parts);
    free(narrow), free(wide);
    return array;
}

/* A scene on the device; particles lie in memory in the opposite order of the members. */
typedef struct lent {
    weft_array position;
    weft_bodies bodies;
    weft_halos halos;
} lent;

static lent lend_scene(const scene *s) {
    u32 *member = malloc((size_t)(s->n + 1) * sizeof *member);
    for (i64 k = 0; k < s->n; k++)
        member[k] = (u32)(s->n - 1 - k);
    lent l = {.position = lend(s->type, s->x, s->n, 3, s->separate),
              .bodies = {.particle_mass = s->particle_mass,
                         .box = {s->box[0], s->box[1], s->box[2]}}};
    if (s->has_mass)
        l.bodies.mass = lend(s->mass_type, s->m, s->n, 1, 0);
    l.bodies.points =
        s->separate ? weft_points_separate(device, weft_slice(device, l.position, 0, s->n),
                                           weft_slice(device, l.position, s->n, s->n),
                                           weft_slice(device, l.position, 2 * s->n, s->n))
                    : weft_points_interleaved(device, l.position);
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
    if (l->bodies.mass.type)
        weft_array_free(device, l->bodies.mass);
}

void scene_find(const scene *s, u32 *particle, f64 *potential) {
    lent l = lend_scene(s);
    const weft_array found = weft_array_new(device, WEFT_U32, s->count);
    const weft_array phi = weft_array_new(device, WEFT_F64, s->count);
    if (s->verify)
        weft_mbp_verify(device, &l.bodies, &s->options, &l.halos, 0);
    if (s->shares > 0)
        weft_mbp_share(device, &l.bodies, &s->options, &l.halos, s->share, s->shares, found,
                       phi);
    else
        weft_mbp(device, &l.bodies, &s->options, &l.halos, found, phi);
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
    if (s->verify)
        weft_mbp_verify(device, &l.bodies, &s->options, &l.halos, error);
    weft_potential(device, &l.bodies, &s->options, &l.halos, error, phi);
    weft_read(device, phi, potential);
    test_ok();
    weft_array_free(device, phi);
    end_lent(&l);
}

void scene_define(const scene *s, f64 *potential) {
    for (i64 h = 0; h < s->count; h++) {
        const i64 first = s->offset[h];
        const host_halo halo = host_halo_new(s, first, s->offset[h + 1]);
        define(&halo, 0, halo.members, s->options.softening, potential + first);
        free(halo.x);
    }
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
    f64 *phi = malloc((size_t)(s->n + 1) * sizeof *phi);
    scene_find(s, particle, potential);
    compare_ways(s, particle, potential);
    for (i64 h = 0; h < s->count; h++) {
        const host_halo halo = host_halo_new(s, s->offset[h], s->offset[h + 1]);
        const int all = halo.members <= most;
        const i64 found = particle[h] - s->offset[h], from = all ? 0 : found;
        i64 best = from;
        define(&halo, from, all ? halo.members : found + 1, s->options.softening, phi);
        for (i64 k = 0; all && k < halo.members; k++)
            best = phi[k] < phi[best] ? k : best;
        ck_assert_msg(found == best && potential[h] == phi[best - from],
                      "halo %lld of %lld: member %lld at %.17g, not %lld at %.17g",
                      (long long)h, (long long)halo.members, (long long)found, potential[h],
                      (long long)best, phi[best - from]);
        free(halo.x);
    }
    free(particle), free(potential), free(phi);
}
