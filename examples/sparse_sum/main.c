/* The sum of two sparse vectors, each as places that ascend and values: merged by place,
 * then summed where a place comes twice; what cancels is left out.
 * Thrust: merge_by_key, reduce_by_key, examples/sparse_vector.cu. */
#include <stdio.h>
#include <weft/weft.h>
#include "sparse_sum.kernel.h"

WEFT_GENERATOR(sparse_sum_place, u32, (value, u32, step))
WEFT_GENERATOR(sparse_sum_value, f64, (value, f64, scale))
WEFT_GENERATOR(sparse_sum_is_there, u32, (in, f64, x))

enum { A = 600, B = 400, MOST = A + B };

int main(void) {
    static u32 place[MOST];
    static f64 value[MOST];
    i64 places = 0, kept = 0;
    weft_device *device = weft_open(NULL);
    const weft_array merged = weft_array_new(device, WEFT_U32, MOST);
    const weft_array values = weft_array_new(device, WEFT_F64, MOST);
    weft_array sum[2] = {weft_array_new(device, WEFT_U32, MOST),
                         weft_array_new(device, WEFT_F64, MOST)};

    weft_merge_by_key(device, weft_lazy(A, sparse_sum_place, .step = 4),
                      weft_lazy(A, sparse_sum_value, .scale = 0.5),
                      weft_lazy(B, sparse_sum_place, .step = 5),
                      weft_lazy(B, sparse_sum_value, .scale = -0.25), merged, values);
    weft_reduce_by_key(device, merged, values, weft_plus(WEFT_F64), sum[0], sum[1],
                       &places);
    sum[0] = weft_slice(device, sum[0], 0, places);
    sum[1] = weft_slice(device, sum[1], 0, places);
    const weft_array out[2] = {merged, values};
    weft_copy_if_each(device, 2, sum, weft_lazy(places, sparse_sum_is_there, .x = sum[1]),
                      out, &kept);
    weft_read(device, weft_slice(device, merged, 0, kept), place);
    const weft_status status =
        weft_read(device, weft_slice(device, values, 0, kept), value);
    if (status == WEFT_OK) {
        printf("%d and %d elements: %lld places, %lld of which cancel\n", A, B,
               (long long)places, (long long)(places - kept));
        for (i64 k = 0; k < kept; k += 50)
            printf("%u: %g\n", place[k], value[k]);
    } else {
        fprintf(stderr, "sparse_sum: %s\n", weft_error(device));
    }
    weft_close(device);
    return status != WEFT_OK;
}
