/* Which bits of the keys count, and their digits. */
#include "sort_image.h"
#include "weft/register_macros.h"

void sort_form_begin(sort_form *form, const weft_sort_call *sort) {
    static const sort_kind by_size[] = {
        [1] = SORT_U8, [2] = SORT_U16, [4] = SORT_U32, [8] = SORT_U64};
    const weft_type type = sort->keys.type;
    const size_t size = WEFT_SIZE(type);
    const u64 sign = 1ull << (8 * size - 1);
    *form = (sort_form){.keys = host_at(sort->keys, 0), .value_size = 0};
    form->kind = type == WEFT_F32 ? SORT_F32 : type == WEFT_F64 ? SORT_F64 : by_size[size];
    form->width = size == 8 ? 64 : 32;
    form->bypass = host_bypasses(sort->keys);
    if (type == WEFT_I8 || type == WEFT_I16 || type == WEFT_I32 || type == WEFT_I64)
        form->flip = sign;
    if (sort->descending)
        form->flip ^= sign | (sign - 1);
    if (sort->values.type) {
        form->values = host_at(sort->values, 0);
        form->value_size = (i32)WEFT_SIZE(sort->values.type);
    }
}

static inline __attribute__((always_inline)) sort_extent
extent32(const char *keys, sort_kind kind, u32 flip, i64 begin, i64 end) {
    u32 least = ~0u, most = 0, nans = 0;
    i64 total = 0;
    for (i64 first = begin; first < end; first += SORT_TILE) {
        const i64 last = end - first < SORT_TILE ? end : first + SORT_TILE;
        for (i64 i = first; i < last; i++) {
            const u32 key = raw32(kind, keys, i), x = image32(kind, key, flip);
            const u32 nan = is_nan32(kind, key);
            const u32 low = x | nan, high = x & ~nan;
            least = low < least ? low : least;
            most = high > most ? high : most;
            nans -= nan;
        }
        total += nans;
        nans = 0;
    }
    return (sort_extent){least, most, total};
}

static inline __attribute__((always_inline)) sort_extent
extent64(const char *keys, sort_kind kind, u64 flip, i64 begin, i64 end) {
    u64 least = ~0ull, most = 0, nans = 0;
    for (i64 i = begin; i < end; i++) {
        const u64 key = raw64(keys, i), x = image64(kind, key, flip);
        const u64 nan = is_nan64(kind, key);
        const u64 low = x | nan, high = x & ~nan;
        least = low < least ? low : least;
        most = high > most ? high : most;
        nans -= nan;
    }
    return (sort_extent){least, most, (i64)nans};
}

WEFT_CLONES sort_extent sort_form_extent(const sort_form *form, i64 begin, i64 end) {
    const char *keys = form->keys;
    const u64 flip = form->flip;
    switch (form->kind) {
    case SORT_U8:
        return extent32(keys, SORT_U8, (u32)flip, begin, end);
    case SORT_U16:
        return extent32(keys, SORT_U16, (u32)flip, begin, end);
    case SORT_U32:
        return extent32(keys, SORT_U32, (u32)flip, begin, end);
    case SORT_F32:
        return extent32(keys, SORT_F32, (u32)flip, begin, end);
    case SORT_U64:
        return extent64(keys, SORT_U64, flip, begin, end);
    default:
        return extent64(keys, SORT_F64, flip, begin, end);
    }
}

sort_extent sort_extent_join(sort_extent a, sort_extent b) {
    return (sort_extent){a.least < b.least ? a.least : b.least,
                         a.most > b.most ? a.most : b.most, a.nans + b.nans};
}

static i32 bit_length(u64 x) {
    return x ? 64 - __builtin_clzll(x) : 0;
}

void sort_form_range(sort_form *form, const weft_sort_call *sort, sort_extent extent) {
    const i32 end = sort->end_bit;
    form->nans = extent.nans;
    form->low = sort->begin_bit;
    if (extent.least > extent.most) { /* nothing but NaNs */
        form->high = form->low;
    } else if (end < form->width && (extent.least ^ extent.most) >> end) {
        form->rotate = form->width - end;
        form->low += form->rotate;
        form->high = form->width;
        form->range = form->width == 64 ? ~0ull : ~0u;
    } else {
        form->base = extent.least >> form->low << form->low;
        form->range = extent.most - form->base;
        form->high = bit_length(form->range);
    }
}

static inline __attribute__((always_inline)) void digits32(const char *keys, sort_kind kind,
                                                           turn32 t, i64 begin, i64 end,
                                                           i32 shift, u16 nan,
                                                           u16 *digits) {
    for (i64 i = begin; i < end; i++) {
        const u32 key = raw32(kind, keys, i);
        digits[i - begin] = (u16)(is_nan32(kind, key) ? nan : y32(kind, key, t) >> shift);
    }
}

static inline __attribute__((always_inline)) void digits64(const char *keys, sort_kind kind,
                                                           turn64 t, i64 begin, i64 end,
                                                           i32 shift, u16 nan,
                                                           u16 *digits) {
    for (i64 i = begin; i < end; i++) {
        const u64 key = raw64(keys, i);
        digits[i - begin] = (u16)(is_nan64(kind, key) ? nan : y64(kind, key, t) >> shift);
    }
}

WEFT_CLONES void sort_form_digits(const sort_form *form, i64 begin, i64 end, i32 shift,
                                  u16 nan, u16 *digits) {
    const char *keys = form->keys;
    switch (form->kind) {
    case SORT_U8:
        digits32(keys, SORT_U8, turn32_of(form), begin, end, shift, nan, digits);
        break;
    case SORT_U16:
        digits32(keys, SORT_U16, turn32_of(form), begin, end, shift, nan, digits);
        break;
    case SORT_U32:
        digits32(keys, SORT_U32, turn32_of(form), begin, end, shift, nan, digits);
        break;
    case SORT_F32:
        digits32(keys, SORT_F32, turn32_of(form), begin, end, shift, nan, digits);
        break;
    case SORT_U64:
        digits64(keys, SORT_U64, turn64_of(form), begin, end, shift, nan, digits);
        break;
    default:
        digits64(keys, SORT_F64, turn64_of(form), begin, end, shift, nan, digits);
    }
}
