/* The box around random points: a reduction of structs, of points that are never stored.
 * Thrust: transform_reduce, examples/bounding_box.cu. */
#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include "bounding_box.kernel.h"

WEFT_GENERATOR(bounding_box_of_point, bounding_box, (value, u64, seed))
/* The identity is a box around nothing, which every other box swallows. */
WEFT_OPERATOR(bounding_box_join, bounding_box,
              {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}})

enum { POINTS = 40000 };

int main(void) {
    weft_device *device = weft_open(NULL);
    bounding_box box;
    for (int n = 1; n <= POINTS; n *= 200) {
        const weft_array boxes = weft_lazy(n, bounding_box_of_point, .seed = 12);
        if (weft_reduce(device, boxes, weft_op(bounding_box_join), &box) == WEFT_OK)
            printf("%d points: (%.9g, %.9g) to (%.9g, %.9g)\n", n, box.low[0], box.low[1],
                   box.high[0], box.high[1]);
    }
    const weft_status status = weft_check(device);
    if (status != WEFT_OK)
        fprintf(stderr, "bounding_box: %s\n", weft_error(device));
    weft_close(device);
    return status != WEFT_OK;
}
