/* Selection for NVIDIA GPUs, a group a tile. A warp counts and places by ballots what it
 * selects, and gathers it in local memory, from where it is written side by side.
 *
 * In one pass over memory: each group takes the next tile and looks back for how many
 * were selected before. A partition must know beforehand how many will be:
 * weft_place_tiles counts first, and weft_select starts there; where tiles are many, counts
 * that do not look back, and a scan of them, take less. */
enum { WARPS = GROUP / 32, SPAN = 32 * ITEMS, TILE = GROUP * ITEMS };

/* Whether a work-item's elements, every 32nd of BATCH * 32 from `begin` on and up to `last`,
 * are selected, as bits. (Reads without a condition are under way together.) */
static inline __attribute__((always_inline)) u32
weft_selected(const index_t begin, const index_t last,
              const u32 keep weft_flags_PARAMETERS)
{
    const int lane = (int)get_local_id(0) & 31;
    u32 selected = 0;
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
        const index_t i = begin + k * 32 + lane;
        const u32 flag = weft_flags(i < last ? i : last weft_flags_ARGUMENTS);
        selected |= (u32)((flag != 0) == keep && i <= last) << k;
    }
    return selected;
}

/* The sum of what the warps of a group bring; *before: of those before one's own. By all of
 * the group. */
static inline u32 weft_sum_warps(const u32 x, __local u32 *brought, u32 *before)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    u32 sum = 0;
    if (lane == 0)
        brought[warp] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    *before = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            *before = sum;
        sum += brought[w];
    }
    return sum;
}

#if COUNT || PARTITION
/* How many of a tile are selected; by all of the group. */
static inline u32 weft_count_tile(const index_t tile, const index_t n, const u32 keep,
                                  __local u32 *brought weft_flags_PARAMETERS)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    const index_t begin = tile * TILE + warp * SPAN;
    u32 count = 0, before;
    for (int k = 0; k < ITEMS; k += BATCH)
        count += popcount(
            weft_selected(begin + k * 32, n - 1, keep weft_flags_ARGUMENTS));
    for (int by = 1; by < 32; by *= 2)
        count += weft_from_lane(count, lane ^ by);
    return weft_sum_warps(count, brought, &before);
}
#endif

#if COUNT
/* *all becomes how many are selected. work[1] is 0 before and after; between, its upper half
 * counts groups, of which the last one tells what the lower half has come to. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_count(const index_t n, const u32 keep, __global u64 *work, const u32 round,
                const u32 taken_before, __global u64 *all,
                const long first_all weft_flags_PARAMETERS)
{
    SHARED u32 brought[WARPS];
    const u32 sum = weft_count_tile((index_t)get_group_id(0), n, keep,
                                    brought weft_flags_ARGUMENTS);
    if (get_local_id(0) == 0) {
        const u64 before = atomic_add_u64(&work[1], (u64)1 << 32 | sum);
        if (before >> 32 == get_num_groups(0) - 1) {
            all[first_all] = (u32)before + sum;
            work[1] = 0;
        }
    }
}
#endif

#if PARTITION
/* counts[t]: how many are selected of tile t; 0 after the last. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_count_tiles(const index_t n, const u32 keep,
                      __global u32 *counts weft_flags_PARAMETERS)
{
    SHARED u32 brought[WARPS];
    const index_t tile = (index_t)get_group_id(0);
    const u32 sum = weft_count_tile(tile, n, keep, brought weft_flags_ARGUMENTS);
    if (get_local_id(0) == 0) {
        counts[tile] = sum;
        if (n - tile * TILE <= TILE)
            counts[tile + 1] = 0;
    }
}

/* places[t]: how many are selected before tile t; after the last, in all. `work` holds the
 * states from its third word on. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_place_tiles(const index_t n, const u32 keep, __global u64 *work, const u32 round,
                      const u32 taken_before, __global u32 *places weft_flags_PARAMETERS)
{
    SHARED u32 brought[WARPS];
    SHARED u32 taken[1];
    __global volatile u64 *states = work + 2;
    const index_t tile = weft_take_tile(work, taken_before, taken);
    const u32 sum = weft_count_tile(tile, n, keep, brought weft_flags_ARGUMENTS);
    if (get_local_id(0) < 32) {
        weft_held held;
        held.sum = sum;
        held.heads = 0;
        const weft_held before = weft_meet_tiles(states, round, tile, tile == 0, held, 0);
        if (get_local_id(0) == 0) {
            places[tile] = before.sum;
            if (n - tile * TILE <= TILE)
                places[tile + 1] = before.sum + sum;
        }
    }
}
#endif

#if MOVE_ELEMENTS
/* `work` holds the states from its third word on; *all becomes how many are selected.
 * PARTITION: places[t] says how many are before tile t, and after the last, in all. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_select(const index_t n, const u32 keep, const long room,
#if PARTITION
                 __global const u32 *places,
#else
                 __global u64 *work, const u32 round, const u32 taken_before,
#endif
                 __global u64 *all, const long first_all, __global weft_in_element *out,
                 const long first weft_in_PARAMETERS weft_flags_PARAMETERS)
{
    SHARED weft_in_element gathered[TILE];
    SHARED u32 brought[WARPS];
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    const u32 below = (1u << lane) - 1;
#if PARTITION
    const index_t tile = (index_t)get_group_id(0);
#else
    SHARED u32 taken[1];
    __global volatile u64 *states = work + 2;
    const index_t tile = weft_take_tile(work, taken_before, taken);
    const long ahead = ((long)tile + TILES_AHEAD) * TILE + lid * ITEMS;
    if (ahead < n)
        weft_in_PREFETCH(ahead);
#endif
    const index_t begin = tile * TILE + warp * SPAN, last = n - 1;

    /* What is selected from the front of the warp's span on, all else from its end. */
    u32 count = 0, before_warp;
    for (int at = 0; at < SPAN; at += BATCH * 32) {
        weft_in_element some[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const index_t i = begin + at + k * 32 + lane;
            some[k] = weft_in(i < last ? i : last weft_in_ARGUMENTS);
        }
        const u32 selected =
            weft_selected(begin + at, last, keep weft_flags_ARGUMENTS);
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const u32 row = weft_ballot(selected >> k & 1);
            const int rank = (int)(count + popcount(row & below));
            if (selected >> k & 1)
                gathered[warp * SPAN + rank] = some[k];
#if PARTITION
            else
                gathered[warp * SPAN + SPAN - 1 - (at + k * 32 + lane - rank)] = some[k];
#endif
            count += popcount(row);
        }
    }
    const u32 tile_count = weft_sum_warps(count, brought, &before_warp);

#if PARTITION
    (void)tile_count; /* counted before */
    const long place = (long)places[tile] + before_warp;
    const u32 in_all = places[get_num_groups(0)];
    if (tile == 0 && lid == 0)
        all[first_all] = in_all;
#else
    if (warp == 0) {
        weft_held held;
        held.sum = tile_count;
        held.heads = 0;
        const weft_held before =
            weft_meet_tiles(states, round, tile, tile == 0, held, 0);
        if (lane == 0) {
            taken[0] = before.sum;
            if (n - tile * TILE <= TILE)
                all[first_all] = before.sum + tile_count;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const long place = (long)taken[0] + before_warp;
#endif
    for (long j = lane; j < count && place + j < room; j += 32)
        out[first + place + j] = gathered[warp * SPAN + (int)j];
#if PARTITION
    const long rest = (long)in_all + begin - place;
    const long left = n - begin, others = (left < SPAN ? left : SPAN) - (long)count;
    for (long j = lane; j < others; j += 32)
        out[first + rest + j] = gathered[warp * SPAN + SPAN - 1 - (int)j];
#endif
}
#endif
