/* Sets and cells of sorted keys, a block of particles at a time, for a few work-items: what
 * a block holds is counted, and then written from what lies in the first cache. */
#ifndef WEFT_SETS_KERNEL_H
#define WEFT_SETS_KERNEL_H

#include "grid.kernel.h"

enum { SETS_BLOCK = 512 };

static inline index_t sets_end(const grid_keys *key, index_t begin) {
    const index_t n = (index_t)key->n;
    return n - begin < SETS_BLOCK ? n : begin + SETS_BLOCK;
}

/* How many sets begin in a block, and above 2^32 how many cells. */
static inline u64 sets_begin(const grid_keys *key, index_t first, index_t end, i32 wide) {
    u32 sets = first == 0, cells = first == 0;
    for (index_t k = first + (first == 0); k < end; k++) {
        const u64 differ = grid_read_key(key, k, wide) ^ grid_read_key(key, k - 1, wide);
        sets += differ != 0;
        cells += differ >> 3 * key->bits != 0;
    }
    return (u64)cells << 32 | sets;
}

static inline void sets_count(index_t i, grid_keys key, GLOBAL u64 *count) {
    const index_t first = i * SETS_BLOCK, end = sets_end(&key, first);
    count[i] = key.wide ? sets_begin(&key, first, end, 1) : sets_begin(&key, first, end, 0);
}

/* The row of a cell: the quotient is off by less than a half, as a whole number below 2^32
 * is from the next. */
static inline u64 sets_row(u64 cell, u64 width, f64 inverse, i32 wide) {
    return wide ? cell / width : (u32)(i32)(((f64)(i32)cell + 0.5) * inverse);
}

/* The sets and cells that begin in particles [first, end): `before` of them begin before.
 */
static inline void sets_write_block(const grid_keys *key, index_t first, index_t end,
                                    i32 wide, u64 before, GLOBAL u32 *set_start,
                                    GLOBAL u8 *set_sub, GLOBAL u32 *cell_set,
                                    GLOBAL u32 *cell_line, GLOBAL u32 *cell_x) {
    u32 start[SETS_BLOCK], cell[SETS_BLOCK], sets = 0, cells = 0;
    const u32 set = (u32)before, at = (u32)(before >> 32), shift = 3 * (u32)key->bits;
    const f64 inverse = 1 / (f64)key->width;
    for (index_t k = first; k < end; k++) {
        start[sets] = (u32)k;
        sets += grid_differ(key, k, wide) != 0;
    }
    for (u32 j = 0; j < sets; j++) {
        set_start[set + j] = start[j];
        set_sub[set + j] =
            (u8)(grid_read_key(key, (index_t)start[j], wide) & ((1u << shift) - 1));
        cell[cells] = j;
        cells += grid_differ(key, (index_t)start[j], wide) >> shift != 0;
    }
    for (u32 j = 0; j < cells; j++) {
        const u64 number = grid_read_key(key, (index_t)start[cell[j]], wide) >> shift;
        const u64 row = sets_row(number, (u64)key->width, inverse, wide);
        cell_set[at + j] = set + cell[j];
        cell_line[at + j] = (u32)row;
        cell_x[at + j] = (u32)(number - row * (u64)key->width);
    }
}

/* `upto`: how many sets and cells begin up to the end of each block. */
static inline void sets_write(index_t i, grid_keys key, GLOBAL const u64 *upto,
                              GLOBAL u32 *set_start, GLOBAL u8 *set_sub,
                              GLOBAL u32 *cell_set, GLOBAL u32 *cell_line,
                              GLOBAL u32 *cell_x) {
    const index_t first = i * SETS_BLOCK, end = sets_end(&key, first);
    const u64 before = i > 0 ? upto[i - 1] : 0;
    if (key.wide)
        sets_write_block(&key, first, end, 1, before, set_start, set_sub, cell_set,
                         cell_line, cell_x);
    else
        sets_write_block(&key, first, end, 0, before, set_start, set_sub, cell_set,
                         cell_line, cell_x);
    if (end == key.n) {
        set_start[(u32)upto[i]] = (u32)end;
        cell_set[(u32)(upto[i] >> 32)] = (u32)upto[i];
    }
}

#endif
