/* Random orders: a sort by random keys. */
#include "primitives/primitives.h"
#include "weft/random.h"
#include "weft/sort.h"
#include "weft/transform.h"

weft_status weft_shuffle(weft_device *device, weft_array inout, u64 seed) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_shuffle.inout", inout, 0, 0) != WEFT_OK ||
        inout.length < 2)
        return weft_check(device);
    weft_scope_open(device);
    const weft_array keys = weft_scratch(device, WEFT_U64, inout.length);
    weft_copy(device, weft_random(inout.length, WEFT_UNIFORM_U64, .seed = seed), keys);
    weft_sort_by_key(device, keys, inout, WEFT_ASCENDING);
    weft_scope_close(device);
    return weft_check(device);
}
