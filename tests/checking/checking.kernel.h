/* Kernels that break their registration, each in its own way; and some that do not. */
#ifndef CHECKING_KERNEL_H
#define CHECKING_KERNEL_H

#include <weft/kernel.h>

static inline void checking_writes_input(index_t i, GLOBAL const u32 *x, GLOBAL u32 *y) {
    if (i == 17)
        ((GLOBAL u32 *)x)[i] = 0;
    y[i] = x[i];
}

static inline void checking_writes_at(index_t i, i64 at, GLOBAL u32 *y) {
    y[i == 0 ? at : i] = 1;
}

static inline void checking_reads_at(index_t i, i64 at, GLOBAL const u32 *x,
                                     GLOBAL u32 *y) {
    y[i] = x[i == 2 ? at : i];
}

typedef struct checking_view {
    GLOBAL const u32 *x;
    GLOBAL u32 *y;
} checking_view;

static inline void checking_bundled(index_t i, i64 at, checking_view view) {
    if (i == at)
        ((GLOBAL u32 *)view.x)[i] = 0;
    view.y[i] = view.x[i];
}

static inline void checking_address(index_t i, GLOBAL const u32 *x, GLOBAL u64 *address) {
    address[i] = (u64)x;
}

static inline void checking_pokes(index_t i, u64 address, GLOBAL u32 *y) {
    *(GLOBAL u32 *)address = 1;
    y[i] = 1;
}

static inline void checking_reads_output(index_t i, GLOBAL u32 *y) {
    y[i] = y[i] + 1;
}

static inline void checking_adds_to_output(index_t i, GLOBAL const f32 *x, GLOBAL f32 *y) {
    y[i] += x[i];
}

static inline void checking_adds_to_wide(index_t i, GLOBAL const f32 *x, GLOBAL f64 *y) {
    y[i] += (f64)x[i];
}

/* Of each type, what a careless kernel does to an output that it was to write alone. */
static inline void checking_adds_i8(index_t i, GLOBAL i8 *y) {
    y[i] = (i8)(y[i] + 1);
}
static inline void checking_least_u32(index_t i, GLOBAL const u32 *x, GLOBAL u32 *y) {
    y[i] = min(y[i], x[i]);
}
static inline void checking_most_u32(index_t i, GLOBAL const u32 *x, GLOBAL u32 *y) {
    y[i] = max(y[i], x[i]);
}
static inline void checking_most_i64(index_t i, GLOBAL const u32 *x, GLOBAL i64 *y) {
    y[i] = max(y[i], (i64)x[i]);
}
static inline void checking_least_f32(index_t i, GLOBAL const u32 *x, GLOBAL f32 *y) {
    y[i] = min(y[i], (f32)x[i]);
}
typedef struct checking_body {
    f32 mass;
    u16 kind;
    i8 sign, mark;
    i64 id;
    f64 potential;
} checking_body;
static inline void checking_changes_body(index_t i, u32 what, GLOBAL checking_body *y) {
    checking_body b = y[i];
    b.mass = what == 0 ? b.mass + 1.0f : 1.0f;
    b.kind = (u16)(what == 1 ? b.kind | 1 : 1);
    b.sign = (i8)(what == 2 ? max((i32)b.sign, 3) : 3);
    b.mark = 0;
    b.id = what == 3 ? min(b.id, (i64)7) : 7;
    b.potential = what == 4 ? b.potential - 1.0 : 1.0;
    y[i] = b;
}

static inline void checking_tallies(index_t i, GLOBAL const u32 *x, GLOBAL u32 *count) {
    count[x[i]]++;
}

static inline void checking_sums_so_far(index_t i, GLOBAL u32 *y) {
    y[i] = i == 0 ? 1 : y[i - 1] + 2;
}

static inline void checking_writes_some(index_t i, GLOBAL u32 *y) {
    if (i % 3 == 0)
        y[i] = 7;
}

static inline void checking_counts(index_t i, GLOBAL u32 *place, GLOBAL u32 *counter) {
    place[i] = atomic_add_u32(counter, 1);
}

static inline u32 checking_lazy_at(index_t i, i64 at, GLOBAL const u32 *x) {
    return x[i == 2 ? at : i];
}

static inline u32 checking_plus(u32 a, u32 b) {
    return a + b;
}

static inline u32 checking_all_pairs(u32 sum, u32 a, u32 b) {
    return sum + a * b;
}

#endif
