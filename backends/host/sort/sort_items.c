/* Items from keys and values, and back. `kind` and `value_size` are constants wherever an
 * inner function is called: each loop is written once and compiled for each layout. */
#include "backends/host/tuning.h"
#include "sort_image.h"
#include "weft/register_macros.h"

static inline __attribute__((always_inline)) u64 value_at(const char *values, i64 i,
                                                          i32 value_size) {
    u32 value4;
    u64 value8;
    if (value_size == 4)
        return memcpy(&value4, values + 4 * i, 4), value4;
    return memcpy(&value8, values + 8 * i, 8), value8;
}

static inline __attribute__((always_inline)) void put_value(char *values, i64 i,
                                                            i32 value_size, u64 value) {
    const u32 value4 = (u32)value;
    if (value_size == 4)
        memcpy(values + 4 * i, &value4, 4);
    else
        memcpy(values + 8 * i, &value, 8);
}

static inline __attribute__((always_inline)) int is_wide(sort_kind kind) {
    return kind == SORT_U64 || kind == SORT_F64;
}

static inline __attribute__((always_inline)) u64 y_at(const char *keys, sort_kind kind,
                                                      turn32 narrow, turn64 wide, i64 i) {
    return is_wide(kind) ? y64(kind, raw64(keys, i), wide)
                         : y32(kind, raw32(kind, keys, i), narrow);
}

static inline __attribute__((always_inline)) void
put_key(char *keys, sort_kind kind, turn32 narrow, turn64 wide, i64 i, u64 y) {
    const u64 wide_key = is_wide(kind) ? key64(kind, y, wide) : 0;
    const u32 key = is_wide(kind) ? 0 : key32(kind, (u32)y, narrow);
    const u16 key2 = (u16)key;
    const u8 key1 = (u8)key;
    if (is_wide(kind))
        memcpy(keys + 8 * i, &wide_key, 8);
    else if (kind == SORT_U8)
        memcpy(keys + i, &key1, 1);
    else if (kind == SORT_U16)
        memcpy(keys + 2 * i, &key2, 2);
    else
        memcpy(keys + 4 * i, &key, 4);
}

static inline __attribute__((always_inline)) void load(const sort_form *form,
                                                       sort_kind kind, i32 value_size,
                                                       i64 begin, i64 end,
                                                       void *restrict items) {
    const turn32 narrow = turn32_of(form);
    const turn64 wide = turn64_of(form);
    const char *restrict keys = form->keys, *restrict values = form->values;
    u32 *item4 = items;
    u64 *item8 = items;
    sort_item *item16 = items;
    if (value_size == 0 && form->item_size == 4)
        for (i64 i = begin; i < end; i++)
            item4[i - begin] = (u32)y_at(keys, kind, narrow, wide, i);
    else if (value_size == 0)
        for (i64 i = begin; i < end; i++)
            item8[i - begin] = y_at(keys, kind, narrow, wide, i);
    else if (value_size == 4 && form->item_size == 8)
        for (i64 i = begin; i < end; i++)
            item8[i - begin] =
                y_at(keys, kind, narrow, wide, i) << 32 | value_at(values, i, 4);
    else
        for (i64 i = begin; i < end; i++) {
            item16[i - begin].key = y_at(keys, kind, narrow, wide, i);
            item16[i - begin].value = value_at(values, i, value_size);
        }
}

static inline __attribute__((always_inline)) void
store(const sort_form *form, sort_kind kind, i32 value_size, i64 begin, i64 end,
      const void *restrict items, u64 above) {
    const turn32 narrow = turn32_of(form);
    const turn64 wide = turn64_of(form);
    char *restrict keys = form->keys, *restrict values = form->values;
    const u32 *item4 = items;
    const u64 *item8 = items;
    const sort_item *item16 = items;
    if (value_size == 0 && form->item_size == 4)
        for (i64 i = begin; i < end; i++)
            put_key(keys, kind, narrow, wide, i, above | item4[i - begin]);
    else if (value_size == 0)
        for (i64 i = begin; i < end; i++)
            put_key(keys, kind, narrow, wide, i, item8[i - begin]);
    else if (value_size == 4 && form->item_size == 8)
        for (i64 i = begin; i < end; i++) {
            const u64 item = item8[i - begin];
            put_key(keys, kind, narrow, wide, i, above | item >> 32);
            put_value(values, i, 4, item);
        }
    else
        for (i64 i = begin; i < end; i++) {
            put_key(keys, kind, narrow, wide, i, item16[i - begin].key);
            put_value(values, i, value_size, item16[i - begin].value);
        }
}

static inline __attribute__((always_inline)) void
load_kind(const sort_form *form, sort_kind kind, i64 begin, i64 end, void *items) {
    if (form->value_size == 0)
        load(form, kind, 0, begin, end, items);
    else if (form->value_size == 4)
        load(form, kind, 4, begin, end, items);
    else
        load(form, kind, 8, begin, end, items);
}

static inline __attribute__((always_inline)) void store_kind(const sort_form *form,
                                                             sort_kind kind, i64 begin,
                                                             i64 end, const void *items,
                                                             u64 above) {
    if (form->value_size == 0)
        store(form, kind, 0, begin, end, items, above);
    else if (form->value_size == 4)
        store(form, kind, 4, begin, end, items, above);
    else
        store(form, kind, 8, begin, end, items, above);
}

WEFT_CLONES void sort_form_load(const sort_form *form, i64 begin, i64 end, void *items) {
    switch (form->kind) {
    case SORT_U8:
        load_kind(form, SORT_U8, begin, end, items);
        break;
    case SORT_U16:
        load_kind(form, SORT_U16, begin, end, items);
        break;
    case SORT_U32:
        load_kind(form, SORT_U32, begin, end, items);
        break;
    case SORT_F32:
        load_kind(form, SORT_F32, begin, end, items);
        break;
    case SORT_U64:
        load_kind(form, SORT_U64, begin, end, items);
        break;
    default:
        load_kind(form, SORT_F64, begin, end, items);
    }
}

WEFT_CLONES static void store_items(const sort_form *form, i64 begin, i64 end,
                                    const void *items, u64 above) {
    switch (form->kind) {
    case SORT_U8:
        store_kind(form, SORT_U8, begin, end, items, above);
        break;
    case SORT_U16:
        store_kind(form, SORT_U16, begin, end, items, above);
        break;
    case SORT_U32:
        store_kind(form, SORT_U32, begin, end, items, above);
        break;
    case SORT_F32:
        store_kind(form, SORT_F32, begin, end, items, above);
        break;
    case SORT_U64:
        store_kind(form, SORT_U64, begin, end, items, above);
        break;
    default:
        store_kind(form, SORT_F64, begin, end, items, above);
    }
}

i64 sort_form_key_size(const sort_form *form) {
    static const i64 sizes[] = {1, 2, 4, 8, 4, 8};
    return sizes[form->kind];
}

/* Items that are keys, in pieces that leave by whole vectors. */
static void store_plain(const sort_form *form, i64 begin, i64 end, const void *items) {
    const size_t size = (size_t)form->item_size;
    const i64 piece = HOST_STREAM_NEAR / form->item_size;
    for (i64 i = begin; i < end; i += piece) {
        const i64 count = end - i < piece ? end - i : piece;
        host_stream(form->keys + (size_t)i * size,
                    (const char *)items + (size_t)(i - begin) * size, (size_t)count * size,
                    form->bypass);
    }
    if (form->bypass)
        host_stream_end();
}

void sort_form_store(const sort_form *form, i64 begin, i64 end, const void *items,
                     u64 above) {
    _Alignas(64) char keys[8 * SORT_TILE], values[8 * SORT_TILE];
    const size_t key = (size_t)sort_form_key_size(form), value = (size_t)form->value_size;
    sort_form tile = *form;
    tile.keys = keys;
    tile.values = values;
    if (sort_form_is_plain(form)) {
        store_plain(form, begin, end, items);
        return;
    }
    /* From whole tile to whole tile, so that few lines are written in two parts. */
    for (i64 i = begin, count; form->bypass && i < end; i += count) {
        count = SORT_TILE - i % SORT_TILE;
        count = end - i < count ? end - i : count;
        const char *first = (const char *)items + (i - begin) * form->item_size;
        store_items(&tile, 0, count, first, above);
        host_stream(form->keys + (size_t)i * key, keys, (size_t)count * key, 1);
        if (value > 0)
            host_stream(form->values + (size_t)i * value, values, (size_t)count * value, 1);
    }
    if (form->bypass)
        host_stream_end();
    else
        store_items(form, begin, end, items, above);
}
