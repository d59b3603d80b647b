/* Vectorised binary searches. */
#include "primitives/primitives.h"
#include "search.kernels.h"
#include "weft/search.h"
#include "weft/sort.h"
#include "weft/transform.h"

#include <stdio.h>

/* Queries that tell whether all are sorted already: any some hundreds do. */
enum { SAMPLE = 1 << 10 };

WEFT_KERNELS(search_to_u32, (u8, u16, u32, u64, bits32, bits64), (value, i64, stride),
             (value, u32, groups), (in, T, sorted, 0), (value, i64, length),
             (in, T, queries, 0), (value, i64, count), (value, u32, upper),
             (inout, u32, out, 0), (value, u64, flip))
WEFT_KERNELS(search_to_i64, (u8, u16, u32, u64, bits32, bits64), (value, i64, stride),
             (value, u32, groups), (in, T, sorted, 0), (value, i64, length),
             (in, T, queries, 0), (value, i64, count), (value, u32, upper),
             (inout, i64, out, 0), (value, u64, flip))

static weft_status check(weft_device *device, const char *call, weft_array sorted,
                         weft_array queries, const char *output, weft_array out) {
    char what[64];
    snprintf(what, sizeof what, "%s.sorted", call);
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, what, sorted, 0) != WEFT_OK)
        return weft_check(device);
    return weft_need_positions(device, call, sorted, queries, output, out);
}

/* Both arrays lie in memory. */
static void search_piece(weft_device *device, weft_array sorted, weft_array queries,
                         u32 upper, int alone, weft_array out) {
    const weft_mover mover = weft_mover_of(sorted.type);
    const u32 kind = weft_order_kind(sorted.type);
    const i32 which = weft_numbers_of(sorted.type).kind;
    const i64 count = queries.length;
    const i64 groups = alone ? 0 : weft_tuning_of(device)->search_groups,
              all = groups ? groups * SEARCH_AT_ONCE : 1, items = (count + all - 1) / all;
    const weft_kernel *const *kernels =
        out.type == WEFT_I64 ? search_to_i64_kernels : search_to_u32_kernels;
    const u64 sign = (u64)1 << (8 * WEFT_SIZE(sorted.type) - 1);
    const struct search_to_u32_u32_arguments arguments = {
        .stride = groups > 1 ? 1 : items,
        .groups = (u32)groups,
        .sorted = weft_as(device, sorted, mover.type),
        .length = sorted.length,
        .queries = weft_as(device, queries, mover.type),
        .count = count,
        .upper = upper,
        .out = out,
        .flip = kind == ORDER_SIGNED ? sign : 0};
    weft_launch(device, items, kernels[which], &arguments);
}

static u64 image_of(const void *numbers, size_t size, i64 k, u32 kind) {
    switch (size) {
    case 1:
        return order_u8(((const u8 *)numbers)[k], kind);
    case 2:
        return order_u16(((const u16 *)numbers)[k], kind);
    case 4:
        return order_u32(((const u32 *)numbers)[k], kind);
    default:
        return order_u64(((const u64 *)numbers)[k], kind);
    }
}

/* Whether queries jump to and fro. */
static int wander(weft_device *device, weft_array queries) {
    u64 sample[SAMPLE];
    const size_t size = WEFT_SIZE(queries.type);
    const u32 kind = weft_order_kind(queries.type);
    i64 falls = 0;
    weft_read(device, weft_part(queries, 0, SAMPLE), (void *)sample);
    for (i64 k = 1; k < SAMPLE; k++)
        falls += image_of(sample, size, k, kind) < image_of(sample, size, k - 1, kind);
    return falls > SAMPLE / 16;
}

/* Sorts the queries first: what neighbours look at then lies in the cache. */
static void search_in_order(weft_device *device, weft_array sorted, weft_array queries,
                            u32 upper, weft_array out) {
    const i64 n = queries.length;
    const u32 start = 0, step = 1;
    const weft_array keys = weft_scratch(device, queries.type, n),
                     index = weft_scratch(device, WEFT_U32, n),
                     ranks = weft_scratch(device, out.type, n);
    weft_copy(device, queries, keys);
    weft_sequence(device, index, &start, &step);
    weft_sort_by_key(device, keys, index, WEFT_ASCENDING);
    search_piece(device, sorted, keys, upper, 0, ranks);
    weft_scatter(device, ranks, index, out);
}

/* `sorted` lies in memory. */
static void search(weft_device *device, weft_array sorted, weft_array queries, u32 upper,
                   weft_array out) {
    const weft_tuning *tuning = weft_tuning_of(device);
    const int sortable =
        (i64)((size_t)sorted.length * WEFT_SIZE(sorted.type)) > tuning->search_cached;
    const i64 n = queries.length, step = sortable            ? tuning->search_most
                                         : queries.generator ? PRIMITIVE_PIECE
                                                             : n + 1;
    for (i64 first = 0; first < n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        weft_scope_open(device);
        const weft_array piece = weft_settled(device, weft_part(queries, first, count)),
                         ranks = weft_part(out, first, count);
        const int few = count <= tuning->search_alone,
                  jump = (sortable || tuning->search_alone) &&
                         count >= tuning->search_least && wander(device, piece);
        if (jump && sortable)
            search_in_order(device, sorted, piece, upper, ranks);
        else
            search_piece(device, sorted, piece, upper, few || jump, ranks);
        weft_scope_close(device);
    }
}

static weft_status bound(weft_device *device, const char *call, weft_array sorted,
                         weft_array queries, u32 upper, weft_array out) {
    if (check(device, call, sorted, queries, "out", out) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    search(device, weft_settled(device, sorted), queries, upper, out);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_lower_bound(weft_device *device, weft_array sorted, weft_array queries,
                             weft_array out) {
    return bound(device, "weft_lower_bound", sorted, queries, 0, out);
}

weft_status weft_upper_bound(weft_device *device, weft_array sorted, weft_array queries,
                             weft_array out) {
    return bound(device, "weft_upper_bound", sorted, queries, 1, out);
}

weft_status weft_equal_range(weft_device *device, weft_array sorted, weft_array queries,
                             weft_array lower, weft_array upper) {
    const char *call = "weft_equal_range";
    if (check(device, call, sorted, queries, "lower", lower) != WEFT_OK ||
        check(device, call, sorted, queries, "upper", upper) != WEFT_OK ||
        weft_need_apart(device, "weft_equal_range.upper", upper, lower) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    sorted = weft_settled(device, sorted);
    search(device, sorted, queries, 0, lower);
    search(device, sorted, queries, 1, upper);
    weft_scope_close(device);
    return weft_check(device);
}
