/* Registrations that are wrong, one at a time: mistakes.sh compiles this file with each
 * MISTAKE, and expects one error, which contains what the comment below the number says. */
#include <weft/weft.h>

#include <weft/kernel.h>

typedef struct mistake_body {
    f32 x, y, z, mass;
} mistake_body;
typedef struct mistake_other {
    f32 x, y, z, mass;
} mistake_other;

static inline void mistake_copy(index_t i, GLOBAL const f32 *from, GLOBAL f32 *to) {
    to[i] = from[i];
}
static inline void mistake_count(index_t i, u32 limit, GLOBAL const u32 *key,
                                 GLOBAL u32 *count) {
    if (key[i] < limit)
        atomic_add_u32(&count[key[i]], 1);
}
static inline void mistake_move(index_t i, const f64 step, GLOBAL mistake_body *body) {
    body[i].x += (f32)step;
}
inline f64 mistake_square(index_t i, GLOBAL const f64 *x) {
    return x[i] * x[i];
}
static inline f32 mistake_fill(index_t i, GLOBAL f32 *x) {
    return x[i] = 1;
}
static inline u32 mistake_first(index_t i, u32 n) {
    return n - (u32)i;
}
static inline f32 mistake_add(f32 a, f32 b) {
    return a + b;
}
static inline u32 mistake_less(f32 a, f32 b) {
    return a < b;
}
static inline f32 mistake_near(f32 sum, mistake_body a, mistake_body b, f32 eps2) {
    const f32 x = a.x - b.x;
    return sum + 1 / sqrt(x * x + eps2);
}

static inline f32 mistake_weigh(f32 sum, f32 a, f32 b, GLOBAL const f32 *weight) {
    return sum + weight[0] * a * b;
}
typedef struct mistake_view {
    GLOBAL const u32 *key;
    u32 limit;
    GLOBAL f32 *sum;
} mistake_view;
static inline void mistake_look(index_t i, mistake_view view, GLOBAL const f32 *extra) {
    if (extra && view.key[i] < view.limit)
        view.sum[i] += extra[i];
}

#if MISTAKE == 0
/* none */
WEFT_KERNEL(mistake_copy, (in, float, from), (out, float, to))
WEFT_KERNEL(mistake_count, (value, u32, limit), (in, u32, key), (shared, u32, count, 0))
WEFT_KERNEL(mistake_move, (value, f64, step), (inout, mistake_body, body))
WEFT_GENERATOR(mistake_square, f64, (in, f64, x))
WEFT_GENERATOR(mistake_first, u32, (value, u32, n))
WEFT_OPERATOR(mistake_add, f32, 0)
WEFT_PAIRS(mistake_near, f32, 0, (in, mistake_body, p), (value, f32, eps2))
WEFT_PAIRS(mistake_weigh, f32, 0, (in, f32, p), (in, f32, weight, 1))
WEFT_BUNDLE(mistake_view, (in, u32, key), (value, u32, limit), (inout, f32, sum))
WEFT_KERNEL(mistake_look, (bundle, mistake_view, view), (optional, f32, extra))
#elif MISTAKE == 1
/* mistake_copy(index_t, GLOBAL f32 *from, GLOBAL const f32 *to) */
WEFT_KERNEL(mistake_copy, (out, f32, from), (in, f32, to))
#elif MISTAKE == 2
/* mistake_copy(index_t, GLOBAL const f32 *from, GLOBAL const f32 *to) */
WEFT_KERNEL(mistake_copy, (in, f32, from), (in, f32, to))
#elif MISTAKE == 3
/* mistake_copy(index_t, GLOBAL f32 *from, GLOBAL f32 *to) */
WEFT_KERNEL(mistake_copy, (inout, f32, from), (out, f32, to))
#elif MISTAKE == 4
/* f64 mistake_square(index_t, GLOBAL const f32 *x) */
WEFT_GENERATOR(mistake_square, f64, (in, f32, x))
#elif MISTAKE == 5
/* mistake_count(index_t, i32 limit, GLOBAL const u32 *key, GLOBAL u32 *count) */
WEFT_KERNEL(mistake_count, (value, i32, limit), (in, u32, key), (shared, u32, count, 0))
#elif MISTAKE == 6
/* mistake_count(index_t, u32 limit, GLOBAL const i32 *key, */
WEFT_KERNEL(mistake_count, (value, u32, limit), (in, i32, key), (shared, u32, count, 0))
#elif MISTAKE == 7
/* mistake_count(index_t, u32 limit, GLOBAL const u32 *key) */
WEFT_KERNEL(mistake_count, (value, u32, limit), (in, u32, key))
#elif MISTAKE == 8
/* GLOBAL f32 *to, f32 scale) */
WEFT_KERNEL(mistake_copy, (in, f32, from), (out, f32, to), (value, f32, scale))
#elif MISTAKE == 9
/* mistake_count(index_t, GLOBAL const u32 *key, u32 limit, */
WEFT_KERNEL(mistake_count, (in, u32, key), (value, u32, limit), (shared, u32, count, 0))
#elif MISTAKE == 10
/* f32 mistake_square(index_t, GLOBAL const f64 *x) */
WEFT_GENERATOR(mistake_square, f32, (in, f64, x))
#elif MISTAKE == 11
/* u64 mistake_first(index_t, u32 n) */
WEFT_GENERATOR(mistake_first, u64, (value, u32, n))
#elif MISTAKE == 12
/* void mistake_first(index_t, u32 n) */
WEFT_KERNEL(mistake_first, (value, u32, n))
#elif MISTAKE == 13
/* void mistake_move(index_t, f64 step, GLOBAL mistake_other *body) */
WEFT_KERNEL(mistake_move, (value, f64, step), (inout, mistake_other, body))
#elif MISTAKE == 14
/* void mistake_move(index_t, f32 step, GLOBAL mistake_body *body) */
WEFT_KERNEL(mistake_move, (value, f32, step), (inout, mistake_body, body))
#elif MISTAKE == 15
/* f64 mistake_add(f64, f64) */
WEFT_OPERATOR(mistake_add, f64, 0)
#elif MISTAKE == 16
/* f32 mistake_less(f32, f32) */
WEFT_OPERATOR(mistake_less, f32, 0)
#elif MISTAKE == 17
/* f64 mistake_near(f64, mistake_body, mistake_body, f32 eps2) */
WEFT_PAIRS(mistake_near, f64, 0, (in, mistake_body, p), (value, f32, eps2))
#elif MISTAKE == 18
/* f32 mistake_near(f32, mistake_other, mistake_other, f32 eps2) */
WEFT_PAIRS(mistake_near, f32, 0, (in, mistake_other, p), (value, f32, eps2))
#elif MISTAKE == 19
/* f32 mistake_near(f32, mistake_body, mistake_body) */
WEFT_PAIRS(mistake_near, f32, 0, (in, mistake_body, p))
#elif MISTAKE == 20
/* f32 mistake_near(f32, mistake_body, mistake_body, f64 eps2) */
WEFT_PAIRS(mistake_near, f32, 0, (in, mistake_body, p), (value, f64, eps2))
#elif MISTAKE == 21
/* f32 mistake_weigh(f32, f32, f32, f32 weight) */
WEFT_PAIRS(mistake_weigh, f32, 0, (in, f32, p), (value, f32, weight))
#elif MISTAKE == 22
/* registered: GLOBAL const i32 *key */
WEFT_BUNDLE(mistake_view, (in, i32, key), (value, u32, limit), (inout, f32, sum))
#elif MISTAKE == 23
/* registered: GLOBAL const f32 *sum */
WEFT_BUNDLE(mistake_view, (in, u32, key), (value, u32, limit), (in, f32, sum))
#elif MISTAKE == 24
/* registered: it has other members */
WEFT_BUNDLE(mistake_view, (in, u32, key), (value, u32, limit))
#elif MISTAKE == 25
/* void mistake_look(index_t, mistake_view view, f32 extra) */
WEFT_BUNDLE(mistake_view, (in, u32, key), (value, u32, limit), (inout, f32, sum))
WEFT_KERNEL(mistake_look, (bundle, mistake_view, view), (value, f32, extra))
#elif MISTAKE == 26
/* (index_t, GLOBAL const f32 *from, mistake_view view) */
WEFT_BUNDLE(mistake_view, (in, u32, key), (value, u32, limit), (inout, f32, sum))
WEFT_KERNEL(mistake_copy, (in, f32, from), (bundle, mistake_view, view))
#elif MISTAKE == 27
/* mistake_copy: inn is no role of parameter from: write value, in, optional, out, */
WEFT_KERNEL(mistake_copy, (inn, f32, from), (out, f32, to))
#elif MISTAKE == 28
/* mistake_square: input is no role of parameter x: write value, in, optional, */
WEFT_GENERATOR(mistake_square, f64, (input, f64, x))
#elif MISTAKE == 29
/* mistake_near: array is no role of parameter p: write value, in, optional, out, */
WEFT_PAIRS(mistake_near, f32, 0, (array, mistake_body, p), (value, f32, eps2))
#elif MISTAKE == 30
/* mistake_view: output is no role of parameter sum: write value, in, optional, */
WEFT_BUNDLE(mistake_view, (in, u32, key), (value, u32, limit), (output, f32, sum))
#elif MISTAKE == 31
/* mistake_copy: parameter from is of type char, which devices know otherwise: */
WEFT_KERNEL(mistake_copy, (in, char, from), (out, f32, to))
#elif MISTAKE == 32
/* mistake_count: parameter limit is of type _Bool, which devices know otherwise: */
WEFT_KERNEL(mistake_count, (value, _Bool, limit), (in, u32, key), (shared, u32, count, 0))
#elif MISTAKE == 33
/* mistake_first: its result is of type long long, which devices know otherwise: */
WEFT_GENERATOR(mistake_first, long long, (value, u32, n))
#elif MISTAKE == 34
/* mistake_less: its result is of type char, which devices know otherwise: write */
WEFT_OPERATOR(mistake_less, char, 0)
#elif MISTAKE == 35
/* mistake_view: parameter limit is of type char, which devices know otherwise: */
WEFT_BUNDLE(mistake_view, (in, u32, key), (value, char, limit), (inout, f32, sum))
#elif MISTAKE == 36
/* mistake_fill: a generator, or pairs, write nothing: parameter x is value, in, */
WEFT_GENERATOR(mistake_fill, f32, (out, f32, x))
#endif
