/* Lazy arrays of random numbers. On the host they are made block by block: a number alone
 * costs as much as the block that it is a word of. So generators are registered by hand,
 * with loops of their own. */
#include "blocks.h"
#include "primitives/primitives.h"
#include "weft/random.h"
#include "random.kernel.h"

WEFT_ARGUMENTS(random_u32, (value, u64, seed), (value, u64, stream))
WEFT_ARGUMENTS(random_u64, (value, u64, seed), (value, u64, stream))
WEFT_ARGUMENTS(random_f32, (value, u64, seed), (value, u64, stream))
WEFT_ARGUMENTS(random_f64, (value, u64, seed), (value, u64, stream))
WEFT_ARGUMENTS(random_normal_f32, (value, u64, seed), (value, u64, stream))
WEFT_ARGUMENTS(random_normal_f64, (value, u64, seed), (value, u64, stream))

enum { WORDS = 4 * RANDOM_BLOCKS };

/* out[0 .. count) of that many random words (for f64 pairs of them). */
typedef void convert_words(const u32 *words, i64 count, void *out);

WEFT_CLONES static void convert_u32(const u32 *words, i64 count, void *out) {
    memcpy(out, words, (size_t)count * sizeof(u32));
}
WEFT_CLONES static void convert_f32(const u32 *words, i64 count, void *out) {
    f32 *to = out;
    for (i64 i = 0; i < count; i++)
        to[i] = philox_unit_f32(words[i]);
}
WEFT_CLONES static void convert_normal_f32(const u32 *words, i64 count, void *out) {
    f32 *to = out;
    for (i64 i = 0; i < count; i++)
        to[i] = philox_normal_of_f32(words[i]);
}
static inline u64 pair_at(const u32 *words, i64 i) {
    return (u64)words[2 * i + 1] << 32 | words[2 * i];
}
WEFT_CLONES static void convert_u64(const u32 *words, i64 count, void *out) {
    u64 *to = out;
    for (i64 i = 0; i < count; i++)
        to[i] = pair_at(words, i);
}
WEFT_CLONES static void convert_f64(const u32 *words, i64 count, void *out) {
    f64 *to = out;
    for (i64 i = 0; i < count; i++)
        to[i] = philox_unit_f64(pair_at(words, i));
}
WEFT_CLONES static void convert_normal_f64(const u32 *words, i64 count, void *out) {
    f64 *to = out;
    for (i64 i = 0; i < count; i++)
        to[i] = philox_normal_of_f64(pair_at(words, i));
}

/* Numbers [begin, end) of `size` bytes each, converted from their words. */
static void fill(void *const *arguments, i64 begin, i64 end, i64 size,
                 convert_words *convert, void *out) {
    const weft_stream stream = {.seed = *(const u64 *)arguments[0],
                                .stream = *(const u64 *)arguments[1]};
    const i64 each = size / 4;
    u32 words[WORDS];
    while (begin < end) {
        const i64 first = begin * each / 4 * 4, most = (first + WORDS) / each;
        const i64 last = end < most ? end : most;
        random_blocks(&stream, (u64)(first / 4), (last * each - first + 3) / 4, words);
        convert(words + (begin * each - first), last - begin, out);
        out = (char *)out + (last - begin) * size;
        begin = last;
    }
}

/* What lies in whole blocks is made in place. */
static void fill_u32(void *const *arguments, i64 begin, i64 end, void *out) {
    const weft_stream stream = {.seed = *(const u64 *)arguments[0],
                                .stream = *(const u64 *)arguments[1]};
    u32 *to = out;
    if (begin % 4 == 0)
        for (; end - begin >= WORDS; begin += WORDS, to += WORDS)
            random_blocks(&stream, (u64)(begin / 4), RANDOM_BLOCKS, to);
    fill(arguments, begin, end, 4, convert_u32, to);
}
static void fill_u64(void *const *arguments, i64 begin, i64 end, void *out) {
    fill(arguments, begin, end, 8, convert_u64, out);
}
static void fill_f32(void *const *arguments, i64 begin, i64 end, void *out) {
    fill(arguments, begin, end, 4, convert_f32, out);
}
static void fill_f64(void *const *arguments, i64 begin, i64 end, void *out) {
    fill(arguments, begin, end, 8, convert_f64, out);
}
static void fill_normal_f32(void *const *arguments, i64 begin, i64 end, void *out) {
    fill(arguments, begin, end, 4, convert_normal_f32, out);
}
static void fill_normal_f64(void *const *arguments, i64 begin, i64 end, void *out) {
    fill(arguments, begin, end, 8, convert_normal_f64, out);
}

weft_array weft_random_array(i64 n, weft_distribution distribution,
                             const weft_stream *stream) {
    static const weft_generator generators[] = {
        {WEFT_FUNCTION(random_u32), "u32", WEFT_U32, fill_u32},
        {WEFT_FUNCTION(random_u64), "u64", WEFT_U64, fill_u64},
        {WEFT_FUNCTION(random_f32), "f32", WEFT_F32, fill_f32},
        {WEFT_FUNCTION(random_f64), "f64", WEFT_F64, fill_f64},
        {WEFT_FUNCTION(random_normal_f32), "f32", WEFT_F32, fill_normal_f32},
        {WEFT_FUNCTION(random_normal_f64), "f64", WEFT_F64, fill_normal_f64}};
    if (!stream || (size_t)distribution >= sizeof generators / sizeof *generators)
        return (weft_array){0};
    return weft_lazy_array(n, &generators[distribution], stream);
}
