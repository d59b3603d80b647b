#include "axes.h"
#include "axes.kernel.h"
#include "weft/transform.h"

WEFT_KERNEL(axes_follow, (value, i64, some), (value, i64, every), (value, f64, box_x),
            (value, f64, box_y), (value, f64, box_z), (bundle, points_coordinates, at),
            (out, axes_course, course))

/* Particles that are looked at, and of how many it may pay: in the first caches, particles
 * lie close together anyway. */
enum { SOME = 64, WORTH = 1024 };

int axes_slowest(weft_device *device, const points_words *words, i64 count,
                 const f64 box[3]) {
    axes_course axis[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (count < WORTH || weft_device_style(device) == WEFT_SIMT)
        return 2;
    weft_scope_open(device);
    const weft_array course = weft_scratch(device, WEFT_STRUCT(axes_course), 3);
    weft_for_each(device, 3, axes_follow, .some = SOME, .every = count / SOME,
                  .box_x = box[0], .box_y = box[1], .box_z = box[2], .at = *words,
                  .course = course);
    weft_read(device, course, axis);
    weft_scope_close(device);
    if (weft_check(device) != WEFT_OK)
        return 2;
    const int slow = axis[0].way < axis[1].way ? 0 : 1;
    f64 extent[3];
    for (int k = 0; k < 3; k++)
        extent[k] = axis[k].high - axis[k].low;
    return axis[slow].way < axis[2].way / 2 && extent[slow] > extent[2] / 2 &&
                   extent[2] > extent[slow] / 2
               ? slow
               : 2;
}
