/* Values, equal neighbours, elements out of order: each by flags of its own. */
#include "find.h"
#include "find.kernels.h"
#include "weft/find.h"
#include "weft/search.h"
#include "weft/transform.h"

#include <string.h>

WEFT_GENERATORS(find_value, (u8, u16, u32, u64, f32, f64), u32, (in, T, in),
                (value, T, value))
WEFT_GENERATORS(find_struct, (words, bytes), u32, (in, T, in, 0), (in, T, value, 0),
                (value, u32, parts))
WEFT_GENERATORS(find_equal, (u8, u16, u32, u64, f32, f64, words, bytes), u32,
                (in, T, in, 0), (value, u32, parts))
WEFT_GENERATORS(find_fall, (u8, u16, u32, u64), u32, (in, T, in, n + 1), (value, u32, kind))
WEFT_GENERATORS(find_present, (u8, u16, u32, u64), u32, (in, T, sorted, 0),
                (value, i64, length), (in, T, queries), (in, i64, ranks),
                (value, u32, kind))

enum { FIRST_STRUCT = 6 }; /* in the tables of generators */

/* As elements are compared: numbers as they are, structs part by part. */
typedef struct comparing {
    i32 kind; /* in the tables of generators */
    weft_type type;
    u32 parts;
} comparing;

static comparing comparing_of(weft_type type) {
    const weft_mover mover = weft_mover_of(type);
    const weft_numbers numbers = weft_numbers_of(type);
    const i32 struct_kind = FIRST_STRUCT + (mover.kind != MOVES_WORDS);
    return (comparing){mover.kind >= MOVES_WORDS ? struct_kind : numbers.kind, numbers.type,
                       mover.parts};
}

static void find_number(weft_device *device, weft_array in, const void *value, i64 *index) {
    const comparing c = comparing_of(in.type);
    struct find_value_u64_arguments arguments = {.in = weft_as(device, in, c.type)};
    memcpy(&arguments.value, value, WEFT_SIZE(in.type)); /* of any of the types */
    weft_find_flag(device,
                   weft_lazy_array(in.length, find_value_generators[c.kind], &arguments), 1,
                   index);
}

static void find_struct(weft_device *device, weft_array in, const void *value, i64 *index) {
    const comparing c = comparing_of(in.type);
    const weft_array one = weft_scratch(device, in.type, 1);
    weft_fill(device, one, (const void *)value);
    const struct find_struct_words_arguments arguments = {.in = weft_as(device, in, c.type),
                                                          .value =
                                                              weft_as(device, one, c.type),
                                                          .parts = c.parts};
    weft_find_flag(device,
                   weft_lazy_array(in.length, find_struct_generators[c.kind - FIRST_STRUCT],
                                   &arguments),
                   1, index);
}

weft_status(weft_find)(weft_device *device, weft_array in, const void *value, i64 *index) {
    if (index)
        *index = 0;
    if (weft_find_check(device, "weft_find.in", in, 0, "index", index) != WEFT_OK)
        return weft_check(device);
    if (!value)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_find: 'value' is NULL");
    weft_scope_open(device);
    if (in.type < WEFT_STRUCTS)
        find_number(device, weft_settled(device, in), value, index);
    else
        find_struct(device, weft_settled(device, in), value, index);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_adjacent_find(weft_device *device, weft_array in, i64 *index) {
    if (index)
        *index = 0;
    if (weft_find_check(device, "weft_adjacent_find.in", in, 0, "index", index) != WEFT_OK)
        return weft_check(device);
    const comparing c = comparing_of(in.type);
    const i64 neighbours = in.length > 0 ? in.length - 1 : 0;
    weft_scope_open(device);
    const struct find_equal_words_arguments arguments = {
        .in = weft_as(device, weft_settled(device, in), c.type), .parts = c.parts};
    weft_find_flag(device,
                   weft_lazy_array(neighbours, find_equal_generators[c.kind], &arguments),
                   1, index);
    weft_scope_close(device);
    return weft_check(device);
}

/* The first element that comes before the one ahead of it, or -1. */
static weft_status find_fall(weft_device *device, weft_array in, i64 *index) {
    const weft_mover mover = weft_mover_of(in.type);
    const i64 neighbours = in.length > 0 ? in.length - 1 : 0;
    weft_scope_open(device);
    const struct find_fall_u32_arguments arguments = {
        .in = weft_as(device, weft_settled(device, in), mover.type),
        .kind = weft_order_kind(in.type)};
    weft_find_flag(
        device, weft_lazy_array(neighbours, find_fall_generators[mover.kind], &arguments),
        1, index);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_is_sorted(weft_device *device, weft_array in, int *result) {
    i64 index;
    if (result)
        *result = 0;
    if (weft_find_check(device, "weft_is_sorted.in", in, 0, "result", result) == WEFT_OK &&
        weft_need_numbers(device, "weft_is_sorted.in", in, 0) == WEFT_OK &&
        find_fall(device, in, &index) == WEFT_OK)
        *result = index < 0;
    return weft_check(device);
}

weft_status weft_is_sorted_until(weft_device *device, weft_array in, i64 *index) {
    if (index)
        *index = 0;
    if (weft_find_check(device, "weft_is_sorted_until.in", in, 0, "index", index) ==
            WEFT_OK &&
        weft_need_numbers(device, "weft_is_sorted_until.in", in, 0) == WEFT_OK &&
        find_fall(device, in, index) == WEFT_OK)
        *index = *index < 0 ? in.length : *index + 1;
    return weft_check(device);
}

weft_status weft_binary_search(weft_device *device, weft_array sorted, weft_array queries,
                               weft_array out) {
    const i64 n = queries.length, step = PRIMITIVE_PIECE;
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, "weft_binary_search.sorted", sorted, 0) != WEFT_OK ||
        weft_need_array(device, "weft_binary_search.queries", queries, sorted.type, 0) !=
            WEFT_OK ||
        weft_need_written(device, "weft_binary_search.out", out, WEFT_U32, n) != WEFT_OK ||
        weft_need_apart(device, "weft_binary_search.out", out, sorted) != WEFT_OK ||
        weft_need_apart(device, "weft_binary_search.out", out, queries) != WEFT_OK)
        return weft_check(device);
    const weft_mover mover = weft_mover_of(sorted.type);
    weft_scope_open(device);
    sorted = weft_settled(device, sorted);
    for (i64 first = 0; first < n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        weft_scope_open(device);
        const weft_array some = weft_settled(device, weft_part(queries, first, count)),
                         ranks = weft_scratch(device, WEFT_I64, count);
        weft_lower_bound(device, sorted, some, ranks);
        const struct find_present_u32_arguments arguments = {
            .sorted = weft_as(device, sorted, mover.type),
            .length = sorted.length,
            .queries = weft_as(device, some, mover.type),
            .ranks = ranks,
            .kind = weft_order_kind(sorted.type)};
        weft_copy(device,
                  weft_lazy_array(count, find_present_generators[mover.kind], &arguments),
                  weft_part(out, first, count));
        weft_scope_close(device);
    }
    weft_scope_close(device);
    return weft_check(device);
}
