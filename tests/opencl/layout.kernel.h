/* Structs that host and device do not lay out alike, and some that they do. */
#ifndef LAYOUT_KERNEL_H
#define LAYOUT_KERNEL_H

#include <weft/kernel.h>

#ifdef __OPENCL_VERSION__
#define LAYOUT_MORE 3
typedef struct layout_swapped {
    u32 second, first;
} layout_swapped;
#else
#define LAYOUT_MORE 2
typedef struct layout_swapped {
    u32 first, second;
} layout_swapped;
#endif

typedef struct layout_around {
    u64 before;
    layout_swapped inner;
} layout_around;

typedef struct layout_parted {
    u32 a;
#ifndef __OPENCL_VERSION__
    u32 b;
    f32 c;
#else
    f32 c;
    u32 b;
#endif
} layout_parted;

typedef struct layout_longer {
    u32 a[LAYOUT_MORE];
} layout_longer;

typedef struct layout_inner {
    u8 a; /* # no line of the preprocessor */
    f64 b;
} layout_inner;

typedef struct __attribute__((aligned(32))) layout_alike {
    u8 a, b[3];
    layout_inner c;
    u16 d;
    i64 e;
} layout_alike;

static inline void layout_of_swapped(index_t i, GLOBAL layout_swapped *x) {
    x[i].first = 1;
}

static inline void layout_of_around(index_t i, layout_around x, GLOBAL u32 *out) {
    out[i] = x.inner.first;
}

static inline void layout_of_parted(index_t i, GLOBAL layout_parted *x) {
    x[i].b = 1;
}

static inline void layout_of_longer(index_t i, GLOBAL layout_longer *x) {
    x[i].a[1] = 1;
}

static inline void layout_of_alike(index_t i, GLOBAL layout_alike *x) {
    x[i].b[2] = 1;
    x[i].c.a = 2;
    x[i].c.b = 3;
    x[i].d = 4;
    x[i].e = 5;
}

#endif
