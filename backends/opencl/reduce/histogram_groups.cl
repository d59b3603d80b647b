/* A histogram for GPUs: groups count in local memory, each warp or so in a copy of its own,
 * and add what they have to the counts at the end. */
enum { UNROLL = 8, NEIGHBOURS = 32 };

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_histogram(const index_t n, const index_t block, const u32 bins, const u32 copies,
                    __global u32 *counts, const long first weft_bins_PARAMETERS)
{
    __local u32 table[TABLE];
    const u32 lid = (u32)get_local_id(0);
    const index_t begin = (index_t)get_group_id(0) * block;
    const index_t count = n - begin < block ? n - begin : block;
    __local u32 *row = table + lid / NEIGHBOURS % copies * bins;
    for (u32 b = lid; b < bins * copies; b += GROUP)
        table[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    index_t i = (index_t)lid;
    for (; count - i > (UNROLL - 1) * GROUP; i += UNROLL * GROUP) {
        u32 bin[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            bin[k] = weft_bins(begin + i + k * GROUP weft_bins_ARGUMENTS);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            if (bin[k] < bins)
                atomic_inc(&row[bin[k]]);
    }
    for (; i < count; i += GROUP) {
        const u32 bin = weft_bins(begin + i weft_bins_ARGUMENTS);
        if (bin < bins)
            atomic_inc(&row[bin]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 b = lid; b < bins; b += GROUP) {
        u32 sum = 0;
        for (u32 c = 0; c < copies; c++)
            sum += table[c * bins + b];
        if (sum > 0)
            atomic_add(&counts[first + b], sum);
    }
}
