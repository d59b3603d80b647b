/* Where runs of equal keys begin and end. */
#include "primitives/primitives.h"
#include "heads.kernels.h"

WEFT_GENERATORS(heads, (u8, u16, u32, u64, bits32, bits64), u32, (in, T, keys, 0),
                (value, i64, length), (value, u32, after))
WEFT_GENERATORS(heads_masked, (u8, u16, u32, u64), u32, (in, T, keys, 0),
                (value, i64, length), (value, u32, after), (value, u32, kind))
WEFT_GENERATORS(heads_parts, (words, bytes), u32, (in, T, keys, 0), (value, i64, length),
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

/* Bytes ahead of a tile's keys that are asked for: values are read between two tiles, and
 * where a page ends processors stop reading ahead by themselves; and how many at once. More
 * would hold all lines that a processor waits for. */
enum { LINE = 64, AHEAD = 4 << 10, AT_ONCE = 1 << 10 };

static inline void fetch_ahead(const char *keys, i64 from, i64 count, i64 size) {
    const i64 all = count * size, most = all < AT_ONCE ? all : AT_ONCE;
    for (i64 k = 0; k < most; k += LINE)
        __builtin_prefetch(keys + from * size + AHEAD + k);
}

WEFT_CLONES static void fill_u32(void *const *given, i64 begin, i64 end, void *out) {
    const heads_range r = range_of(given, begin, end);
    const u32 *keys = given[0];
    u32 *heads = out;
    fetch_ahead(given[0], r.from, end - begin, sizeof *keys);
    for (i64 k = r.from; k < r.to; k++)
        heads[k - r.first] = keys[k] != keys[k - 1];
    put_edges(r, end - begin, heads);
}

WEFT_CLONES static void fill_u64(void *const *given, i64 begin, i64 end, void *out) {
    const heads_range r = range_of(given, begin, end);
    const u64 *keys = given[0];
    u32 *heads = out;
    fetch_ahead(given[0], r.from, end - begin, sizeof *keys);
    for (i64 k = r.from; k < r.to; k++)
        heads[k - r.first] = keys[k] != keys[k - 1];
    put_edges(r, end - begin, heads);
}

static inline void compare_words(const u32 *keys, heads_range r, i64 parts, u32 *heads) {
    for (i64 k = r.from; k < r.to; k++) {
        u32 differ = 0;
        for (i64 p = 0; p < parts; p++)
            differ |= keys[k * parts + p] ^ keys[(k - 1) * parts + p];
        heads[k - r.first] = differ != 0;
    }
}

/* Structs: of two to four words and of six, loops that vectors take. */
WEFT_CLONES static void fill_words(void *const *given, i64 begin, i64 end, void *out) {
    const heads_range r = range_of(given, begin, end);
    const u32 *keys = given[0], parts = *(const u32 *)given[3];
    switch (parts) {
    case 2:
        compare_words(keys, r, 2, out);
        break;
    case 3:
        compare_words(keys, r, 3, out);
        break;
    case 4:
        compare_words(keys, r, 4, out);
        break;
    case 6:
        compare_words(keys, r, 6, out);
        break;
    default:
        compare_words(keys, r, parts, out);
    }
    put_edges(r, end - begin, out);
}

static const weft_generator heads_whole_words = {WEFT_FUNCTION(heads_parts_words), "u32",
                                                 WEFT_U32, fill_words},
                            heads_whole_u32 = {WEFT_FUNCTION(heads_masked_u32), "u32",
                                               WEFT_U32, fill_u32},
                            heads_whole_u64 = {WEFT_FUNCTION(heads_masked_u64), "u32",
                                               WEFT_U32, fill_u64};

/* What weft_heads hands out is what the generators take. */
_Static_assert(sizeof(weft_heads_of) == sizeof(struct heads_parts_words_arguments) &&
                   offsetof(weft_heads_of, last) ==
                       offsetof(struct heads_parts_words_arguments, parts),
               "weft_heads_of");

weft_array weft_heads(weft_device *device, weft_array keys, u32 after,
                      weft_heads_of *heads) {
    const int unmasked = weft_tuning_of(device)->heads_unmasked;
    const weft_mover mover = weft_mover_of(keys.type);
    const u32 order = weft_order_kind(keys.type);
    const u32 last = mover.kind < MOVES_WORDS ? order : mover.parts;
    const weft_generator *generator;
    if (mover.kind == MOVES_WORDS)
        generator = &heads_whole_words;
    else if (mover.kind > MOVES_WORDS)
        generator = heads_parts_generators[mover.kind - MOVES_WORDS];
    else if (unmasked)
        generator = heads_generators[weft_numbers_of(keys.type).kind];
    else if (mover.kind == MOVES_U32 && order != ORDER_FLOAT)
        generator = &heads_whole_u32;
    else if (mover.kind == MOVES_U64 && order != ORDER_FLOAT)
        generator = &heads_whole_u64;
    else
        generator = heads_masked_generators[mover.kind];
    *heads = (weft_heads_of){weft_as(device, keys, mover.type), keys.length, after, last};
    return weft_lazy_array(keys.length, generator, heads);
}
