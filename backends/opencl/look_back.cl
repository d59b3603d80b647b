/* What all tiles before one's own hold, in one pass over memory. Tiles tell what they hold;
 * the last of NEAR tiles also what these hold, a block; the last of NEAR blocks also what
 * all up to it hold. A tile so waits for tiles before it in its block, for blocks before
 * that, and for all before these: a lane each. How sums associate depends on nothing else.
 *
 * A state is told as words that each carry the round, and counts once these agree, so that
 * no fence is needed; what else is there was told in other rounds. Groups only wait for
 * groups that took their tiles earlier. Source: Merrill and Garland, "Single-pass parallel prefix
 * scan with decoupled look-back", 2016, which takes what is there already instead.
 *
 * COUNTED: heads are counted, and a sum begins anew with the last of them. */
enum { NEAR = 32 };

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

static inline void weft_tell(__global volatile u64 *state, const u32 round,
                             const weft_held held)
{
    state[0] = (u64)round << 32 | (u32)BITS(held.sum);
#if WIDE_ELEMENT
    state[1] = (u64)round << 32 | (u32)(BITS(held.sum) >> 32);
#endif
#if COUNTED
    state[SUM_WORDS] = (u64)round << 32 | held.heads;
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

/* What a state holds that was read as `word`, once it is told; the identity unless
 * `wanted`. */
static inline weft_held weft_await(__global const volatile u64 *state, const u32 round,
                                   const int wanted, u64 *word, const weft_element identity)
{
    weft_held held;
    held.sum = identity;
    held.heads = 0;
    if (wanted) {
        for (;;) {
            int told = 1;
#pragma unroll
            for (int w = 0; w < STATE_WORDS; w++)
                told &= (u32)(word[w] >> 32) == round;
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

/* What the lanes of a warp hold, in their order. */
static inline weft_held weft_join_lanes(weft_held own)
{
    for (int by = 1; by < 32; by *= 2) {
        weft_held after;
        after.sum = MOVE(weft_from_higher, own.sum, by);
        after.heads = 0;
#if COUNTED
        after.heads = weft_from_higher(own.heads, by);
#endif
        own = weft_join(own, after);
    }
    own.sum = MOVE(weft_from_lane, own.sum, 0);
#if COUNTED
    own.heads = weft_from_lane(own.heads, 0);
#endif
    return own;
}

/* By one warp: tells what the tile holds, and returns what all before it hold. States are
 * of `tiles` tiles, then of blocks, then of what is up to every NEAR-th of these. */
static inline weft_held weft_meet_tiles(__global volatile u64 *states, const u32 round,
                                        const u32 tiles, const u32 tile,
                                        const weft_held held, const weft_element identity)
{
    const u32 lane = (u32)get_local_id(0) & 31;
    const u32 block = tile / NEAR, all = block / NEAR;
    const u32 before_tile = tile % NEAR, before_block = block % NEAR;
    __global volatile u64 *blocks = states + STATE_WORDS * tiles;
    __global volatile u64 *alls = blocks + STATE_WORDS * (tiles / NEAR);
    __global volatile u64 *near_tile = states + STATE_WORDS * (block * NEAR + lane);
    __global volatile u64 *near_block = blocks + STATE_WORDS * (all * NEAR + lane);
    __global volatile u64 *last_all = alls + STATE_WORDS * (all - 1);
    u64 of_tile[STATE_WORDS], of_block[STATE_WORDS], of_all[STATE_WORDS];
    if (lane == 0)
        weft_tell(states + STATE_WORDS * tile, round, held);
    weft_read_state(near_tile, lane < before_tile, of_tile);
    weft_read_state(near_block, lane < before_block, of_block);
    weft_read_state(last_all, all > 0, of_all);

    const weft_held in_block =
        weft_join_lanes(weft_await(near_tile, round, lane < before_tile, of_tile, identity));
    if (before_tile == NEAR - 1 && lane == 0)
        weft_tell(blocks + STATE_WORDS * block, round, weft_join(in_block, held));
    const weft_held in_blocks = weft_join_lanes(
        weft_await(near_block, round, lane < before_block, of_block, identity));
    const weft_held in_all = weft_await(last_all, round, all > 0, of_all, identity);
    const weft_held before = weft_join(weft_join(in_all, in_blocks), in_block);
    if (before_tile == NEAR - 1 && before_block == NEAR - 1 && lane == 0)
        weft_tell(alls + STATE_WORDS * all, round, weft_join(before, held));
    return before;
}
