/* Scan for NVIDIA GPUs, a group a tile; neighbours combine by shuffles.
 *
 * Integers in one pass over memory: each group takes the next tile, tells its sum, and
 * looks back over the sums of the tiles before it until one of them knows all that came
 * before. A tile's state, status and sum, is written as one word, or as two that count
 * once their statuses agree, so that no fence is needed. Groups only wait for groups that
 * took their tiles earlier. Source: Merrill and Garland, "Single-pass parallel prefix scan
 * with decoupled look-back", 2016.
 *
 * Floats in two, so that association is fixed: weft_scan_fold gives the tiles' sums, the
 * host has them scanned, and weft_scan goes on from there. */
enum { WARPS = GROUP / 32, SPAN = 32 * ITEMS, ROW = SPAN + ITEMS, TILE = GROUP * ITEMS };
enum { SUM = 1, ALL = 2 }; /* of the tile alone; of it and everything before */

#if SEGMENTED
#define HEADS_IN weft_heads_PARAMETERS
#define HEADS weft_heads_ARGUMENTS
#define CUT(cut, own, both) ((cut) ? (own) : (both))
#else
#define HEADS_IN
#define HEADS
#define CUT(cut, own, both) (both)
#endif

/* What a work-item knows of a tile, of which it has ITEMS neighbours in local memory: the
 * sums of what lies before them in the warp (lower), before the warp in the tile, and of
 * the whole tile. A cut says that there is a head in it. (The elements themselves would take
 * registers while a group looks back, and so keep other groups from running.) */
typedef struct weft_part {
    weft_element lower, warp_before, tile_sum;
    u32 heads, lower_cut, warp_cut, tile_cut;
} weft_part;

#if WIDE_ELEMENT
#define STATE_WORDS 2
#define MOVE(how, x, by)                                                                   \
    FROM_BITS((u64)how((u32)(BITS(x) >> 32), by) << 32 | how((u32)BITS(x), by))
#else
#define STATE_WORDS 1
#define MOVE(how, x, by) FROM_BITS(how((u32)BITS(x), by))
#endif

/* Loads the tile and sums it up; by all of the group. */
static inline __attribute__((always_inline)) void
weft_fold_tile(weft_part *part, const index_t begin, const index_t count,
                                  const weft_element identity, __local weft_element *value,
                                  __local weft_element *total,
                                  __local u32 *cut_total weft_in_PARAMETERS HEADS_IN)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    weft_element own[ITEMS];
    u32 heads = 0;
    /* Side by side out of memory, then each work-item its own ITEMS in a row. */
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = k * 32 + lane;
        own[k] = identity;
        if (j < count)
            own[k] = weft_in(begin + j weft_in_ARGUMENTS);
#if SEGMENTED
        u32 head = 0;
        if (j < count)
            head = weft_heads(begin + j weft_heads_ARGUMENTS);
        const u32 row = weft_ballot(head != 0);
        if (k == lane * ITEMS / 32)
            heads = row >> lane * ITEMS % 32 & ((1u << ITEMS) - 1);
#endif
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        value[warp * ROW + k * 33 + lane] = own[k];
    weft_meet_warp();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = lane * ITEMS + k;
        own[k] = value[warp * ROW + j + j / 32];
    }

    weft_element upto = own[0];
#pragma unroll
    for (int k = 1; k < ITEMS; k++)
        upto = CUT(heads >> k & 1, own[k], weft_combine(upto, own[k]));
    u32 cut = heads != 0;
    for (int by = 1; by < 32; by *= 2) {
        const weft_element lower = MOVE(weft_from_lower, upto, by);
        if (lane >= by)
            upto = CUT(cut, upto, weft_combine(lower, upto));
#if SEGMENTED
        const u32 lower_cut = weft_from_lower(cut, by);
        if (lane >= by)
            cut |= lower_cut;
#endif
    }
    part->heads = heads;
    part->lower = MOVE(weft_from_lower, upto, 1);
#if SEGMENTED
    part->lower_cut = weft_from_lower(cut, 1);
#endif
    if (lane == 31) {
        total[warp] = upto;
        cut_total[warp] = cut;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    part->tile_sum = part->warp_before = identity;
    part->tile_cut = part->warp_cut = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w == warp) {
            part->warp_before = part->tile_sum;
            part->warp_cut = part->tile_cut;
        }
        part->tile_sum =
            CUT(cut_total[w], total[w], weft_combine(part->tile_sum, total[w]));
        part->tile_cut |= cut_total[w];
    }
}

/* Scans the tile from `before` on; `to` is where it goes. */
static inline __attribute__((always_inline)) void
weft_write_tile(const weft_part *part, const weft_element before,
                                   const index_t count, const weft_element identity,
                                   __local weft_element *value, __global weft_element *to)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    weft_element sum =
        CUT(part->warp_cut, part->warp_before, weft_combine(before, part->warp_before));
    if (lane > 0)
        sum = CUT(part->lower_cut, part->lower, weft_combine(sum, part->lower));
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = lane * ITEMS + k;
#if SEGMENTED
        if (part->heads >> k & 1)
            sum = identity;
#endif
        const weft_element next = weft_combine(sum, value[warp * ROW + j + j / 32]);
        value[warp * ROW + j + j / 32] = EXCLUSIVE ? sum : next;
        sum = next;
    }
    weft_meet_warp();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = k * 32 + lane;
        if (j < count)
            to[j] = value[warp * ROW + k * 33 + lane];
    }
}

#define LOCALS                                                                             \
    SHARED weft_element value[WARPS * ROW];                                                \
    SHARED weft_element total[WARPS];                                                      \
    SHARED u32 cut_total[WARPS];                                                           \
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;                \
    weft_part part;

#if LOOK_BACK
static inline void weft_tell(__global volatile u64 *state, const u64 status,
                             const weft_element sum)
{
    state[0] = status << 32 | (u32)BITS(sum);
#if WIDE_ELEMENT
    state[1] = status << 32 | (u32)(BITS(sum) >> 32);
#endif
}

/* Waits until the tile has told anything; returns its status. */
static inline u32 weft_ask(__global volatile u64 *state, weft_element *sum)
{
    u64 low;
#if WIDE_ELEMENT
    u64 high;
    do {
        low = state[0];
        high = state[1];
    } while (low >> 32 == 0 || low >> 32 != high >> 32);
    *sum = FROM_BITS(high << 32 | (u32)low);
#else
    do
        low = state[0];
    while (low >> 32 == 0);
    *sum = FROM_BITS((u32)low);
#endif
    return (u32)(low >> 32);
}

/* What comes before `tile`; by one warp. */
static inline weft_element weft_look_back(__global volatile u64 *states, const index_t tile,
                                          const int lane, const weft_element identity)
{
    weft_element before = identity;
    for (index_t near = tile - 1;; near -= 32) {
        weft_element sum = identity;
        u32 status = ALL;
        if (near >= lane)
            status = weft_ask(states + STATE_WORDS * (near - lane), &sum);
        const u32 ends = weft_ballot(status == ALL);
        const int end = ends ? 31 - (int)clz(ends & (0u - ends)) : 31;
        if (lane > end)
            sum = identity;
        for (int by = 1; by < 32; by *= 2) {
            const weft_element farther = MOVE(weft_from_higher, sum, by);
            if (lane + by < 32)
                sum = weft_combine(farther, sum);
        }
        before = weft_combine(MOVE(weft_from_lane, sum, 0), before);
        if (ends)
            return before;
    }
}

/* `work` begins with the number of the next tile, and from its third word on holds the
 * states. All of it is 0 at first. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan(const index_t n, const weft_element identity, __global u64 *work,
               __global weft_element *out, const long first weft_in_PARAMETERS HEADS_IN)
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
                   cut_total weft_in_ARGUMENTS HEADS);
    if (warp == 0) {
        const int knows_all = tile == 0 || part.tile_cut;
        if (lane == 0)
            weft_tell(states + STATE_WORDS * tile, knows_all ? ALL : SUM, part.tile_sum);
        weft_element before = identity;
        if (tile > 0)
            before = weft_look_back(states, tile, lane, identity);
        if (lane == 0) {
            if (!knows_all)
                weft_tell(states + STATE_WORDS * tile, ALL,
                          weft_combine(before, part.tile_sum));
            before_tile[0] = before;
        }
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
                   cut_total weft_in_ARGUMENTS HEADS);
    if (lid == 0) {
        sums[tile] = part.tile_sum;
        cuts[tile] = part.tile_cut;
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
                   cut_total weft_in_ARGUMENTS HEADS);
    weft_write_tile(&part, before, count, identity, value, out + first + begin);
}
#endif
