/* Cuts of the balanced path of two arrays of keys, for set_warps.cl: of all of it into
 * tiles, by a kernel of its own, and of a tile into the elements of work-items. */
enum { TILE = GROUP * ITEMS };

/* Where the path is cut before element `done`, of whose first `done` elements i are of a
 * where these are merged: twice how many elements of a come before it, and 1 where it goes
 * one element further than that, not to part a pair. (Of memory in SPACE: OpenCL C 1.2 has
 * no pointers to any.) */
#define CUT(name, SPACE)                                                                   \
    static inline index_t name(SPACE const KEY *a, const index_t a_length,                 \
                               SPACE const KEY *b, const index_t b_length,                 \
                               const index_t done, const index_t i)                        \
    {                                                                                      \
        const index_t j = done - i;                                                        \
        if (done == 0)                                                                     \
            return 0;                                                                      \
        const KEY last_a = i > 0 ? weft_image(a[i - 1]) : 0;                               \
        const KEY last_b = j > 0 ? weft_image(b[j - 1]) : 0;                               \
        const KEY last = last_a > last_b ? last_a : last_b;                                \
        index_t a_begin, b_begin, a_end, b_end;                                            \
        RUN_BEGIN(a, i, last, a_begin)                                                     \
        RUN_BEGIN(b, j, last, b_begin)                                                     \
        RUN_END(a, i, a_length, last, a_end)                                               \
        RUN_END(b, j, b_length, last, b_end)                                               \
        const index_t in_a = a_end - a_begin, in_b = b_end - b_begin;                      \
        const index_t pairs = in_a < in_b ? in_a : in_b;                                   \
        const index_t taken = done - a_begin - b_begin, each = (taken + 1) / 2;            \
        const index_t of_a = each <= pairs ? each : in_a > in_b ? taken - pairs : pairs;   \
        return (a_begin + of_a) * 2 + (each <= pairs ? taken & 1 : 0);                     \
    }

/* Where the run of keys of an image begins that ends at `at`, and where one ends that begins
 * there: in strides that double, since runs are mostly short. */
#define RUN_BEGIN(keys, at, image, low)                                                    \
    {                                                                                      \
        index_t high = at, stride = 1;                                                     \
        for (; stride <= at && weft_image(keys[at - stride]) == image; stride *= 2)        \
            high = at - stride;                                                            \
        low = stride <= at ? at - stride + 1 : 0;                                          \
        while (low < high) {                                                               \
            const index_t middle = low + (high - low) / 2;                                 \
            if (weft_image(keys[middle]) == image)                                         \
                high = middle;                                                             \
            else                                                                           \
                low = middle + 1;                                                          \
        }                                                                                  \
    }
#define RUN_END(keys, at, length, image, low)                                              \
    {                                                                                      \
        const index_t left = length - at;                                                  \
        index_t stride = 1;                                                                \
        low = at;                                                                          \
        for (; stride <= left && weft_image(keys[at + stride - 1]) == image; stride *= 2)  \
            low = at + stride;                                                             \
        for (index_t high = stride <= left ? at + stride - 1 : length; low < high;) {      \
            const index_t middle = low + (high - low) / 2;                                 \
            if (weft_image(keys[middle]) == image)                                         \
                low = middle + 1;                                                          \
            else                                                                           \
                high = middle;                                                             \
        }                                                                                  \
    }

CUT(weft_cut_of_all, __global)
CUT(weft_cut_of_tile, __local)

/* How many of the first `done` elements are of a, in a tile. */
static inline int weft_split_tile(__local const KEY *a, const int a_length,
                                  __local const KEY *b, const int b_length, const int done)
{
    int i = done > b_length ? done - b_length : 0;
    for (int high = done < a_length ? done : a_length; i < high;) {
        const int middle = (int)((u32)(i + high) >> 1);
        if (weft_image(a[middle]) <= weft_image(b[done - 1 - middle]))
            i = middle + 1;
        else
            high = middle;
    }
    return i;
}

/* The same of all, by LANES neighbours together, since each step waits for memory: they try
 * so many places at once. By all of a warp. */
static inline index_t weft_split_all(__global const KEY *a, const index_t a_length,
                                     __global const KEY *b, const index_t b_length,
                                     const index_t done)
{
    const int lane = (int)get_local_id(0) & 31, own = lane % LANES;
    index_t i = done > b_length ? done - b_length : 0;
    index_t high = done < a_length ? done : a_length;
    while (weft_ballot(i < high)) {
        const index_t room = high - i, step = room / (LANES + 1);
        const index_t first = step > 0 ? i + step : i;
        const index_t by = step > 0 ? step : 1;
        const index_t at = first + own * by;
        const int before =
            at < high && weft_image(a[at]) <= weft_image(b[done - 1 - at]);
        const int many = popcount(weft_ballot(before) >> (lane - own) & ((1u << LANES) - 1));
        const index_t none = first + many * by; /* the first place that is not before */
        if (many < LANES && none < high)
            high = none;
        if (many > 0)
            i = none - by + 1;
    }
    return i;
}

/* cuts[t]: of tile t; t = 0 ... tiles. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_set_cuts(const index_t a_length, const index_t b_length, const index_t tiles,
                   __global index_t *cuts, __global const KEY *a, const long first_a,
                   __global const KEY *b, const long first_b)
{
    const index_t at = (index_t)get_group_id(0) * GROUP + (index_t)get_local_id(0);
    const index_t t = at / LANES, n = a_length + b_length;
    const index_t done = t < tiles ? t * TILE : n;
    const index_t i = weft_split_all(a + first_a, a_length, b + first_b, b_length, done);
    if (t <= tiles && at % LANES == 0)
        cuts[t] =
            weft_cut_of_all(a + first_a, a_length, b + first_b, b_length, done, i);
}
