#include "neighbours.h"
#include "neighbours.kernel.h"
#include "stencil.h"
#include "weft/listener.h"

WEFT_KERNEL(neighbours_of_cells, (bundle, friends_view, f), (bundle, grid_view, cells),
            (optional, u32, neighbour, 0), (value, u32, least), (value, u32, enough),
            (out, u32, friends, 0))
WEFT_KERNEL(neighbours_of_points, (bundle, friends_view, f), (bundle, grid_view, cells),
            (optional, u32, neighbour, 0), (value, u32, least), (value, u32, enough),
            (out, u32, friends))

void neighbours_count(weft_device *device, const friends_view_arrays *f, grid_sets *s,
                      u32 least, u32 enough, weft_array friends) {
    weft_task_begin(device, "neighbours_count");
    weft_scope_open(device);
    const weft_array neighbour = stencil_prepare(device, &f->rule.g, s, s, s->points);
    weft_task_until(device, 1);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, s->points, neighbours_of_points, .f = *f, .cells = *s,
                      .neighbour = neighbour, .least = least, .enough = enough,
                      .friends = friends);
    else
        weft_for_each(device, s->cells, neighbours_of_cells, .f = *f, .cells = *s,
                      .neighbour = neighbour, .least = least, .enough = enough,
                      .friends = friends);
    weft_scope_close(device);
    weft_task_end(device);
}
