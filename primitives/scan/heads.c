/* Where runs of equal keys begin and end. */
#include "primitives/primitives.h"
#include "heads.kernel.h"

WEFT_GENERATOR(heads_u8, u32, (in, u8, keys, 0), (value, i64, length), (value, u32, after))
WEFT_GENERATOR(heads_u16, u32, (in, u16, keys, 0), (value, i64, length),
               (value, u32, after))
WEFT_GENERATOR(heads_u32, u32, (in, u32, keys, 0), (value, i64, length),
               (value, u32, after))
WEFT_GENERATOR(heads_u64, u32, (in, u64, keys, 0), (value, i64, length),
               (value, u32, after))
WEFT_GENERATOR(heads_f32, u32, (in, u32, keys, 0), (value, i64, length),
               (value, u32, after))
WEFT_GENERATOR(heads_f64, u32, (in, u64, keys, 0), (value, i64, length),
               (value, u32, after))
WEFT_GENERATOR(heads_masked_u8, u32, (in, u8, keys, 0), (value, i64, length),
               (value, u32, after), (value, u32, kind))
WEFT_GENERATOR(heads_masked_u16, u32, (in, u16, keys, 0), (value, i64, length),
               (value, u32, after), (value, u32, kind))
WEFT_GENERATOR(heads_masked_u32, u32, (in, u32, keys, 0), (value, i64, length),
               (value, u32, after), (value, u32, kind))
WEFT_GENERATOR(heads_masked_u64, u32, (in, u64, keys, 0), (value, i64, length),
               (value, u32, after), (value, u32, kind))
WEFT_GENERATOR(heads_words, u32, (in, u32, keys, 0), (value, i64, length),
               (value, u32, after), (value, u32, parts))
WEFT_GENERATOR(heads_bytes, u32, (in, u8, keys, 0), (value, i64, length),
               (value, u32, after), (value, u32, parts))

/* Whole numbers on CPUs: with a condition on every element, as the generators have it,
 * vectors load under a mask, which takes several times as long where keys come from memory.
 */
typedef struct heads_range {
    i64 first, from, to; /* in keys: of out[0], and what has a key before it */
    i64 length;
} heads_range;

static heads_range range_of(void *const *given, i64 begin, i64 end) {
    const i64 length = *(const i64 *)given[1], after = *(const u32 *)given[2];
    const i64 first = begin + after, last = end + after;
    return (heads_range){first, first > 1 ? first : 1, last < length ? last : length,
                         length};
}

static void put_edges(heads_range r, i64 count, u32 *out) {
    if (r.first == 0 && count > 0)
        out[0] = 1;
    if (r.first + count > r.length)
        out[r.length - r.first] = 1;
}

WEFT_CLONES static void fill_u32(void *const *given, i64 begin, i64 end, void *out) {
    const heads_range r = range_of(given, begin, end);
    const u32 *keys = given[0];
    u32 *heads = out;
    for (i64 k = r.from; k < r.to; k++)
        heads[k - r.first] = keys[k] != keys[k - 1];
    put_edges(r, end - begin, heads);
}

WEFT_CLONES static void fill_u64(void *const *given, i64 begin, i64 end, void *out) {
    const heads_range r = range_of(given, begin, end);
    const u64 *keys = given[0];
    u32 *heads = out;
    for (i64 k = r.from; k < r.to; k++)
        heads[k - r.first] = keys[k] != keys[k - 1];
    put_edges(r, end - begin, heads);
}

static const weft_generator heads_whole_u32 = {WEFT_FUNCTION(heads_masked_u32), "u32",
                                               WEFT_U32, fill_u32},
                            heads_whole_u64 = {WEFT_FUNCTION(heads_masked_u64), "u32",
                                               WEFT_U32, fill_u64};

/* What weft_heads hands out is what the generators take. */
_Static_assert(sizeof(weft_heads_of) == sizeof(struct heads_words_arguments) &&
                   offsetof(weft_heads_of, last) ==
                       offsetof(struct heads_words_arguments, parts),
               "weft_heads_of");

weft_array weft_heads(weft_device *device, weft_array keys, u32 after,
                      weft_heads_of *heads) {
    static const weft_generator *const generators[2][MOVES_COUNT] = {
        {&heads_masked_u8_generator, &heads_masked_u16_generator,
         &heads_masked_u32_generator, &heads_masked_u64_generator, &heads_words_generator,
         &heads_bytes_generator},
        {&heads_u8_generator, &heads_u16_generator, &heads_u32_generator,
         &heads_u64_generator, &heads_words_generator, &heads_bytes_generator},
    };
    const int unmasked = weft_tuning_of(device)->heads_unmasked;
    const weft_mover mover = weft_mover_of(keys.type);
    const u32 last = mover.kind < MOVES_WORDS ? weft_order_kind(keys.type) : mover.parts;
    const weft_generator *generator = generators[unmasked][mover.kind];
    if (!unmasked && mover.kind == MOVES_U32 && last != ORDER_FLOAT)
        generator = &heads_whole_u32;
    if (!unmasked && mover.kind == MOVES_U64 && last != ORDER_FLOAT)
        generator = &heads_whole_u64;
    if (unmasked && keys.type == WEFT_F32)
        generator = &heads_f32_generator;
    if (unmasked && keys.type == WEFT_F64)
        generator = &heads_f64_generator;
    *heads = (weft_heads_of){weft_as(device, keys, mover.type), keys.length, after, last};
    return (weft_array){.length = keys.length,
                        .type = WEFT_U32,
                        .read_only = 1,
                        .generator = generator,
                        .arguments = heads};
}
