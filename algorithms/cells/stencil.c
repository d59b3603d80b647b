#include "stencil.h"
#include "lines.kernel.h"
#include "stencil.kernel.h"
#include "weft/transform.h"

WEFT_KERNEL(map_mark, (value, i64, chunk), (bundle, grid_view, cells),
            (inout, u64, bits, 0), (inout, u32, word_cell, 0))
WEFT_KERNEL(lines_begin, (value, i64, lines), (value, i64, block),
            (bundle, grid_view, cells), (inout, u32, line_cell, 0),
            (inout, u32, line_point, 0))

i64 stencil_pitch(const grid *g) {
    return (g->cells[0] + 2 + 63) / 64;
}

int stencil_may_map(const grid *g, i64 worth) {
    const f64 words = (f64)stencil_pitch(g) * (f64)g->cells[1] * (f64)g->cells[2];
    return !g->long_keys && words <= 2.5 * (f64)worth;
}

void stencil_make_map(weft_device *device, const grid *g, grid_sets *s, i64 worth) {
    const i64 pitch = stencil_pitch(g);
    const u64 none = 0;
    if (s->pitch > 0 || !stencil_may_map(g, worth))
        return;
    s->pitch = pitch;
    const weft_array bits =
        weft_array_new(device, WEFT_U64, pitch * g->cells[1] * g->cells[2]);
    const weft_array word_cell = weft_array_new(device, WEFT_U32, bits.length);
    const int many = weft_device_style(device) == WEFT_SIMT;
    const i64 chunk = many ? 1 : friends_chunk(device, s->cells);
    weft_fill(device, bits, &none);
    weft_for_each(device, (s->cells + chunk - 1) / chunk, map_mark, .chunk = chunk,
                  .cells = *s, .bits = bits, .word_cell = word_cell);
    s->bits = bits;
    s->word_cell = word_cell;
}

void stencil_find_lines(weft_device *device, const grid *g, grid_sets *s) {
    enum { BLOCK = 4096 };
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

weft_array stencil_prepare(weft_device *device, const grid *g, grid_sets *from,
                           grid_sets *to, i64 worth) {
    stencil_make_map(device, g, to, worth);
    grid_find_starts(device, from);
    return to->pitch > 0 ? (weft_array){0} : friends_find_rows(device, g, from, to, 9);
}
