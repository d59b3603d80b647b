/* Elements as often as their counts say. */
#include "weft/expand.h"
#include "primitives/primitives.h"
#include "expand.kernels.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/transform.h"

WEFT_GENERATOR(expand_sum, i64, (value, i64, length), (value, u32, block),
               (in, u32, counts, 0))
WEFT_BUNDLE(expand_blocks, (value, i64, blocks), (value, i64, size), (value, i64, room),
            (value, u32, block), (in, u32, counts, 0), (in, i64, places, 0))
WEFT_KERNELS(expand, (u8, u16, u32, u64, words, bytes), (bundle, expand_blocks, e),
             (in, T, in, 0), (inout, T, out, 0), (value, u32, parts))
WEFT_KERNELS(expand_sources, (u32, i64), (bundle, expand_blocks, e), (inout, T, out, 0))
WEFT_KERNELS(expand_places, (u32, i64), (bundle, expand_blocks, e), (inout, T, out, 0))
WEFT_GENERATOR(expand_item_cut, i64, (bundle, expand_blocks, e))
WEFT_KERNELS(expand_item, (u8, u16, u32, u64, words, bytes), (bundle, expand_blocks, e),
             (in, i64, cuts, 0), (in, T, in, 0), (inout, T, out, 0), (value, u32, parts))
WEFT_KERNELS(expand_item_numbers, (u32, i64), (bundle, expand_blocks, e),
             (in, i64, cuts, 0), (value, u32, which), (inout, T, sources, 0),
             (inout, T, places, 0))

/* Elements between cuts, where each work-item makes one. */
enum { BETWEEN_CUTS = 128 };

/* Counts lie in memory. */
static expand_blocks_arrays blocks_of(weft_device *device, weft_array counts) {
    const weft_tuning *tuning = weft_tuning_of(device);
    const i64 n = counts.length, block = tuning->select, blocks = (n + block - 1) / block;
    const weft_array places = weft_scratch(device, WEFT_I64, blocks + 1);
    const weft_array sums = weft_lazy(blocks + 1, expand_sum, .length = n,
                                      .block = (u32)block, .counts = counts);
    weft_scan(device, sums, weft_plus(WEFT_I64), WEFT_EXCLUSIVE, places);
    return (expand_blocks_arrays){.blocks = blocks,
                                  .size = tuning->expand,
                                  .block = (u32)block,
                                  .counts = counts,
                                  .places = places};
}

/* Work-items on the whole way to the last element that has room. */
static i64 items_of(const expand_blocks_arrays *e, weft_array out) {
    const i64 steps = e->blocks * e->block + out.length;
    return out.length && e->blocks ? (steps + e->size - 1) / e->size : 0;
}

static int makes_one_each(const expand_blocks_arrays *e) {
    return e->size == 1;
}

/* In scratch: the blocks of every so many elements of which there is room. */
static weft_array cut(weft_device *device, expand_blocks_arrays *e) {
    e->size = BETWEEN_CUTS;
    const i64 count = e->blocks ? (e->room + e->size - 1) / e->size + 1 : 0;
    const weft_array cuts = weft_scratch(device, WEFT_I64, count);
    weft_transform(device, count, cuts, expand_item_cut, .e = *e);
    return cuts;
}

static void expand(weft_device *device, expand_blocks_arrays e, weft_array in,
                   weft_array out) {
    const weft_mover mover = weft_mover_of(out.type);
    e.room = out.length;
    in = weft_as(device, in, mover.type);
    const weft_array to = weft_as(device, out, mover.type);
    if (makes_one_each(&e)) {
        const weft_array cuts = cut(device, &e);
        const struct expand_item_words_arguments arguments = {
            .e = e, .cuts = cuts, .in = in, .out = to, .parts = mover.parts};
        weft_launch(device, e.blocks ? out.length : 0, expand_item_kernels[mover.kind],
                    &arguments);
    } else {
        const struct expand_words_arguments arguments = {
            .e = e, .in = in, .out = to, .parts = mover.parts};
        weft_launch(device, items_of(&e, out), expand_kernels[mover.kind], &arguments);
    }
}

static void number_parts(weft_device *device, expand_blocks_arrays e,
                         const weft_kernel *const *kernels, weft_array out) {
    e.room = out.length;
    const struct expand_sources_u32_arguments arguments = {.e = e, .out = out};
    weft_launch(device, items_of(&e, out), kernels[out.type != WEFT_U32], &arguments);
}

static void number_items(weft_device *device, expand_blocks_arrays e, u32 which,
                         weft_array sources, weft_array places) {
    e.room = sources.length;
    const weft_array cuts = cut(device, &e);
    const struct expand_item_numbers_u32_arguments arguments = {
        .e = e, .cuts = cuts, .which = which, .sources = sources, .places = places};
    weft_launch(device, e.blocks ? sources.length : 0,
                expand_item_numbers_kernels[sources.type != WEFT_U32], &arguments);
}

/* Numbers of sources, and places among those of a source; what has no type is not asked
 * for. */
static void number(weft_device *device, expand_blocks_arrays e, weft_array sources,
                   weft_array places) {
    if (!makes_one_each(&e)) {
        if (sources.type)
            number_parts(device, e, expand_sources_kernels, sources);
        if (places.type)
            number_parts(device, e, expand_places_kernels, places);
    } else if (sources.type == places.type && sources.length == places.length) {
        if (sources.type)
            number_items(device, e, EXPAND_SOURCES | EXPAND_PLACES, sources, places);
    } else {
        if (sources.type)
            number_items(device, e, EXPAND_SOURCES, sources, sources);
        if (places.type)
            number_items(device, e, EXPAND_PLACES, places, places);
    }
}

static void read_count(weft_device *device, const expand_blocks_arrays *e, i64 *count) {
    if (count && weft_check(device) == WEFT_OK)
        weft_read(device, weft_part(e->places, e->blocks, 1), count);
}

weft_status weft_expand(weft_device *device, weft_array in, weft_array counts,
                        weft_array out, i64 *count) {
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_expand.in", in, 0, 0) != WEFT_OK ||
        weft_need_array(device, "weft_expand.counts", counts, WEFT_U32, in.length) !=
            WEFT_OK ||
        weft_need_written(device, "weft_expand.out", out, in.type, 0) != WEFT_OK ||
        weft_need_apart(device, "weft_expand.out", out, in) != WEFT_OK ||
        weft_need_apart(device, "weft_expand.out", out, counts) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    counts = weft_settled(device, weft_part(counts, 0, in.length));
    const expand_blocks_arrays e = blocks_of(device, counts);
    expand(device, e, weft_settled(device, in), out);
    read_count(device, &e, count);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_expand_sources(weft_device *device, weft_array counts, weft_array sources,
                                weft_array places, i64 *count) {
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_expand_sources.counts", counts, WEFT_U32, 0) !=
            WEFT_OK ||
        (sources.type &&
         (weft_need_counts(device, "weft_expand_sources.sources", sources, 0) != WEFT_OK ||
          weft_need_apart(device, "weft_expand_sources.sources", sources, counts) !=
              WEFT_OK)) ||
        (places.type &&
         (weft_need_counts(device, "weft_expand_sources.places", places, 0) != WEFT_OK ||
          weft_need_apart(device, "weft_expand_sources.places", places, counts) !=
              WEFT_OK ||
          weft_need_apart(device, "weft_expand_sources.places", places, sources) !=
              WEFT_OK)))
        return weft_check(device);
    if (sources.type == WEFT_U32 && counts.length > UINT32_MAX)
        return weft_fail(device, WEFT_E_TYPE,
                         "weft_expand_sources: %lld counts are too many for sources in u32",
                         (long long)counts.length);
    weft_scope_open(device);
    const expand_blocks_arrays e = blocks_of(device, weft_settled(device, counts));
    number(device, e, sources, places);
    read_count(device, &e, count);
    weft_scope_close(device);
    return weft_check(device);
}
