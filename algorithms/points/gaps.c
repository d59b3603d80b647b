#include "gaps.h"
#include "gaps.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_KERNEL(gaps_read, (value, i64, stride), (value, i32, wide), (value, f64, box),
            (in, u32, words, 0), (out, f64, at))
WEFT_GENERATOR(gaps_parts, u32, (value, f64, reach), (in, f64, at))
WEFT_GENERATOR(gaps_width, i64, (value, f64, length), (in, u32, start, n + 1),
               (in, f64, at, 0))
WEFT_KERNEL(gaps_place, (value, f64, length), (value, f64, box), (value, i64, segments),
            (value, i32, joins), (in, f64, at), (in, u32, order), (in, u32, ordinal),
            (in, u32, start, 0), (in, i64, base, 0), (inout, f64, out))

static f64 read_one(weft_device *device, weft_array array, i64 i) {
    f64 value = 0;
    weft_read(device, weft_slice(device, array, i, 1), &value);
    return value;
}

/* Cuts the sorted coordinates at the flagged gaps. */
static void cut(weft_device *device, weft_array at, weft_array order, weft_array parts,
                f64 length, f64 box, i64 segments, int joins, weft_array out) {
    const u32 end = (u32)at.length;
    weft_scope_open(device);
    const weft_array ordinal = weft_scratch(device, WEFT_U32, at.length);
    const weft_array start = weft_scratch(device, WEFT_U32, segments + 1);
    const weft_array base = weft_scratch(device, WEFT_I64, segments);
    weft_scan(device, parts, weft_plus(WEFT_U32), WEFT_INCLUSIVE, ordinal);
    points_list(device, parts, start, NULL);
    weft_write(device, weft_slice(device, start, segments, 1), &end);
    weft_scan(device,
              weft_lazy(segments, gaps_width, .length = length, .start = start, .at = at),
              weft_plus(WEFT_I64), WEFT_EXCLUSIVE, base);
    weft_for_each(device, at.length, gaps_place, .length = length, .box = box,
                  .segments = segments, .joins = joins, .at = at, .order = order,
                  .ordinal = ordinal, .start = start, .base = base, .out = out);
    weft_scope_close(device);
}

void gaps_cut(weft_device *device, weft_array words, i64 stride, i32 wide, i64 count,
              f64 length, f64 *box, weft_array out) {
    /* Wider than the length by more than any rounding. */
    const f64 reach = length * (1 + 0x1p-20);
    i64 segments = 0;
    weft_scope_open(device);
    const weft_array at = weft_scratch(device, WEFT_F64, count);
    const weft_array order = points_numbers(device, count);
    weft_for_each(device, count, gaps_read, .stride = stride, .wide = wide, .box = *box,
                  .words = words, .at = at);
    weft_sort_by_key(device, at, order, WEFT_ASCENDING);
    const weft_array parts = weft_lazy(count, gaps_parts, .reach = reach, .at = at);
    weft_count_if(device, parts, &segments);
    const int joins = *box > 0 && (read_one(device, at, 0) + *box / 2) +
                                          (*box / 2 - read_one(device, at, count - 1)) <=
                                      reach;
    if (segments == 1 && joins) {
        weft_scatter(device, at, order, out);
    } else {
        cut(device, at, order, parts, length, *box, segments, joins, out);
        *box = 0;
    }
    weft_scope_close(device);
}
