/* Decoupled look-back: each tile tells what it holds, and once it knows, what it and all
 * tiles before it hold. A state is told as words that each carry the status, and counts
 * once their statuses agree, so that no fence is needed. Groups only wait for groups that
 * took their tiles earlier. Memory is used again as it is: a status is ROUND + SUM or ROUND +
 * ALL of a round, and whatever else is there was told in another. Source: Merrill and Garland, "Single-pass parallel prefix scan
 * with decoupled look-back", 2016; here a lane looks at NEAR tiles at a time, for one after
 * the other would cost as many trips to memory.
 *
 * COUNTED: heads are counted, and a sum begins anew with the last of them. */
enum { SUM = 1, ALL = 2, ROUND = 4 }; /* of the tile alone; of it and all before */
enum { NEAR = 1 };

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

/* The status of a state; 0: it has not been told, or just now is. */
static inline u32 weft_status_of(const u64 *word, const u32 round)
{
    const u32 status = (u32)(word[0] >> 32) - round;
    int told = status < ROUND;
    for (int w = 1; w < STATE_WORDS; w++)
        told &= word[w] >> 32 == word[0] >> 32;
    return told ? status : 0;
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

static inline weft_held weft_held_of(const u64 *word)
{
    weft_held held;
    held.heads = 0;
#if WIDE_ELEMENT
    held.sum = FROM_BITS(word[1] << 32 | (u32)word[0]);
#else
    held.sum = FROM_BITS((u32)word[0]);
#endif
#if COUNTED
    held.heads = (u32)word[SUM_WORDS];
#endif
    return held;
}

/* What all tiles before `tile` hold; by one warp. */
static inline weft_held weft_look_back(__global volatile u64 *states, const u32 round,
                                       const index_t tile, const int lane,
                                       const weft_element identity)
{
    weft_held before;
    before.sum = identity;
    before.heads = 0;
    for (index_t from = tile - 1 - lane * NEAR;; from -= 32 * NEAR) {
        u64 word[NEAR][STATE_WORDS];
#pragma unroll
        for (int k = 0; k < NEAR; k++)
#pragma unroll
            for (int w = 0; w < STATE_WORDS; w++) {
                word[k][w] = 0;
                if (k <= from)
                    word[k][w] = states[STATE_WORDS * (from - k) + w];
            }
        weft_held own;
        own.sum = identity;
        own.heads = 0;
        int done = 0;
#pragma unroll
        for (int k = 0; k < NEAR; k++) {
            done |= k > from;
            if (!done) {
                u32 status = weft_status_of(word[k], round);
                while (status == 0) {
                    for (int w = 0; w < STATE_WORDS; w++)
                        word[k][w] = states[STATE_WORDS * (from - k) + w];
                    status = weft_status_of(word[k], round);
                }
                own = weft_join(weft_held_of(word[k]), own);
                done = status == ALL;
            }
        }
        const u32 ends = weft_ballot(done);
        if (ends && lane > 31 - (int)clz(ends & (0u - ends))) {
            own.sum = identity;
            own.heads = 0;
        }
        for (int by = 1; by < 32; by *= 2) {
            weft_held farther;
            farther.sum = MOVE(weft_from_higher, own.sum, by);
            farther.heads = 0;
#if COUNTED
            farther.heads = weft_from_higher(own.heads, by);
#endif
            if (lane + by < 32)
                own = weft_join(farther, own);
        }
        own.sum = MOVE(weft_from_lane, own.sum, 0);
#if COUNTED
        own.heads = weft_from_lane(own.heads, 0);
#endif
        before = weft_join(own, before);
        if (ends)
            return before;
    }
}

/* By one warp: tells what the tile holds, and returns what all before it hold. A tile that
 * ends nothing open before it (knows_all) can tell at once. */
static inline weft_held weft_meet_tiles(__global volatile u64 *states, const u32 round,
                                        const index_t tile, const int lane,
                                        const int knows_all, const weft_held held,
                                        const weft_element identity)
{
    weft_held before;
    before.sum = identity;
    before.heads = 0;
    if (lane == 0)
        weft_tell(states + STATE_WORDS * tile, round + (knows_all ? ALL : SUM), held);
    if (tile > 0)
        before = weft_look_back(states, round, tile, lane, identity);
    if (lane == 0 && !knows_all)
        weft_tell(states + STATE_WORDS * tile, round + ALL, weft_join(before, held));
    return before;
}
