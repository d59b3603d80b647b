/* Sums and products of every element type. */
#include "operators.kernel.h"
#include "operators_f32.kernel.h"
#include "operators_f64.kernel.h"
#include "weft/operators.h"
#include "weft/register.h"

WEFT_OPERATOR(operators_plus_i8, i8, 0)
WEFT_OPERATOR(operators_plus_u8, u8, 0)
WEFT_OPERATOR(operators_plus_i16, i16, 0)
WEFT_OPERATOR(operators_plus_u16, u16, 0)
WEFT_OPERATOR(operators_plus_i32, i32, 0)
WEFT_OPERATOR(operators_plus_u32, u32, 0)
WEFT_OPERATOR(operators_plus_i64, i64, 0)
WEFT_OPERATOR(operators_plus_u64, u64, 0)
WEFT_OPERATOR(operators_f32_plus, f32, 0)
WEFT_OPERATOR(operators_f64_plus, f64, 0)

WEFT_OPERATOR(operators_times_i8, i8, 1)
WEFT_OPERATOR(operators_times_u8, u8, 1)
WEFT_OPERATOR(operators_times_i16, i16, 1)
WEFT_OPERATOR(operators_times_u16, u16, 1)
WEFT_OPERATOR(operators_times_i32, i32, 1)
WEFT_OPERATOR(operators_times_u32, u32, 1)
WEFT_OPERATOR(operators_times_i64, i64, 1)
WEFT_OPERATOR(operators_times_u64, u64, 1)
WEFT_OPERATOR(operators_f32_times, f32, 1)
WEFT_OPERATOR(operators_f64_times, f64, 1)

const weft_operator *weft_plus(weft_type type) {
    switch (type) {
    case WEFT_I8:
        return weft_op(operators_plus_i8);
    case WEFT_U8:
        return weft_op(operators_plus_u8);
    case WEFT_I16:
        return weft_op(operators_plus_i16);
    case WEFT_U16:
        return weft_op(operators_plus_u16);
    case WEFT_I32:
        return weft_op(operators_plus_i32);
    case WEFT_U32:
        return weft_op(operators_plus_u32);
    case WEFT_I64:
        return weft_op(operators_plus_i64);
    case WEFT_U64:
        return weft_op(operators_plus_u64);
    case WEFT_F32:
        return weft_op(operators_f32_plus);
    case WEFT_F64:
        return weft_op(operators_f64_plus);
    default:
        return NULL;
    }
}

const weft_operator *weft_times(weft_type type) {
    switch (type) {
    case WEFT_I8:
        return weft_op(operators_times_i8);
    case WEFT_U8:
        return weft_op(operators_times_u8);
    case WEFT_I16:
        return weft_op(operators_times_i16);
    case WEFT_U16:
        return weft_op(operators_times_u16);
    case WEFT_I32:
        return weft_op(operators_times_i32);
    case WEFT_U32:
        return weft_op(operators_times_u32);
    case WEFT_I64:
        return weft_op(operators_times_i64);
    case WEFT_U64:
        return weft_op(operators_times_u64);
    case WEFT_F32:
        return weft_op(operators_f32_times);
    case WEFT_F64:
        return weft_op(operators_f64_times);
    default:
        return NULL;
    }
}
