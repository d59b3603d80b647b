/* Sums over segments that offsets tell, for NVIDIA GPUs: in one pass over memory, and a short
 * one. A group scans a tile by segments, whose heads are bits in local memory, and takes sums
 * from where segments end. What the tile holds of a segment that began before it is carried
 * there afterwards.
 *
 * weft_in and the operator are the caller's; offsets ascend, those of ends among them. */

/* How many of `count` ascending offsets are less than `least`; by all of a warp. */
static inline long weft_offsets_before(__global const long *offsets, const long count,
                                       const long least)
{
    const int lane = (int)get_local_id(0) & 31;
    long low = 0, high = count;
    while (low < high) {
        const long step = (high - low + 31) / 32, probe = low + (lane + 1) * step - 1;
        int less = 0;
        if (probe < high)
            less = offsets[probe] < least;
        low += popcount(weft_ballot(less)) * step;
        high = min(high, low + step - 1);
    }
    return min(low, count);
}

/* open[t]: the segment that begins in tile t and goes on after it, or -1; carries[t]: the sum
 * of what tile t holds of a segment that began before it. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_segments(const index_t n, const long segments, const weft_element identity,
                   __global const long *all_offsets, const long first_offset,
                   __global long *open, __global weft_element *carries,
                   __global weft_element *all_out, const long first weft_in_PARAMETERS)
{
    LOCALS
    SHARED u32 bits[TILE / 32];
    SHARED long cuts[2];
    __global const long *offsets = all_offsets + first_offset;
    __global weft_element *out = all_out + first;
    const index_t tile = (index_t)get_group_id(0), tile_begin = tile * TILE;
    const index_t begin = tile_begin + warp * SPAN, count = n - begin;
    const long tile_end = min((long)tile_begin + TILE, (long)n);
    for (int w = lid; w < TILE / 32; w += GROUP)
        bits[w] = 0;
    if (warp < 2) {
        const long cut = warp == 0      ? weft_offsets_before(offsets, segments + 1, tile_begin)
                         : tile_end < n ? weft_offsets_before(offsets, segments + 1, tile_end)
                                        : segments + 1;
        if (lane == 0)
            cuts[warp] = cut;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const long head = cuts[0], end = cuts[1];
    for (long k = head + lid; k < end; k += GROUP) {
        const long at = offsets[k] - tile_begin;
        if (at >= 0 && at < TILE)
            atomic_or(&bits[at / 32], 1u << at % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    weft_fold_tile(&part, begin, count, identity, value, total,
                   heads_total weft_in_ARGUMENTS, bits, tile_begin);
    weft_scan_tile(&part, identity, identity, value);
    barrier(CLK_LOCAL_MEM_FENCE);

    const long last = min(end, segments) - 1;
    for (long k = head - 1 + lid; k <= last; k += GROUP) {
        if (k < 0)
            continue;
        const long from = max(offsets[k], (long)tile_begin);
        const long to = min(offsets[k + 1], tile_end), j = to - 1 - tile_begin;
        weft_element sum = identity;
        if (from < to && j < TILE)
            sum = value[j / SPAN * ROW + j % SPAN + j % SPAN / 32];
        if (k < head)
            carries[tile] = sum;
        else
            out[k] = sum;
    }
    if (lid == 0)
        open[tile] = end > head && end <= segments ? end - 1 : -1;
}

/* A warp a tile: what later tiles hold of the segment that is open at its end. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_segments_carry(const index_t n, const weft_element identity, const index_t tiles,
                         __global const long *offsets, const long first_offset,
                         __global const long *open, __global const weft_element *carries,
                         __global weft_element *out, const long first)
{
    const int lid = (int)get_local_id(0), lane = lid & 31;
    const index_t tile = (index_t)get_group_id(0) * WARPS + lid / 32;
    if (tile >= tiles || open[tile] < 0)
        return;
    const long k = open[tile], stop = min(offsets[first_offset + k + 1], (long)n);
    const index_t last = min((index_t)(stop / TILE), tiles - 1);
    const index_t each = (last - tile + 31) / 32, begin = tile + 1 + lane * each;
    weft_element sum = identity;
    for (index_t t = begin; t < begin + each && t <= last; t++)
        sum = weft_combine(sum, carries[t]);
    for (int by = 1; by < 32; by *= 2) {
        const weft_element lower = MOVE(weft_from_lower, sum, by);
        if (lane >= by)
            sum = weft_combine(lower, sum);
    }
    if (lane == 31)
        out[first + k] = weft_combine(out[first + k], sum);
}
