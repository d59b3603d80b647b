/* The usual operators, for reductions and scans. For your own see WEFT_OPERATOR and
 * weft_op. */
#ifndef WEFT_OPERATORS_H
#define WEFT_OPERATORS_H

#include "descriptor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An operator on elements of `type`; NULL for structs, and for bit_or and bit_and of
 * floats. Integer sums and products wrap around. Minima and maxima of floats ignore NaN and
 * take -0 as less than +0, so they are the same bit for bit everywhere; of NaNs alone they
 * are NaN or the identity. The identities are 0, 1, the largest value (+infinity), the
 * smallest (-infinity), 0, and all ones. The result is never freed. */
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
