/* out[i] = in(i), for EACH elements a work-item: all are read before the first is written,
 * so that a GPU has several reads under way. */
__kernel __attribute__((reqd_work_group_size(WEFT_GROUP, 1, 1)))
void weft_copy(const long begin, const long end, __global weft_in_element *out,
               const long first weft_in_PARAMETERS)
{
    const long at =
        begin + (long)get_group_id(0) * (WEFT_GROUP * EACH) + (long)get_local_id(0);
    weft_in_element some[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (at + k * WEFT_GROUP < end)
            some[k] = weft_in((index_t)(at + k * WEFT_GROUP) weft_in_ARGUMENTS);
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (at + k * WEFT_GROUP < end)
            out[first + at + k * WEFT_GROUP] = some[k];
}
