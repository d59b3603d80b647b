/* Particles sorted into cubes, and tiles of them. */
#include "gravity.h"
#include "weft/scan.h"
#include "weft/operators.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(gravity_sort_key, u64, (in, u32, x), (in, u32, y), (in, u32, z))
WEFT_KERNEL(gravity_sort_start, (value, i64, count), (value, i64, blocks),
            (value, i32, shift), (in, u64, key, 0), (out, u32, start, 0))
WEFT_GENERATOR(gravity_sort_tiles, u32, (in, u32, start, 0))
WEFT_BUNDLE(gravity_blocks, (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (in, u32, start, 0), (in, u32, tile, 0), (value, i64, blocks))
WEFT_KERNEL(gravity_tiles_box, (value, i64, most), (value, f32, scale),
            (bundle, gravity_blocks, s), (out, u32, first), (out, u32, center, 0),
            (out, f32, size, 0))

/* Cubes whose sides are one to two of `reach`; not more than there is use for. */
static i32 cubes_of(f64 reach, i64 count) {
    i32 bits = 0;
    while (bits < 9 && (f64)((i64)2 << bits) * reach < 1 &&
           (i64)1 << (3 * bits) < 8 * count)
        bits++;
    return bits;
}

/* Blocks are cubes, or smaller, such that a box and what is within reach of it are less
 * than half the side to either side of its middle. */
static i32 bits_of(f64 reach, i64 count) {
    i32 bits = cubes_of(reach, count);
    while (1 / (f64)((i64)1 << bits) >= 1 - 2 * reach)
        bits++;
    return bits;
}

void gravity_starts(weft_device *device, weft_array key, i32 shift, i64 blocks,
                    weft_array start) {
    weft_for_each(device, key.length + 1, gravity_sort_start, .count = key.length,
                  .blocks = blocks, .shift = shift, .key = key, .start = start);
}

weft_array gravity_take(weft_device *device, weft_array *words, weft_type type,
                        i64 length) {
    enum { ALIGN = 64 };
    const i64 bytes = length * (i64)WEFT_SIZE(type), used = (bytes + ALIGN - 1) / ALIGN;
    const i64 all = used * (ALIGN / (i64)sizeof(u32));
    if (all > words->length)
        return weft_scratch(device, type, length);
    const weft_array part = weft_slice(device, *words, 0, bytes / (i64)sizeof(u32));
    *words = weft_slice(device, *words, all, words->length - all);
    return weft_as(device, part, type);
}

/* Sorts particles into blocks; keys are in `words` only meanwhile. */
static void sort(weft_device *device, const weft_array at[3], weft_array words,
                 const gravity_tiles_arrays *c, gravity_blocks_arrays *s) {
    const i64 count = at[0].length;
    const u32 zero = 0, one = 1;
    weft_scope_open(device);
    const weft_array key = gravity_take(device, &words, WEFT_U64, count);
    weft_transform(device, count, key, gravity_sort_key, .x = at[0], .y = at[1],
                   .z = at[2]);
    weft_sequence(device, c->order, &zero, &one);
    weft_sort_bits(device, key, c->order, WEFT_ASCENDING, 0, 63);
    gravity_starts(device, key, 63 - 3 * c->bits, s->blocks, s->start);
    weft_scope_close(device);
    weft_gather(device, at[0], c->order, weft_slice(device, s->x, 0, count));
    weft_gather(device, at[1], c->order, weft_slice(device, s->y, 0, count));
    weft_gather(device, at[2], c->order, weft_slice(device, s->z, 0, count));
    weft_fill(device, weft_slice(device, s->tile, 0, 1), &zero);
    weft_scan(device, weft_lazy(s->blocks, gravity_sort_tiles, .start = s->start),
              weft_plus(WEFT_U32), 0, weft_slice(device, s->tile, 1, s->blocks));
}

/* With room behind the last, of which a tile is read, too. */
static weft_array sorted(weft_device *device, weft_array *words, i64 count) {
    const weft_array x = gravity_take(device, words, WEFT_U32, count + GRAVITY_TILE);
    const u32 zero = 0;
    weft_fill(device, weft_slice(device, x, count, GRAVITY_TILE), &zero);
    return x;
}

gravity_tiles_arrays gravity_sorted(weft_device *device, const weft_gravity *plan,
                                    const weft_array at[3], i64 wanted, weft_array *words) {
    const f64 part = plan->options.reach / (f64)plan->options.mesh;
    const f64 soft = plan->options.softening / part, square = fmax(soft * soft, 1e-24);
    const f64 well =
        plan->options.split == WEFT_GRAVITY_HACC ? GRAVITY_HACC_WELL : GRAVITY_BALL;
    const i64 count = at[0].length;
    const i32 bits = bits_of(part, plan->options.most);
    const i64 blocks = (i64)1 << (3 * bits), most = count / GRAVITY_TILE + blocks;
    *words = weft_as(device, plan->store, WEFT_U32);
    gravity_tiles_arrays c = {
        .x = sorted(device, words, count),
        .y = sorted(device, words, count),
        .z = sorted(device, words, count),
        .order = gravity_take(device, words, WEFT_U32, count),
        .tile = weft_scratch(device, WEFT_U32, blocks + 1),
        .first = weft_scratch(device, WEFT_U32, most + 1),
        .center = weft_scratch(device, WEFT_U32, 3 * (most + 1) + GRAVITY_TILE),
        .size = weft_scratch(device, WEFT_F32, 3 * (most + 1) + GRAVITY_TILE),
        .most = most + 1,
        .bits = bits,
        .wanted = (u32)wanted,
        .reach = (u32)(part * 0x1p32) + 1,
        .scale = (f32)(0x1p-32 / part),
        .soft = (f32)square,
        .edge = (f32)(1 / sqrt(1 + square) + well - 1),
        .unit = 1 / (part * part)};
    weft_scope_open(device);
    gravity_blocks_arrays s = {.x = c.x,
                               .y = c.y,
                               .z = c.z,
                               .start = weft_scratch(device, WEFT_U32, blocks + 1),
                               .tile = c.tile,
                               .blocks = blocks};
    sort(device, at, *words, &c, &s);
    weft_for_each(device, most + 1, gravity_tiles_box, .most = c.most, .scale = c.scale,
                  .s = s, .first = c.first, .center = c.center, .size = c.size);
    weft_scope_close(device);
    return c;
}

int32_t weft_gravity_cubes(const weft_gravity *plan) {
    if (!plan)
        return -1;
    return cubes_of(plan->options.reach / (f64)plan->options.mesh, plan->options.most);
}
