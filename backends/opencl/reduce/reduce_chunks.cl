/* Fold, for CPUs: a work-item a chunk, in lanes that vectorise. */
enum { LANES = sizeof(weft_element) > 64 ? 1 : 128 / sizeof(weft_element) };

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_reduce(const index_t n, const index_t chunk, const weft_element identity,
                 __global weft_element *parts weft_in_PARAMETERS)
{
    const index_t begin = (index_t)get_group_id(0) * chunk;
    const index_t count = n - begin < chunk ? n - begin : chunk;
    weft_element lanes[LANES];
    for (int k = 0; k < LANES; k++)
        lanes[k] = identity;
    index_t i = 0;
    for (; count - i >= LANES; i += LANES)
        for (int k = 0; k < LANES; k++)
            lanes[k] = weft_combine(lanes[k], weft_in(begin + i + k weft_in_ARGUMENTS));
    for (int k = 0; i < count; i++, k++)
        lanes[k] = weft_combine(lanes[k], weft_in(begin + i weft_in_ARGUMENTS));
    weft_element sum = lanes[0];
    for (int k = 1; k < LANES; k++)
        sum = weft_combine(sum, lanes[k]);
    parts[get_group_id(0)] = sum;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void weft_reduce_parts(const int count, const weft_element identity,
                       __global const weft_element *parts, __global weft_element *out,
                       const long first)
{
    weft_element sum = identity;
    for (int k = 0; k < count; k++)
        sum = weft_combine(sum, parts[k]);
    out[first] = sum;
}
