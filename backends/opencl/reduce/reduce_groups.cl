/* Fold, for GPUs: a group a block of the input, each work-item every GROUP-th element of
 * it, then the group's partial results by halves in local memory. */
enum { UNROLL = 8 };

/* (A macro, for local arrays belong to kernels and barriers to their top level.) */
#define FOLD_GROUP(shared, lid)                                                            \
    barrier(CLK_LOCAL_MEM_FENCE);                                                          \
    for (int apart = GROUP / 2; apart > 0; apart /= 2) {                                   \
        if (lid < apart)                                                                   \
            shared[lid] = weft_combine(shared[lid], shared[lid + apart]);                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                      \
    }

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_reduce(const index_t n, const index_t block, const weft_element identity,
                 __global weft_element *parts weft_in_PARAMETERS)
{
    __local weft_element shared[GROUP];
    const int lid = (int)get_local_id(0);
    const index_t begin = (index_t)get_group_id(0) * block;
    const index_t count = n - begin < block ? n - begin : block;
    weft_element sum = identity;
    index_t i = lid;
    for (; count - i > (UNROLL - 1) * GROUP; i += UNROLL * GROUP) {
        weft_element some[UNROLL];
        for (int k = 0; k < UNROLL; k++)
            some[k] = weft_in(begin + i + k * GROUP weft_in_ARGUMENTS);
        for (int k = 0; k < UNROLL; k++)
            sum = weft_combine(sum, some[k]);
    }
    for (; i < count; i += GROUP)
        sum = weft_combine(sum, weft_in(begin + i weft_in_ARGUMENTS));
    shared[lid] = sum;
    FOLD_GROUP(shared, lid)
    if (lid == 0)
        parts[get_group_id(0)] = shared[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void weft_reduce_parts(const int count, const weft_element identity,
                       __global const weft_element *parts, __global weft_element *out,
                       const long first)
{
    __local weft_element shared[GROUP];
    const int lid = (int)get_local_id(0);
    weft_element sum = identity;
    for (int k = lid; k < count; k += GROUP)
        sum = weft_combine(sum, parts[k]);
    shared[lid] = sum;
    FOLD_GROUP(shared, lid)
    if (lid == 0)
        out[first] = shared[0];
}
