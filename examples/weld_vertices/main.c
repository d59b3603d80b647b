/* Triangles that each bring their own corners become a mesh: corners that coincide are one
 * vertex, and a triangle is three numbers of vertices.
 * Thrust: sort, unique, lower_bound, examples/weld_vertices.cu. */
#include <stdio.h>
#include <weft/weft.h>
#include "weld_vertices.kernel.h"

WEFT_GENERATOR(weld_vertices_corner, vertex, (value, u32, width))
WEFT_COMPARISON(weld_vertices_before, vertex)

enum { WIDTH = 40, HEIGHT = 25, CORNERS = 6 * WIDTH * HEIGHT };

int main(void) {
    static i64 number[CORNERS];
    i64 vertices = 0, sum = 0;
    weft_device *device = weft_open(NULL);
    const weft_comparison *order = weft_comparison_of(weld_vertices_before);
    const weft_array corners = weft_array_new(device, WEFT_STRUCT(vertex), CORNERS);
    const weft_array sorted = weft_array_new(device, WEFT_STRUCT(vertex), CORNERS);
    const weft_array mesh = weft_array_new(device, WEFT_STRUCT(vertex), CORNERS);
    const weft_array numbers = weft_array_new(device, WEFT_I64, CORNERS);

    weft_transform(device, CORNERS, corners, weld_vertices_corner, .width = WIDTH);
    weft_copy(device, corners, sorted);
    weft_sort_with(device, sorted, order);
    weft_unique_with(device, sorted, order, mesh, &vertices);
    weft_lower_bound_with(device, weft_slice(device, mesh, 0, vertices), corners, order,
                          numbers);
    const weft_status status = weft_read(device, numbers, number);
    if (status == WEFT_OK) {
        printf("%d corners are %lld vertices\n", CORNERS, (long long)vertices);
        for (int t = 0; t < 4; t++)
            printf("triangle %d: %lld %lld %lld\n", t, (long long)number[3 * t],
                   (long long)number[3 * t + 1], (long long)number[3 * t + 2]);
        for (int c = 0; c < CORNERS; c++)
            sum += c % 97 * number[c];
        printf("of all: %lld\n", (long long)sum);
    } else {
        fprintf(stderr, "weld_vertices: %s\n", weft_error(device));
    }
    weft_close(device);
    return status != WEFT_OK;
}
