/* Scan for NVIDIA GPUs, a group a tile.
 *
 * Integers in one pass over memory: each group takes the next tile, tells its sum, and
 * looks back for what comes before. Floats in two, so that association is fixed:
 * weft_scan_fold gives the tiles' sums, the host has them scanned, and weft_scan goes on
 * from there. */
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

#if LOOK_BACK
/* `work` holds the states from its third word on. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan(const index_t n, const weft_element identity, __global u64 *work,
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
        held.heads = 0;
        held = weft_meet_tiles(states, round, tile, lane, tile == 0 || part.tile_heads,
                               held, identity);
        if (lane == 0)
            before_tile[0] = held.sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    weft_write_tile(&part, before_tile[0], count, identity, value, out + first + begin);
}
#else
/* sums[t], and with heads cuts[t]: of tile t. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan_fold(const index_t n, const weft_element identity,
                    __global weft_element *sums,
                    __global u32 *cuts weft_in_PARAMETERS HEADS_IN)
{
    LOCALS
    const index_t tile = (index_t)get_group_id(0);
    const index_t begin = tile * TILE + warp * SPAN, count = n - begin;
    weft_fold_tile(&part, begin, count, identity, value, total,
                   heads_total weft_in_ARGUMENTS HEADS);
    if (lid == 0) {
        sums[tile] = part.tile_sum;
        cuts[tile] = part.tile_heads;
    }
}

/* sums[t] has become the sum of all up to tile t. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan(const index_t n, const weft_element identity,
               __global const weft_element *sums, __global weft_element *out,
               const long first weft_in_PARAMETERS HEADS_IN)
{
    LOCALS
    const index_t tile = (index_t)get_group_id(0);
    const index_t begin = tile * TILE + warp * SPAN, count = n - begin;
    weft_element before = identity;
    if (tile > 0)
        before = sums[tile - 1];
    weft_fold_tile(&part, begin, count, identity, value, total,
                   heads_total weft_in_ARGUMENTS HEADS);
    weft_write_tile(&part, before, count, identity, value, out + first + begin);
}
#endif
