/* One digit of a stable sort, for CPUs: a work-item a chunk of the keys. counts[d][c] is
 * how many keys of chunk c have digit d, and, once scanned, where the first of them
 * goes. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_sort_count(const index_t n, const index_t chunk, const int shift, const u32 mask,
                     const u32 flip, __global COUNT *counts, __global const KEY *keys,
                     const long first_key)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t end = n - begin < chunk ? n : begin + chunk;
    const int chunks = (int)get_num_groups(0), c = (int)get_group_id(0);
    __global const KEY *from = keys + first_key;
    COUNT place[DIGITS];
    for (int d = 0; d < DIGITS; d++)
        place[d] = 0;
    for (index_t i = begin; i < end; i++)
        place[weft_digit(from[i], shift, mask, flip)]++;
    for (int d = 0; d < DIGITS; d++)
        counts[d * chunks + c] = place[d];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_sort_scatter(const index_t n, const index_t chunk, const int shift, const u32 mask,
                       const u32 flip, __global const COUNT *counts,
                       __global const KEY *keys, const long first_key,
                       __global KEY *keys_out, const long first_key_out VALUE_PARAMETERS)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t end = n - begin < chunk ? n : begin + chunk;
    const int chunks = (int)get_num_groups(0), c = (int)get_group_id(0);
    __global const KEY *from = keys + first_key;
    __global KEY *to = keys_out + first_key_out;
#ifdef VALUE
    __global const VALUE *value_from = values + first_value;
    __global VALUE *value_to = values_out + first_value_out;
#endif
    COUNT place[DIGITS];
    for (int d = 0; d < DIGITS; d++)
        place[d] = counts[d * chunks + c];
    for (index_t i = begin; i < end; i++) {
        const KEY key = from[i];
        const COUNT p = place[weft_digit(key, shift, mask, flip)]++;
        to[p] = key;
#ifdef VALUE
        value_to[p] = value_from[i];
#endif
    }
}
