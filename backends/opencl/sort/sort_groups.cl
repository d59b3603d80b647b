/* One digit of a stable sort, for GPUs: a group a tile of the keys. counts[d][t] is how
 * many keys of tile t have digit d, and, once scanned, where the first of them goes. The
 * digits are of few bits, so that each work-item counts its keys in a column of its own
 * and ranks follow from one scan. Source: Satish, Harris and Garland, "Designing efficient
 * sorting algorithms for manycore GPUs", 2009, section 4. */
enum { TILE = GROUP * ITEMS };

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_sort_count(const index_t n, const index_t tile, const int shift, const u32 mask,
                     const u32 flip, __global COUNT *counts, __global const KEY *keys,
                     const long first_key)
{
    __local u32 total[DIGITS];
    const int lid = (int)get_local_id(0);
    const index_t begin = (index_t)get_group_id(0) * tile;
    const index_t count = n - begin < tile ? n - begin : tile;
    __global const KEY *from = keys + first_key + begin;
    for (int d = lid; d < DIGITS; d += GROUP)
        total[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ITEMS; k++)
        if (k * GROUP + lid < count)
            atomic_inc(&total[weft_digit(from[k * GROUP + lid], shift, mask, flip)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = lid; d < DIGITS; d += GROUP)
        counts[d * get_num_groups(0) + get_group_id(0)] = total[d];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_sort_scatter(const index_t n, const index_t tile, const int shift, const u32 mask,
                       const u32 flip, __global const COUNT *counts,
                       __global const KEY *keys, const long first_key,
                       __global KEY *keys_out, const long first_key_out VALUE_PARAMETERS)
{
    __local KEY key[TILE];
    __local ushort column[DIGITS * GROUP];
    __local u32 total[2][GROUP];
    __local COUNT start[DIGITS];
    const int lid = (int)get_local_id(0);
    const index_t begin = (index_t)get_group_id(0) * tile;
    const index_t count = n - begin < tile ? n - begin : tile;
    __global const KEY *from = keys + first_key + begin;
    __global KEY *to = keys_out + first_key_out;

    for (int k = 0; k < ITEMS; k++)
        if (k * GROUP + lid < count)
            key[k * GROUP + lid] = from[k * GROUP + lid];
    for (int d = 0; d < DIGITS; d++)
        column[d * GROUP + lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    /* Missing keys count as the highest digit; being last, they change no rank. */
    KEY own[ITEMS];
    u32 digit[ITEMS], rank[ITEMS];
    for (int k = 0; k < ITEMS; k++) {
        own[k] = key[lid * ITEMS + k];
        digit[k] = lid * ITEMS + k < count ? weft_digit(own[k], shift, mask, flip) : mask;
        rank[k] = column[digit[k] * GROUP + lid]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    u32 sum = 0;
    for (int d = 0; d < DIGITS; d++)
        sum += column[lid * DIGITS + d];
    total[0][lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    int turn = 0;
    for (int step = 1; step < GROUP; step *= 2) {
        u32 upto = total[turn][lid];
        if (lid >= step)
            upto += total[turn][lid - step];
        turn = 1 - turn;
        total[turn][lid] = upto;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    u32 before = total[turn][lid] - sum;
    for (int d = 0; d < DIGITS; d++) {
        const u32 here = column[lid * DIGITS + d];
        column[lid * DIGITS + d] = (ushort)before;
        before += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    /* start[d] + a key's place in the sorted tile is its place in the result. */
    for (int d = lid; d < DIGITS; d += GROUP)
        start[d] = counts[d * get_num_groups(0) + get_group_id(0)] - column[d * GROUP];
    for (int k = 0; k < ITEMS; k++) {
        rank[k] += column[digit[k] * GROUP + lid];
        key[rank[k]] = own[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ITEMS; k++) {
        const int j = k * GROUP + lid;
        if (j < count)
            to[start[weft_digit(key[j], shift, mask, flip)] + j] = key[j];
    }
#ifdef VALUE
    __global const VALUE *value_from = values + first_value + begin;
    __global VALUE *value_to = values_out + first_value_out;
    for (int k = 0; k < ITEMS; k++)
        if (lid * ITEMS + k < count)
            value_to[start[digit[k]] + rank[k]] = value_from[lid * ITEMS + k];
#endif
}
