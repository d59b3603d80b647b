/* What all tiles before one's own hold, in one pass over memory. Tiles tell what they hold in
 * states, words that each carry the status and count once their statuses agree, so that no
 * fence is needed. Memory is used again as it is: a status is ROUND + SUM or ROUND + ALL of a
 * round, and whatever else is there was told in another. Groups only wait for groups that
 * took their tiles earlier. Source: Merrill and Garland, "Single-pass parallel prefix scan
 * with decoupled look-back", 2016.
 *
 * FIXED: sums associate in one way, as those of floats must.
 * COUNTED: heads are counted, and a sum begins anew with the last of them. */
enum { SUM = 1, ALL = 2, ROUND = 4 }; /* of the tile alone; of it and all before */

#if WIDE_ELEMENT
#define SUM_WORDS 2
#define MOVE(how, x, by)                                                                   \
    FROM_BITS((u64)how((u32)(BITS(x) >> 32), by) << 32 | how((u32)BITS(x), by))
#else
#define SUM_WORDS 1
#define MOVE(how, x, by) FROM_BITS(how((u32)BITS(x), by))
#endif
#define STATE_WORDS (SUM_WORDS + COUNTED)

/* What some neighbouring elements hold. */
typedef struct weft_held {
    weft_element sum;
    u32 heads; /* 0 unless COUNTED */
} weft_held;

static inline weft_held weft_join(const weft_held before, const weft_held after)
{
    weft_held both;
    both.heads = before.heads + after.heads;
    both.sum = after.heads ? after.sum : weft_combine(before.sum, after.sum);
    return both;
}

/* What the lanes of a warp hold, the highest lane first. */
static inline weft_held weft_join_lanes(weft_held own)
{
    for (int by = 1; by < 32; by *= 2) {
        weft_held before;
        before.sum = MOVE(weft_from_higher, own.sum, by);
        before.heads = 0;
#if COUNTED
        before.heads = weft_from_higher(own.heads, by);
#endif
        own = weft_join(before, own);
    }
    own.sum = MOVE(weft_from_lane, own.sum, 0);
#if COUNTED
    own.heads = weft_from_lane(own.heads, 0);
#endif
    return own;
}

/* The tile that comes next; by all of a group. `work` begins with how many were taken in
 * this and all rounds before. */
static inline u32 weft_take_tile(__global u64 *work, const u32 taken_before,
                                 __local u32 *taken)
{
    if (get_local_id(0) == 0)
        taken[0] = atomic_inc((__global volatile u32 *)work) - taken_before;
    barrier(CLK_LOCAL_MEM_FENCE);
    return taken[0];
}

static inline void weft_tell(__global volatile u64 *state, const u64 status,
                             const weft_held held)
{
    state[0] = status << 32 | (u32)BITS(held.sum);
#if WIDE_ELEMENT
    state[1] = status << 32 | (u32)(BITS(held.sum) >> 32);
#endif
#if COUNTED
    state[SUM_WORDS] = status << 32 | held.heads;
#endif
}

static inline void weft_read_state(__global const volatile u64 *state, const int wanted,
                                   u64 *word)
{
#pragma unroll
    for (int w = 0; w < STATE_WORDS; w++) {
        word[w] = 0;
        if (wanted)
            word[w] = state[w];
    }
}

/* What a state holds that was read as `word`, once it is told, and its status; the identity
 * of ALL unless it is wanted. */
static inline weft_held weft_await(__global const volatile u64 *state, const u32 round,
                                   const int wanted, u64 *word,
                                   const weft_element identity, u32 *status)
{
    weft_held held;
    held.sum = identity;
    held.heads = 0;
    *status = ALL;
    if (wanted) {
        for (;;) {
            *status = (u32)(word[0] >> 32) - round;
            int told = *status < ROUND && *status > 0;
#pragma unroll
            for (int w = 1; w < STATE_WORDS; w++)
                told &= word[w] >> 32 == word[0] >> 32;
            if (told)
                break;
            weft_read_state(state, 1, word);
        }
#if WIDE_ELEMENT
        held.sum = FROM_BITS(word[1] << 32 | (u32)word[0]);
#else
        held.sum = FROM_BITS((u32)word[0]);
#endif
#if COUNTED
        held.heads = (u32)word[SUM_WORDS];
#endif
    }
    return held;
}

#if FIXED
/* By one warp: tells what the tile holds, and returns what all before it hold. The last of
 * NEAR tiles also tells what these hold, a block, and the last of NEAR blocks what all up to
 * it hold; states are of tiles, then of blocks, then of what is up to every NEAR-th of these.
 * A tile waits for those before it in its block, for blocks before that, and for all before
 * these: a lane each. */
enum { NEAR = 32 };
static inline weft_held weft_meet_tiles(__global volatile u64 *states, const u32 round,
                                        const index_t tile, const int knows_all,
                                        const weft_held held, const weft_element identity)
{
    const int lane = (int)get_local_id(0) & 31;
    const index_t tiles = (index_t)get_num_groups(0), block = tile / NEAR;
    const int tiles_near = (int)(tile % NEAR), blocks_near = (int)(block % NEAR);
    __global volatile u64 *blocks = states + STATE_WORDS * tiles;
    __global volatile u64 *alls = blocks + STATE_WORDS * (tiles / NEAR);
    __global volatile u64 *near_tile = states + STATE_WORDS * (tile - 1 - lane);
    __global volatile u64 *near_block = blocks + STATE_WORDS * (block - 1 - lane);
    __global volatile u64 *last_all = alls + STATE_WORDS * (block / NEAR - 1);
    u64 of_tile[STATE_WORDS], of_block[STATE_WORDS], of_all[STATE_WORDS];
    u32 status;
    if (lane == 0)
        weft_tell(states + STATE_WORDS * tile, round + ALL, held);
    weft_read_state(near_tile, lane < tiles_near, of_tile);
    weft_read_state(near_block, lane < blocks_near, of_block);
    weft_read_state(last_all, block >= NEAR, of_all);

    const weft_held in_block = weft_join_lanes(
        weft_await(near_tile, round, lane < tiles_near, of_tile, identity, &status));
    if (tiles_near == NEAR - 1 && lane == 0)
        weft_tell(blocks + STATE_WORDS * block, round + ALL, weft_join(in_block, held));
    const weft_held in_blocks = weft_join_lanes(
        weft_await(near_block, round, lane < blocks_near, of_block, identity, &status));
    const weft_held in_all =
        weft_await(last_all, round, block >= NEAR, of_all, identity, &status);
    const weft_held before = weft_join(weft_join(in_all, in_blocks), in_block);
    if (tiles_near == NEAR - 1 && blocks_near == NEAR - 1 && lane == 0)
        weft_tell(alls + STATE_WORDS * (block / NEAR), round + ALL,
                  weft_join(before, held));
    return before;
}
#else
/* By one warp: tells what the tile holds, and returns what all before it hold, which tiles
 * tell once they know. One that ends what is open before it (knows_all) can tell at once. A
 * lane looks at one tile at a time. */
static inline weft_held weft_meet_tiles(__global volatile u64 *states, const u32 round,
                                        const index_t tile, const int knows_all,
                                        const weft_held held, const weft_element identity)
{
    const int lane = (int)get_local_id(0) & 31;
    weft_held before;
    before.sum = identity;
    before.heads = 0;
    if (lane == 0)
        weft_tell(states + STATE_WORDS * tile, round + (knows_all ? ALL : SUM), held);
    u32 ends = tile == 0;
    for (index_t from = tile - 1 - lane; !ends; from -= 32) {
        __global volatile u64 *state = states + STATE_WORDS * from;
        u64 word[STATE_WORDS];
        u32 status;
        weft_read_state(state, from >= 0, word);
        weft_held own = weft_await(state, round, from >= 0, word, identity, &status);
        ends = weft_ballot(status == ALL);
        if (ends && lane > 31 - (int)clz(ends & (0u - ends))) {
            own.sum = identity;
            own.heads = 0;
        }
        before = weft_join(weft_join_lanes(own), before);
    }
    if (lane == 0 && !knows_all)
        weft_tell(states + STATE_WORDS * tile, round + ALL, weft_join(before, held));
    return before;
}
#endif
