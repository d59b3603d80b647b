/* Bounds in short halos, of which a work-item with vectors takes one at a time. */
#include "mbp.h"
#include "mbp_short.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_GENERATOR(mbp_short_slots, i64, (in, i64, offset, n + 1))
WEFT_KERNEL(mbp_short_bound, (value, i64, items), (value, i64, halos), (value, i64, width),
            (value, i64, stride), (value, i32, wide), (value, f64, box_x),
            (value, f64, box_y), (value, f64, box_z), (value, i32, wide_mass),
            (value, i32, has_mass), (value, f64, particle_mass), (value, f64, softening),
            (in, i64, offset, 0), (in, u32, member, 0), (in, u32, from_x, 0),
            (in, u32, from_y, 0), (in, u32, from_z, 0), (in, u32, from_mass, 0),
            (inout, u32, word_x, 0), (inout, u32, word_y, 0), (inout, u32, word_z, 0),
            (inout, f64, x, 0), (inout, f64, y, 0), (inout, f64, z, 0),
            (inout, f64, mass, 0), (inout, f32, at_x, 0), (inout, f32, at_y, 0),
            (inout, f32, at_z, 0), (inout, f32, weight, 0), (inout, f32, high, 0),
            (inout, f32, best, 0))

/* Kernels for each that runs at once, so that all end together; but their places are no
 * more than the members'. */
static i64 count_items(const weft_device *device, i64 halos, i64 slots, i64 width) {
    const i64 least = weft_concurrency(device), most = slots / width;
    i64 items = most < 16 * least ? most : 16 * least;
    items = items > least ? items : least;
    return items < halos ? items : halos;
}

mbp_short mbp_bound_short(weft_device *device, const points_words *points, weft_array mass,
                          const weft_mbp_options *options, const weft_halos *halos) {
    const i64 slots = (halos->members / MBP_ROW + halos->count) * MBP_ROW;
    const i64 words = slots << points->wide;
    mbp_short s = {.width = MBP_ROW,
                   .wide = points->wide,
                   .word_x = weft_scratch(device, WEFT_U32, words),
                   .word_y = weft_scratch(device, WEFT_U32, words),
                   .word_z = weft_scratch(device, WEFT_U32, words),
                   .high = weft_scratch(device, WEFT_F32, slots),
                   .best = weft_scratch(device, WEFT_F32, halos->count)};
    weft_reduce(device, weft_lazy(halos->count, mbp_short_slots, .offset = halos->offset),
                weft_maximum(WEFT_I64), &s.width);
    s.items = count_items(device, halos->count, slots, s.width);
    const i64 own = s.items * s.width;
    s.x = weft_scratch(device, WEFT_F64, own);
    s.y = weft_scratch(device, WEFT_F64, own);
    s.z = weft_scratch(device, WEFT_F64, own);
    s.mass = weft_scratch(device, WEFT_F64, own);
    weft_scope_open(device);
    weft_for_each(
        device, s.items, mbp_short_bound, .items = s.items, .halos = halos->count,
        .width = s.width, .stride = points->stride, .wide = points->wide,
        .box_x = options->box[0], .box_y = options->box[1], .box_z = options->box[2],
        .wide_mass = mass.type == WEFT_F64, .has_mass = mass.type != 0,
        .particle_mass = options->particle_mass, .softening = options->softening,
        .offset = halos->offset, .member = halos->member, .from_x = points->x,
        .from_y = points->y, .from_z = points->z,
        .from_mass = mass.type ? weft_as(device, mass, WEFT_U32) : halos->member,
        .word_x = s.word_x, .word_y = s.word_y, .word_z = s.word_z, .x = s.x, .y = s.y,
        .z = s.z, .mass = s.mass, .at_x = weft_scratch(device, WEFT_F32, own),
        .at_y = weft_scratch(device, WEFT_F32, own),
        .at_z = weft_scratch(device, WEFT_F32, own),
        .weight = weft_scratch(device, WEFT_F32, own), .high = s.high, .best = s.best);
    weft_scope_close(device);
    return s;
}
