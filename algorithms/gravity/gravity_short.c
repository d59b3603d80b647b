/* The part of gravity that near pairs know. */
#include "gravity_near.h"

WEFT_KERNEL(gravity_pairs_row, (bundle, gravity_tiles, c), (out, f64, ax, 0),
            (out, f64, ay, 0), (out, f64, az, 0))
WEFT_KERNEL(gravity_one_pulls, (bundle, gravity_tiles, c), (bundle, gravity_near_turns, n),
            (in, u32, list, 0), (inout, f64, ax, 0), (inout, f64, ay, 0),
            (inout, f64, az, 0))
WEFT_KERNEL(gravity_pairs_row_hacc, (bundle, gravity_tiles, c), (out, f64, ax, 0),
            (out, f64, ay, 0), (out, f64, az, 0))
WEFT_KERNEL(gravity_one_hacc, (bundle, gravity_tiles, c), (bundle, gravity_near_turns, n),
            (in, u32, list, 0), (inout, f64, ax, 0), (inout, f64, ay, 0),
            (inout, f64, az, 0))

weft_status weft_gravity_short(weft_device *device, weft_gravity *plan, weft_array x,
                               weft_array y, weft_array z, weft_array ax, weft_array ay,
                               weft_array az) {
    const weft_array in[3] = {x, y, z}, out[3] = {ax, ay, az};
    const i64 wanted = ax.length < x.length ? ax.length : x.length;
    if (!gravity_check(device, "weft_gravity_short", plan, in, out, wanted))
        return weft_check(device);
    weft_scope_open(device);
    weft_array words;
    const gravity_tiles_arrays c = gravity_sorted(device, plan, in, wanted, &words);
    const int hacc = plan->options.split == WEFT_GRAVITY_HACC;
    const int lists = gravity_near_pays(device, &c);
    if (!lists && hacc)
        weft_for_each(device, c.most - 1, gravity_pairs_row_hacc, .c = c, .ax = ax,
                      .ay = ay, .az = az);
    else if (!lists)
        weft_for_each(device, c.most - 1, gravity_pairs_row, .c = c, .ax = ax, .ay = ay,
                      .az = az);
    else {
        gravity_lists near = gravity_near_begin(device, &c, words);
        while (gravity_near_next(device, &near))
            if (hacc)
                weft_for_each(device, near.items, gravity_one_hacc, .c = c, .n = near.n,
                              .list = near.list, .ax = ax, .ay = ay, .az = az);
            else
                weft_for_each(device, near.items, gravity_one_pulls, .c = c, .n = near.n,
                              .list = near.list, .ax = ax, .ay = ay, .az = az);
    }
    weft_scope_close(device);
    return weft_check(device);
}
