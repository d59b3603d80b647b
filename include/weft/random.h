/* Random numbers as lazy arrays, and random orders. Number i of a stream is a function of
 * its seed, its stream and i: the same bits on every backend and device, in any order of
 * evaluation. In kernels of your own: <weft/philox.h>, which says what the numbers are. */
#ifndef WEFT_RANDOM_H
#define WEFT_RANDOM_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Uniform integers; uniform in [0, 1); normal, of mean 0 and variance 1. */
typedef enum weft_distribution {
    WEFT_UNIFORM_U32,
    WEFT_UNIFORM_U64,
    WEFT_UNIFORM_F32,
    WEFT_UNIFORM_F64,
    WEFT_NORMAL_F32,
    WEFT_NORMAL_F64
} weft_distribution;

/* Streams of one seed are independent of each other, and so are seeds. */
typedef struct weft_stream {
    uint64_t seed, stream, reserved[2]; /* reserved: 0 */
} weft_stream;

/* A lazy array of n random numbers, of the type that its distribution names:
 *   weft_copy(device, weft_random(n, WEFT_NORMAL_F32, .seed = 1, .stream = 7), out);
 * It takes no memory, and lives until the end of the block in which it is made. With
 * another distribution it is no array at all. Cost, a number: about 40 integer operations,
 * for f64 80, and for normal ones 60 more. Repeats: bit for bit everywhere. */
#define weft_random(n, distribution, ...)                                                  \
    weft_random_array((n), (distribution), &(weft_stream){__VA_ARGS__})
WEFT_API weft_array weft_random_array(int64_t n, weft_distribution distribution,
                                      const weft_stream *stream);

/* Puts the elements into a random order, which depends on n and the seed alone: they are
 * sorted by Philox numbers of 64 bits. All orders are equally likely, but for the chance of
 * n^2 / 2^65 that two numbers are equal, of which one element then stays before the other.
 *   inout    [n] any type
 * Cost: weft_sort_by_key of n keys of u64, and scratch for them.
 * Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, lazy, read-only), WEFT_E_MEMORY. */
WEFT_API weft_status weft_shuffle(weft_device *device, weft_array inout, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
