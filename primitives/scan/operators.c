/* The usual operators of every element type. */
#include "operators.kernels.h"
#include "weft/operators.h"
#include "weft/register.h"

enum { INTEGERS = 8, NUMBERS = 10 };

WEFT_OPERATORS(operators_plus, (i8, u8, i16, u16, i32, u32, i64, u64, f32, f64), 0)
WEFT_OPERATORS(operators_times, (i8, u8, i16, u16, i32, u32, i64, u64, f32, f64), 1)
WEFT_OPERATORS(operators_bit_or, (i8, u8, i16, u16, i32, u32, i64, u64), 0)

WEFT_OPERATOR(operators_bit_and_i8, i8, -1)
WEFT_OPERATOR(operators_bit_and_u8, u8, UINT8_MAX)
WEFT_OPERATOR(operators_bit_and_i16, i16, -1)
WEFT_OPERATOR(operators_bit_and_u16, u16, UINT16_MAX)
WEFT_OPERATOR(operators_bit_and_i32, i32, -1)
WEFT_OPERATOR(operators_bit_and_u32, u32, UINT32_MAX)
WEFT_OPERATOR(operators_bit_and_i64, i64, -1)
WEFT_OPERATOR(operators_bit_and_u64, u64, UINT64_MAX)

WEFT_OPERATOR(operators_minimum_i8, i8, INT8_MAX)
WEFT_OPERATOR(operators_minimum_u8, u8, UINT8_MAX)
WEFT_OPERATOR(operators_minimum_i16, i16, INT16_MAX)
WEFT_OPERATOR(operators_minimum_u16, u16, UINT16_MAX)
WEFT_OPERATOR(operators_minimum_i32, i32, INT32_MAX)
WEFT_OPERATOR(operators_minimum_u32, u32, UINT32_MAX)
WEFT_OPERATOR(operators_minimum_i64, i64, INT64_MAX)
WEFT_OPERATOR(operators_minimum_u64, u64, UINT64_MAX)
WEFT_OPERATOR(operators_minimum_f32, f32, INFINITY)
WEFT_OPERATOR(operators_minimum_f64, f64, INFINITY)

WEFT_OPERATOR(operators_maximum_i8, i8, INT8_MIN)
WEFT_OPERATOR(operators_maximum_u8, u8, 0)
WEFT_OPERATOR(operators_maximum_i16, i16, INT16_MIN)
WEFT_OPERATOR(operators_maximum_u16, u16, 0)
WEFT_OPERATOR(operators_maximum_i32, i32, INT32_MIN)
WEFT_OPERATOR(operators_maximum_u32, u32, 0)
WEFT_OPERATOR(operators_maximum_i64, i64, INT64_MIN)
WEFT_OPERATOR(operators_maximum_u64, u64, 0)
WEFT_OPERATOR(operators_maximum_f32, f32, -INFINITY)
WEFT_OPERATOR(operators_maximum_f64, f64, -INFINITY)

static const weft_operator *const operators_bit_and_operators[] = {
    weft_op(operators_bit_and_i8),  weft_op(operators_bit_and_u8),
    weft_op(operators_bit_and_i16), weft_op(operators_bit_and_u16),
    weft_op(operators_bit_and_i32), weft_op(operators_bit_and_u32),
    weft_op(operators_bit_and_i64), weft_op(operators_bit_and_u64)};

static const weft_operator *const operators_minimum_operators[] = {
    weft_op(operators_minimum_i8),  weft_op(operators_minimum_u8),
    weft_op(operators_minimum_i16), weft_op(operators_minimum_u16),
    weft_op(operators_minimum_i32), weft_op(operators_minimum_u32),
    weft_op(operators_minimum_i64), weft_op(operators_minimum_u64),
    weft_op(operators_minimum_f32), weft_op(operators_minimum_f64)};

static const weft_operator *const operators_maximum_operators[] = {
    weft_op(operators_maximum_i8),  weft_op(operators_maximum_u8),
    weft_op(operators_maximum_i16), weft_op(operators_maximum_u16),
    weft_op(operators_maximum_i32), weft_op(operators_maximum_u32),
    weft_op(operators_maximum_i64), weft_op(operators_maximum_u64),
    weft_op(operators_maximum_f32), weft_op(operators_maximum_f64)};

/* Tables are in the order of the types. */
static const weft_operator *of_type(const weft_operator *const *operators, u32 count,
                                    weft_type type) {
    const u32 kind = (type >> 24) - 1;
    return kind < count && operators[kind]->type == type ? operators[kind] : NULL;
}

const weft_operator *weft_plus(weft_type type) {
    return of_type(operators_plus_operators, NUMBERS, type);
}

const weft_operator *weft_times(weft_type type) {
    return of_type(operators_times_operators, NUMBERS, type);
}

const weft_operator *weft_minimum(weft_type type) {
    return of_type(operators_minimum_operators, NUMBERS, type);
}

const weft_operator *weft_maximum(weft_type type) {
    return of_type(operators_maximum_operators, NUMBERS, type);
}

const weft_operator *weft_bit_or(weft_type type) {
    return of_type(operators_bit_or_operators, INTEGERS, type);
}

const weft_operator *weft_bit_and(weft_type type) {
    return of_type(operators_bit_and_operators, INTEGERS, type);
}
