/* Blocks of cubes, and which of them are near some cells. */
#include "algorithms/points/points.h"
#include "sheet_blocks.kernel.h"
#include "sheet_frame.h"

WEFT_KERNEL(sheet_blocks_bound, (value, sheet_frame, f), (in, f64, position, 0),
            (out, sheet_box, boxes))
WEFT_GENERATOR(sheet_blocks_is_near, u32, (value, sheet_frame, f), (in, sheet_box, boxes))

i64 sheet_blocks(const i64 n[3]) {
    i64 all = 1;
    for (int k = 0; k < 3; k++)
        all *= (n[k] + SHEET_BLOCK_SIDE - 1) / SHEET_BLOCK_SIDE;
    return all;
}

void sheet_bound(weft_device *device, const i64 n[3], const f64 box[3], weft_array position,
                 i64 cubes, weft_array boxes) {
    const sheet_frame f = {
        .n = {n[0], n[1], n[2]}, .box = {box[0], box[1], box[2]}, .each = 1, .end = cubes};
    const weft_array as_boxes = weft_as(device, boxes, WEFT_STRUCT(sheet_box));
    weft_for_each(device, as_boxes.length, sheet_blocks_bound, .f = f, .position = position,
                  .boxes = as_boxes);
}

i64 sheet_near(weft_device *device, sheet_frame f, const weft_lattice *lattice,
               weft_array *blocks) {
    const i64 all = sheet_blocks(lattice->n);
    weft_array boxes = lattice->boxes;
    i64 near = 0;
    if (!boxes.type) {
        boxes = weft_scratch(device, WEFT_F64, 6 * all);
        sheet_bound(device, lattice->n, lattice->box, lattice->position,
                    sheet_sites(lattice), boxes);
    }
    *blocks = weft_scratch(device, WEFT_U32, all);
    points_list(device,
                weft_lazy(all, sheet_blocks_is_near, .f = f,
                          .boxes = weft_as(device, boxes, WEFT_STRUCT(sheet_box))),
                *blocks, &near);
    return near * SHEET_BLOCK_CUBES * f.each;
}
