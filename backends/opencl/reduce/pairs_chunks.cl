/* All pairs, for CPUs: a work-item a tile of points of one segment, which stays in the
 * first cache while the segment passes by, and vectorises. starts[s] counts the tiles
 * before segment s. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_pairs(const long segments, __global const long *offsets,
                __global const long *starts, const weft_element initial,
                __global weft_element *out, const long first weft_p_PARAMETERS)
{
    const long task = (long)get_group_id(0);
    long low = 0, high = segments;
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;
        if (starts[middle] <= task)
            low = middle;
        else
            high = middle;
    }
    const long begin = offsets[low] + (task - starts[low]) * TILE, end = offsets[low + 1];
    const int count = end - begin < TILE ? (int)(end - begin) : TILE;
    __global const weft_p_type0 *points = weft_p0 + weft_p_first0;
    weft_p_type0 own[TILE];
    weft_element sum[TILE];
    for (int k = 0; k < TILE; k++) {
        own[k] = points[begin + (k < count ? k : 0)];
        sum[k] = initial;
    }
    for (long j = offsets[low]; j < end; j++) {
        const weft_p_type0 other = points[j];
        for (int k = 0; k < TILE; k++)
            sum[k] = weft_meet(sum[k], own[k], other weft_p_VALUES);
    }
    for (int k = 0; k < count; k++)
        out[first + begin + k] = sum[k];
}
