/* A tile of neighbouring elements that a group sums up and scans; neighbours combine by
 * shuffles. */
enum { WARPS = GROUP / 32, SPAN = 32 * ITEMS, ROW = SPAN + ITEMS, TILE = GROUP * ITEMS };

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
 * the whole tile, each from the last head on where there are heads, which are counted.
 * (The elements themselves would take registers while a group looks back, and so keep other
 * groups from running.) */
typedef struct weft_part {
    weft_element lower, warp_before, tile_sum;
    u32 heads, lower_heads, warp_heads, tile_heads;
    u32 row; /* heads of the lane-th 32 elements of the warp */
} weft_part;

/* Loads the tile and sums it up; by all of the group. */
static inline __attribute__((always_inline)) void
weft_fold_tile(weft_part *part, const index_t begin, const index_t count,
                                  const weft_element identity, __local weft_element *value,
                                  __local weft_element *total,
                                  __local u32 *heads_total weft_in_PARAMETERS HEADS_IN)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    const index_t last = begin + count - 1;
    /* Side by side out of memory, then each work-item its own ITEMS in a row. Reads without
     * a condition are under way together, BATCH at a time. */
    part->row = 0;
    for (int first = 0; first < ITEMS; first += BATCH) {
        weft_element some[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const index_t i = begin + (first + k) * 32 + lane;
            some[k] = weft_in(i < last ? i : last weft_in_ARGUMENTS);
        }
#if SEGMENTED
        u32 head[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const index_t i = begin + (first + k) * 32 + lane;
            head[k] = weft_heads(i < last ? i : last weft_heads_ARGUMENTS) != 0;
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const index_t i = begin + (first + k) * 32 + lane;
            const u32 row = weft_ballot((head[k] != 0) | (i == 0) | (i > last));
            if (first + k == lane)
                part->row = row;
        }
#endif
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const int j = (first + k) * 32 + lane;
            value[warp * ROW + (first + k) * 33 + lane] = j < count ? some[k] : identity;
        }
    }
    u32 heads = 0;
#if SEGMENTED
    heads = weft_from_lane(part->row, lane * ITEMS / 32) >> lane * ITEMS % 32 &
            ((2u << (ITEMS - 1)) - 1);
#endif
    weft_element own[ITEMS];
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
    u32 count_upto = popcount(heads);
    for (int by = 1; by < 32; by *= 2) {
        const weft_element lower = MOVE(weft_from_lower, upto, by);
        if (lane >= by)
            upto = CUT(count_upto, upto, weft_combine(lower, upto));
#if SEGMENTED
        const u32 lower_count = weft_from_lower(count_upto, by);
        if (lane >= by)
            count_upto += lower_count;
#endif
    }
    part->heads = heads;
    part->lower = MOVE(weft_from_lower, upto, 1);
#if SEGMENTED
    part->lower_heads = weft_from_lower(count_upto, 1);
#endif
    if (lane == 31) {
        total[warp] = upto;
        heads_total[warp] = count_upto;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    part->tile_sum = part->warp_before = identity;
    part->tile_heads = part->warp_heads = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w == warp) {
            part->warp_before = part->tile_sum;
            part->warp_heads = part->tile_heads;
        }
        part->tile_sum =
            CUT(heads_total[w], total[w], weft_combine(part->tile_sum, total[w]));
        part->tile_heads += heads_total[w];
    }
}

/* Scans the tile from `before` on, within local memory; by all of the group. */
static inline __attribute__((always_inline)) void
weft_scan_tile(const weft_part *part, const weft_element before,
                                  const weft_element identity, __local weft_element *value)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    weft_element sum =
        CUT(part->warp_heads, part->warp_before, weft_combine(before, part->warp_before));
    if (lane > 0)
        sum = CUT(part->lower_heads, part->lower, weft_combine(sum, part->lower));
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
}

#define LOCALS                                                                             \
    SHARED weft_element value[WARPS * ROW];                                                \
    SHARED weft_element total[WARPS];                                                      \
    SHARED u32 heads_total[WARPS];                                                           \
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;                \
    weft_part part;
