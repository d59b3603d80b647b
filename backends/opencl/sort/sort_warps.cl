/* Stable sort for NVIDIA GPUs, a pass over memory a digit of 8 bits. The digits of all
 * passes are counted beforehand, once. In a pass each group takes the next tile, ranks its
 * keys by warps, tells how many it has of each digit, looks back over the tiles before it
 * for where its keys go, and writes them from local memory in order, side by side. Source:
 * Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
 * 2022. What is no more than a tile, one group sorts in one launch: ALONE. */
enum { DIGITS = 256, WARPS = GROUP / 32, SPAN = 32 * ITEMS, TILE = GROUP * ITEMS };
enum { SUM = 1, ALL = 2 }; /* a state's top bits: of the tile alone, of all up to it */
enum { NEAR = 4, AHEAD = 8 /* keys that are read at a time */ };
#define STATUS_BIT (sizeof(STATE) * 8 - 2)
#define COUNT_MASK (((STATE)1 << STATUS_BIT) - 1)

/* What a sort counts with: of how many keys the digit of pass p is d, and once all groups
 * have counted, below d; how many tiles of pass p were taken; how many groups have counted.
 * All of it is 0 at first. */
typedef struct weft_counts {
    u32 key[8][DIGITS], taken[8], done;
} weft_counts;

#if !ALONE
/* Sums up the counts of a pass; by one warp. */
static inline void weft_sort_start(__global volatile u32 *key)
{
    enum { EACH = DIGITS / 32 };
    const int lane = (int)get_local_id(0) & 31;
    u32 own[EACH], upto = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        own[k] = key[lane * EACH + k];
        upto += own[k];
    }
    u32 before = 0;
    for (int by = 1; by < 32; by *= 2) {
        const u32 lower = weft_from_lower(upto, by);
        if (lane >= by)
            upto += lower;
    }
    before = weft_from_lower(upto, 1);
    before = lane > 0 ? before : 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        key[lane * EACH + k] = before;
        before += own[k];
    }
}

/* Counts digits; the last group to be done sums up. Also makes the first states, and the
 * counts of the next sort, empty. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_sort_count(const u32 n, const u32 block, const int begin_bit, const int end_bit,
                     const u64 flip, const u32 tiles, const int turn,
                     __global weft_counts *both, __global STATE *states,
                     __global const KEY *keys, const long first_key)
{
    SHARED u32 count[sizeof(KEY) * DIGITS];
    SHARED u32 done[1];
    const u32 lid = (u32)get_local_id(0), group = (u32)get_group_id(0);
    const u32 groups = (u32)get_num_groups(0);
    const u32 begin = group * block, end = n - begin < block ? n : begin + block;
    const int passes = (end_bit - begin_bit + 7) / 8;
    __global weft_counts *counts = both + turn;
    __global const KEY *from = keys + first_key;
    for (u32 d = lid; d < sizeof(KEY) * DIGITS; d += GROUP)
        count[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 i = begin + lid; i < end; i += AHEAD * GROUP) {
        KEY key[AHEAD];
#pragma unroll
        for (u32 k = 0; k < AHEAD; k++)
            key[k] = from[i + k * GROUP < end ? i + k * GROUP : i];
        for (int p = 0; p < passes; p++) {
            const int shift = begin_bit + 8 * p, bits = end_bit - shift;
            const u32 mask = bits < 8 ? (1u << bits) - 1 : 255u;
            const u32 flipped = (u32)(flip >> shift);
#pragma unroll
            for (u32 k = 0; k < AHEAD; k++)
                if (i + k * GROUP < end)
                    atomic_inc(
                        &count[p * DIGITS + weft_digit(key[k], shift, mask, flipped)]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 d = lid; d < (u32)passes * DIGITS; d += GROUP)
        if (count[d])
            atomic_add(&counts->key[d / DIGITS][d % DIGITS], count[d]);
    for (u64 k = (u64)group * GROUP + lid; k < (u64)tiles * DIGITS;
         k += (u64)groups * GROUP)
        states[k] = 0;
    __global u32 *next = (__global u32 *)(both + (1 - turn));
    for (u32 k = group * GROUP + lid; k < sizeof(weft_counts) / 4; k += groups * GROUP)
        next[k] = 0;
    weft_fence();
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        done[0] = atomic_inc(&counts->done);
    barrier(CLK_LOCAL_MEM_FENCE);
    weft_fence();
    if (done[0] == groups - 1 && (int)lid / 32 < passes)
        weft_sort_start(counts->key[lid / 32]);
}

/* How many keys of the tiles before `tile` have the digit that `states` begins with. Reads
 * NEAR states at a time: one after the other would cost as many trips to memory. */
static inline STATE weft_look_back(__global volatile STATE *states, u32 tile)
{
    STATE before = 0;
    for (;;) {
        STATE near[NEAR];
#pragma unroll
        for (u32 k = 0; k < NEAR; k++) {
            near[k] = 0;
            if (k < tile)
                near[k] = states[(u64)(tile - 1 - k) * DIGITS];
        }
        u32 used = 0;
        int goes_on = 1, done = 0;
#pragma unroll
        for (u32 k = 0; k < NEAR; k++) {
            const STATE status = near[k] >> STATUS_BIT;
            goes_on &= status != 0;
            if (goes_on) {
                before += near[k] & COUNT_MASK;
                used++;
                done |= status == ALL;
                goes_on = status != ALL;
            }
        }
        if (done)
            return before;
        tile -= used;
    }
}

#endif

/* The lanes whose digit is the same. */
static inline u32 weft_peers(const u32 digit)
{
    u32 peers = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++)
        peers = weft_alike(peers, digit, 1u << b);
    return peers;
}

/* Ranks are kept, two a register, where keys cannot go to their places at once, and for the
 * values. */
#if SORTED_AT == 0 || defined(VALUE)
#define KEEP(k, rank) kept[(k) / 2] = (k) % 2 ? kept[(k) / 2] | (rank) << 16 : (rank)
#define RANK(k) ((k) % 2 ? kept[(k) / 2] >> 16 : kept[(k) / 2] & 0xffff)
#endif

/* A pass for one tile, of `count` keys if that is not more than there is room for; `full`, a
 * constant, says that none is missing. from, to: its keys, and all keys sorted. */
static inline __attribute__((always_inline)) void
weft_sort_tile(const int full, const u32 tile, const u32 count, const int shift,
               const u32 mask, const u32 flip, __global const u32 *starts,
               __global volatile STATE *states, __global STATE *next_states,
               __global const KEY *from, __global KEY *to,
#ifdef VALUE
               __global const VALUE *values, __global VALUE *values_to,
#endif
               __local u64 *pool, __local u32 *start, __local u32 *warp_total,
               __local const int *shift_again)
{
    __local u32 *place = (__local u32 *)pool;
    __local KEY *sorted = (__local KEY *)(pool + SORTED_AT / 8);
    const int lid = (int)get_local_id(0), lane = lid & 31, warp = lid >> 5;
    __local u32 *own_place = place + warp * DIGITS;
    const u32 first = (u32)(warp * SPAN + lane);

    KEY own[ITEMS];
    from += first;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        own[k] = 0;
        if (full || first + k * 32 < count)
            own[k] = from[k * 32];
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (full || first + k * 32 < count)
            atomic_inc(&own_place[weft_digit(own[k], shift, mask, flip)]);
    barrier(CLK_LOCAL_MEM_FENCE);

    /* A work-item a digit: where the warps' keys go in the tile. */
    u32 tile_sum = 0, upto = 0;
    if (lid < DIGITS) {
        for (int w = 0; w < WARPS; w++) {
            const u32 here = place[w * DIGITS + lid];
            place[w * DIGITS + lid] = tile_sum;
            tile_sum += here;
        }
#if !ALONE
        states[(u64)tile * DIGITS + (u64)lid] =
            (STATE)(tile == 0 ? ALL : SUM) << STATUS_BIT | tile_sum;
        next_states[(u64)tile * DIGITS + (u64)lid] = 0;
#endif
        upto = tile_sum;
        for (int by = 1; by < 32; by *= 2) {
            const u32 lower = weft_from_lower(upto, by);
            if (lane >= by)
                upto += lower;
        }
        if (lane == 31)
            warp_total[warp] = upto;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 tile_start = upto - tile_sum;
    if (lid < DIGITS) {
        for (int w = 0; w < warp; w++)
            tile_start += warp_total[w];
        for (int w = 0; w < WARPS; w++)
            place[w * DIGITS + lid] += tile_start;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    /* Missing keys count as the highest digit; being last, they change no rank. (With a
     * shift that the compiler does not know to be the same, digits are computed anew: kept
     * since they were counted, they would take a register each.) */
    const int again = *shift_again;
#ifdef KEEP
    u32 kept[(ITEMS + 1) / 2];
#endif
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int there = full || first + k * 32 < count;
        const u32 digit = there ? weft_digit(own[k], again, mask, flip) : mask;
        const u32 peers = weft_peers(digit);
        const int highest = 31 - (int)clz(peers);
        u32 rank = 0;
        if (lane == highest)
            rank = atomic_add(&own_place[digit], popcount(peers));
        rank = weft_from_lane(rank, highest) + popcount(peers & ((1u << lane) - 1));
#if SORTED_AT
        sorted[rank] = own[k];
#endif
#ifdef KEEP
        KEEP(k, rank);
#endif
    }
#if SORTED_AT == 0
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        sorted[RANK(k)] = own[k];
#endif
#ifdef VALUE
    VALUE value[ITEMS]; /* under way while the keys are written */
    values += first;
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (full || first + k * 32 < count)
            value[k] = values[k * 32];
#endif
#if ALONE
    if (lid < DIGITS)
        start[lid] = 0;
#else
    if (lid < DIGITS) {
        STATE before = 0;
        if (tile > 0) {
            before = weft_look_back(states + lid, tile);
            states[(u64)tile * DIGITS + (u64)lid] =
                (STATE)ALL << STATUS_BIT | (before + tile_sum);
        }
        start[lid] = starts[lid] + (u32)before - tile_start;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

#ifdef VALUE
    u32 digits[(ITEMS + 3) / 4]; /* four a register */
#endif
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const u32 j = (u32)(k * GROUP + lid);
        const KEY key = sorted[j];
        const u32 digit = weft_digit(key, shift, mask, flip);
        const u32 goes = start[digit] + j;
        if (full || j < count)
            to[goes] = key;
        if (k % 4 == 3)
            weft_meet_warp(); /* else all keys are read first, for which registers lack */
#ifdef VALUE
        digits[k / 4] = k % 4 ? digits[k / 4] | digit << 8 * (k % 4) : digit;
#endif
    }
#ifdef VALUE
    __local VALUE *sorted_value = (__local VALUE *)sorted;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (full || first + k * 32 < count)
            sorted_value[RANK(k)] = value[k];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const u32 j = (u32)(k * GROUP + lid);
        const u32 goes = start[digits[k / 4] >> 8 * (k % 4) & 255] + j;
        if (full || j < count)
            values_to[goes] = sorted_value[j];
        if (k % 4 == 3)
            weft_meet_warp();
    }
#endif
}

#if ALONE
/* All passes of one tile, from keys to keys_out and back in turn. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_sort_alone(const u32 n, const int begin_bit, const int end_bit,
                     const u64 flip, __global KEY *keys, const long first_key,
                     __global KEY *keys_out, const long first_key_out VALUE_PARAMETERS)
{
    SHARED u64 pool[POOL / 8];
    SHARED u32 start[DIGITS];
    SHARED u32 warp_total[DIGITS / 32];
    SHARED int shift_again[1];
    const int lid = (int)get_local_id(0);
    __global KEY *from = keys + first_key, *to = keys_out + first_key_out;
#ifdef VALUE
    __global VALUE *value = values + first_value, *value_to = values_out + first_value_out;
#endif
    for (int shift = begin_bit; shift < end_bit; shift += 8) {
        const u32 mask = end_bit - shift < 8 ? (1u << (end_bit - shift)) - 1 : 255u;
        if (lid == 0)
            shift_again[0] = shift;
        for (int d = lid; d < WARPS * DIGITS / 2; d += GROUP)
            pool[d] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        weft_sort_tile(0, 0, n, shift, mask, (u32)(flip >> shift), 0, 0, 0, from, to,
#ifdef VALUE
                       value, value_to,
#endif
                       pool, start, warp_total, shift_again);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        __global KEY *key_swap = from;
        from = to;
        to = key_swap;
#ifdef VALUE
        __global VALUE *value_swap = value;
        value = value_to;
        value_to = value_swap;
#endif
    }
}
#else
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_sort_pass(const u32 n, const int shift, const u32 mask, const u32 flip,
                    const int pass, const int turn, __global weft_counts *both,
                    __global STATE *work, __global STATE *next_work,
                    __global const KEY *keys, const long first_key, __global KEY *keys_out,
                    const long first_key_out VALUE_PARAMETERS)
{
    /* How many keys a warp has of each digit, then where its next one goes; from SORTED_AT
     * on the keys in order, then the values. */
    SHARED u64 pool[POOL / 8];
    SHARED u32 start[DIGITS];
    SHARED u32 warp_total[DIGITS / 32];
    SHARED u32 taken[1];
    SHARED int shift_again[1];
    __global weft_counts *counts = both + turn;
    const int lid = (int)get_local_id(0);
    if (lid == 0) {
        taken[0] = atomic_inc(&counts->taken[pass]);
        shift_again[0] = shift;
    }
    for (int d = lid; d < WARPS * DIGITS / 2; d += GROUP)
        pool[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 tile = taken[0], begin = tile * TILE, count = n - begin;
#ifdef VALUE
#define ARRAYS                                                                             \
    keys + first_key + begin, keys_out + first_key_out, values + first_value + begin,      \
        values_out + first_value_out
#else
#define ARRAYS keys + first_key + begin, keys_out + first_key_out
#endif
#define SORT_TILE(full)                                                                    \
    weft_sort_tile(full, tile, count, shift, mask, flip, counts->key[pass], work,          \
                   next_work, ARRAYS, pool, start, warp_total, shift_again)
    if (TWICE && count >= TILE)
        SORT_TILE(1);
    else
        SORT_TILE(0);
}
#endif
