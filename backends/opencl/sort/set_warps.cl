/* Set operations for NVIDIA GPUs, in one pass over memory along the balanced path, which
 * takes equal keys of a and b in pairs as long as there are both: primitives/sets. It is cut
 * into tiles (set_cuts.cl), each of which is a set operation by itself. A group brings its
 * tile into local memory and cuts that path again, into ITEMS elements a work-item (or one
 * more, where a cut would part a pair), puts what is kept side by side, and looks back for
 * how much was kept before. Source: Green, McColl, Bader, "GPU merge path", 2012; Merrill
 * and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016.
 *
 * KEPT has bit 0 where pairs are kept (once, from a), bits 1 and 2 where elements of a and of
 * b without partner are. */
enum { WARPS = GROUP / 32, PAIRS = 1, OF_A = 2, OF_B = 4 };

/* How many of the work-items before one's own keep, and *all: in the group; by all of it. */
static inline u32 weft_sum_before(const u32 own, __local u32 *brought, u32 *all)
{
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    u32 upto = own, before = 0, sum = 0;
    for (int by = 1; by < 32; by *= 2) {
        const u32 lower = weft_from_lower(upto, by);
        if (lane >= by)
            upto += lower;
    }
    if (lane == 31)
        brought[warp] = upto;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before = sum;
        sum += brought[w];
    }
    *all = sum;
    return before + upto - own;
}

/* SOURCES: what is written are the numbers of elements, those of b from a_length on. *all
 * becomes how many there are. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_set(const index_t a_length, const index_t b_length, const u32 kept,
              __global const index_t *cuts, __global u64 *work, const u32 round,
              const u32 taken_before, __global const KEY *a, const long first_a,
              __global const KEY *b, const long first_b, __global u64 *all,
              const long first_all, __global RESULT *out, const long first)
{
    SHARED KEY key[TILE + 2]; /* (one more is read, and not used) */
#if SOURCES
    SHARED ushort place[TILE + 1];
#endif
    SHARED int cut[GROUP + 1];
    SHARED u32 brought[WARPS];
    SHARED u32 taken[1];
    const int lid = (int)get_local_id(0);
    const index_t tile = weft_take_tile(work, taken_before, taken);
    const index_t n = a_length + b_length, begin = tile * TILE;
    const index_t end = n - begin < TILE ? n : begin + TILE;
    const index_t from = cuts[tile], to = cuts[tile + 1];
    const index_t a_begin = from >> 1, b_begin = begin + (from & 1) - a_begin;
    const int a_count = (int)((to >> 1) - a_begin);
    const int b_count = (int)(end + (to & 1) - (to >> 1) - b_begin);
    const int count = a_count + b_count; /* TILE + 1 at most */
    __global const KEY *from_a = a + first_a + a_begin, *from_b = b + first_b + b_begin;

    /* Reads without a condition are under way together. */
    KEY some[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = k * GROUP + lid, at = j < count ? j : count - 1;
        some[k] = *(at < a_count ? from_a + at : from_b + (at - a_count));
    }
    const index_t later = tile + TILES_AHEAD;
    if (later + 1 < (index_t)get_num_groups(0)) {
        const index_t a_later = cuts[later] >> 1, p = lid * ITEMS;
        const index_t a_many = (cuts[later + 1] >> 1) - a_later;
        weft_prefetch(p < a_many ? a + first_a + a_later + p
                                 : b + first_b + (later * TILE - a_later) + (p - a_many));
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        key[k * GROUP + lid] = some[k];
    if (lid == 0 && count > TILE)
        key[TILE] = *(TILE < a_count ? from_a + TILE : from_b + (TILE - a_count));
    barrier(CLK_LOCAL_MEM_FENCE);

    const int done = lid * ITEMS < count ? lid * ITEMS : count;
    const int own_cut = (int)weft_cut_of_tile(
        key, a_count, key + a_count, b_count, done,
        weft_split_tile(key, a_count, key + a_count, b_count, done));
    cut[lid] = own_cut;
    if (lid == 0)
        cut[GROUP] = a_count * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int next = cut[lid + 1];
    const int next_done = lid < GROUP - 1 && done + ITEMS < count ? done + ITEMS : count;
    /* Only what was taken is read anew; b follows a. */
    int i = own_cut >> 1, j = a_count + done + (own_cut & 1) - i;
    const int i_end = next >> 1;
    const int j_end =
        a_count + (next_done == count ? b_count : next_done + (next & 1) - i_end);
    KEY x = key[i], y = key[j];
#if SOURCES
    ushort own[ITEMS + 1];
#else
    KEY own[ITEMS + 1];
#endif
    u32 of_a = 0, of_b = 0;
#pragma unroll
    for (int k = 0; k <= ITEMS; k++) {
        const KEY x_image = weft_image(x), y_image = weft_image(y);
        const int has_a = i < i_end, has_b = j < j_end;
        const int takes_a = has_a && (!has_b || x_image <= y_image);
        const int takes_b = has_b && (!has_a || y_image <= x_image);
#if SOURCES
        own[k] = (ushort)(takes_a ? i : j);
#else
        own[k] = takes_a ? x : y;
#endif
        if (takes_a) {
            of_a |= 1u << k;
            x = key[++i];
        }
        if (takes_b) {
            of_b |= 1u << k;
            y = key[++j];
        }
    }
    const u32 keeps = (kept & PAIRS ? of_a & of_b : 0) | (kept & OF_A ? of_a & ~of_b : 0) |
                      (kept & OF_B ? of_b & ~of_a : 0);
    u32 in_tile;
    u32 at = weft_sum_before(popcount(keeps), brought, &in_tile);
    /* (All keys are read: the sum has met a barrier.) */
#pragma unroll
    for (int k = 0; k <= ITEMS; k++)
        if (keeps >> k & 1)
#if SOURCES
            place[at++] = own[k];
#else
            key[at++] = own[k];
#endif
    if (lid < 32) {
        weft_held held;
        held.sum = in_tile;
        held.heads = 0;
        const weft_held before =
            weft_meet_tiles(work + 2, round, tile, tile == 0, held, 0);
        if (lid == 0) {
            taken[0] = before.sum;
            if (end == n)
                all[first_all] = before.sum + in_tile;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __global RESULT *results = out + first + taken[0];
    for (u32 k = (u32)lid; k < in_tile; k += GROUP) {
#if SOURCES
        const int source = place[k];
        results[k] = source < a_count ? (long)(a_begin + source)
                                      : (long)a_length + b_begin + (source - a_count);
#else
        results[k] = key[k];
#endif
    }
}
