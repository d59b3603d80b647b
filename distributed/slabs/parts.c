#include "parts.h"

#include <weft/register.h>
#include <weft/transform.h>

WEFT_GENERATOR(slabs_take, u64, (value, slabs_rows_of, of), (in, u64, planes, 0))
WEFT_KERNEL(slabs_put, (value, slabs_rows_of, of), (in, u64, rows), (out, u64, planes, 0))

void parts_move(weft_device *device, int64_t count, slabs_rows_of of, weft_array rows,
                weft_array part, bool back) {
    const int64_t n = count * of.part;
    if (n > 0 && back)
        weft_for_each(device, n, slabs_put, .of = of, .rows = part, .planes = rows);
    else if (n > 0)
        weft_transform(device, n, part, slabs_take, .of = of, .planes = rows);
}
