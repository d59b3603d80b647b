/* The usual operators, for reductions and scans. Yours: WEFT_OPERATOR and weft_op. */
#ifndef WEFT_OPERATORS_H
#define WEFT_OPERATORS_H

#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An operator on elements of `type`: any but structs, for which these give NULL; bit_or and
 * bit_and give NULL for floats too. Integer sums and products wrap around. Minima and
 * maxima of floats pass over NaN, put -0 below +0, and so are the same bit for bit
 * everywhere; of nothing but NaN they are NaN or the identity. The identities are 0, 1, the
 * largest value (+infinity), the smallest (-infinity), 0, and all ones. */
WEFT_API const weft_operator *weft_plus(weft_type type);
WEFT_API const weft_operator *weft_times(weft_type type);
WEFT_API const weft_operator *weft_minimum(weft_type type);
WEFT_API const weft_operator *weft_maximum(weft_type type);
WEFT_API const weft_operator *weft_bit_or(weft_type type);
WEFT_API const weft_operator *weft_bit_and(weft_type type);

#ifdef __cplusplus
}
#endif
#endif
