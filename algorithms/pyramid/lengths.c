#include "lengths.h"
#include "lengths.kernel.h"
#include "weft/expand.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_GENERATOR(lengths_of, i64, (in, i64, offset, n + 1))
WEFT_GENERATOR(lengths_below, u32, (in, i64, offset, n + 1))
WEFT_GENERATOR(lengths_begin, i64, (value, i64, first), (in, i64, offset))
WEFT_GENERATOR(lengths_long, i64, (value, i64, least), (in, i64, offset, n + 1))

i32 lengths_bits(i64 n) {
    i32 bits = 0;
    while (bits < 63 && n > (i64)1 << bits)
        bits++;
    return bits;
}

/* (The identity of a maximum is the least number.) */
static i64 most_of(weft_device *device, weft_array lazy) {
    i64 most = 0;
    if (lazy.length > 0)
        weft_reduce(device, lazy, weft_maximum(WEFT_I64), &most);
    return most;
}

i64 lengths_most(weft_device *device, i64 segments, weft_array offset) {
    return most_of(device, weft_lazy(segments, lengths_of, .offset = offset));
}

i64 lengths_last(weft_device *device, i64 segments, weft_array offset, i64 least) {
    return most_of(device,
                   weft_lazy(segments, lengths_long, .least = least, .offset = offset));
}

static i64 begin_of(weft_device *device, weft_array offset, i64 segment) {
    i64 begin = 0;
    weft_read(device, weft_slice(device, offset, segment, 1), &begin);
    return begin;
}

i64 lengths_batch(weft_device *device, i64 segments, weft_array offset, i64 begin,
                  i64 most) {
    const i64 first = begin_of(device, offset, begin);
    i64 low = begin + 1, high = segments;
    if (begin_of(device, offset, high) - first <= most)
        return high;
    while (low < high) {
        const i64 middle = low + (high - low + 1) / 2;
        if (begin_of(device, offset, middle) - first <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

weft_array lengths_since(weft_device *device, weft_array offset, i64 first) {
    const weft_array since = weft_scratch(device, WEFT_I64, offset.length);
    weft_transform(device, since.length, since, lengths_begin, .first = first,
                   .offset = offset);
    return since;
}

weft_array lengths_alone(weft_device *device, weft_array offset, i64 begin, i64 end,
                         i64 *first, i64 *elements) {
    *first = begin_of(device, offset, begin);
    *elements = begin_of(device, offset, end) - *first;
    return lengths_since(device, weft_slice(device, offset, begin, end - begin + 1),
                         *first);
}

weft_halos lengths_halos(weft_device *device, const weft_halos *halos, i64 begin, i64 end) {
    const int all = end - begin == halos->count;
    const i64 first = begin > 0 ? begin_of(device, halos->offset, begin) : 0;
    const i64 members = all ? halos->members : begin_of(device, halos->offset, end) - first;
    const weft_array offset = weft_slice(device, halos->offset, begin, end - begin + 1);
    return (weft_halos){.count = end - begin,
                        .members = members,
                        .offset = begin > 0 ? lengths_since(device, offset, first) : offset,
                        .member = weft_slice(device, halos->member, first, members)};
}

void lengths_expand(weft_device *device, i64 segments, weft_array offset, weft_array of,
                    weft_array rank) {
    weft_expand_sources(device, weft_lazy(segments, lengths_below, .offset = offset), of,
                        rank, NULL);
}
