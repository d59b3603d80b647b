/* Scan, for CPUs: a work-item a chunk. Chunks are folded, what comes before each is
 * computed, and they are scanned from there on.
 *
 * WAITS: an addition of floats takes longer than one element may. So each element is first
 * added up, in vectors, with the WINDOW - 1 before it in the tile, and then with the sum up
 * to WINDOW elements before. */
enum { WINDOW = 8, TILE = sizeof(weft_element) > 8 ? 16 : 512 };

#if SEGMENTED
#define HEAD(i) (weft_heads((i)weft_heads_ARGUMENTS) != 0)
#define HEADS , __global u32 *cuts
#define HEADS_IN weft_heads_PARAMETERS
#else
#define HEADS
#define HEADS_IN
#endif

#if WAITS
/* to[k] = the sum of from[k - by] and from[k], which stand behind WINDOW identities. */
static inline void weft_widen(const weft_element *from, weft_element *to, const int by,
                              const weft_element identity)
{
    for (int k = 0; k < WINDOW; k++)
        to[k] = identity;
    for (int k = WINDOW; k < WINDOW + TILE; k++)
        to[k] = weft_combine(from[k - by], from[k]);
}

/* sums[WINDOW + k] = the sum of elements max(0, k - WINDOW + 1) to k of a tile. */
static inline void weft_sum_windows(const index_t begin, const weft_element identity,
                                    weft_element *sums weft_in_PARAMETERS)
{
    weft_element other[WINDOW + TILE];
    for (int k = 0; k < WINDOW; k++)
        other[k] = identity;
    for (int k = 0; k < TILE; k++)
        other[WINDOW + k] = weft_in(begin + k weft_in_ARGUMENTS);
    weft_widen(other, sums, 1, identity);
    weft_widen(sums, other, 2, identity);
    weft_widen(other, sums, 4, identity);
}
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_scan_fold(const index_t n, const index_t chunk, const weft_element identity,
                    __global weft_element *sums HEADS weft_in_PARAMETERS HEADS_IN)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t end = n - begin < chunk ? n : begin + chunk;
    weft_element sum = identity;
    index_t i = begin;
#if SEGMENTED /* from the last head on */
    for (i = end - 1; i > begin && !HEAD(i);)
        i--;
    cuts[get_group_id(0)] = HEAD(i);
#elif WAITS
    for (; end - i >= TILE; i += TILE) {
        weft_element window[WINDOW + TILE];
        weft_sum_windows(i, identity, window weft_in_ARGUMENTS);
        for (int k = 2 * WINDOW - 1; k < WINDOW + TILE; k += WINDOW)
            sum = weft_combine(sum, window[k]);
    }
#endif
    for (; i < end; i++)
        sum = weft_combine(sum, weft_in(i weft_in_ARGUMENTS));
    sums[get_group_id(0)] = sum;
}

/* sums[k] becomes what comes before chunk k. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_scan_sums(const int count, const weft_element identity,
                    __global weft_element *sums HEADS)
{
    weft_element before = identity;
    for (int k = 0; k < count; k++) {
        const weft_element sum = sums[k];
        sums[k] = before;
#if SEGMENTED
        if (cuts[k])
            before = sum;
        else
#endif
            before = weft_combine(before, sum);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_scan(const index_t n, const index_t chunk, const weft_element identity,
               __global const weft_element *sums, __global weft_element *out,
               const long first weft_in_PARAMETERS HEADS_IN)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t end = n - begin < chunk ? n : begin + chunk;
    __global weft_element *to = out + first;
    weft_element sum = begin > 0 ? sums[get_group_id(0)] : identity;
    index_t i = begin;
#if SEGMENTED
    for (; end - i >= TILE; i += TILE) {
        weft_element some[TILE];
        u32 head[TILE];
        for (int k = 0; k < TILE; k++)
            some[k] = weft_in(i + k weft_in_ARGUMENTS);
        for (int k = 0; k < TILE; k++)
            head[k] = HEAD(i + k);
        for (int k = 0; k < TILE; k++) {
            const weft_element before = head[k] ? identity : sum;
            sum = weft_combine(before, some[k]);
            to[i + k] = EXCLUSIVE ? before : sum;
        }
    }
#elif WAITS
    for (; end - i >= TILE; i += TILE) {
        weft_element window[WINDOW + TILE];
        weft_sum_windows(i, identity, window weft_in_ARGUMENTS);
        for (int k = 0; k < WINDOW; k++)
            window[k] = sum;
        for (int k = WINDOW; k < WINDOW + TILE; k++)
            window[k] = weft_combine(window[k - WINDOW], window[k]);
        for (int k = 0; k < TILE; k++)
            to[i + k] = window[WINDOW + k - EXCLUSIVE];
        sum = window[WINDOW + TILE - 1];
    }
#endif
    for (; i < end; i++) {
#if SEGMENTED
        if (HEAD(i))
            sum = identity;
#endif
        const weft_element before = sum;
        sum = weft_combine(before, weft_in(i weft_in_ARGUMENTS));
        to[i] = EXCLUSIVE ? before : sum;
    }
}
