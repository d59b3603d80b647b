/* Selection, for CPUs: a work-item a chunk. Chunks are counted, and each moves its elements
 * to behind those of the chunks before. */
static inline u32 weft_is_kept(const index_t i, const u32 keep weft_flags_PARAMETERS)
{
    return (weft_flags(i weft_flags_ARGUMENTS) != 0) == keep;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_count(const index_t n, const index_t chunk, const u32 keep,
                __global u32 *counts weft_flags_PARAMETERS)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t end = n - begin < chunk ? n : begin + chunk;
    u32 count = 0;
    for (index_t i = begin; i < end; i++)
        count += weft_is_kept(i, keep weft_flags_ARGUMENTS);
    counts[get_group_id(0)] = count;
}

static inline i64 weft_sum(__global const u32 *counts, const int count)
{
    i64 sum = 0;
    for (int k = 0; k < count; k++)
        sum += counts[k];
    return sum;
}

#if COUNT
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_sum_up(const int chunks, __global const u32 *counts, __global i64 *all,
                 const long first_all)
{
    all[first_all] = weft_sum(counts, chunks);
}
#else
enum { TILE = 512 };

/* A tile is generated in vectors, and then moved without a branch on a flag: each element is
 * written where the next one kept belongs, and stays if it is kept. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_select(const index_t n, const index_t chunk, const u32 keep, const i64 room,
                 __global const u32 *counts, __global i64 *all, const long first_all,
                 __global weft_in_element *out,
                 const long first weft_in_PARAMETERS weft_flags_PARAMETERS)
{
    const int c = (int)get_group_id(0), chunks = (int)get_num_groups(0);
    const index_t begin = (index_t)c * chunk, end = n - begin < chunk ? n : begin + chunk;
    const i64 before = weft_sum(counts, c), total = weft_sum(counts, chunks);
    __global weft_in_element *to = out + first;
    if (c == 0)
        all[first_all] = total;
    weft_in_element some[TILE];
    u32 kept[TILE];
    index_t yes = (index_t)before;
#if PARTITION
    index_t no = (index_t)total + begin - yes;
#else
    const index_t last = (index_t)min(before + (i64)counts[c], room);
#endif
    for (index_t at = begin; at < end; at += TILE) {
        const int count = end - at < TILE ? (int)(end - at) : TILE;
        for (int k = 0; k < count; k++)
            some[k] = weft_in(at + k weft_in_ARGUMENTS);
        for (int k = 0; k < count; k++)
            kept[k] = weft_is_kept(at + k, keep weft_flags_ARGUMENTS);
#if PARTITION
        for (int k = 0; k < count; k++) {
            to[kept[k] ? yes : no] = some[k];
            yes += kept[k];
            no += 1 - kept[k];
        }
#else
        for (int k = 0; k < count && yes < last; k++) {
            to[yes] = some[k];
            yes += kept[k];
        }
#endif
    }
}
#endif
