#include "lengths.h"
#include "lengths.kernel.h"
#include "weft/expand.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/register.h"

WEFT_GENERATOR(lengths_of, i64, (in, i64, offset, n + 1))
WEFT_GENERATOR(lengths_below, u32, (in, i64, offset, n + 1))
WEFT_GENERATOR(lengths_long, i64, (value, i64, least), (in, i64, offset, n + 1))

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

void lengths_expand(weft_device *device, i64 segments, weft_array offset, weft_array of,
                    weft_array rank) {
    weft_expand_sources(device, weft_lazy(segments, lengths_below, .offset = offset), of,
                        rank, NULL);
}
