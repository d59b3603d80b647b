/* Where segments begin: bits, and heads as scans and reductions by key take them. */
#include "segments.h"
#include "segments.kernels.h"

WEFT_KERNEL(segments_bits, (value, i64, words), (value, i64, size), (in, i64, offsets, 0),
            (value, i64, count), (inout, u32, bits, 0))
WEFT_GENERATORS(segments_heads, (u32), u32, (in, T, bits, (n + 31) / 32))

weft_array weft_segment_bits(weft_device *device, weft_array offsets, i64 n) {
    const i64 words = (n + 31) / 32, size = weft_tuning_of(device)->count;
    const weft_array bits = weft_scratch(device, WEFT_U32, words);
    weft_for_each(device, (words + size - 1) / size, segments_bits, .words = words,
                  .size = size, .offsets = offsets, .count = offsets.length, .bits = bits);
    return bits;
}

/* On the host a word at a time: vectors would gather each element's. */
WEFT_CLONES static void fill_heads(void *const *given, i64 begin, i64 end, void *out) {
    const u32 *bits = given[0];
    u32 *heads = out;
    i64 i = begin;
    for (; i < end && i % 32; i++)
        heads[i - begin] = bits[i / 32] >> (i % 32) & 1;
    for (; i + 32 <= end; i += 32) {
        const u32 word = bits[i / 32];
        for (u32 k = 0; k < 32; k++)
            heads[i - begin + k] = word >> k & 1;
    }
    for (; i < end; i++)
        heads[i - begin] = bits[i / 32] >> (i % 32) & 1;
}

static const weft_generator heads_by_words = {WEFT_FUNCTION(segments_heads_u32), "u32",
                                              WEFT_U32, fill_heads};

_Static_assert(sizeof(weft_segment_heads_of) == sizeof(struct segments_heads_u32_arguments),
               "weft_segment_heads_of");

weft_array weft_segment_heads(weft_array bits, i64 n, weft_segment_heads_of *of) {
    *of = (weft_segment_heads_of){bits};
    return weft_lazy_array(n, &heads_by_words, of);
}
