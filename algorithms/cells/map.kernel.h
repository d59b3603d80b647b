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

/* The first cell of each word writes the bits of all of them, and its own number. */
static inline void map_mark(index_t i, i64 count, i64 pitch, GLOBAL const u32 *cell_line,
                            GLOBAL const u32 *cell_x, GLOBAL u64 *bits, GLOBAL u32 *first) {
    const index_t word = map_word(cell_line[i], cell_x[i] + 1, pitch);
    if (i > 0 && map_word(cell_line[i - 1], cell_x[i - 1] + 1, pitch) == word)
        return;
    u64 all = 0;
    for (index_t c = i; c < count && map_word(cell_line[c], cell_x[c] + 1, pitch) == word;
         c++)
        all |= (u64)1 << ((cell_x[c] + 1) & 63);
    bits[word] = all;
    first[word] = (u32)i;
}

/* The same where few work-items run, for a chunk of cells and the words whose first cells
 * it holds. Each cell writes its word anew, since whether another follows in it is hard to
 * foresee. */
static inline void map_mark_chunk(index_t i, i64 chunk, i64 count, i64 pitch,
                                  GLOBAL const u32 *cell_line, GLOBAL const u32 *cell_x,
                                  GLOBAL u64 *bits, GLOBAL u32 *first) {
    const index_t n = (index_t)count, begin = i * (index_t)chunk;
    const index_t end = n - begin < chunk ? n : begin + (index_t)chunk;
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
        first[word] = number;
        last = word;
    }
}

/* Whether the cells x - 1, x and x + 1 of a row hold particles: bits 0, 1 and 2. */
static inline u32 map_window(index_t row, u32 x, GLOBAL const u64 *bits) {
    const index_t word = row + (index_t)(x >> 6);
    const u32 shift = x & 63;
    u64 window = bits[word] >> shift;
    if (shift > 61)
        window |= bits[word + 1] << (64 - shift);
    return (u32)(window & 7);
}

/* The number of the cell that has this bit of a row set. */
static inline u32 map_cell(index_t row, u32 bit, GLOBAL const u64 *bits,
                           GLOBAL const u32 *first) {
    const index_t word = row + (index_t)(bit >> 6);
    return first[word] + (u32)popcount(bits[word] & (((u64)1 << (bit & 63)) - 1));
}

/* The row on one of the four ways from (y, z), or -1. */
static inline index_t map_row(const friends_rule *rule, i32 way, i64 y, i64 z, i64 pitch) {
    const friends_step step = friends_way(way);
    const i64 ty = friends_neighbour(y, step.y, rule->g.cells[1], rule->g.box[1]);
    const i64 tz = friends_neighbour(z, step.z, rule->g.cells[2], rule->g.box[2]);
    return ty < 0 || tz < 0 ? -1 : (index_t)(tz * rule->g.cells[1] + ty) * (index_t)pitch;
}

/* The window at x of a row, and in bit 3 the cell across the wrap, whose bit is `across`;
 * 0: there is none. */
static inline u32 map_hits(index_t row, u32 x, u32 across, GLOBAL const u64 *bits) {
    if (row < 0)
        return 0;
    const u32 window = map_window(row, x, bits);
    return across == 0
               ? window
               : window | (u32)(bits[row + (index_t)(across >> 6)] >> (across & 63) & 1)
                              << 3;
}

#endif
