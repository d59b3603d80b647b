#include "pencils.h"
#include "algorithms/points/points.h"
#include "mesh.kernel.h"
#include "weft/search.h"
#include "weft/sort.h"

static i64 pencils_along(i64 points) {
    return points / (2 * MESH_PENCIL) * 2;
}

/* Sums where nobody else writes to at the time are several times as fast as atomic ones, if
 * there are some for each thread. */
mesh_pencils mesh_pencils_of(const weft_device *device, i64 planes, i64 lines) {
    const mesh_pencils p = {.x = pencils_along(planes), .y = pencils_along(lines)};
    const i64 at_once = p.x / 2 * (p.y / 2);
    const int pays = weft_device_style(device) == WEFT_SIMD &&
                     at_once >= 4 * weft_concurrency(device) && at_once < (i64)1 << 29;
    return pays ? p : (mesh_pencils){.x = 0};
}

void mesh_pencils_sort(weft_device *device, weft_array key, mesh_pencils *pencils) {
    const i64 all = pencils->x * pencils->y;
    i32 bits = 1;
    while ((i64)1 << bits < all)
        bits++;
    pencils->order = points_numbers(device, key.length);
    pencils->start = weft_scratch(device, WEFT_I64, all + 1);
    weft_sort_bits(device, key, pencils->order, WEFT_ASCENDING, 0, bits);
    weft_lower_bound(device, key, points_numbers(device, all + 1), pencils->start);
}
