/* Coordinates as they were read, and the exact test for friends. */
#ifndef WEFT_POINTS_KERNEL_H
#define WEFT_POINTS_KERNEL_H

#include <weft/kernel.h>

/* Coordinate arrays are passed as 32-bit words, so that one kernel serves f32 (wide = 0)
 * and f64 (wide = 1); element k is particle k / stride. */
static inline f64 points_coordinate(GLOBAL const u32 *words, index_t k, i32 wide) {
    return wide ? bits_f64((u64)words[2 * k] | (u64)words[2 * k + 1] << 32)
                : (f64)bits_f32(words[k]);
}

/* remainder(x, box), exactly: every subtraction here is of numbers within a factor of two
 * of each other, which is exact (Sterbenz). box > 0. */
static inline f64 points_remainder(f64 x, f64 box) {
    f64 d = fabs(x);
    if (d >= 2 * box && d - d == 0) {
        f64 step = box;
        while (step <= d / 2)
            step *= 2;
        for (; step >= box; step /= 2)
            d = d >= step ? d - step : d;
    }
    if (d >= box)
        d -= box;
    d = d > box / 2 ? d - box : d;
    return x < 0 ? -d : d;
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

/* The box around particles [i * first, ...) that lie `apart`, at most `most` of them;
 * `empty` encloses nothing. */
static inline void points_bound(index_t i, i64 n, i64 first, i64 apart, i64 most,
                                i64 stride, i32 wide, points_box empty, GLOBAL const u32 *x,
                                GLOBAL const u32 *y, GLOBAL const u32 *z,
                                GLOBAL points_box *out) {
    points_box b = empty;
    index_t p = i * (index_t)first;
    for (i64 left = most; left > 0 && p < n; left--, p += (index_t)apart) {
        const index_t k = p * (index_t)stride;
        const f64 px = points_coordinate(x, k, wide), py = points_coordinate(y, k, wide),
                  pz = points_coordinate(z, k, wide);
        b.low[0] = px < b.low[0] ? px : b.low[0];
        b.low[1] = py < b.low[1] ? py : b.low[1];
        b.low[2] = pz < b.low[2] ? pz : b.low[2];
        b.high[0] = px > b.high[0] ? px : b.high[0];
        b.high[1] = py > b.high[1] ? py : b.high[1];
        b.high[2] = pz > b.high[2] ? pz : b.high[2];
        if (px - px != 0 || py - py != 0 || pz - pz != 0)
            b.bad = p < b.bad ? p : b.bad;
    }
    out[i] = b;
}

/* The box around the boxes of block i. */
static inline void points_merge(index_t i, i64 n, i64 block, GLOBAL const points_box *part,
                                GLOBAL points_box *out) {
    const index_t first = i * (index_t)block;
    const index_t last = n - first < block ? (index_t)n : first + (index_t)block;
    points_box b = part[first];
    for (index_t p = first + 1; p < last; p++)
        b = points_enclose(b, part[p]);
    out[i] = b;
}

#endif
