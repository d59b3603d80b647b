/* Lines of cubes for complex transforms, two in one. A line of n numbers a, with its mirror
 * image of the opposite sign after it and zeros between, is odd: its transform is -i times
 * the sines' of a. So a line a + i b gives both, that of b in the real part.
 *
 * Lines run along the first axis of cubes; what their transforms are written to runs along
 * the last one. Complex lines lie side by side: element k of line p is work[k * most + p].
 * Work-items count elements of complex lines, from those of line number `first` on. */

__kernel __attribute__((reqd_work_group_size(WEFT_GROUP, 1, 1)))
void weft_sine_pack(const int n, const long first, const long pairs, const long most,
                    const long lines, __global const float *in, const long in_first,
                    __global float2 *work)
{
    const long t = (long)get_global_id(0), pair = t % most, square = (long)n * n;
    const int k = (int)(t / most), p = k <= n ? k - 1 : 2 * n + 1 - k;
    if (k >= 2 * n + 2)
        return;
    float2 z = (float2)(0.0f, 0.0f);
    const long line = 2 * (first + pair);
    if (pair < pairs && k % (n + 1) != 0) {
        const float sign = k <= n ? 1.0f : -1.0f;
        z.x = sign * in[in_first + line / square * (square * n) + p * square + line % square];
        const long next = line + 1;
        if (next < lines)
            z.y = sign *
                  in[in_first + next / square * (square * n) + p * square + next % square];
    }
    work[t] = z;
}

__kernel __attribute__((reqd_work_group_size(WEFT_GROUP, 1, 1)))
void weft_sine_unpack(const int n, const long first, const long pairs, const long most,
                      const long lines, __global float *out, const long out_first,
                      __global const float2 *work)
{
    const long t = (long)get_global_id(0), pair = t / n;
    const int i = (int)(t % n);
    if (pair >= pairs)
        return;
    const float2 z = work[(i + 1) * most + pair];
    const long line = 2 * (first + pair);
    out[out_first + line * n + i] = -z.y;
    if (line + 1 < lines)
        out[out_first + (line + 1) * n + i] = z.x;
}
