/* Histograms, for CPUs: a work-item a chunk, which it counts into COPIES tables of its own in
 * turn: a count need not wait for the one just before, even where all elements fall into one
 * bin. What is out of range is counted behind the tables. */
enum { COPIES = 4, WILD = COPIES * TABLE, TILE = 512 };

/* rows[c][b]: how many of chunk c are b. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_histogram(const index_t n, const index_t chunk, const u32 bins,
                    __global u32 *rows weft_bins_PARAMETERS)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t end = n - begin < chunk ? n : begin + chunk;
    __global u32 *row = rows + get_group_id(0) * bins;
    u32 table[COPIES * TABLE + 1];
    for (u32 b = 0; b < COPIES * bins; b++)
        table[b] = 0;
    u32 place[TILE]; /* found in vectors */
    for (index_t at = begin; at < end; at += TILE) {
        const int count = end - at < TILE ? (int)(end - at) : TILE;
        for (int k = 0; k < count; k++) {
            const u32 bin = weft_bins(at + k weft_bins_ARGUMENTS);
            place[k] = bin < bins ? (u32)k % COPIES * bins + bin : WILD;
        }
        for (int k = 0; k < count; k++)
            table[place[k]]++;
    }
    for (u32 b = 0; b < bins; b++)
        row[b] = table[b] + table[bins + b] + table[2 * bins + b] + table[3 * bins + b];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_histogram_sum(const int chunks, const u32 bins, __global const u32 *rows,
                        __global u32 *counts, const long first)
{
    for (u32 b = 0; b < bins; b++)
        counts[first + b] = 0;
    for (int c = 0; c < chunks; c++)
        for (u32 b = 0; b < bins; b++)
            counts[first + b] += rows[c * (long)bins + b];
}
