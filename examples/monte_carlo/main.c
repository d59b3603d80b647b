/* Pi from random points: as many of them lie in a quarter of a circle as its area says.
 * The numbers are the same on every device. Thrust: transform_reduce with an engine that
 * each call seeds and discards from, examples/monte_carlo.cu. */
#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include "monte_carlo.kernel.h"

WEFT_GENERATOR(monte_carlo_inside, u32, (value, u64, seed))

enum { BLOCKS = 20000, POINTS = 2 * BLOCKS };

int main(void) {
    weft_device *device = weft_open(NULL);
    for (u64 seed = 1; seed <= 3; seed++) {
        u32 inside = 0;
        weft_reduce(device, weft_lazy(BLOCKS, monte_carlo_inside, .seed = seed),
                    weft_plus(WEFT_U32), &inside);
        const f64 part = (f64)inside / POINTS;
        const f64 error = 4 * sqrt(part * (1 - part) / POINTS);
        if (weft_check(device) == WEFT_OK)
            printf("%u of %d points inside: pi is %.4f +- %.4f\n", inside, POINTS, 4 * part,
                   error);
    }
    const weft_status status = weft_check(device);
    if (status != WEFT_OK)
        fprintf(stderr, "monte_carlo: %s\n", weft_error(device));
    weft_close(device);
    return status != WEFT_OK;
}
