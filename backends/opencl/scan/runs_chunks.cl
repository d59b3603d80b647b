/* Sums over runs, for CPUs: a work-item a chunk. A chunk tells how many runs end in it and the
 * sum of the one that it leaves open; from what is before each chunk the runs are written.
 * An element is the end of a run where the next one is a head. */
enum { TILE = sizeof(weft_element) > 8 ? 16 : 512 };

static inline u32 weft_is_head(const index_t i weft_heads_PARAMETERS)
{
    return weft_heads(i weft_heads_ARGUMENTS) != 0;
}

/* ends[c]: how many runs end in chunk c; sums[c]: of its last run; cuts[c]: whether that one
 * begins in it. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_runs_fold(const index_t n, const index_t chunk, const weft_element identity,
                    __global i64 *ends, __global weft_element *sums,
                    __global u32 *cuts weft_in_PARAMETERS weft_heads_PARAMETERS)
{
    const int c = (int)get_group_id(0);
    const index_t begin = (index_t)c * chunk, end = n - begin < chunk ? n : begin + chunk;
    u32 count = end == n || weft_is_head(end weft_heads_ARGUMENTS);
    for (index_t i = begin + 1; i < end; i++)
        count += weft_is_head(i weft_heads_ARGUMENTS);
    index_t from = end - 1;
    while (from > begin && !weft_is_head(from weft_heads_ARGUMENTS))
        from--;
    weft_element sum = identity;
    for (index_t i = from; i < end; i++)
        sum = weft_combine(sum, weft_in(i weft_in_ARGUMENTS));
    ends[c] = count;
    sums[c] = sum;
    cuts[c] = weft_is_head(from weft_heads_ARGUMENTS);
}

/* sums[c] and ends[c] become what is before chunk c. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_runs_sums(const int chunks, const weft_element identity, __global i64 *ends,
                    __global weft_element *sums, __global const u32 *cuts,
                    __global i64 *all, const long first_all)
{
    weft_element before = identity;
    i64 count = 0;
    for (int c = 0; c < chunks; c++) {
        const weft_element sum = sums[c];
        const i64 many = ends[c];
        sums[c] = before;
        ends[c] = count;
        before = cuts[c] ? sum : weft_combine(before, sum);
        count += many;
    }
    ends[chunks] = count;
    all[first_all] = count;
}

/* No branch depends on a head: each sum is written where that of the next end belongs. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_runs(const index_t n, const index_t chunk, const weft_element identity,
               __global const i64 *ends, __global const weft_element *sums,
               __global weft_keys_element *keys_out, const long first_key,
               __global weft_element *out, const long first weft_keys_PARAMETERS
               weft_in_PARAMETERS weft_heads_PARAMETERS)
{
    const int c = (int)get_group_id(0);
    const index_t begin = (index_t)c * chunk, end = n - begin < chunk ? n : begin + chunk;
    const index_t last = (index_t)ends[c + 1];
    __global weft_keys_element *key_to = keys_out + first_key;
    __global weft_element *to = out + first;
    weft_element some[TILE], sum = sums[c];
    weft_keys_element key[TILE];
    u32 head[TILE + 1];
    index_t at = (index_t)ends[c];
    for (index_t from = begin; from < end && at < last; from += TILE) {
        const int count = end - from < TILE ? (int)(end - from) : TILE;
        const int known = n - from < count + 1 ? count : count + 1;
        head[count] = 1;
        for (int k = 0; k < count; k++)
            some[k] = weft_in(from + k weft_in_ARGUMENTS);
        for (int k = 0; k < count; k++)
            key[k] = weft_keys(from + k weft_keys_ARGUMENTS);
        for (int k = 0; k < known; k++)
            head[k] = weft_is_head(from + k weft_heads_ARGUMENTS);
        for (int k = 0; k < count && at < last; k++) {
            sum = weft_combine(head[k] ? identity : sum, some[k]);
            key_to[at] = key[k];
            to[at] = sum;
            at += head[k + 1];
        }
    }
}
