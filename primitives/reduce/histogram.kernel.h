/* Counting into tables of one's own, which are summed; or into shared ones by atomics,
 * where many work-items run at a time, or there are about as many counts as elements. */
#ifndef WEFT_HISTOGRAM_KERNEL_H
#define WEFT_HISTOGRAM_KERNEL_H

#include <weft/kernel.h>

/* Counts an element, unless it is out of range. */
static inline void histogram_add(GLOBAL u32 *row, u32 counts, u32 bin) {
    if (bin < counts)
        row[bin]++;
}

/* Chunk r is counted into `copies` rows in turn, 1 or 4: a count need not wait for the one
 * just before, even where all elements fall into one bin. */
static inline void histogram_rows(index_t r, i64 length, i64 chunk, u32 counts, u32 copies,
                                  GLOBAL const u32 *bins, GLOBAL u32 *rows) {
    const index_t begin = r * (index_t)chunk, left = (index_t)length - begin;
    const index_t end = left < (index_t)chunk ? (index_t)length : begin + (index_t)chunk;
    const u32 all = counts * copies, next = copies == 4 ? counts : 0;
    GLOBAL u32 *row = rows + r * (index_t)all;
    for (u32 b = 0; b < all; b++)
        row[b] = 0;
    index_t i = begin;
    for (; i + 4 <= end; i += 4) {
        histogram_add(row, counts, bins[i]);
        histogram_add(row + next, counts, bins[i + 1]);
        histogram_add(row + 2 * next, counts, bins[i + 2]);
        histogram_add(row + 3 * next, counts, bins[i + 3]);
    }
    for (; i < end; i++)
        histogram_add(row, counts, bins[i]);
}

static inline void histogram_atomic(index_t i, i64 rows, u32 counts, GLOBAL const u32 *bins,
                                    GLOBAL u32 *table) {
    if (bins[i] < counts)
        atomic_add_u32(&table[i % (index_t)rows * (index_t)counts + (index_t)bins[i]], 1);
}

/* Adds the rows to the counts so far. */
#pragma weft for T in u32 i64
static inline void histogram_sum_T(index_t b, i64 rows, u32 counts, GLOBAL const u32 *row,
                                   GLOBAL T *sum) {
    T count = 0;
    for (index_t r = 0; r < (index_t)rows; r++)
        count += row[r * (index_t)counts + b];
    sum[b] += count;
}
#pragma weft end

#endif
