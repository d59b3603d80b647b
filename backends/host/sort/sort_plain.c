/* Stable sort by counting digits from the lowest up (least significant digit radix sort).
 */
#include "backends/host/host.h"
#include "weft/array.h"

#include <string.h>

typedef struct item {
    u64 order; /* the key's image, cut to the bits that count */
    u64 key, value;
} item;

enum { DIGIT = 8 };

static void pass(const item *from, item *to, i64 n, int shift) {
    i64 place[1 << DIGIT] = {0};
    for (i64 i = 0; i < n; i++)
        place[from[i].order >> shift & ((1 << DIGIT) - 1)]++;
    i64 sum = 0;
    for (int d = 0; d < 1 << DIGIT; d++) {
        const i64 count = place[d];
        place[d] = sum;
        sum += count;
    }
    for (i64 i = 0; i < n; i++)
        to[place[from[i].order >> shift & ((1 << DIGIT) - 1)]++] = from[i];
}

weft_status host_sort_plainly(weft_device *device, const weft_sort_call *sort) {
    const i64 n = sort->keys.length;
    const size_t key_size = WEFT_SIZE(sort->keys.type);
    const size_t value_size = WEFT_SIZE(sort->values.type);
    const int bits = sort->end_bit - sort->begin_bit;
    const weft_array a = weft_scratch(device, WEFT_STRUCT(item), n);
    const weft_array b = weft_scratch(device, WEFT_STRUCT(item), n);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    item *from = weft_buffer_memory(a.buffer), *to = weft_buffer_memory(b.buffer);
    for (i64 i = 0; i < n; i++) {
        const void *key = host_at(sort->keys, i);
        u64 order = host_ordered(sort->keys.type, key);
        order = (sort->descending ? ~order : order) >> sort->begin_bit;
        from[i] = (item){.order = bits < 64 ? order & ((1ull << bits) - 1) : order};
        memcpy(&from[i].key, key, key_size);
        if (value_size)
            memcpy(&from[i].value, host_at(sort->values, i), value_size);
    }
    for (int shift = 0; shift < bits; shift += DIGIT) {
        pass(from, to, n, shift);
        item *swap = from;
        from = to;
        to = swap;
    }
    for (i64 i = 0; i < n; i++) {
        memcpy(host_at(sort->keys, i), &from[i].key, key_size);
        if (value_size)
            memcpy(host_at(sort->values, i), &from[i].value, value_size);
    }
    return WEFT_OK;
}
