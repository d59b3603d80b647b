/* Loops over registered functions, a tile at a time. */
#include "host.h"

#include <string.h>

void host_arguments(const weft_call *call, void *pointers[WEFT_MAX_PARAMETERS]) {
    for (i32 k = 0; k < call->count; k++) {
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

/* Tiles are small enough that the processor reads the next one while it writes. */
static void generate_around(const weft_input *in, weft_span out, i64 begin, i64 end) {
    const size_t size = WEFT_SIZE(out.type);
    const i64 step = host_tile_length(out.type);
    void *pointers[WEFT_MAX_PARAMETERS];
    _Alignas(64) char tile[HOST_TILE];
    host_arguments(&in->call, pointers);
    for (i64 i = begin; i < end; i += step) {
        const i64 next = end - i < step ? end : i + step, first = in->span.first;
        in->generator->fill(pointers, first + i, first + next, tile);
        host_stream(host_at(out, i), tile, (size_t)(next - i) * size, 1);
    }
    host_stream_end();
}

int host_generates_around(const weft_input *in, weft_span out) {
    return in->generator && host_bypasses(out) && WEFT_SIZE(out.type) <= HOST_TILE;
}

void host_generate(const weft_input *in, weft_span out, i64 begin, i64 end) {
    host_elements(in, begin, end, host_at(out, begin));
}

void host_copy(const weft_input *in, weft_span out, i64 begin, i64 end) {
    if (host_generates_around(in, out)) {
        generate_around(in, out, begin, end);
    } else if (in->generator) {
        host_generate(in, out, begin, end);
    } else {
        host_stream(host_at(out, begin), host_at(in->span, begin),
                    (size_t)(end - begin) * WEFT_SIZE(out.type), host_bypasses(out));
        host_stream_end();
    }
}

weft_status host_check_operator(weft_device *device, const weft_operator *op) {
    if (WEFT_SIZE(op->type) > HOST_ELEMENT)
        return weft_fail(
            device, WEFT_E_TYPE,
            "%s: elements of %zu bytes are too large for an operator, at most %d", op->name,
            WEFT_SIZE(op->type), HOST_ELEMENT);
    return WEFT_OK;
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
