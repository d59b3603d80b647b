/* Comparisons of the rows, and a number to sort by. */
#ifndef ORDER_KERNEL_H
#define ORDER_KERNEL_H

#include <weft/kernel.h>

typedef struct order_body {
    f64 weight;
    u64 id;
} order_body;

static inline int order_below(u32 a, u32 b) {
    return a < b;
}
static inline int order_lighter(order_body a, order_body b) {
    return a.weight < b.weight;
}
static inline f64 order_weight(index_t i, GLOBAL const order_body *x) {
    return x[i].weight;
}

#endif
