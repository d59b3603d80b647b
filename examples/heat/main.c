/* Heat spreads over a plate: an algorithm of your own in one kernel and ten lines. */
#include <stdio.h>
#include <weft/weft.h>
#include "heat.kernel.h"

WEFT_KERNEL(heat_step, (value, u32, width), (value, u32, height), (in, f32, now),
            (out, f32, next))

enum { WIDTH = 72, HEIGHT = 24, CELLS = WIDTH * HEIGHT, STEPS = 2000 };

static void draw(const f32 *plate) {
    static const char shades[] = " .:-=+*#%@";
    for (int y = 0; y < HEIGHT; y++, putchar('\n'))
        for (int x = 0; x < WIDTH; x++)
            putchar(shades[(int)(plate[y * WIDTH + x] * 0.0999f)]);
    printf("%.9g degrees in the middle\n", plate[HEIGHT / 2 * WIDTH + WIDTH / 2]);
}

int main(void) {
    static f32 plate[CELLS];
    for (int x = WIDTH / 4; x < WIDTH * 3 / 4; x++)
        plate[x] = 100; /* a flame under part of the rim */

    weft_device *device = weft_open(NULL);
    weft_array now = weft_array_new(device, WEFT_F32, CELLS);
    weft_array next = weft_array_new(device, WEFT_F32, CELLS);
    weft_write(device, now, plate);
    for (int step = 0; step < STEPS; step++) {
        weft_for_each(device, CELLS, heat_step, .width = WIDTH, .height = HEIGHT,
                      .now = now, .next = next);
        const weft_array last = now;
        now = next;
        next = last;
    }
    const weft_status status = weft_read(device, now, plate);
    if (status == WEFT_OK)
        draw(plate);
    else
        fprintf(stderr, "heat: %s\n", weft_error(device));
    weft_close(device);
    return status != WEFT_OK;
}
