/* Minima and maxima of every element type. */
#include "primitives/scan/operators.kernel.h"
#include "primitives/scan/operators_f32.kernel.h"
#include "primitives/scan/operators_f64.kernel.h"
#include "weft/operators.h"
#include "weft/register.h"

WEFT_OPERATOR(operators_minimum_i8, i8, INT8_MAX)
WEFT_OPERATOR(operators_minimum_u8, u8, UINT8_MAX)
WEFT_OPERATOR(operators_minimum_i16, i16, INT16_MAX)
WEFT_OPERATOR(operators_minimum_u16, u16, UINT16_MAX)
WEFT_OPERATOR(operators_minimum_i32, i32, INT32_MAX)
WEFT_OPERATOR(operators_minimum_u32, u32, UINT32_MAX)
WEFT_OPERATOR(operators_minimum_i64, i64, INT64_MAX)
WEFT_OPERATOR(operators_minimum_u64, u64, UINT64_MAX)
WEFT_OPERATOR(operators_f32_minimum, f32, INFINITY)
WEFT_OPERATOR(operators_f64_minimum, f64, INFINITY)

WEFT_OPERATOR(operators_maximum_i8, i8, INT8_MIN)
WEFT_OPERATOR(operators_maximum_u8, u8, 0)
WEFT_OPERATOR(operators_maximum_i16, i16, INT16_MIN)
WEFT_OPERATOR(operators_maximum_u16, u16, 0)
WEFT_OPERATOR(operators_maximum_i32, i32, INT32_MIN)
WEFT_OPERATOR(operators_maximum_u32, u32, 0)
WEFT_OPERATOR(operators_maximum_i64, i64, INT64_MIN)
WEFT_OPERATOR(operators_maximum_u64, u64, 0)
WEFT_OPERATOR(operators_f32_maximum, f32, -INFINITY)
WEFT_OPERATOR(operators_f64_maximum, f64, -INFINITY)

const weft_operator *weft_minimum(weft_type type) {
    switch (type) {
    case WEFT_I8:
        return weft_op(operators_minimum_i8);
    case WEFT_U8:
        return weft_op(operators_minimum_u8);
    case WEFT_I16:
        return weft_op(operators_minimum_i16);
    case WEFT_U16:
        return weft_op(operators_minimum_u16);
    case WEFT_I32:
        return weft_op(operators_minimum_i32);
    case WEFT_U32:
        return weft_op(operators_minimum_u32);
    case WEFT_I64:
        return weft_op(operators_minimum_i64);
    case WEFT_U64:
        return weft_op(operators_minimum_u64);
    case WEFT_F32:
        return weft_op(operators_f32_minimum);
    case WEFT_F64:
        return weft_op(operators_f64_minimum);
    default:
        return NULL;
    }
}

const weft_operator *weft_maximum(weft_type type) {
    switch (type) {
    case WEFT_I8:
        return weft_op(operators_maximum_i8);
    case WEFT_U8:
        return weft_op(operators_maximum_u8);
    case WEFT_I16:
        return weft_op(operators_maximum_i16);
    case WEFT_U16:
        return weft_op(operators_maximum_u16);
    case WEFT_I32:
        return weft_op(operators_maximum_i32);
    case WEFT_U32:
        return weft_op(operators_maximum_u32);
    case WEFT_I64:
        return weft_op(operators_maximum_i64);
    case WEFT_U64:
        return weft_op(operators_maximum_u64);
    case WEFT_F32:
        return weft_op(operators_f32_maximum);
    case WEFT_F64:
        return weft_op(operators_f64_maximum);
    default:
        return NULL;
    }
}
