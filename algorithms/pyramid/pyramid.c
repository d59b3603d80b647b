#include "pyramid.h"

pyramid pyramid_over(i64 members, i64 segments, i64 longest, i64 leaf, i64 fan, i64 top) {
    pyramid p = {0};
    i64 bits = leaf;
    do {
        p.begin[p.levels + 1] = p.begin[p.levels] + pyramid_blocks(members, segments, bits);
        p.levels++;
        bits += fan;
    } while (p.levels < PYRAMID_MOST_LEVELS && pyramid_count(longest, bits - fan) > top);
    return p;
}

weft_array pyramid_level(weft_device *device, const pyramid *p, weft_array blocks,
                         i64 level) {
    return weft_slice(device, blocks, p->begin[level], pyramid_size(p, level));
}

weft_array pyramid_begins(weft_device *device, const pyramid *p) {
    const weft_array begins = weft_scratch(device, WEFT_I64, p->levels);
    weft_write(device, begins, p->begin);
    return begins;
}
