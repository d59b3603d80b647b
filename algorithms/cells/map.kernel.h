/* A map of which cells hold particles, a bit a cell: neighbours are found without a search.
 * For grids that are dense enough that their map takes no more room than their particles.
 */
#ifndef WEFT_MAP_KERNEL_H
#define WEFT_MAP_KERNEL_H

#include "friends.kernel.h"

/* Rows are padded to `pitch` words; the cell at x has bit x + 1, so that no neighbour's bit
 * lies before the row. */
static inline index_t map_word(u32 line, u32 bit, i64 pitch) {
    return (index_t)line * (index_t)pitch + (index_t)(bit >> 6);
}

/* For a chunk of cells, marks the words whose first cells it holds: their bits, and the
 * numbers of those. Each cell writes its word anew, since whether another follows in it is
 * hard to foresee. */
static inline void map_mark(index_t i, i64 chunk, grid_view cells, GLOBAL u64 *bits,
                            GLOBAL u32 *word_cell) {
    GLOBAL const u32 *cell_line = cells.cell_line, *cell_x = cells.cell_x;
    const index_t n = (index_t)cells.cells, begin = i * (index_t)chunk;
    const index_t end = n - begin < chunk ? n : begin + (index_t)chunk;
    const i64 pitch = cells.pitch;
    const index_t before =
        begin > 0 ? map_word(cell_line[begin - 1], cell_x[begin - 1] + 1, pitch) : -1;
    index_t c = begin, last = -1;
    while (c < end && map_word(cell_line[c], cell_x[c] + 1, pitch) == before)
        c++;
    u64 all = 0;
    u32 number = 0;
    for (; c < n; c++) {
        const index_t word = map_word(cell_line[c], cell_x[c] + 1, pitch);
        const i32 same = word == last;
        if (c >= end && !same)
            return;
        all = (same ? all : 0) | (u64)1 << ((cell_x[c] + 1) & 63);
        number = same ? number : (u32)c;
        bits[word] = all;
        word_cell[word] = number;
        last = word;
    }
}

/* Whether the cells x - 1, x and x + 1 of a row hold particles: bits 0, 1 and 2. */
static inline u32 map_window(const grid_view *cells, index_t row, u32 x) {
    const index_t word = row + (index_t)(x >> 6);
    const u32 shift = x & 63;
    u64 window = cells->bits[word] >> shift;
    if (shift > 61)
        window |= cells->bits[word + 1] << (64 - shift);
    return (u32)(window & 7);
}

/* Whether a row has this bit set, and the number of its cell. */
static inline u32 map_holds(const grid_view *cells, index_t row, u32 bit) {
    return (u32)(cells->bits[row + (index_t)(bit >> 6)] >> (bit & 63) & 1);
}

static inline u32 map_cell(const grid_view *cells, index_t row, u32 bit) {
    const index_t word = row + (index_t)(bit >> 6);
    const u64 below = ((u64)1 << (bit & 63)) - 1;
    return cells->word_cell[word] + (u32)popcount(cells->bits[word] & below);
}

/* The row on a way from (y, z), or -1. */
static inline index_t map_row(const grid *g, const grid_view *cells, i32 way, i64 y,
                              i64 z) {
    const friends_step step = friends_way(way);
    const i64 ty = friends_neighbour(y, step.y, g->cells[1], g->box[1]);
    const i64 tz = friends_neighbour(z, step.z, g->cells[2], g->box[2]);
    return ty < 0 || tz < 0 ? -1 : (index_t)(tz * g->cells[1] + ty) * (index_t)cells->pitch;
}

/* The window at x of a row, and in bit 3 the cell across the wrap, whose bit is `across`;
 * 0: there is none. */
static inline u32 map_hits(const grid_view *cells, index_t row, u32 x, u32 across) {
    if (row < 0)
        return 0;
    const u32 window = map_window(cells, row, x);
    return across == 0 ? window : window | map_holds(cells, row, across) << 3;
}

#endif
