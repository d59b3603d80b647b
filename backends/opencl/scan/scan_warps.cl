/* Scan for NVIDIA GPUs, a group a tile, in one pass over memory: each group takes the next
 * tile, tells its sum, and learns what comes before. */
/* Scans the tile from `before` on; `to` is where it goes. */
static inline __attribute__((always_inline)) void
weft_write_tile(const weft_part *part, const weft_element before, const index_t count,
                const weft_element identity, __local weft_element *value,
                __global weft_element *to)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    weft_scan_tile(part, before, identity, value);
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = k * 32 + lane;
        if (j < count)
            to[j] = value[warp * ROW + k * 33 + lane];
    }
}

/* From `start` on, the identity where there are heads. `work` holds the states from its
 * third word on. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan(const index_t n, const weft_element identity, const weft_element start,
               __global u64 *work,
               const u32 round, const u32 taken_before,
               __global weft_element *out, const long first weft_in_PARAMETERS HEADS_IN)
{
    LOCALS
    SHARED weft_element before_tile[1];
    SHARED u32 taken[1];
    __global volatile u64 *states = work + 2;
    const index_t tile = weft_take_tile(work, taken_before, taken);
    const index_t begin = tile * TILE + warp * SPAN, count = n - begin;
#if !SEGMENTED
    const long ahead = ((long)tile + TILES_AHEAD) * TILE + lid * ITEMS;
    if (ahead < n)
        weft_in_PREFETCH(ahead);
#endif
    weft_fold_tile(&part, begin, count, identity, value, total,
                   heads_total weft_in_ARGUMENTS HEADS);
    if (warp == 0) {
        weft_held held;
        held.sum = part.tile_sum;
        held.heads = COUNTED ? part.tile_heads : 0;
        if (tile == 0 && !SEGMENTED)
            held.sum = weft_combine(start, held.sum);
        held = weft_meet_tiles(states, round, tile, tile == 0 || part.tile_heads, held,
                               identity);
        if (lane == 0)
            before_tile[0] = tile == 0 ? start : held.sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    weft_write_tile(&part, before_tile[0], count, identity, value, out + first + begin);
}
