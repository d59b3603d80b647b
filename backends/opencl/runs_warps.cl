/* Sums over runs for NVIDIA GPUs, in one pass over memory: a scan by segments, which looks
 * back for the sum of the run that is open and for the number of heads, and of which the
 * ends of runs are written.
 *
 * `work` begins with the number of the next tile, and from its third word on holds the
 * states, all of it 0 at first; *all becomes how many runs there are. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_runs(const index_t n, const weft_element identity, __global u64 *work,
               __global u64 *all, const long first_all, __global weft_keys_element *keys_out,
               const long first_key, __global weft_element *out,
               const long first weft_keys_PARAMETERS weft_in_PARAMETERS HEADS_IN)
{
    LOCALS
    SHARED weft_element before_tile[1];
    SHARED u32 taken[1];
    __global volatile u64 *states = work + 2;
    if (lid == 0)
        taken[0] = atomic_inc((__global volatile u32 *)work);
    barrier(CLK_LOCAL_MEM_FENCE);
    const index_t tile = taken[0], begin = tile * TILE + warp * SPAN, count = n - begin;
    weft_fold_tile(&part, begin, count, identity, value, total,
                   heads_total weft_in_ARGUMENTS HEADS);
    if (warp == 0) {
        weft_held held;
        held.sum = part.tile_sum;
        held.heads = part.tile_heads;
        held = weft_meet_tiles(states, tile, lane, tile == 0, held, identity);
        if (lane == 0) {
            before_tile[0] = held.sum;
            taken[0] = held.heads;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    weft_scan_tile(&part, before_tile[0], identity, value);

    /* An element is an end where the next one is a head. */
    u32 next = 1, heads = taken[0] + part.warp_heads;
    if (count > SPAN)
        next = weft_heads(begin + SPAN weft_heads_ARGUMENTS) != 0;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const u32 row = weft_from_lane(part.row, k);
        const u32 after = k < ITEMS - 1 ? weft_from_lane(part.row, k + 1) : next;
        const u32 upto = heads + popcount(row & ((2u << lane) - 1));
        const int j = k * 32 + lane;
        if (j < count && (lane < 31 ? row >> lane >> 1 : after) & 1) {
            keys_out[first_key + upto - 1] = weft_keys(begin + j weft_keys_ARGUMENTS);
            out[first + upto - 1] = value[warp * ROW + k * 33 + lane];
            if (j == count - 1)
                all[first_all] = upto;
        }
        heads += popcount(row);
    }
}
