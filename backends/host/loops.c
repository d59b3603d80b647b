/* Loops over registered functions, a tile at a time. */
#include "host.h"

#include <string.h>

typedef union host_tile {
    _Alignas(64) char bytes[HOST_TILE];
} host_tile;

void host_arguments(const weft_call *call, void *pointers[WEFT_MAX_PARAMETERS]) {
    for (i32 k = 0; k < call->function->count; k++) {
        const weft_argument *a = &call->argument[k];
        if (a->value)
            memcpy(&pointers[k], &a->value, sizeof pointers[k]);
        else
            pointers[k] = host_at(a->span, 0);
    }
}

i64 host_tile_length(weft_type type) {
    const i64 length = HOST_TILE / (i64)WEFT_SIZE(type);
    return length > 0 ? length : 1;
}

const void *host_elements(const weft_input *in, i64 begin, i64 end, void *tile) {
    if (!in->generator)
        return host_at(in->span, begin);
    void *pointers[WEFT_MAX_PARAMETERS];
    host_arguments(&in->call, pointers);
    in->generator->fill(pointers, in->span.first + begin, in->span.first + end, tile);
    return tile;
}

void host_copy(const weft_input *in, weft_span out, i64 begin, i64 end) {
    void *to = host_at(out, begin);
    const void *from = host_elements(in, begin, end, to);
    if (from != to)
        memmove(to, from, (size_t)(end - begin) * WEFT_SIZE(out.type));
}

/* Folds lanes[0 .. count) into lanes[0], by halves. */
static void fold_lanes(const weft_operator *op, char *lanes, i64 count) {
    const size_t size = WEFT_SIZE(op->type);
    while (count > 1) {
        const i64 half = count / 2;
        op->combine(lanes, lanes + (size_t)(count - half) * size, lanes, half);
        count -= half;
    }
}

void host_fold(const weft_input *in, const weft_operator *op, i64 begin, i64 end,
               void *result) {
    host_tile tile, lanes;
    const size_t size = WEFT_SIZE(op->type);
    const i64 step = host_tile_length(op->type);
    i64 width = HOST_LANES / (i64)size;
    width = width < 1 ? 1 : width;
    for (i64 k = 0; k < width; k++)
        memcpy(lanes.bytes + (size_t)k * size, op->identity, size);
    for (i64 i = begin; i < end; i += step) {
        const i64 count = end - i < step ? end - i : step;
        const char *elements = host_elements(in, i, i + count, &tile);
        for (i64 k = 0; k < count; k += width)
            op->combine(lanes.bytes, elements + (size_t)k * size, lanes.bytes,
                        count - k < width ? count - k : width);
    }
    fold_lanes(op, lanes.bytes, width);
    memcpy(result, lanes.bytes, size);
}

void host_scan(const weft_input *in, const weft_input *heads, const weft_operator *op,
               int exclusive, weft_span out, i64 begin, i64 end, void *carry) {
    host_tile tile, head_tile;
    i64 step = host_tile_length(op->type);
    if (heads && step > host_tile_length(WEFT_U32))
        step = host_tile_length(WEFT_U32);
    for (i64 i = begin; i < end; i += step) {
        const i64 next = end - i < step ? end : i + step;
        const void *elements = host_elements(in, i, next, &tile);
        const u32 *flags = heads ? host_elements(heads, i, next, &head_tile) : NULL;
        op->scan(elements, flags, host_at(out, i), next - i, exclusive, carry);
    }
}

u64 host_ordered(weft_type type, const void *key) {
    const size_t size = WEFT_SIZE(type);
    u64 bits = 0;
    memcpy(&bits, key, size);
    const u64 sign = 1ull << (8 * size - 1), all = sign | (sign - 1);
    switch (type) {
    case WEFT_I8:
    case WEFT_I16:
    case WEFT_I32:
    case WEFT_I64:
        return bits ^ sign;
    case WEFT_F32:
        return (bits & ~sign) > 0x7f800000u ? all : bits & sign ? bits ^ all : bits ^ sign;
    case WEFT_F64:
        return (bits & ~sign) > 0x7ff0000000000000u ? all
               : bits & sign                        ? bits ^ all
                                                    : bits ^ sign;
    default:
        return bits;
    }
}

void host_pairs(const weft_pairs_function *pairs, void *const *arguments, i64 begin,
                i64 end, i64 first, i64 last, weft_span out) {
    const i64 step = host_tile_length(pairs->type);
    for (i64 i = begin; i < end; i += step)
        pairs->fold(arguments, i, end - i < step ? end : i + step, first, last,
                    host_at(out, i));
}
