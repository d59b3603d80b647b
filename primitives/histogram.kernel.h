/* Counting into tables of one's own, which are summed; or into one, by atomics, where there
 * are about as many counts as elements, so that few of them meet. */
#ifndef HISTOGRAM_KERNEL_H
#define HISTOGRAM_KERNEL_H

#include <weft/kernel.h>

/* Row r counts the elements of chunk r. */
static inline void histogram_rows(index_t r, i64 length, i64 chunk, u32 counts,
                                  GLOBAL const u32 *bins, GLOBAL u32 *rows) {
    const index_t begin = r * (index_t)chunk, left = (index_t)length - begin;
    const index_t end = left < (index_t)chunk ? (index_t)length : begin + (index_t)chunk;
    GLOBAL u32 *row = rows + r * (index_t)counts;
    for (u32 b = 0; b < counts; b++)
        row[b] = 0;
    for (index_t i = begin; i < end; i++)
        if (bins[i] < counts)
            row[bins[i]]++;
}

static inline void histogram_atomic(index_t i, u32 counts, GLOBAL const u32 *bins,
                                    GLOBAL u32 *row) {
    if (bins[i] < counts)
        atomic_add_u32(&row[bins[i]], 1);
}

/* Adds the rows to the counts so far. */
static inline void histogram_sum_u32(index_t b, i64 rows, u32 counts, GLOBAL const u32 *row,
                                     GLOBAL u32 *sum) {
    u32 count = 0;
    for (index_t r = 0; r < (index_t)rows; r++)
        count += row[r * (index_t)counts + b];
    sum[b] += count;
}
static inline void histogram_sum_i64(index_t b, i64 rows, u32 counts, GLOBAL const u32 *row,
                                     GLOBAL i64 *sum) {
    i64 count = 0;
    for (index_t r = 0; r < (index_t)rows; r++)
        count += row[r * (index_t)counts + b];
    sum[b] += count;
}

#endif
