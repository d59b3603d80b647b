/* The rows of the primitives, and the numbers that they work on. */
#ifndef WEFT_BENCH_ROWS_H
#define WEFT_BENCH_ROWS_H

#include "bench/bench.h"
#include "bench/memory.h"

/* Each ends with a row without a name. */
extern const struct row rows_stream[], rows_reduce[], rows_scan[], rows_select[],
    rows_sort[], rows_search[], rows_sets[], rows_order[], rows_find[], rows_numbers[],
    rows_segments[], rows_in_place[], rows_nth[];

/* Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators": the i-th
 * number of a sequence, without a state. */
static inline u64 rows_random(u64 i) {
    u64 x = (i + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* How long segments or runs are: the number that ends the row's name, or another. */
i64 rows_length(const struct task *task, i64 otherwise);

/* in[k]: n random u32. */
bool rows_random_u32(struct task *task, int k, u64 seed);
/* in[k]: n random u32 that rise, spread over all values. */
bool rows_rising_u32(struct task *task, int k, u64 seed);

#endif
