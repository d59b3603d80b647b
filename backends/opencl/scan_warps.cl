/* Scan in one pass over memory, for NVIDIA GPUs and integers: each group takes the next tile,
 * tells its sum, and looks back over the sums of the tiles before it until one of them knows
 * all that came before. A tile's state, status and sum, is written as one word, or as two
 * that count once their statuses agree, so that no fence is needed. Groups only wait for
 * groups that took their tiles earlier.
 * Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back",
 * 2016. */
enum { WARPS = GROUP / 32, SPAN = 32 * ITEMS, ROW = SPAN + ITEMS, TILE = GROUP * ITEMS };
enum { SUM = 1, ALL = 2 }; /* of the tile alone; of it and everything before */

#if SEGMENTED
#define HEADS_IN weft_heads_PARAMETERS
#define CUT(cut, own, both) ((cut) ? (own) : (both))
#else
#define HEADS_IN
#define CUT(cut, own, both) (both)
#endif

#if WIDE_ELEMENT
#define STATE_WORDS 2
#define MOVE(how, x, by)                                                                   \
    ((weft_element)((u64)how((u32)((u64)(x) >> 32), by) << 32 | how((u32)(u64)(x), by)))
#else
#define STATE_WORDS 1
#define MOVE(how, x, by) ((weft_element)how((u32)(x), by))
#endif

static inline void weft_tell(__global volatile u64 *state, const u64 status,
                             const weft_element sum)
{
    state[0] = status << 32 | (u32)sum;
#if WIDE_ELEMENT
    state[1] = status << 32 | (u32)((u64)sum >> 32);
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
    *sum = (weft_element)(high << 32 | (u32)low);
#else
    do
        low = state[0];
    while (low >> 32 == 0);
    *sum = (weft_element)(u32)low;
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
    SHARED weft_element value[WARPS * ROW];
    SHARED weft_element total[WARPS];
    SHARED weft_element before_tile[1];
    SHARED u32 cut_total[WARPS];
    SHARED u32 taken[1];
    __global volatile u64 *states = work + 2;
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    if (lid == 0)
        taken[0] = atomic_inc((__global volatile u32 *)work);
    barrier(CLK_LOCAL_MEM_FENCE);
    const index_t tile = taken[0], begin = tile * TILE + warp * SPAN, count = n - begin;

    /* Side by side out of memory, then each work-item its own ITEMS in a row. */
    weft_element own[ITEMS];
    u32 heads = 0;
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

    /* The work-item's sum, then the warp's running sums, then the tile's. */
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
    const weft_element lower = MOVE(weft_from_lower, upto, 1);
#if SEGMENTED
    const u32 lower_cut = weft_from_lower(cut, 1);
#endif
    if (lane == 31) {
        total[warp] = upto;
        cut_total[warp] = cut;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    weft_element tile_sum = identity, warp_before = identity;
    u32 tile_cut = 0, warp_cut = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w == warp) {
            warp_before = tile_sum;
            warp_cut = tile_cut;
        }
        tile_sum = CUT(cut_total[w], total[w], weft_combine(tile_sum, total[w]));
        tile_cut |= cut_total[w];
    }

    if (warp == 0) {
        const int knows_all = tile == 0 || tile_cut;
        if (lane == 0)
            weft_tell(states + STATE_WORDS * tile, knows_all ? ALL : SUM, tile_sum);
        weft_element before = identity;
        if (tile > 0)
            before = weft_look_back(states, tile, lane, identity);
        if (lane == 0) {
            if (!knows_all)
                weft_tell(states + STATE_WORDS * tile, ALL, weft_combine(before, tile_sum));
            before_tile[0] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    weft_element sum = CUT(warp_cut, warp_before, weft_combine(before_tile[0], warp_before));
    if (lane > 0)
        sum = CUT(lower_cut, lower, weft_combine(sum, lower));
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = lane * ITEMS + k;
#if SEGMENTED
        if (heads >> k & 1)
            sum = identity;
#endif
        const weft_element next = weft_combine(sum, own[k]);
        value[warp * ROW + j + j / 32] = EXCLUSIVE ? sum : next;
        sum = next;
    }
    weft_meet_warp();
    __global weft_element *to = out + first;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = k * 32 + lane;
        if (j < count)
            to[begin + j] = value[warp * ROW + k * 33 + lane];
    }
}
