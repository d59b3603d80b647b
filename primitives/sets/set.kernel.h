/* Set operations along a balanced path: one that takes equal keys of a and b in pairs as
 * long as there are both, so that whether a key has a partner is known where it is taken.
 * It is cut into parts of `size` elements, or one more where a cut would part a pair. */
#ifndef WEFT_SET_KERNEL_H
#define WEFT_SET_KERNEL_H

#include "primitives/order.kernel.h"

/* Parts that a work-item takes side by side where few run, so that one need not wait for
 * another; how many steps at once are worth it; and by how many elements a part's slot is
 * longer than most parts: one may be longer, and one is written that is not kept. */
enum { SET_STREAMS = 4, SET_STEPS = 8, SET_SPARE = 2 };

/* A part: elements [i, i_end) of a and [j, j_end) of b. */
typedef struct set_part {
    index_t i, j, i_end, j_end;
} set_part;

/* Where the path is at a cut is kept as i, and whether it took one more than is said. */
static inline set_part set_part_of(GLOBAL const i64 *cuts, index_t number, index_t size,
                                   index_t all) {
    const index_t first = number * size, last = all - first < size ? all : first + size;
    const i64 from = cuts[number], to = cuts[number + 1];
    set_part part;
    part.i = (index_t)(from >> 1);
    part.i_end = (index_t)(to >> 1);
    part.j = first + (index_t)(from & 1) - part.i;
    part.j_end = last + (index_t)(to & 1) - part.i_end;
    /* Where keys are not in order cuts are not, either: such a part is left out, and no
     * other is longer than its slot. */
    if (part.i_end < part.i || part.j_end < part.j) {
        part.i_end = part.i;
        part.j_end = part.j;
    }
    return part;
}

/* Steps, at most so many, that a part can go from (i, j) on without coming to the end of
 * either side. */
static inline index_t set_steps(set_part part, index_t i, index_t j, index_t most) {
    most = part.i_end - i < most ? part.i_end - i : most;
    return part.j_end - j < most ? part.j_end - j : most;
}

/* Where the next element goes after t steps from (i0, j0) to (i, j), before which it was
 * k. (i - i0) + (j - j0) - t of the steps took a pair. */
static inline index_t set_place_from(u32 kept, index_t k, index_t i0, index_t j0) {
    return kept == 7 ? k : kept == 1 ? k - i0 - j0 : kept == 2 ? k + j0 : k + i0 + j0;
}
static inline index_t set_place(u32 kept, index_t from, index_t t, index_t i, index_t j) {
    return kept == 7   ? from + t
           : kept == 1 ? from + i + j - t
           : kept == 2 ? from + t - j
                       : from + 2 * t - i - j;
}

/* The order of numbers as one of unsigned ones; flip is the sign of signed integers. */
#pragma weft for T in u8 u16 u32 u64
static inline T set_image_T(T key, T flip) {
    return (T)(key ^ flip);
}
#pragma weft end
#pragma weft for T : U in bits32 : u32 bits64 : u64
static inline T set_image_T(T key, T flip) {
    (void)flip;
    return order_U(key, ORDER_FLOAT);
}
#pragma weft end

#pragma weft for T in u8 u16 u32 u64 bits32 bits64
/* Where the run of keys of an image begins that ends at `end`, and where the one that
 * begins at `begin` ends: in strides that double, since runs are mostly short. */
static inline index_t set_run_begin_T(GLOBAL const T *sorted, index_t end, T image,
                                      T flip) {
    index_t high = end, stride = 1;
    for (; stride <= end && set_image_T(sorted[end - stride], flip) == image; stride *= 2)
        high = end - stride;
    index_t low = stride <= end ? end - stride + 1 : 0;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int inside = set_image_T(sorted[middle], flip) == image;
        low = inside ? low : middle + 1;
        high = inside ? middle : high;
    }
    return low;
}
static inline index_t set_run_end_T(GLOBAL const T *sorted, index_t begin, index_t length,
                                    T image, T flip) {
    const index_t left = length - begin;
    index_t low = begin, stride = 1;
    for (; stride <= left && set_image_T(sorted[begin + stride - 1], flip) == image;
         stride *= 2)
        low = begin + stride;
    index_t high = stride <= left ? begin + stride - 1 : length;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int inside = set_image_T(sorted[middle], flip) == image;
        low = inside ? middle + 1 : low;
        high = inside ? high : middle;
    }
    return low;
}
/* Finds the cut before element number * size: first on the merge path, then along the run
 * of the last key that it took. */
static inline void set_cut_T(index_t number, i64 a_length, i64 b_length, u32 size,
                             GLOBAL const T *a, GLOBAL const T *b, GLOBAL i64 *cuts,
                             u64 sign) {
    const index_t all = (index_t)(a_length + b_length), most = number * (index_t)size;
    const index_t done = most < all ? most : all;
    const T flip = (T)sign;
    index_t low = done > (index_t)b_length ? done - (index_t)b_length : 0;
    index_t high = done < (index_t)a_length ? done : (index_t)a_length;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int a_first =
            set_image_T(a[middle], flip) <= set_image_T(b[done - 1 - middle], flip);
        low = a_first ? middle + 1 : low;
        high = a_first ? high : middle;
    }
    const index_t i = low, j = done - low;
    if (done == 0) {
        cuts[number] = 0;
        return;
    }
    const T last_a = i > 0 ? set_image_T(a[i - 1], flip) : 0,
            last_b = j > 0 ? set_image_T(b[j - 1], flip) : 0;
    const T last = last_a > last_b ? last_a : last_b;
    const index_t a_begin = set_run_begin_T(a, i, last, flip),
                  b_begin = set_run_begin_T(b, j, last, flip);
    const index_t a_end = set_run_end_T(a, i, (index_t)a_length, last, flip),
                  b_end = set_run_end_T(b, j, (index_t)b_length, last, flip);
    const index_t in_a = a_end - a_begin, in_b = b_end - b_begin;
    const index_t pairs = in_a < in_b ? in_a : in_b, taken = done - a_begin - b_begin;
    const index_t each = (taken + 1) / 2;
    const index_t of_a = each <= pairs ? each : in_a > in_b ? taken - pairs : pairs;
    const i64 more = each <= pairs ? (i64)(taken & 1) : 0;
    cuts[number] = (i64)(a_begin + of_a) * 2 + more;
}

/* One step of a part; what it met: 0 a pair, 1 an element of a, 2 one of b. */
static inline u32 set_step_T(set_part *part, GLOBAL const T *a, GLOBAL const T *b, T flip) {
    const T x = set_image_T(a[part->i], flip), y = set_image_T(b[part->j], flip);
    const u32 from_a = x < y, from_b = y < x;
    part->i += 1 - from_b;
    part->j += 1 - from_a;
    return from_a + 2 * from_b;
}
#pragma weft end

/* What is written for an element of a or of b: itself, or its number. */
#pragma weft for T in u8 u16 u32 u64 bits32 bits64
typedef T set_of_key_T;
typedef i64 set_of_source_T;
static inline T set_key_T(GLOBAL const T *from, index_t at, i64 before) {
    (void)before;
    return from[at];
}
static inline i64 set_source_T(GLOBAL const T *from, index_t at, i64 before) {
    (void)from;
    return (i64)at + before;
}
#pragma weft end

#pragma weft for T in u8 u16 u32 u64 bits32 bits64
#pragma weft for W in key source
/* Writes what is left of a part from out[k] on; returns where it ends. `kept` has bit 0
 * where pairs are kept (once), bit 1 and bit 2 where elements of a and of b without partner
 * are. */
static inline index_t set_rest_W_T(set_part part, u32 kept, i64 a_length, GLOBAL const T *a,
                                   GLOBAL const T *b, T flip, index_t k,
                                   GLOBAL set_of_W_T *out) {
    while (part.i < part.i_end && part.j < part.j_end) {
        const set_part at = part;
        const u32 met = set_step_T(&part, a, b, flip);
        if (kept >> met & 1)
            out[k++] = met == 2 ? set_W_T(b, at.j, a_length) : set_W_T(a, at.i, 0);
    }
    for (; kept & 2 && part.i < part.i_end; part.i++)
        out[k++] = set_W_T(a, part.i, 0);
    for (; kept & 4 && part.j < part.j_end; part.j++)
        out[k++] = set_W_T(b, part.j, a_length);
    return k;
}
/* Writes so many steps of parts side by side: an element is written whether it is kept or
 * not, where the next that is kept will be. */
static inline void set_steps_W_T(u32 kept, index_t steps, i64 a_length, GLOBAL const T *a,
                                 GLOBAL const T *b, T flip, index_t *i, index_t *j,
                                 index_t *k, GLOBAL set_of_W_T *out) {
    index_t from[SET_STREAMS];
    for (int s = 0; s < SET_STREAMS; s++)
        from[s] = set_place_from(kept, k[s], i[s], j[s]);
    for (index_t t = 0; t < steps; t++)
        for (int s = 0; s < SET_STREAMS; s++) {
            const T x = set_image_T(a[i[s]], flip), y = set_image_T(b[j[s]], flip);
            const set_of_W_T of_a = set_W_T(a, i[s], 0), of_b = set_W_T(b, j[s], a_length);
            /* (The compiler would make a branch of the union's choice.) */
            const set_of_W_T mask = (set_of_W_T)(0 - (set_of_W_T)(y < x));
            out[set_place(kept, from[s], t, i[s], j[s])] =
                kept == 7 ? (set_of_W_T)(of_a ^ ((of_a ^ of_b) & mask))
                : y < x   ? of_b
                          : of_a;
            i[s] = i[s] + 1 - (index_t)(y < x);
            j[s] = j[s] + 1 - (index_t)(x < y);
        }
    for (int s = 0; s < SET_STREAMS; s++)
        k[s] = set_place(kept, from[s], steps, i[s], j[s]);
}
/* The same, with loops of their own for each operation. */
static inline void set_go_W_T(u32 kept, index_t steps, i64 a_length, GLOBAL const T *a,
                              GLOBAL const T *b, T flip, index_t *i, index_t *j, index_t *k,
                              GLOBAL set_of_W_T *out) {
    if (kept == 7)
        set_steps_W_T(7, steps, a_length, a, b, flip, i, j, k, out);
    else if (kept == 1)
        set_steps_W_T(1, steps, a_length, a, b, flip, i, j, k, out);
    else if (kept == 2)
        set_steps_W_T(2, steps, a_length, a, b, flip, i, j, k, out);
    else
        set_steps_W_T(6, steps, a_length, a, b, flip, i, j, k, out);
}
/* Fills a work-item's slots, one a part, each behind that before; the array begins with
 * those of work-item `first`. counts[part] = what is kept of it. */
static inline void set_fill_W_T(index_t item, i64 a_length, i64 b_length, u32 size,
                                i64 parts, u32 streams, u32 kept, GLOBAL const T *a,
                                GLOBAL const T *b, GLOBAL const i64 *cuts, u64 sign,
                                i64 first, GLOBAL set_of_W_T *slots, GLOBAL i64 *counts) {
    const index_t all = (index_t)(a_length + b_length), begin = item * (index_t)streams,
                  before = (index_t)first * (index_t)streams,
                  slot = (index_t)size + SET_SPARE;
    const index_t end = (index_t)parts - begin < (index_t)streams
                            ? (index_t)parts
                            : begin + (index_t)streams;
    const T flip = (T)sign;
    if (streams != SET_STREAMS || end - begin < SET_STREAMS) {
        for (index_t p = begin; p < end; p++) {
            const index_t k = (p - before) * slot;
            counts[p - before] =
                (i64)(set_rest_W_T(set_part_of(cuts, p, (index_t)size, all), kept, a_length,
                                   a, b, flip, k, slots) -
                      k);
        }
        return;
    }
    set_part part[SET_STREAMS];
    index_t i[SET_STREAMS], j[SET_STREAMS], k[SET_STREAMS];
    for (int s = 0; s < SET_STREAMS; s++) {
        part[s] = set_part_of(cuts, begin + s, (index_t)size, all);
        i[s] = part[s].i;
        j[s] = part[s].j;
        k[s] = (begin + s - before) * slot;
    }
    for (index_t steps = SET_STEPS; steps >= SET_STEPS;) {
        steps = (index_t)size;
        for (int s = 0; s < SET_STREAMS; s++)
            steps = set_steps(part[s], i[s], j[s], steps);
        if (flip)
            set_go_W_T(kept, steps, a_length, a, b, flip, i, j, k, slots);
        else
            set_go_W_T(kept, steps, a_length, a, b, 0, i, j, k, slots);
    }
    for (int s = 0; s < SET_STREAMS; s++) {
        const set_part left = {i[s], j[s], part[s].i_end, part[s].j_end};
        counts[begin + s - before] =
            (i64)(set_rest_W_T(left, kept, a_length, a, b, flip, k[s], slots) -
                  (begin + s - before) * slot);
    }
}
#pragma weft end
#pragma weft end

/* Moves a part from its slot to its place, as far as there is room. */
#pragma weft for T in u8 u16 u32 u64
static inline void set_move_T(index_t p, u32 size, i64 room, GLOBAL const i64 *ends,
                              GLOBAL const T *slots, GLOBAL T *out) {
    const index_t place = p > 0 ? (index_t)ends[p - 1] : 0,
                  end = (index_t)(ends[p] < room ? ends[p] : room), count = end - place,
                  from = p * ((index_t)size + SET_SPARE);
    for (index_t k = 0; k < count; k++)
        out[place + k] = slots[from + k];
}
#pragma weft end

#endif
