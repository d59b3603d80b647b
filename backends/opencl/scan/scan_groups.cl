/* Scan, for GPUs: a group a block of tiles. Blocks are folded, what comes before each is
 * computed, and they are scanned from there on. A tile passes through local memory, so that
 * a work-item combines neighbours while the group reads and writes side by side. Order and
 * association are fixed. */
enum { TILE = GROUP * ITEMS, ROOM = TILE + TILE / 32 };

/* Where element j of a tile lies: neighbours of work-items fall into different banks. */
#define AT(j) ((j) + (j) / 32)

#if SEGMENTED
#define HEADS , __global u32 *cuts
#define HEADS_IN weft_heads_PARAMETERS
#define LOAD_HEAD(i, j) cut[j] = weft_heads(i weft_heads_ARGUMENTS) != 0;
#define CLEAR_HEAD(j) cut[j] = 0;
#else
#define HEADS
#define HEADS_IN
#define LOAD_HEAD(i, j)
#define CLEAR_HEAD(j)
#endif

/* A tile, `at` elements into the block, into local memory, filled up with identities. */
#define LOAD_TILE(at)                                                                      \
    for (int k = 0; k < ITEMS; k++) {                                                      \
        const int j = k * GROUP + lid;                                                     \
        if ((at) + j < count) {                                                            \
            value[AT(j)] = weft_in(begin + (at) + j weft_in_ARGUMENTS);                    \
            LOAD_HEAD(begin + (at) + j, j)                                                 \
        } else {                                                                           \
            value[AT(j)] = identity;                                                       \
            CLEAR_HEAD(j)                                                                  \
        }                                                                                  \
    }                                                                                      \
    barrier(CLK_LOCAL_MEM_FENCE);

/* Inclusive scan of total[0][] (and any[0][]) over the group; the result is in total[turn].
 */
#if SEGMENTED
#define SCAN_STEP(from)                                                                    \
    sum = any[turn][lid] ? sum : weft_combine(total[turn][from], sum);                     \
    seen = any[turn][lid] | any[turn][from];
#define SCAN_LOCALS                                                                        \
    __local uchar cut[TILE], any[2][GROUP];
#define SCAN_SET_ANY(where) any[where][lid] = seen;
#else
#define SCAN_STEP(from) sum = weft_combine(total[turn][from], sum);
#define SCAN_LOCALS
#define SCAN_SET_ANY(where)
#endif
#define SCAN_GROUP                                                                         \
    total[0][lid] = sum;                                                                   \
    SCAN_SET_ANY(0)                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                          \
    turn = 0;                                                                              \
    for (int step = 1; step < GROUP; step *= 2) {                                          \
        if (lid >= step) {                                                                 \
            SCAN_STEP(lid - step)                                                          \
        }                                                                                  \
        turn = 1 - turn;                                                                   \
        total[turn][lid] = sum;                                                            \
        SCAN_SET_ANY(turn)                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                      \
    }

/* Folds the work-item's own elements of the tile. */
#if SEGMENTED
#define FOLD_ITEM                                                                          \
    for (int k = 0; k < ITEMS; k++) {                                                      \
        const int j = lid * ITEMS + k;                                                     \
        sum = cut[j] ? value[AT(j)] : weft_combine(sum, value[AT(j)]);                     \
        seen |= cut[j];                                                                    \
    }
#else
#define FOLD_ITEM                                                                          \
    for (int k = 0; k < ITEMS; k++)                                                        \
        sum = weft_combine(sum, value[AT(lid * ITEMS + k)]);
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan_fold(const index_t n, const index_t block, const int tiles,
                    const weft_element identity,
                    __global weft_element *sums HEADS weft_in_PARAMETERS HEADS_IN)
{
    __local weft_element value[ROOM], total[2][GROUP];
    SCAN_LOCALS
    const int lid = (int)get_local_id(0);
    const index_t begin = (index_t)get_group_id(0) * block;
    const index_t count = n - begin < block ? n - begin : block;
    weft_element before = identity;
    uchar seen_before = 0;
    int turn = 0;
    for (int t = 0; t < tiles; t++) {
        const index_t tile = (index_t)t * TILE;
        LOAD_TILE(tile)
        weft_element sum = identity;
        uchar seen = 0;
        FOLD_ITEM
        SCAN_GROUP
#if SEGMENTED
        before = any[turn][GROUP - 1] ? total[turn][GROUP - 1]
                                      : weft_combine(before, total[turn][GROUP - 1]);
        seen_before |= any[turn][GROUP - 1];
#else
        before = weft_combine(before, total[turn][GROUP - 1]);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        sums[get_group_id(0)] = before;
#if SEGMENTED
        cuts[get_group_id(0)] = seen_before;
#endif
    }
}

/* sums[k] becomes what comes before block k. One group; `each` is blocks a work-item. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan_sums(const int count, const int each, const weft_element identity,
                    __global weft_element *sums HEADS)
{
    __local weft_element total[2][GROUP];
#if SEGMENTED
    __local uchar any[2][GROUP];
#endif
    const int lid = (int)get_local_id(0);
    const int begin = lid * each, end = count - begin < each ? count : begin + each;
    weft_element sum = identity;
    uchar seen = 0;
    int turn;
    for (int k = begin; k < end; k++) {
#if SEGMENTED
        sum = cuts[k] ? sums[k] : weft_combine(sum, sums[k]);
        seen |= cuts[k] != 0;
#else
        sum = weft_combine(sum, sums[k]);
#endif
    }
    SCAN_GROUP
    weft_element before = identity;
    if (lid > 0)
        before = total[turn][lid - 1];
    for (int k = begin; k < end; k++) {
        const weft_element own = sums[k];
        sums[k] = before;
#if SEGMENTED
        before = cuts[k] ? own : weft_combine(before, own);
#else
        before = weft_combine(before, own);
#endif
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_scan(const index_t n, const index_t block, const int tiles,
               const weft_element identity, __global const weft_element *sums,
               __global weft_element *out, const long first weft_in_PARAMETERS HEADS_IN)
{
    __local weft_element value[ROOM], total[2][GROUP];
    SCAN_LOCALS
    const int lid = (int)get_local_id(0);
    const index_t begin = (index_t)get_group_id(0) * block;
    const index_t count = n - begin < block ? n - begin : block;
    __global weft_element *to = out + first + begin;
    weft_element before = identity;
    if (begin > 0)
        before = sums[get_group_id(0)];
    int turn = 0;
    for (int t = 0; t < tiles; t++) {
        const index_t tile = (index_t)t * TILE;
        LOAD_TILE(tile)
        weft_element sum = identity;
        uchar seen = 0;
        FOLD_ITEM
        SCAN_GROUP
        sum = before;
        if (lid > 0) {
#if SEGMENTED
            sum = any[turn][lid - 1] ? total[turn][lid - 1]
                                     : weft_combine(before, total[turn][lid - 1]);
#else
            sum = weft_combine(before, total[turn][lid - 1]);
#endif
        }
        for (int k = 0; k < ITEMS; k++) {
            const int j = lid * ITEMS + k;
#if SEGMENTED
            if (cut[j])
                sum = identity;
#endif
            const weft_element next = weft_combine(sum, value[AT(j)]);
#if EXCLUSIVE
            value[AT(j)] = sum;
#else
            value[AT(j)] = next;
#endif
            sum = next;
        }
#if SEGMENTED
        before = any[turn][GROUP - 1] ? total[turn][GROUP - 1]
                                      : weft_combine(before, total[turn][GROUP - 1]);
#else
        before = weft_combine(before, total[turn][GROUP - 1]);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < ITEMS; k++) {
            const int j = k * GROUP + lid;
            if (tile + j < count)
                to[tile + j] = value[AT(j)];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
