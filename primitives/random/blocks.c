/* Blocks of random words: by vectors of AVX-512 where the CPU has them, else round by round
 * in loops that compilers make vectors of. */
#include "blocks.h"
#include "primitives/primitives.h"
#include "random.kernel.h"

/* As many philox_block, word by word. */
struct blocks {
    u32 x[RANDOM_BLOCKS], y[RANDOM_BLOCKS], z[RANDOM_BLOCKS], w[RANDOM_BLOCKS];
};

/* A round of philox() for n of them. */
WEFT_CLONES static void take_round(struct blocks *b, i64 n, u32 key_x, u32 key_z) {
    for (i64 k = 0; k < n; k++) {
        const u32 low_x = philox_factor_x() * b->x[k], low_z = philox_factor_z() * b->z[k];
        const u32 high_x = (u32)(((u64)philox_factor_x() * b->x[k]) >> 32),
                  high_z = (u32)(((u64)philox_factor_z() * b->z[k]) >> 32);
        b->x[k] = high_z ^ b->y[k] ^ key_x;
        b->y[k] = low_z;
        b->z[k] = high_x ^ b->w[k] ^ key_z;
        b->w[k] = low_x;
    }
}

WEFT_CLONES static void blocks_by_rounds(const weft_stream *stream, u64 first, i64 n,
                                         u32 *words) {
    struct blocks b;
    for (i64 k = 0; k < n; k++) {
        const u64 number = first + (u64)k;
        b.x[k] = (u32)number, b.y[k] = (u32)(number >> 32);
        b.z[k] = (u32)stream->stream, b.w[k] = (u32)(stream->stream >> 32);
    }
    for (int round = 0; round < PHILOX_ROUNDS; round++)
        take_round(&b, n, philox_key_x(stream->seed, round),
                   philox_key_z(stream->seed, round));
    for (i64 k = 0; k < n; k++) {
        words[4 * k] = b.x[k], words[4 * k + 1] = b.y[k];
        words[4 * k + 2] = b.z[k], words[4 * k + 3] = b.w[k];
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
#define VECTORS
#include <immintrin.h>

enum {
    LANES = 8, /* blocks of a vector */
    TURN = 4   /* vectors at a time: a round of one waits for three instructions in a row */
};

/* A word of a block in the lower half of each lane. What is in the upper halves does not
 * matter: products are of lower halves. gcc makes no such products of plain C. */
typedef struct lanes {
    __m512i x, y, z, w;
} lanes;

__attribute__((always_inline, target("avx512f"))) static inline lanes
first_lanes(u64 stream, u64 first) {
    /* in the order in which unpacking takes them apart */
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    const __m512i number = _mm512_add_epi64(_mm512_set1_epi64((i64)first), order);
    return (lanes){number, _mm512_srli_epi64(number, 32), _mm512_set1_epi64((i64)stream),
                   _mm512_set1_epi64((i64)(stream >> 32))};
}

__attribute__((always_inline, target("avx512f"))) static inline lanes
next_lanes(lanes b, __m512i key_x, __m512i key_z) {
    enum { XOR = 0x96 }; /* of three */
    const __m512i p = _mm512_mul_epu32(b.x, _mm512_set1_epi64(philox_factor_x())),
                  q = _mm512_mul_epu32(b.z, _mm512_set1_epi64(philox_factor_z()));
    return (lanes){_mm512_ternarylogic_epi64(_mm512_srli_epi64(q, 32), b.y, key_x, XOR), q,
                   _mm512_ternarylogic_epi64(_mm512_srli_epi64(p, 32), b.w, key_z, XOR), p};
}

__attribute__((always_inline, target("avx512f"))) static inline void put_lanes(lanes b,
                                                                               u32 *words) {
    enum { ODD = 0xaaaa };
    const __m512i xy = _mm512_mask_shuffle_epi32(b.x, ODD, b.y, _MM_PERM_CCAA),
                  zw = _mm512_mask_shuffle_epi32(b.z, ODD, b.w, _MM_PERM_CCAA);
    _mm512_storeu_si512(words, _mm512_unpacklo_epi64(xy, zw));
    _mm512_storeu_si512(words + 2 * LANES, _mm512_unpackhi_epi64(xy, zw));
}

__attribute__((target("avx512f"))) static void
blocks_by_vectors(const weft_stream *stream, u64 first, i64 n, u32 *words) {
    for (i64 k = 0; k < n; k += TURN * LANES) {
        lanes b[TURN];
        for (int v = 0; v < TURN; v++)
            b[v] = first_lanes(stream->stream, first + (u64)(k + v * LANES));
        for (int round = 0; round < PHILOX_ROUNDS; round++) {
            const __m512i key_x = _mm512_set1_epi64(philox_key_x(stream->seed, round)),
                          key_z = _mm512_set1_epi64(philox_key_z(stream->seed, round));
            for (int v = 0; v < TURN; v++)
                b[v] = next_lanes(b[v], key_x, key_z);
        }
        for (int v = 0; v < TURN; v++)
            put_lanes(b[v], words + 4 * (k + v * LANES));
    }
}
#endif

void random_blocks(const weft_stream *stream, u64 first, i64 n, u32 *words) {
#ifdef VECTORS
    if (__builtin_cpu_supports("avx512f"))
        blocks_by_vectors(stream, first, n, words);
    else
#endif
        blocks_by_rounds(stream, first, n, words);
}
