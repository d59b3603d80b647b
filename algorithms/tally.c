#include "tally.h"
#include "tally.kernel.h"
#include "weft/register.h"

WEFT_KERNEL(tally_chunk, (value, friends_rule, rule), (value, u32, least),
            (value, u32, enough), (value, i64, chunk), (value, i64, cells),
            (value, i64, rows), (in, u32, neighbour, 0), (in, u32, row_cell, 0),
            (in, u32, cell_row, 0), (in, u32, cell_x, 0), (in, u32, cell_set, 0),
            (in, u32, set_start, 0), (in, u8, set_sub, 0), (in, grid_point, point, 0),
            (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0), (out, u32, friends, 0))

void tally_friends(weft_device *device, const friends_rule *rule, const points_words *words,
                   grid_sets *s, u32 least, u32 enough, weft_array friends) {
    const i64 chunk = friends_chunk(device, s->cells);
    weft_scope_open(device);
    const weft_array neighbour = friends_find_rows(device, &rule->g, s, 8);
    weft_for_each(device, (s->cells + chunk - 1) / chunk, tally_chunk, .rule = *rule,
                  .least = least, .enough = enough, .chunk = chunk, .cells = s->cells,
                  .rows = s->rows, .neighbour = neighbour, .row_cell = s->row_cell,
                  .cell_row = s->cell_row, .cell_x = s->cell_x, .cell_set = s->cell_set,
                  .set_start = s->set_start, .set_sub = s->set_sub, .point = s->point,
                  .x = words->x, .y = words->y, .z = words->z, .friends = friends);
    weft_scope_close(device);
}
