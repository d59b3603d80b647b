/* How far apart are two random points in a cube? All pairs, and none of them stored. */
#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include "distances.kernel.h"

WEFT_GENERATOR(distances_random, f32, (value, u64, seed))
WEFT_GENERATOR(distances_bin, u32, (value, u32, points), (value, f64, bins_per_length),
               (in, f32, x, 0), (in, f32, y, 0), (in, f32, z, 0))

enum { POINTS = 2000, BINS = 24 };

static void draw(const u32 *count, f64 width) {
    for (int b = 0; b < BINS; b++) {
        printf("%.3f %7u ", b * width, count[b]);
        for (u32 stars = 0; stars < count[b] / 3000; stars++)
            putchar('*');
        putchar('\n');
    }
}

int main(void) {
    const f64 width = 1.7320508 / BINS; /* of the cube's diagonal */
    u32 count[BINS];

    weft_device *device = weft_open(NULL);
    const weft_array x = weft_array_new(device, WEFT_F32, POINTS);
    const weft_array y = weft_array_new(device, WEFT_F32, POINTS);
    const weft_array z = weft_array_new(device, WEFT_F32, POINTS);
    const weft_array counts = weft_array_new(device, WEFT_U32, BINS);
    weft_transform(device, POINTS, x, distances_random, .seed = 1);
    weft_transform(device, POINTS, y, distances_random, .seed = 2);
    weft_transform(device, POINTS, z, distances_random, .seed = 3);
    const weft_array bins = weft_lazy((i64)POINTS * POINTS, distances_bin, .points = POINTS,
                                      .bins_per_length = 1 / width, .x = x, .y = y, .z = z);
    weft_histogram(device, bins, counts);
    const weft_status status = weft_read(device, counts, count);
    if (status == WEFT_OK)
        draw(count, width);
    else
        fprintf(stderr, "distances: %s\n", weft_error(device));
    weft_close(device);
    return status != WEFT_OK;
}
