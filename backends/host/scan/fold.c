/* Folds of elements into some of them side by side, and these by halves. Sums of what
 * lies in memory are kept in registers, which changes no bit. */
#include "backends/host/host.h"
#include "weft/operators.h"

#include <string.h>

enum { FOLD_BYTES = 1024 }; /* of partial results: more make stores and loads collide */

typedef union host_tile {
    _Alignas(64) char bytes[HOST_TILE];
    char one[HOST_ELEMENT];
} host_tile;

/* Adds rounds of FOLD_BYTES to the partial results. */
typedef void fold_rounds(const char *elements, i64 rounds, char *lanes);

#if defined(__x86_64__) && defined(__GNUC__)
#include "lanes_avx512.h"

INLINE void add_rounds(kind k, const char *elements, i64 rounds, char *lanes) {
    enum { VECTORS = FOLD_BYTES / 64 };
    __m512i sum[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        sum[v] = _mm512_load_si512(lanes + 64 * v);
    for (i64 r = 0; r < rounds; r++, elements += FOLD_BYTES)
        for (int v = 0; v < VECTORS; v++) {
            __builtin_prefetch(elements + FOLD_BYTES + 64 * v);
            sum[v] = add(k, _mm512_loadu_si512(elements + 64 * v), 0xffff, sum[v]);
        }
    for (int v = 0; v < VECTORS; v++)
        _mm512_store_si512(lanes + 64 * v, sum[v]);
}
TARGET static void add_u32(const char *elements, i64 rounds, char *lanes) {
    add_rounds(U32, elements, rounds, lanes);
}
TARGET static void add_u64(const char *elements, i64 rounds, char *lanes) {
    add_rounds(U64, elements, rounds, lanes);
}
TARGET static void add_f32(const char *elements, i64 rounds, char *lanes) {
    add_rounds(F32, elements, rounds, lanes);
}
TARGET static void add_f64(const char *elements, i64 rounds, char *lanes) {
    add_rounds(F64, elements, rounds, lanes);
}

static fold_rounds *rounds_of(const weft_operator *op) {
    if (op != weft_plus(op->type) || !__builtin_cpu_supports("avx512f"))
        return NULL;
    switch (op->type) {
    case WEFT_I32:
    case WEFT_U32:
        return add_u32;
    case WEFT_I64:
    case WEFT_U64:
        return add_u64;
    case WEFT_F32:
        return add_f32;
    case WEFT_F64:
        return add_f64;
    default:
        return NULL;
    }
}
#else
static fold_rounds *rounds_of(const weft_operator *op) {
    (void)op;
    return NULL;
}
#endif

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
    fold_rounds *rounds = in->generator ? NULL : rounds_of(op);
    const i64 most = (i64)size < FOLD_BYTES ? FOLD_BYTES / (i64)size : 1, n = end - begin;
    const i64 step = rounds ? n : host_tile_length(op->type);
    const i64 width = n < most ? n : most;
    for (i64 i = begin; i < end; i += step) {
        const i64 count = end - i < step ? end - i : step;
        const char *elements = host_elements(in, i, i + count, &tile);
        i64 k = 0;
        if (i == begin) {
            memcpy(lanes.bytes, elements, (size_t)width * size);
            k = width;
        }
        if (rounds && width == most) {
            rounds(elements + (size_t)k * size, (count - k) / width, lanes.bytes);
            k += (count - k) / width * width;
        }
        for (; k < count; k += width)
            op->combine(lanes.bytes, elements + (size_t)k * size, lanes.bytes,
                        count - k < width ? count - k : width);
    }
    fold_lanes(op, lanes.bytes, width);
    memcpy(result, lanes.bytes, size);
}
