/* The part of gravity that near pairs know. */
#include "gravity.h"
#include "weft/scan.h"
#include "weft/operators.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(gravity_sort_key, u64, (in, u32, x), (in, u32, y), (in, u32, z))
WEFT_KERNEL(gravity_sort_start, (value, i64, count), (value, i64, cells),
            (value, i32, shift), (in, u64, key, 0), (out, u32, start, 0))
WEFT_GENERATOR(gravity_sort_tiles, u32, (in, u32, start, 0))
WEFT_KERNEL(gravity_pairs_row, (bundle, gravity_cells, c), (out, f64, ax, 0),
            (out, f64, ay, 0), (out, f64, az, 0))
WEFT_KERNEL(gravity_pairs_one, (bundle, gravity_cells, c), (out, f64, ax, 0),
            (out, f64, ay, 0), (out, f64, az, 0))

/* Cells whose sides are a half of `reach` to all of it; not more of them
 * than there is use for. */
static i32 bits_of(f64 reach, i64 count) {
    i32 bits = GRAVITY_SPAN;
    while (bits < 10 && (f64)((i64)1 << bits) * reach < 1 &&
           (i64)1 << (3 * bits) < 64 * count)
        bits++;
    return bits;
}

gravity_cells_arrays gravity_sorted(weft_device *device, const weft_gravity *plan,
                                    const weft_array at[3], i64 wanted) {
    const f64 reach = plan->options.reach / (f64)plan->options.mesh * 0x1p32;
    const f64 soft = plan->options.softening * 0x1p32 / reach;
    const i64 count = at[0].length;
    const u32 zero = 0, one = 1;
    gravity_cells_arrays c = {.x = weft_scratch(device, WEFT_U32, count),
                              .y = weft_scratch(device, WEFT_U32, count),
                              .z = weft_scratch(device, WEFT_U32, count),
                              .order = weft_scratch(device, WEFT_U32, count),
                              .bits = bits_of(reach * 0x1p-32, plan->options.most),
                              .wanted = (u32)wanted,
                              .reach = (u32)reach + 1,
                              .reach2 = (f32)(reach * reach * 1.00001),
                              .inverse = (f32)(1 / (reach * reach)),
                              .soft = (f32)(soft * soft < 1e-24 ? 1e-24 : soft * soft),
                              .edge = (f32)(1 / sqrt(1 + soft * soft) + GRAVITY_BALL - 1),
                              .unit = 0x1p64 / (reach * reach * reach)};
    const i64 cells = (i64)1 << (3 * c.bits);
    c.blocks = cells >> (3 * GRAVITY_SPAN);
    c.start = weft_scratch(device, WEFT_U32, cells + 1);
    c.tile = weft_scratch(device, WEFT_U32, c.blocks + 1);
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, count);
    weft_transform(device, count, key, gravity_sort_key, .x = at[0], .y = at[1],
                   .z = at[2]);
    weft_sequence(device, c.order, &zero, &one);
    weft_sort_bits(device, key, c.order, WEFT_ASCENDING, 0, 63);
    weft_for_each(device, count + 1, gravity_sort_start, .count = count, .cells = cells,
                  .shift = 63 - 3 * c.bits, .key = key, .start = c.start);
    weft_scope_close(device);
    weft_gather(device, at[0], c.order, c.x);
    weft_gather(device, at[1], c.order, c.y);
    weft_gather(device, at[2], c.order, c.z);
    weft_fill(device, c.tile, &zero);
    weft_scan(device, weft_lazy(c.blocks, gravity_sort_tiles, .start = c.start),
              weft_plus(WEFT_U32), 0, weft_slice(device, c.tile, 1, c.blocks));
    return c;
}

i64 gravity_tiles(const gravity_cells_arrays *cells) {
    return cells->x.length / GRAVITY_TILE + cells->blocks;
}

int32_t weft_gravity_cubes(const weft_gravity *plan) {
    if (!plan)
        return -1;
    return bits_of(plan->options.reach / (f64)plan->options.mesh, plan->options.most) -
           GRAVITY_SPAN;
}

weft_status weft_gravity_short(weft_device *device, weft_gravity *plan, weft_array x,
                               weft_array y, weft_array z, weft_array ax, weft_array ay,
                               weft_array az) {
    const weft_array in[3] = {x, y, z}, out[3] = {ax, ay, az};
    const i64 wanted = ax.length < x.length ? ax.length : x.length;
    if (!gravity_check(device, "weft_gravity_short", plan, in, out, wanted))
        return weft_check(device);
    weft_scope_open(device);
    const gravity_cells_arrays c = gravity_sorted(device, plan, in, wanted);
    const i64 tiles = gravity_tiles(&c);
    if (weft_device_style(device) == WEFT_SIMD)
        weft_for_each(device, tiles, gravity_pairs_row, .c = c, .ax = ax, .ay = ay,
                      .az = az);
    else
        weft_for_each(device, tiles * GRAVITY_TILE, gravity_pairs_one, .c = c, .ax = ax,
                      .ay = ay, .az = az);
    weft_scope_close(device);
    return weft_check(device);
}
