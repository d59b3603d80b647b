/* out[i] = in(i). */
__kernel __attribute__((reqd_work_group_size(WEFT_GROUP, 1, 1)))
void weft_copy(const long begin, const long end, __global weft_in_element *out,
               const long first weft_in_PARAMETERS)
{
    const long i = begin + (long)get_global_id(0);
    if (i < end)
        out[first + i] = weft_in((index_t)i weft_in_ARGUMENTS);
}
