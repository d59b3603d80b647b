#include "definitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cloud cloud_new(i64 count, int wide) {
    cloud c = {count, wide, calloc((size_t)(3 * count + 1), sizeof(f64))};
    ck_assert_ptr_nonnull(c.at);
    return c;
}

void cloud_free(cloud *c) {
    free(c->at);
    c->at = NULL;
}

void cloud_set(cloud *c, i64 i, f64 x, f64 y, f64 z) {
    const f64 at[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        const volatile f32 narrow = (f32)at[k]; /* gcc 12 -O3 skips the rounding */
        c->at[3 * i + k] = c->wide ? at[k] : (f64)narrow;
    }
}

cloud cloud_clumps(i64 count, int wide, u64 seed) {
    cloud c = cloud_new(count, wide);
    f64 center[3] = {0};
    for (i64 i = 0; i < count; i++) {
        f64 at[3];
        const int fresh = test_random(&seed) % 16 == 0;
        const f64 spread = 0.2 * (f64)(test_random(&seed) >> 11) * 0x1p-53;
        for (int k = 0; k < 3; k++) {
            const f64 random = (f64)(test_random(&seed) >> 11) * 0x1p-53;
            if (fresh || i == 0)
                center[k] = random;
            at[k] = fresh ? random : center[k] + spread * spread * (random - 0.5);
        }
        cloud_set(&c, i, at[0], at[1], at[2]);
    }
    return c;
}

f64 define_squared(const cloud *c, i64 i, i64 j, const f64 box[3]) {
    volatile f64 square[3];
    for (int k = 0; k < 3; k++) {
        const volatile f64 d = c->at[3 * i + k] - c->at[3 * j + k];
        const f64 r = box[k] > 0 ? remainder(d, box[k]) : d;
        square[k] = r * r;
    }
    const volatile f64 xy = square[0] + square[1];
    const volatile f64 d2 = xy + square[2];
    return d2;
}

int define_friends(const cloud *c, i64 i, i64 j, f64 length, const f64 box[3]) {
    const volatile f64 length2 = length * length;
    return define_squared(c, i, j, box) <= length2;
}

static u32 root(const u32 *parent, u32 i) {
    while (parent[i] != i)
        i = parent[i];
    return i;
}

void define_fof(const cloud *c, const weft_fof_options *o, u32 *label) {
    const i64 n = c->count;
    u32 *parent = malloc((size_t)(n + 1) * sizeof *parent);
    u8 *takes_part = malloc((size_t)(n + 1));
    for (i64 i = 0; i < n; i++) {
        i64 friends = 0;
        for (i64 j = 0; o->min_friends > 0 && j < n; j++)
            friends += j != i && define_friends(c, i, j, o->linking_length, o->box);
        takes_part[i] = friends >= o->min_friends;
        parent[i] = (u32)i;
    }
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; takes_part[i] && j < i; j++)
            if (takes_part[j] && define_friends(c, i, j, o->linking_length, o->box)) {
                const u32 a = root(parent, (u32)i), b = root(parent, (u32)j);
                parent[a > b ? a : b] = a < b ? a : b;
            }
    for (i64 i = 0; i < n; i++)
        label[i] = takes_part[i] ? root(parent, (u32)i) : UINT32_MAX;
    free(parent);
    free(takes_part);
}

void run_fof(const cloud *c, const weft_fof_options *options, u32 *label) {
    const i64 n = c->count;
    f32 *narrow = malloc((size_t)(3 * n + 1) * sizeof *narrow);
    for (i64 k = 0; k < 3 * n; k++)
        narrow[k] = (f32)c->at[k];
    const weft_type type = c->wide ? WEFT_F64 : WEFT_F32;
    const weft_array at = test_array(type, c->wide ? (void *)c->at : narrow, 3 * n);
    const weft_array out = weft_array_new(device, WEFT_U32, n);
    const weft_points points = weft_points_interleaved(device, at);
    weft_fof(device, &points, options, out);
    weft_read(device, out, label);
    weft_array_free(device, at);
    weft_array_free(device, out);
    free(narrow);
}

void expect_fof(const cloud *c, weft_fof_options options) {
    const size_t bytes = (size_t)(c->count + 1) * sizeof(u32);
    u32 *expected = malloc(bytes), *got = malloc(bytes);
    define_fof(c, &options, expected);
    run_fof(c, &options, got);
    test_ok();
    for (i64 i = 0; i < c->count; i++)
        ck_assert_msg(
            got[i] == expected[i],
            "particle %lld of %lld: label %u, not %u (length %.17g, box %g %g %g)",
            (long long)i, (long long)c->count, got[i], expected[i], options.linking_length,
            options.box[0], options.box[1], options.box[2]);
    free(expected);
    free(got);
}
