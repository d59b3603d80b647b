/* Coordinates as they were read, and the exact test for friends. */
#ifndef WEFT_POINTS_KERNEL_H
#define WEFT_POINTS_KERNEL_H

#include <weft/kernel.h>

/* Coordinates as 32-bit words, so that one kernel serves f32 (wide = 0) and f64 (wide = 1);
 * those of particle i are elements i * stride. */
typedef struct points_coordinates {
    GLOBAL const u32 *x, *y, *z;
    i64 stride;
    i32 wide;
} points_coordinates;

static inline f64 points_coordinate(GLOBAL const u32 *words, index_t k, i32 wide) {
    return wide ? bits_f64((u64)words[2 * k] | (u64)words[2 * k + 1] << 32)
                : (f64)bits_f32(words[k]);
}

/* Those of one particle. */
static inline void points_read(const points_coordinates *at, u32 who, f64 *to) {
    const index_t k = (index_t)who * (index_t)at->stride;
    to[0] = points_coordinate(at->x, k, at->wide);
    to[1] = points_coordinate(at->y, k, at->wide);
    to[2] = points_coordinate(at->z, k, at->wide);
}

/* Masses, as words as well; where there are none, all are `each`. */
typedef struct points_masses {
    GLOBAL const u32 *words;
    f64 each;
    i32 wide;
} points_masses;

static inline f64 points_mass(const points_masses *masses, u32 who) {
    return masses->words ? points_coordinate(masses->words, (index_t)who, masses->wide)
                         : masses->each;
}

/* The period of each axis, or 0. */
typedef struct points_period {
    f64 axis[3];
} points_period;

static inline void points_prefetch(GLOBAL const u32 *words, index_t k, i32 wide) {
    prefetch(words + (k << wide), 1);
}

/* Asks for those of one particle. (Of a function that does no more gcc leaves out calls
 * that it does not inline.) */
static inline void points_ask(const points_coordinates *at, u32 who) {
    const index_t k = (index_t)who * (index_t)at->stride;
    points_prefetch(at->x, k, at->wide);
    points_prefetch(at->z, k, at->wide);
}

/* remainder(x, box), exactly: every subtraction here is of numbers within a factor of two
 * of each other, which is exact (Sterbenz); and of halfway cases to the even multiple,
 * since all steps but the last two are even ones. box > 0. */
static inline f64 points_remainder(f64 x, f64 box) {
    f64 d = fabs(x);
    if (d >= 2 * box && d - d == 0) {
        f64 step = box;
        while (step <= d / 2)
            step *= 2;
        for (; step >= 2 * box; step /= 2)
            d = d >= step ? d - step : d;
    }
    const f64 e = d - box;
    d = d <= box / 2 ? d : e < box / 2 ? e : e - box;
    return x < 0 ? -d : d;
}

/* The same where |x| is below 2 box: of bits, since compilers make branches of what is
 * chosen, and no vectors. */
static inline f64 points_remainder_near(f64 x, f64 box) {
    const f64 d = fabs(x), middle = box / 2;
    const u64 once = 0 - (u64)(d > middle), twice = 0 - (u64)(d - box >= middle);
    const f64 e = d - bits_f64(f64_bits(box) & once);
    const f64 r = e - bits_f64(f64_bits(box) & once & twice);
    return bits_f64(f64_bits(r) ^ (f64_bits(x) & (u64)1 << 63));
}

/* Whether it is not; 0 or 1. */
static inline u64 points_is_far(f64 x, f64 box) {
    return (u64) !(fabs(x) < 2 * box);
}

/* The position of d in its period, in [0, box], to one rounding. box > 0. */
static inline f64 points_wrap(f64 d, f64 box) {
    if (d >= 0 && d < box)
        return d;
    f64 r = fabs(d);
    f64 step = box;
    while (step <= r / 2)
        step *= 2;
    for (; step >= box; step /= 2)
        r = r >= step ? r - step : r;
    return d < 0 && r > 0 ? box - r : r;
}

static inline u32 points_index(index_t i, u32 first) {
    return first + (u32)i;
}

static inline i64 points_number(index_t i, i64 first) {
    return first + (i64)i;
}

/* Whether element i is the first of a run of equal keys. */
static inline u32 points_begins(index_t i, GLOBAL const u32 *key) {
    return i == 0 || key[i] != key[i - 1];
}

static inline f64 points_separation(GLOBAL const u32 *words, index_t i, index_t j, i32 wide,
                                    f64 box) {
    const f64 d = points_coordinate(words, i, wide) - points_coordinate(words, j, wide);
    return box > 0 ? points_remainder(d, box) : d;
}

typedef struct points_box {
    f64 low[3], high[3];
    i64 bad; /* the first particle with a coordinate that is not finite; 2^62: none */
} points_box;

static inline points_box points_enclose(points_box a, points_box b) {
    for (i32 k = 0; k < 3; k++) {
        a.low[k] = b.low[k] < a.low[k] ? b.low[k] : a.low[k];
        a.high[k] = b.high[k] > a.high[k] ? b.high[k] : a.high[k];
    }
    a.bad = b.bad < a.bad ? b.bad : a.bad;
    return a;
}

static inline f64 points_less(f64 a, f64 b) {
    return a < b ? a : b;
}
static inline f64 points_more(f64 a, f64 b) {
    return a > b ? a : b;
}

/* The bits of an f32 as an integer in the same order, of which compilers make vectors; and
 * back. */
static inline i32 points_ordered(u32 bits) {
    return (i32)(bits ^ (0 - (bits >> 31)) >> 1);
}

static inline f64 points_of_ordered(i32 x) {
    return (f64)bits_f32((u32)points_ordered((u32)x));
}

/* One axis of a box around particles [begin, end), at least one, and in `odd` 0 where all
 * are finite. */
static inline void points_bound_f32(index_t begin, index_t end, index_t stride,
                                    GLOBAL const u32 *words, f64 *low, f64 *high,
                                    f64 *odd) {
    i32 less = points_ordered(words[begin * stride]), more = less;
    u32 largest = 0;
    for (index_t p = begin; p < end; p++) {
        const u32 bits = words[p * stride];
        less = min(less, points_ordered(bits));
        more = max(more, points_ordered(bits));
        largest = max(largest, bits & 0x7fffffffu);
    }
    *low = points_less(points_of_ordered(less), *low);
    *high = points_more(points_of_ordered(more), *high);
    *odd += largest >= 0x7f800000u;
}

/* The same of f64, as lanes side by side. */
enum { POINTS_LANES = 16 };
static inline void points_bound_f64(index_t begin, index_t end, index_t stride,
                                    GLOBAL const u32 *words, f64 *low, f64 *high,
                                    f64 *odd) {
    f64 less[POINTS_LANES], more[POINTS_LANES], rest[POINTS_LANES];
    for (i32 l = 0; l < POINTS_LANES; l++) {
        less[l] = *low;
        more[l] = *high;
        rest[l] = 0;
    }
    index_t p = begin;
    for (; end - p >= POINTS_LANES; p += POINTS_LANES)
        for (i32 l = 0; l < POINTS_LANES; l++) {
            const f64 x = points_coordinate(words, (p + l) * stride, 1);
            less[l] = points_less(x, less[l]);
            more[l] = points_more(x, more[l]);
            rest[l] += x - x;
        }
    for (; p < end; p++) {
        const f64 x = points_coordinate(words, p * stride, 1);
        less[0] = points_less(x, less[0]);
        more[0] = points_more(x, more[0]);
        rest[0] += x - x;
    }
    for (i32 l = 0; l < POINTS_LANES; l++) {
        *low = points_less(less[l], *low);
        *high = points_more(more[l], *high);
        *odd += rest[l];
    }
}

/* The first of particles [begin, end) with a coordinate that is not finite, if `odd` is not
 * 0, else `none`. */
static inline i64 points_bad(const points_coordinates *at, index_t begin, index_t end,
                             f64 odd, i64 none) {
    const index_t each = (index_t)at->stride;
    i64 bad = none;
    for (index_t p = end; odd != 0 && p-- > begin;) {
        const f64 rest = points_coordinate(at->x, p * each, at->wide) * 0 +
                         points_coordinate(at->y, p * each, at->wide) * 0 +
                         points_coordinate(at->z, p * each, at->wide) * 0;
        bad = rest != 0 ? p : bad;
    }
    return bad;
}

/* The box around the particles of block i; `empty` encloses nothing. */
static inline void points_bound(index_t i, i64 n, i64 block, points_box empty,
                                points_coordinates at, GLOBAL points_box *out) {
    const index_t begin = i * (index_t)block, each = (index_t)at.stride;
    const index_t end = n - begin < block ? (index_t)n : begin + (index_t)block;
    points_box b = empty;
    f64 odd = 0;
    if (at.wide) {
        points_bound_f64(begin, end, each, at.x, &b.low[0], &b.high[0], &odd);
        points_bound_f64(begin, end, each, at.y, &b.low[1], &b.high[1], &odd);
        points_bound_f64(begin, end, each, at.z, &b.low[2], &b.high[2], &odd);
    } else if (each == 3) {
        points_bound_f32(begin, end, 3, at.x, &b.low[0], &b.high[0], &odd);
        points_bound_f32(begin, end, 3, at.y, &b.low[1], &b.high[1], &odd);
        points_bound_f32(begin, end, 3, at.z, &b.low[2], &b.high[2], &odd);
    } else {
        points_bound_f32(begin, end, each, at.x, &b.low[0], &b.high[0], &odd);
        points_bound_f32(begin, end, each, at.y, &b.low[1], &b.high[1], &odd);
        points_bound_f32(begin, end, each, at.z, &b.low[2], &b.high[2], &odd);
    }
    b.bad = points_bad(&at, begin, end, odd, b.bad);
    out[i] = b;
}

#endif
