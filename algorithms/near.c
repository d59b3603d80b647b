#include "near.h"
#include "near.kernel.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_KERNEL(dense_mark, (value, i64, count), (value, i64, pitch), (in, u32, cell_line),
            (in, u32, cell_x), (inout, u64, bits, 0), (inout, u32, first, 0))

near_map near_make_map(weft_device *device, const grid *g, const grid_sets *s, i64 worth) {
    const i64 pitch = (g->cells[0] + 2 + 63) / 64;
    const f64 words = (f64)pitch * (f64)g->cells[1] * (f64)g->cells[2];
    const u64 none = 0;
    const int fits = !g->long_keys && words <= 2.5 * (f64)worth;
    const i64 size = fits ? pitch * g->cells[1] * g->cells[2] : 0;
    const near_map map = {.pitch = fits ? pitch : 0,
                          .bits = weft_scratch(device, WEFT_U64, size),
                          .first = weft_scratch(device, WEFT_U32, size)};
    if (fits) {
        weft_fill(device, map.bits, &none);
        weft_for_each(device, s->cells, dense_mark, .count = s->cells, .pitch = pitch,
                      .cell_line = s->cell_line, .cell_x = s->cell_x, .bits = map.bits,
                      .first = map.first);
    }
    return map;
}

near_index near_prepare(weft_device *device, const grid *g, grid_sets *from, grid_sets *to,
                        i64 worth) {
    near_index index = {.map = near_make_map(device, g, to, worth)};
    if (index.map.pitch > 0) {
        index.chunk = 1;
        index.parts = weft_concurrency(device) >= 64 ? 8 : 1;
        index.row = from->cell_line;
        index.neighbour = index.row_cell = weft_scratch(device, WEFT_U32, 0);
    } else {
        index.neighbour = friends_find_rows(device, g, from, to, 9);
        index.chunk = friends_chunk(device, from->cells);
        index.parts = 1;
        index.rows = from->rows;
        index.row = from->cell_row;
        index.row_cell = to->row_cell;
    }
    return index;
}
