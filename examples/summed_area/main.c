/* A summed area table: each element is the sum of all above and left of it, so that the sum
 * over any rectangle is four of them. Rows are scanned, then the table turned on its side
 * and its rows scanned again.
 * Thrust: inclusive_scan_by_key, gather, examples/summed_area_table.cu. */
#include <stdio.h>
#include <weft/weft.h>
#include "summed_area.kernel.h"

WEFT_GENERATOR(summed_area_pixel, i64, (value, u32, width))
WEFT_GENERATOR(summed_area_row, u32, (value, u32, width))
WEFT_GENERATOR(summed_area_turned, i64, (value, u32, width), (value, u32, height),
               (in, i64, table))

enum { WIDTH = 300, HEIGHT = 200, CELLS = WIDTH * HEIGHT };

/* Of x0 <= x < x1 and y0 <= y < y1. */
static i64 sum_over(const i64 *table, int x0, int y0, int x1, int y1) {
    i64 sum = table[(y1 - 1) * WIDTH + x1 - 1];
    if (x0 > 0)
        sum -= table[(y1 - 1) * WIDTH + x0 - 1];
    if (y0 > 0)
        sum -= table[(y0 - 1) * WIDTH + x1 - 1];
    if (x0 > 0 && y0 > 0)
        sum += table[(y0 - 1) * WIDTH + x0 - 1];
    return sum;
}

int main(void) {
    static i64 host[CELLS];
    weft_device *device = weft_open(NULL);
    const weft_operator *plus = weft_plus(WEFT_I64);
    const weft_array table = weft_array_new(device, WEFT_I64, CELLS);
    const weft_array turned = weft_array_new(device, WEFT_I64, CELLS);

    weft_scan_by_key(device, weft_lazy(CELLS, summed_area_row, .width = WIDTH),
                     weft_lazy(CELLS, summed_area_pixel, .width = WIDTH), plus,
                     WEFT_INCLUSIVE, table);
    weft_transform(device, CELLS, turned, summed_area_turned, .width = WIDTH,
                   .height = HEIGHT, .table = table);
    weft_scan_by_key(device, weft_lazy(CELLS, summed_area_row, .width = HEIGHT), turned,
                     plus, WEFT_INCLUSIVE, turned);
    weft_transform(device, CELLS, table, summed_area_turned, .width = HEIGHT,
                   .height = WIDTH, .table = turned);
    const weft_status status = weft_read(device, table, host);
    if (status == WEFT_OK) {
        printf("all: %lld\n", (long long)sum_over(host, 0, 0, WIDTH, HEIGHT));
        for (int k = 0; k < 90; k += 17)
            printf("%d..%d x %d..%d: %lld\n", k, 3 * k + 9, k / 2, k + 30,
                   (long long)sum_over(host, k, k / 2, 3 * k + 9, k + 30));
    } else {
        fprintf(stderr, "summed_area: %s\n", weft_error(device));
    }
    weft_close(device);
    return status != WEFT_OK;
}
