/* The mean of every 30 days in a row, at two reads a mean: differences of running sums.
 * Sums of integers are exact, so that nothing drifts.
 * Thrust: exclusive_scan, transform, examples/simple_moving_average.cu. */
#include <stdio.h>
#include <weft/weft.h>
#include "moving_average.kernel.h"

WEFT_GENERATOR(moving_average_price, i64)
WEFT_GENERATOR(moving_average_mean, f64, (value, u32, width), (in, i64, sum, n + 1))

enum { DAYS = 5000, WIDTH = 30, MEANS = DAYS - WIDTH + 1 };

int main(void) {
    static f64 mean[MEANS];
    i64 highest = 0;
    weft_device *device = weft_open(NULL);
    /* One more than there are days: element i is the sum of all before it. */
    const weft_array sums = weft_array_new(device, WEFT_I64, DAYS + 1);
    weft_put(device, sums, 0, &(i64){0});
    weft_scan(device, weft_lazy(DAYS, moving_average_price, 0), weft_plus(WEFT_I64),
              WEFT_INCLUSIVE, weft_slice(device, sums, 1, DAYS));
    const weft_array means = weft_array_new(device, WEFT_F64, MEANS);
    weft_transform(device, MEANS, means, moving_average_mean, .width = WIDTH, .sum = sums);
    weft_max_element(device, means, &highest);
    const weft_status status = weft_read(device, means, mean);
    if (status == WEFT_OK) {
        for (int i = 0; i < MEANS; i += 500)
            printf("from day %d: %.4f\n", i, mean[i]);
        printf("highest from day %lld: %.4f\n", (long long)highest, mean[highest]);
    } else {
        fprintf(stderr, "moving_average: %s\n", weft_error(device));
    }
    weft_close(device);
    return status != WEFT_OK;
}
