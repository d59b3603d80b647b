/* Lazy arrays that need no registration (see weft_lazy for those of your own). */
#ifndef WEFT_LAZY_H
#define WEFT_LAZY_H

#include "register.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The generators of weft_counting and weft_constant for one of the ten types of numbers;
 * NULL for structs. Their one argument is a number of this type. */
WEFT_API const weft_generator *weft_counting_generator(weft_type type);
WEFT_API const weft_generator *weft_constant_generator(weft_type type);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus
/* The lazy arrays start, start + 1, start + 2 ... and value, value, value ... of n
 * elements, whose type is that of `start` or of `value`, a number: weft_copy_if(device,
 * weft_counting(n, (uint32_t)0), flags, numbers_of_those, &count);
 *   weft_inner_product(device, x, weft_constant(x.length, 0.5f), &half_of_the_sum);
 * Integers wrap around; of floats i is rounded, and then the sum.
 *
 * As all lazy arrays they take no memory, are accepted as inputs of primitives, and live
 * until the end of the block in which they are made. A kernel has its i to count with, and
 * a `value` for what is constant: neither takes a lazy array. A generator that needs what
 * another computes calls the other's function, which costs nothing: both are plain C. */
#define weft_counting(n, start)                                                            \
    weft_lazy_array((n), weft_counting_generator(WEFT_NUMBER_TYPE(start)),                 \
                    (const uint64_t[1]){WEFT_NUMBER_BITS(start)})
#define weft_constant(n, value)                                                            \
    weft_lazy_array((n), weft_constant_generator(WEFT_NUMBER_TYPE(value)),                 \
                    (const uint64_t[1]){WEFT_NUMBER_BITS(value)})

#define WEFT_NUMBER_TYPE(x)                                                                \
    _Generic((x), signed char                                                              \
             : WEFT_I8, unsigned char                                                      \
             : WEFT_U8, short                                                              \
             : WEFT_I16, unsigned short                                                    \
             : WEFT_U16, int                                                               \
             : WEFT_I32, unsigned                                                          \
             : WEFT_U32, long                                                              \
             : sizeof(long) == 8 ? WEFT_I64 : WEFT_I32, unsigned long                      \
             : sizeof(long) == 8 ? WEFT_U64 : WEFT_U32, long long                          \
             : WEFT_I64, unsigned long long                                                \
             : WEFT_U64, float                                                             \
             : WEFT_F32, double                                                            \
             : WEFT_F64)
#define WEFT_NUMBER_BITS(x)                                                                \
    _Generic((x), unsigned char                                                            \
             : weft_unsigned_bits, unsigned short                                          \
             : weft_unsigned_bits, unsigned                                                \
             : weft_unsigned_bits, unsigned long                                           \
             : weft_unsigned_bits, unsigned long long                                      \
             : weft_unsigned_bits, float                                                   \
             : weft_float_bits, double                                                     \
             : weft_double_bits, default                                                   \
             : weft_signed_bits)(x)

static inline uint64_t weft_unsigned_bits(uint64_t x) {
    return x;
}
static inline uint64_t weft_signed_bits(int64_t x) {
    return (uint64_t)x;
}
static inline uint64_t weft_float_bits(float x) {
    const union {
        float x;
        uint32_t bits;
    } seen = {x};
    return seen.bits;
}
static inline uint64_t weft_double_bits(double x) {
    const union {
        double x;
        uint64_t bits;
    } seen = {x};
    return seen.bits;
}
#endif

#endif
