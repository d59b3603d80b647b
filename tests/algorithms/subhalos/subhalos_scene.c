#include "subhalos_define.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/halos.h>

scene scene_new(i64 n) {
    scene s = {.n = n, .type = WEFT_F64, .particle_mass = 1};
    s.x = calloc((size_t)(3 * n + 1), sizeof *s.x);
    s.v = calloc((size_t)(3 * n + 1), sizeof *s.v);
    s.m = calloc((size_t)(n + 1), sizeof *s.m);
    s.label = calloc((size_t)(n + 1), sizeof *s.label);
    s.id = calloc((size_t)(n + 1), sizeof *s.id);
    for (i64 i = 0; i < n; i++)
        s.id[i] = i, s.m[i] = 1;
    s.o.gravity = 1;
    return s;
}

void scene_free(scene *s) {
    free(s->x), free(s->v), free(s->m), free(s->label), free(s->id);
}

f64 scene_uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

void scene_clump(scene *s, i64 first, i64 end, const f64 at[3], const f64 v[3], f64 width,
                 u64 *seed) {
    const f64 speed = sqrt(0.4 * s->o.gravity * (f64)(end - first) / width);
    for (i64 i = first; i < end; i++) {
        const f64 r = width * pow(scene_uniform(seed), 1.5);
        const f64 z = 2 * scene_uniform(seed) - 1, turn = 6.283 * scene_uniform(seed);
        const f64 on[3] = {sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z};
        for (int k = 0; k < 3; k++) {
            s->x[3 * i + k] = at[k] + r * on[k];
            s->v[3 * i + k] = v[k] + speed * 2 * (scene_uniform(seed) - 0.5);
        }
    }
}

static void narrow(f64 *x, i64 n) {
    for (i64 k = 0; k < n; k++) {
        const volatile f32 rounded = (f32)x[k];
        x[k] = (f64)rounded;
    }
}

void scene_round(scene *s) {
    if (s->type != WEFT_F32)
        return;
    narrow(s->x, 3 * s->n), narrow(s->v, 3 * s->n), narrow(s->m, s->n);
}

static weft_array put(weft_type type, const f64 *values, i64 n) {
    if (type == WEFT_F64)
        return test_array(type, values, n);
    f32 *slim = malloc((size_t)(n + 1) * sizeof *slim);
    for (i64 k = 0; k < n; k++)
        slim[k] = (f32)values[k];
    const weft_array array = test_array(type, slim, n);
    free(slim);
    return array;
}

/* What subhalos are told of on the host. */
typedef struct listed {
    i64 *first, *offset;
    u32 *halo, *parent, *depth, *peak, *member;
    f64 *energy;
} listed;

static listed read_all(const weft_subhalos *s, i64 halos) {
    const size_t n = (size_t)s->count + 1, members = (size_t)s->members + 1;
    listed l = {malloc((size_t)(halos + 1) * 8),
                malloc(n * 8),
                malloc(n * 4),
                malloc(n * 4),
                malloc(n * 4),
                malloc(n * 4),
                malloc(members * 4),
                malloc(members * 8)};
    weft_read(device, s->first, l.first), weft_read(device, s->offset, l.offset);
    weft_read(device, s->halo, l.halo), weft_read(device, s->parent, l.parent);
    weft_read(device, s->depth, l.depth), weft_read(device, s->peak, l.peak);
    weft_read(device, s->member, l.member), weft_read(device, s->energy, l.energy);
    test_ok();
    return l;
}

/* The order of subhalos, and of members in each. */
static void expect_order(const listed *l, const weft_subhalos *s, i64 halos,
                         const i64 *id) {
    ck_assert_int_eq(l->first[0], 0);
    ck_assert_int_eq(l->first[halos], s->count);
    ck_assert_int_eq(l->offset[0], 0);
    ck_assert_int_eq(l->offset[s->count], s->members);
    for (i64 i = 0; i < s->count; i++) {
        ck_assert(l->first[l->halo[i]] <= i && i < l->first[l->halo[i] + 1]);
        ck_assert_int_eq(l->parent[i] == UINT32_MAX, l->depth[i] == 0);
        if (l->parent[i] != UINT32_MAX) {
            ck_assert_int_eq(l->halo[l->parent[i]], l->halo[i]);
            ck_assert_int_eq(l->depth[l->parent[i]] + 1, l->depth[i]);
        }
        if (i > l->first[l->halo[i]])
            ck_assert(l->depth[i - 1] < l->depth[i] ||
                      (l->depth[i - 1] == l->depth[i] &&
                       l->offset[i] - l->offset[i - 1] >= l->offset[i + 1] - l->offset[i]));
        for (i64 k = l->offset[i] + 1; k < l->offset[i + 1]; k++)
            ck_assert(l->energy[k - 1] < l->energy[k] ||
                      (l->energy[k - 1] == l->energy[k] &&
                       id[l->member[k - 1]] < id[l->member[k]]));
    }
}

static void take(const scene *s, const weft_subhalos *found, i64 halos, belonging *to) {
    listed l = read_all(found, halos);
    for (i64 i = 0; i < s->n; i++)
        to[i] = (belonging){-1, -1, -1, 0};
    for (i64 i = 0; i < found->count; i++) {
        belonging b = {l.depth[i], l.peak[i], -1, 0};
        if (l.parent[i] != UINT32_MAX)
            b.parent = l.peak[l.parent[i]];
        for (i64 k = l.offset[i]; k < l.offset[i + 1]; k++) {
            ck_assert_int_eq(to[l.member[k]].depth, -1);
            to[l.member[k]] = b;
            to[l.member[k]].energy = l.energy[k];
        }
    }
    expect_order(&l, found, halos, s->id);
    free(l.first), free(l.offset), free(l.halo), free(l.parent), free(l.depth);
    free(l.peak), free(l.member), free(l.energy);
}

weft_bodies scene_bodies(const scene *s) {
    return (weft_bodies){.points =
                             weft_points_interleaved(device, put(s->type, s->x, 3 * s->n)),
                         .velocity = put(s->type, s->v, 3 * s->n),
                         .mass = s->has_mass ? put(s->type, s->m, s->n) : (weft_array){0},
                         .particle_mass = s->particle_mass,
                         .box = {s->box[0], s->box[1], s->box[2]}};
}

/* The same subhalos, with other options that change nothing. */
static void expect_same(const weft_subhalos_options *o, const weft_bodies *bodies,
                        const weft_halos *halos, const weft_subhalos *all) {
    weft_subhalos found;
    weft_subhalos_find(device, bodies, o, halos, &found);
    test_ok();
    ck_assert_int_eq(found.count, all->count);
    ck_assert_int_eq(found.energy.length, o->order_only ? 0 : found.members);
    const weft_array pairs[][2] = {
        {all->first, found.first},   {all->halo, found.halo},
        {all->parent, found.parent}, {all->depth, found.depth},
        {all->main, found.main},     {all->peak, found.peak},
        {all->offset, found.offset}, {all->member, found.member},
        {all->energy, found.energy},
    };
    for (size_t k = 0; k < 8 + (o->order_only == 0); k++) {
        int equal = 0;
        weft_equal(device, pairs[k][0], pairs[k][1], &equal);
        test_ok();
        ck_assert_msg(equal, "array %zu differs", k);
    }
    weft_subhalos_free(device, &found);
}

/* With energies that are known nearly, where that does; and halos in batches: each alone,
 * or the smaller ones together. */
static void expect_same_order(const scene *s, const weft_bodies *bodies,
                              const weft_halos *halos, const weft_subhalos *all) {
    weft_subhalos_options o = s->o;
    o.order_only = 1;
    expect_same(&o, bodies, halos, all);
    if (halos->count < 2)
        return;
    o.batch = 1;
    expect_same(&o, bodies, halos, all);
    o.batch = 150;
    o.order_only = 0;
    expect_same(&o, bodies, halos, all);
}

void scene_find(const scene *s, belonging *to) {
    const weft_bodies bodies = scene_bodies(s);
    weft_halos halos;
    weft_subhalos found;
    weft_halos_group(device, test_array(WEFT_U32, s->label, s->n),
                     test_array(WEFT_I64, s->id, s->n), 1, &halos);
    weft_subhalos_find(device, &bodies, &s->o, &halos, &found);
    test_ok();
    take(s, &found, halos.count, to);
    expect_same_order(s, &bodies, &halos, &found);
    weft_subhalos_free(device, &found);
    weft_halos_free(device, &halos);
}

void scene_compare(const scene *s) {
    const size_t bytes = (size_t)(s->n + 1) * sizeof(belonging);
    belonging *expected = malloc(bytes), *found = malloc(bytes);
    scene_define(s, expected);
    scene_find(s, found);
    for (i64 i = 0; i < s->n; i++) {
        ck_assert_int_eq(found[i].depth, expected[i].depth);
        ck_assert_int_eq(found[i].peak, expected[i].peak);
        ck_assert_int_eq(found[i].parent, expected[i].parent);
        ck_assert(found[i].energy == expected[i].energy);
    }
    free(expected), free(found);
}

i64 scene_nested(const scene *s, const belonging *b) {
    i64 count = 0;
    for (i64 i = 0; i < s->n; i++)
        count += b[i].depth > 0;
    return count;
}
