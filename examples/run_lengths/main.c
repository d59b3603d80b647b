/* A row of pixels as runs, and back: what comes back is what was there.
 * Thrust: reduce_by_key, examples/run_length_encoding.cu; scan and search,
 * examples/run_length_decoding.cu and expand.cu, which is one call here. */
#include <stdio.h>
#include <weft/weft.h>
#include "run_lengths.kernel.h"

WEFT_GENERATOR(run_lengths_pixel, u8)

enum { PIXELS = 20000 };

int main(void) {
    static u8 value[PIXELS];
    static u32 length[PIXELS];
    i64 runs = 0, pixels = 0;
    int same = 0;
    weft_device *device = weft_open(NULL);
    const weft_array row = weft_array_new(device, WEFT_U8, PIXELS);
    const weft_array back = weft_array_new(device, WEFT_U8, PIXELS);
    weft_array values = weft_array_new(device, WEFT_U8, PIXELS);
    weft_array lengths = weft_array_new(device, WEFT_U32, PIXELS);

    weft_transform(device, PIXELS, row, run_lengths_pixel, 0);
    weft_run_length_encode(device, row, values, lengths, &runs);
    values = weft_slice(device, values, 0, runs);
    lengths = weft_slice(device, lengths, 0, runs);
    weft_expand(device, values, lengths, back, &pixels);
    weft_equal(device, row, back, &same);
    weft_read(device, values, value);
    const weft_status status = weft_read(device, lengths, length);
    if (status == WEFT_OK) {
        printf("%d pixels are %lld runs, which are %lld pixels, %s\n", PIXELS,
               (long long)runs, (long long)pixels, same ? "the same" : "others");
        for (i64 r = 0; r < runs; r += 25)
            printf("run %lld: %u times %d\n", (long long)r, length[r], value[r]);
    } else {
        fprintf(stderr, "run_lengths: %s\n", weft_error(device));
    }
    weft_close(device);
    return status != WEFT_OK;
}
