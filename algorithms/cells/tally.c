#include "tally.h"
#include "near.h"
#include "tally.kernel.h"
#include "weft/register.h"

WEFT_KERNEL(tally_cells, (value, friends_rule, rule), (value, u32, least),
            (value, u32, enough), (value, i64, chunk), (value, i64, cells),
            (value, i64, pitch), (value, i64, rows), (in, u64, bits, 0),
            (in, u32, map_first, 0), (in, u32, neighbour, 0), (in, u64, row_key, 0),
            (in, u32, row_cell, 0), (in, u32, row, 0), (in, u32, cell_x, 0),
            (in, u32, cell_set, 0), (in, u32, cell_start, 0), (in, u32, set_start, 0),
            (in, u8, set_sub, 0), (in, grid_point, point, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (out, u32, friends, 0))
WEFT_KERNEL(tally_points, (value, friends_rule, rule), (value, u32, least),
            (value, u32, enough), (value, i64, cells), (value, i64, pitch),
            (value, i64, rows), (in, u64, bits, 0), (in, u32, map_first, 0),
            (in, u32, neighbour, 0), (in, u64, row_key, 0), (in, u32, row_cell, 0),
            (in, u32, row, 0), (in, u32, cell_x, 0), (in, u32, cell_set, 0),
            (in, u32, cell_start, 0), (in, u32, set_start, 0), (in, u8, set_sub, 0),
            (in, grid_point, point, 0), (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (out, u32, friends, 0))

void tally_friends(weft_device *device, const friends_rule *rule, const points_words *words,
                   grid_sets *s, u32 least, u32 enough, weft_array friends) {
    weft_scope_open(device);
    const near_index near = near_prepare(device, &rule->g, s, s, s->points);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, s->points, tally_points, .rule = *rule, .least = least,
                      .enough = enough, .cells = s->cells, .pitch = near.map.pitch,
                      .rows = near.rows, .bits = near.map.bits, .map_first = near.map.first,
                      .neighbour = near.neighbour, .row_key = near.row_key,
                      .row_cell = near.row_cell, .row = near.row, .cell_x = s->cell_x,
                      .cell_set = s->cell_set, .cell_start = s->cell_start,
                      .set_start = s->set_start, .set_sub = s->set_sub, .point = s->point,
                      .x = words->x, .y = words->y, .z = words->z, .friends = friends);
    else
        weft_for_each(device, (s->cells + near.chunk - 1) / near.chunk, tally_cells,
                      .rule = *rule, .least = least, .enough = enough, .chunk = near.chunk,
                      .cells = s->cells, .pitch = near.map.pitch, .rows = near.rows,
                      .bits = near.map.bits, .map_first = near.map.first,
                      .neighbour = near.neighbour, .row_key = near.row_key,
                      .row_cell = near.row_cell, .row = near.row, .cell_x = s->cell_x,
                      .cell_set = s->cell_set, .cell_start = s->cell_start,
                      .set_start = s->set_start, .set_sub = s->set_sub, .point = s->point,
                      .x = words->x, .y = words->y, .z = words->z, .friends = friends);
    weft_scope_close(device);
}
