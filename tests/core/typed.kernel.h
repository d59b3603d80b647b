#ifndef TYPED_KERNEL_H
#define TYPED_KERNEL_H

#include <weft/kernel.h>

typedef struct typed_range {
    f32 low, high;
} typed_range;

static inline typed_range typed_join(typed_range a, typed_range b) {
    a.low = min(a.low, b.low);
    a.high = max(a.high, b.high);
    return a;
}

#endif
