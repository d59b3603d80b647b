/* Merging for GPUs along the merge path: a group makes a tile of results. Where tiles begin
 * in both inputs is found by bisection, beforehand or, where tiles are few enough to run at
 * once, by each group (SPLITS_ITSELF); a group then brings its part of them into local memory, where each work-item finds its own place and merges ITEMS in a row. Source:
 * Green, McColl, Bader, "GPU merge path", 2012. */
enum { TILE = GROUP * ITEMS };

/* How many of the first `done` results come from a; equal keys come from a first. */
#define FIND_SPLIT(a, a_length, b, b_length, done, low)                                    \
    low = done > b_length ? done - b_length : 0;                                           \
    for (index_t high = done < a_length ? done : a_length; low < high;) {                  \
        const index_t middle = low + (high - low) / 2;                                     \
        if (weft_image(a[middle]) <= weft_image(b[done - 1 - middle]))                     \
            low = middle + 1;                                                              \
        else                                                                               \
            high = middle;                                                                 \
    }

#if !SPLITS_ITSELF
/* splits[t]: how many results before tile t come from a; t = 0 ... tiles. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_merge_split(const index_t a_length, const index_t b_length, const index_t tiles,
                      __global long *splits, __global const KEY *a, const long first_a,
                      __global const KEY *b, const long first_b)
{
    const index_t t = (index_t)get_global_id(0), n = a_length + b_length;
    if (t > tiles)
        return;
    const index_t done = t < tiles ? t * TILE : n;
    __global const KEY *from_a = a + first_a, *from_b = b + first_b;
    index_t low;
    FIND_SPLIT(from_a, a_length, from_b, b_length, done, low)
    splits[t] = low;
}
#endif

/* SOURCES: the results are the numbers of keys, those of b from a_length on. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_merge(const index_t a_length, const index_t b_length,
#if !SPLITS_ITSELF
                __global const long *splits,
#endif
                __global const KEY *a, const long first_a, __global const KEY *b,
                const long first_b, __global RESULT *out, const long first)
{
    __local KEY key[TILE];
#if SOURCES
    __local ushort place[TILE];
#endif
    const index_t tile = (index_t)get_group_id(0), begin = tile * TILE;
    const int lid = (int)get_local_id(0);
    __global RESULT *to = out + first + begin;
    const index_t left = a_length + b_length - begin;
    const int count = left < TILE ? (int)left : TILE;
#if SPLITS_ITSELF
    __local index_t splits[2];
    if (lid < 2) {
        const index_t done = begin + lid * count;
        index_t low;
        FIND_SPLIT((a + first_a), a_length, (b + first_b), b_length, done, low)
        splits[lid] = low;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const index_t a_begin = splits[0], a_end = splits[1];
#else
    const index_t a_begin = (index_t)splits[tile], a_end = (index_t)splits[tile + 1];
#endif
    const index_t b_begin = begin - a_begin;
    const int a_count = (int)(a_end - a_begin), b_count = count - a_count;
    __global const KEY *from_a = a + first_a + a_begin, *from_b = b + first_b + b_begin;
    /* Reads without a condition are under way together. */
    KEY some[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int j = k * GROUP + lid, at = j < count ? j : count - 1;
        some[k] = *(at < a_count ? from_a + at : from_b + (at - a_count));
    }
#if defined(WEFT_PTX) && !SPLITS_ITSELF
    const index_t later = tile + TILES_AHEAD;
    if (later + 1 < (index_t)get_num_groups(0)) {
        const index_t a_later = (index_t)splits[later], p = lid * ITEMS;
        const index_t a_many = (index_t)splits[later + 1] - a_later;
        weft_prefetch(p < a_many ? a + first_a + a_later + p
                                 : b + first_b + (later * TILE - a_later) + (p - a_many));
    }
#endif
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        key[k * GROUP + lid] = some[k];
    barrier(CLK_LOCAL_MEM_FENCE);

    const int done = lid * ITEMS < count ? lid * ITEMS : count;
    __local const KEY *near_a = key, *near_b = key + a_count;
    index_t split;
    FIND_SPLIT(near_a, a_count, near_b, b_count, done, split)
    int i = (int)split, j = a_count + done - (int)split;
    KEY x = key[i < a_count ? i : 0], y = key[j < count ? j : 0];
#if SOURCES
    ushort own[ITEMS];
#else
    KEY own[ITEMS];
#endif
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int from_a = j >= count || (i < a_count && weft_image(x) <= weft_image(y));
#if SOURCES
        own[k] = (ushort)(from_a ? i : j);
#else
        own[k] = from_a ? x : y;
#endif
        i += from_a;
        j += 1 - from_a;
        const int at = from_a ? i : j, end = from_a ? a_count : count;
        const KEY next = key[at < end ? at : 0];
        x = from_a ? next : x;
        y = from_a ? y : next;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
#if SOURCES
        place[lid * ITEMS + k] = own[k];
#else
        key[lid * ITEMS + k] = own[k];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ITEMS; k++) {
        const int p = k * GROUP + lid;
        if (p < count) {
#if SOURCES
            const int from = place[p];
            to[p] = from < a_count
                                         ? (long)(a_begin + from)
                                         : (long)a_length + b_begin + (from - a_count);
#else
            to[p] = key[p];
#endif
        }
    }
}
