#include "subhalos.h"
#include "subhalos.kernel.h"
#include "weft/expand.h"
#include "weft/search.h"
#include "weft/transform.h"

WEFT_GENERATOR(subhalos_size, u32, (in, i64, offset, n + 1))

void subhalos_offsets(weft_device *device, weft_array sorted, weft_array offset) {
    weft_scope_open(device);
    weft_lower_bound(device, sorted, points_numbers(device, offset.length), offset);
    weft_scope_close(device);
}

void subhalos_of_members(weft_device *device, weft_array offset, weft_array of) {
    const i64 n = offset.length - 1;
    weft_expand_sources(device, weft_lazy(n, subhalos_size, .offset = offset), of,
                        (weft_array){0}, NULL);
}
