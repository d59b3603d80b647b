/* All pairs, for GPUs: a group a tile of points of one segment; the segment passes by
 * through local memory, a tile at a time. starts[s] counts the tiles before segment s. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void weft_pairs(const long segments, __global const long *offsets,
                __global const long *starts, const weft_element initial,
                __global weft_element *out, const long first weft_p_PARAMETERS)
{
    __local weft_p_type0 others[TILE];
    const long task = (long)get_group_id(0);
    const int lid = (int)get_local_id(0);
    long low = 0, high = segments;
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;
        if (starts[middle] <= task)
            low = middle;
        else
            high = middle;
    }
    const long i = offsets[low] + (task - starts[low]) * TILE + lid;
    const long from = offsets[low], end = offsets[low + 1];
    const int tiles = (int)((end - from + TILE - 1) / TILE);
    __global const weft_p_type0 *points = weft_p0 + weft_p_first0;
    const weft_p_type0 own = points[i < end ? i : from];
    weft_element sum = initial;
    for (int t = 0; t < tiles; t++) {
        const long tile = from + (long)t * TILE;
        const int count = end - tile < TILE ? (int)(end - tile) : TILE;
        if (lid < count)
            others[lid] = points[tile + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (count == TILE) {
#pragma unroll 8
            for (int j = 0; j < TILE; j++)
                sum = weft_meet(sum, own, others[j] weft_p_VALUES);
        } else {
            for (int j = 0; j < count; j++)
                sum = weft_meet(sum, own, others[j] weft_p_VALUES);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < end)
        out[first + i] = sum;
}
