/* Scan, for CPUs: a work-item a chunk. Chunks are folded, what comes before each is
 * computed, and they are scanned from there on. */
#if SEGMENTED
#define HEAD(i) (weft_heads((i)weft_heads_ARGUMENTS) != 0)
#define HEADS , __global u32 *cuts
#define HEADS_IN weft_heads_PARAMETERS
#else
#define HEAD(i) 0
#define HEADS
#define HEADS_IN
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_scan_fold(const index_t n, const index_t chunk, const weft_element identity,
                    __global weft_element *sums HEADS weft_in_PARAMETERS HEADS_IN)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t end = n - begin < chunk ? n : begin + chunk;
    weft_element sum = identity;
    u32 cut = 0;
    for (index_t i = begin; i < end; i++) {
        if (HEAD(i)) {
            sum = identity;
            cut = 1;
        }
        sum = weft_combine(sum, weft_in(i weft_in_ARGUMENTS));
    }
    sums[get_group_id(0)] = sum;
#if SEGMENTED
    cuts[get_group_id(0)] = cut;
#endif
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
    for (index_t i = begin; i < end; i++) {
        if (HEAD(i))
            sum = identity;
        const weft_element next = weft_combine(sum, weft_in(i weft_in_ARGUMENTS));
#if EXCLUSIVE
        to[i] = sum;
#else
        to[i] = next;
#endif
        sum = next;
    }
}
