/* The least and the greatest element. */
#include "primitives/primitives.h"
#include "minmax.kernels.h"
#include "weft/reduce.h"

#include <stdio.h>

WEFT_GENERATORS(minmax, (u8, u16, u32, u64), minmax_best, (value, i64, base),
                (value, i64, length), (value, u32, block), (value, u32, kind),
                (value, u64, turn), (in, T, keys, 0))
WEFT_GENERATORS(minmax_at, (u8, u16, u32, u64), minmax_best, (value, i64, base),
                (value, u32, kind), (value, u64, turn), (in, T, keys))
WEFT_OPERATOR(minmax_first, minmax_best, {UINT64_MAX, INT64_MAX})

typedef struct minmax_order {
    u64 turn;
    i64 block; /* elements whose best is found at once; 1: each is looked at for itself */
} minmax_order;

static minmax_order order_of(const weft_device *device, i64 n, u64 turn) {
    const weft_tuning *tuning = weft_tuning_of(device);
    if (tuning->extreme == 1)
        return (minmax_order){turn, 1};
    const i64 even = (n + tuning->extreme_blocks - 1) / tuning->extreme_blocks;
    return (minmax_order){turn, tuning->extreme < even ? even : tuning->extreme};
}

static void minmax_piece(weft_device *device, i64 first, weft_array in, weft_array none,
                         const void *context, weft_array out) {
    (void)none;
    const minmax_order *order = context;
    const u32 kind = weft_order_kind(in.type);
    const weft_mover mover = weft_mover_of(in.type);
    const weft_array keys = weft_as(device, in, mover.type);
    const i64 n = in.length, block = order->block;
    const struct minmax_u32_arguments blocks = {.base = first,
                                                .length = n,
                                                .block = (u32)block,
                                                .kind = kind,
                                                .turn = order->turn,
                                                .keys = keys};
    const struct minmax_at_u32_arguments elements = {
        .base = first, .kind = kind, .turn = order->turn, .keys = keys};
    const weft_array bests =
        block > 1
            ? weft_settled(device, weft_lazy_array((n + block - 1) / block,
                                                   minmax_generators[mover.kind], &blocks))
            : weft_lazy_array(n, minmax_at_generators[mover.kind], &elements);
    weft_reduce_into(device, bests, weft_op(minmax_first), out);
}

/* *index, where the best block begins, becomes that of its first best element. */
static void find_in_block(weft_device *device, weft_array in, const minmax_order *order,
                          i64 *index) {
    const i64 first = *index, left = in.length - first;
    const i64 count = left < order->block ? left : order->block;
    const minmax_order each_one = {order->turn, 1};
    minmax_best best;
    weft_scope_open(device);
    const weft_array out = weft_scratch(device, WEFT_STRUCT(minmax_best), 1);
    minmax_piece(device, first, weft_settled(device, weft_part(in, first, count)),
                 (weft_array){0}, &each_one, out);
    weft_read(device, out, &best);
    weft_scope_close(device);
    *index = best.index;
}

static weft_status extreme(weft_device *device, const char *call, weft_array in, u64 turn,
                           const char *name, i64 *index) {
    char what[64];
    snprintf(what, sizeof what, "%s.in", call);
    if (index)
        *index = 0;
    if (weft_check(device) != WEFT_OK || weft_need_numbers(device, what, in, 0) != WEFT_OK)
        return weft_check(device);
    if (!index)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: '%s' is NULL", call, name);
    if (in.length == 0) {
        *index = -1;
        return WEFT_OK;
    }
    const minmax_order order = order_of(device, in.length, turn);
    minmax_best best;
    if (weft_reduce_pieces(device, in, (weft_array){0}, minmax_piece, &order,
                           weft_op(minmax_first), &best) == WEFT_OK) {
        *index = best.index;
        if (order.block > 1)
            find_in_block(device, in, &order, index);
    }
    return weft_check(device);
}

weft_status weft_min_element(weft_device *device, weft_array in, i64 *index) {
    return extreme(device, "weft_min_element", in, 0, "index", index);
}

weft_status weft_max_element(weft_device *device, weft_array in, i64 *index) {
    return extreme(device, "weft_max_element", in, UINT64_MAX, "index", index);
}

weft_status weft_minmax_element(weft_device *device, weft_array in, i64 *least,
                                i64 *greatest) {
    if (greatest)
        *greatest = 0;
    if (extreme(device, "weft_minmax_element", in, 0, "least", least) == WEFT_OK)
        extreme(device, "weft_minmax_element", in, UINT64_MAX, "greatest", greatest);
    if (weft_check(device) != WEFT_OK && least)
        *least = 0;
    return weft_check(device);
}
