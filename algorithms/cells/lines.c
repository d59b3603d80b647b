#include "lines.h"
#include "lines.kernel.h"
#include "weft/transform.h"

WEFT_KERNEL(lines_begin, (value, i64, lines), (value, i64, block),
            (bundle, grid_view, cells), (inout, u32, line_cell, 0),
            (inout, u32, line_point, 0))

enum { BLOCK = 4096 };

void lines_find(weft_device *device, const grid *g, grid_sets *s) {
    const f64 could = (f64)g->cells[1] * (f64)g->cells[2];
    if (s->line_cell.type != 0 || g->long_keys || could > 2.5 * (f64)s->points)
        return;
    const i64 lines = g->cells[1] * g->cells[2];
    const weft_array line_cell = weft_array_new(device, WEFT_U32, lines + 1),
                     line_point = weft_array_new(device, WEFT_U32, lines + 1);
    weft_for_each(device, (lines + BLOCK) / BLOCK, lines_begin, .lines = lines,
                  .block = BLOCK, .cells = *s, .line_cell = line_cell,
                  .line_point = line_point);
    s->line_cell = line_cell;
    s->line_point = line_point;
}
