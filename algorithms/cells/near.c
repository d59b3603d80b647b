#include "near.h"
#include "near.kernel.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_KERNEL(map_mark, (value, i64, count), (value, i64, pitch), (in, u32, cell_line),
            (in, u32, cell_x), (inout, u64, bits, 0), (inout, u32, first, 0))
WEFT_KERNEL(map_mark_chunk, (value, i64, chunk), (value, i64, count), (value, i64, pitch),
            (in, u32, cell_line, 0), (in, u32, cell_x, 0), (inout, u64, bits, 0),
            (inout, u32, first, 0))

void near_make_map(weft_device *device, const grid *g, grid_sets *s, i64 worth) {
    const i64 pitch = (g->cells[0] + 2 + 63) / 64;
    const f64 words = (f64)pitch * (f64)g->cells[1] * (f64)g->cells[2];
    const u64 none = 0;
    if (s->map.pitch > 0 || g->long_keys || words > 2.5 * (f64)worth)
        return;
    const i64 size = pitch * g->cells[1] * g->cells[2];
    s->map = (grid_map){.pitch = pitch,
                        .bits = weft_array_new(device, WEFT_U64, size),
                        .first = weft_array_new(device, WEFT_U32, size)};
    weft_fill(device, s->map.bits, &none);
    const i64 chunk = friends_chunk(device, s->cells);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, s->cells, map_mark, .count = s->cells, .pitch = pitch,
                      .cell_line = s->cell_line, .cell_x = s->cell_x, .bits = s->map.bits,
                      .first = s->map.first);
    else
        weft_for_each(device, (s->cells + chunk - 1) / chunk, map_mark_chunk,
                      .chunk = chunk, .count = s->cells, .pitch = pitch,
                      .cell_line = s->cell_line, .cell_x = s->cell_x, .bits = s->map.bits,
                      .first = s->map.first);
}

near_index near_prepare(weft_device *device, const grid *g, grid_sets *from, grid_sets *to,
                        i64 worth) {
    near_make_map(device, g, to, worth);
    if (from->cell_start.type == 0)
        grid_find_starts(device, from);
    near_index index = {.map = to->map};
    if (index.map.pitch > 0) {
        index.chunk = 1;
        index.row = from->cell_line;
        index.neighbour = index.row_cell = weft_scratch(device, WEFT_U32, 0);
        index.row_key = weft_scratch(device, WEFT_U64, 0);
    } else {
        index.map.bits = weft_scratch(device, WEFT_U64, 0);
        index.map.first = weft_scratch(device, WEFT_U32, 0);
        index.neighbour = friends_find_rows(device, g, from, to, 9);
        index.chunk = friends_chunk(device, from->cells);
        index.rows = from->rows;
        index.row = from->cell_row;
        index.row_key = from->row_key;
        index.row_cell = to->row_cell;
    }
    return index;
}
