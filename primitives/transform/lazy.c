/* The generators of numbers in a row, and of the same number again and again. */
#include "weft/lazy.h"
#include "lazy.kernels.h"

WEFT_GENERATORS(lazy_counting, (i8, u8, i16, u16, i32, u32, i64, u64, f32, f64), T,
                (value, T, start))
WEFT_GENERATORS(lazy_constant, (i8, u8, i16, u16, i32, u32, i64, u64, f32, f64), T,
                (value, T, value))

/* Tables are in the order of the types. */
static const weft_generator *of_type(const weft_generator *const *generators,
                                     weft_type type) {
    const u32 kind = (type >> 24) - 1;
    return kind < 10 && generators[kind]->type == type ? generators[kind] : NULL;
}

const weft_generator *weft_counting_generator(weft_type type) {
    return of_type(lazy_counting_generators, type);
}

const weft_generator *weft_constant_generator(weft_type type) {
    return of_type(lazy_constant_generators, type);
}
