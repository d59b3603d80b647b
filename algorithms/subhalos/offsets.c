#include "subhalos.h"
#include "weft/search.h"

void subhalos_offsets(weft_device *device, weft_array sorted, weft_array offset) {
    weft_scope_open(device);
    weft_lower_bound(device, sorted, points_numbers(device, offset.length), offset);
    weft_scope_close(device);
}
