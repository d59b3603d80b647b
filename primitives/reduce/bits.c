/* Bitwise operators of every integer type. */
#include "primitives/scan/operators.kernel.h"
#include "weft/operators.h"
#include "weft/register.h"

WEFT_OPERATOR(operators_bit_or_i8, i8, 0)
WEFT_OPERATOR(operators_bit_or_u8, u8, 0)
WEFT_OPERATOR(operators_bit_or_i16, i16, 0)
WEFT_OPERATOR(operators_bit_or_u16, u16, 0)
WEFT_OPERATOR(operators_bit_or_i32, i32, 0)
WEFT_OPERATOR(operators_bit_or_u32, u32, 0)
WEFT_OPERATOR(operators_bit_or_i64, i64, 0)
WEFT_OPERATOR(operators_bit_or_u64, u64, 0)

WEFT_OPERATOR(operators_bit_and_i8, i8, -1)
WEFT_OPERATOR(operators_bit_and_u8, u8, UINT8_MAX)
WEFT_OPERATOR(operators_bit_and_i16, i16, -1)
WEFT_OPERATOR(operators_bit_and_u16, u16, UINT16_MAX)
WEFT_OPERATOR(operators_bit_and_i32, i32, -1)
WEFT_OPERATOR(operators_bit_and_u32, u32, UINT32_MAX)
WEFT_OPERATOR(operators_bit_and_i64, i64, -1)
WEFT_OPERATOR(operators_bit_and_u64, u64, UINT64_MAX)

const weft_operator *weft_bit_or(weft_type type) {
    switch (type) {
    case WEFT_I8:
        return weft_op(operators_bit_or_i8);
    case WEFT_U8:
        return weft_op(operators_bit_or_u8);
    case WEFT_I16:
        return weft_op(operators_bit_or_i16);
    case WEFT_U16:
        return weft_op(operators_bit_or_u16);
    case WEFT_I32:
        return weft_op(operators_bit_or_i32);
    case WEFT_U32:
        return weft_op(operators_bit_or_u32);
    case WEFT_I64:
        return weft_op(operators_bit_or_i64);
    case WEFT_U64:
        return weft_op(operators_bit_or_u64);
    default:
        return NULL;
    }
}

const weft_operator *weft_bit_and(weft_type type) {
    switch (type) {
    case WEFT_I8:
        return weft_op(operators_bit_and_i8);
    case WEFT_U8:
        return weft_op(operators_bit_and_u8);
    case WEFT_I16:
        return weft_op(operators_bit_and_i16);
    case WEFT_U16:
        return weft_op(operators_bit_and_u16);
    case WEFT_I32:
        return weft_op(operators_bit_and_i32);
    case WEFT_U32:
        return weft_op(operators_bit_and_u32);
    case WEFT_I64:
        return weft_op(operators_bit_and_i64);
    case WEFT_U64:
        return weft_op(operators_bit_and_u64);
    default:
        return NULL;
    }
}
