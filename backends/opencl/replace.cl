/* x[i] = value where there is a flag, for EACH elements a work-item, of which all flags are
 * read before the first element is written. */
__kernel __attribute__((reqd_work_group_size(WEFT_GROUP, 1, 1)))
void weft_replace(const long begin, const long end, __global weft_element *x,
                  const long first, const weft_element value weft_flags_PARAMETERS)
{
    const long at =
        begin + (long)get_group_id(0) * (WEFT_GROUP * EACH) + (long)get_local_id(0);
    u32 flag[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        flag[k] = at + k * WEFT_GROUP < end &&
                  weft_flags((index_t)(at + k * WEFT_GROUP) weft_flags_ARGUMENTS);
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (flag[k])
            x[first + at + k * WEFT_GROUP] = value;
}
