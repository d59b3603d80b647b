/* The loops around a registered comparison, for elements of `size` bytes: as in
 * register_loops.h, what WEFT_COMPARISON calls them with is constant, and all is inlined.
 */
#ifndef WEFT_REGISTER_ORDER_H
#define WEFT_REGISTER_ORDER_H

#include "register_loops.h"

#include <string.h>

enum { WEFT_ORDER_FEW = 8, WEFT_ORDER_BYTES = 64 };

/* Whether *a comes before *b. */
typedef int weft_before(const void *a, const void *b);

/* Elements, and the numbers that move with them (NULL: none). */
typedef struct weft_order_side {
    char *x;
    uint32_t *id;
} weft_order_side;

/* to[k] = from[i]. */
WEFT_INLINE void weft_order_put(int64_t size, weft_order_side to, int64_t k,
                                weft_order_side from, int64_t i) {
    memcpy(to.x + k * size, from.x + i * size, (size_t)size);
    if (to.id)
        to.id[k] = from.id[i];
}

/* Up to WEFT_ORDER_FEW elements from `begin` on: each goes where as many are before it. */
WEFT_INLINE void weft_order_few(weft_before *before, int64_t size, weft_order_side from,
                                int64_t begin, int64_t count, weft_order_side to) {
    double room[WEFT_ORDER_FEW * WEFT_ORDER_BYTES / sizeof(double)];
    char *x = (char *)room;
    uint32_t id[WEFT_ORDER_FEW];
    int64_t rank[WEFT_ORDER_FEW];
    const weft_order_side held = {x, to.id ? id : NULL};
    memcpy(x, from.x + begin * size, (size_t)(count * size));
    if (to.id)
        memcpy(id, from.id + begin, (size_t)count * sizeof *id);
    for (int64_t i = 0; i < count; i++) {
        rank[i] = begin + i;
        for (int64_t j = 0; j < i; j++) {
            const int first = before(x + i * size, x + j * size);
            rank[j] += first;
            rank[i] -= first;
        }
    }
    for (int64_t i = 0; i < count; i++)
        weft_order_put(size, to, rank[i], held, i);
}

/* Merges from[i .. i_end) and from[j .. j_end) to to[k ...), equal ones of the first part
 * first: from both ends at once, while neither part can come to an end. */
WEFT_INLINE void weft_order_merge(weft_before *before, int64_t size, weft_order_side from,
                                  int64_t i, int64_t i_end, int64_t j, int64_t j_end,
                                  weft_order_side to, int64_t k) {
    int64_t last = k + (i_end - i) + (j_end - j) - 1;
    for (int64_t steps = 4; steps >= 4;) {
        steps = (i_end - i < j_end - j ? i_end - i : j_end - j) / 2;
        for (int64_t s = 0; s < steps; s++) {
            const int64_t second = before(from.x + j * size, from.x + i * size);
            weft_order_put(size, to, k++, from, i + ((j - i) & -second));
            j += second;
            i += 1 - second;
            const int64_t other =
                before(from.x + (j_end - 1) * size, from.x + (i_end - 1) * size);
            weft_order_put(size, to, last--, from, j_end - 1 + ((i_end - j_end) & -other));
            i_end -= other;
            j_end -= 1 - other;
        }
    }
    while (i < i_end && j < j_end) {
        const int64_t second = before(from.x + j * size, from.x + i * size);
        weft_order_put(size, to, k++, from, i + ((j - i) & -second));
        j += second;
        i += 1 - second;
    }
    for (; i < i_end; i++)
        weft_order_put(size, to, k++, from, i);
    for (; j < j_end; j++)
        weft_order_put(size, to, k++, from, j);
}

/* Sorts blocks of `length` elements, a power of two of WEFT_ORDER_FEW or more, of x; the
 * results are in y where `over` is not 0, and the rest of the two is used. */
WEFT_INLINE void weft_order_block(weft_before *before, int64_t size, int64_t block,
                                  int64_t n, int64_t length, uint32_t over,
                                  weft_order_side x, weft_order_side y) {
    const int64_t begin = block * length, end = n - begin < length ? n : begin + length;
    int turns = 0;
    for (int64_t run = WEFT_ORDER_FEW; run < length; run *= 2)
        turns++;
    weft_order_side from = (turns & 1) == (over != 0) ? x : y,
                    to = (turns & 1) == (over != 0) ? y : x;
    int64_t k = begin;
    for (; k + WEFT_ORDER_FEW <= end; k += WEFT_ORDER_FEW)
        weft_order_few(before, size, x, k, WEFT_ORDER_FEW, from);
    weft_order_few(before, size, x, k, end - k, from);
    for (int64_t run = WEFT_ORDER_FEW; run < length; run *= 2) {
        for (int64_t low = begin; low < end; low += 2 * run) {
            const int64_t middle = end - low < run ? end : low + run;
            const int64_t high = end - low < 2 * run ? end : low + 2 * run;
            weft_order_merge(before, size, from, low, middle, middle, high, to, low);
        }
        const weft_order_side swap = from;
        from = to;
        to = swap;
    }
}

/* How many of the first `done` merged elements are of [low, middle). */
WEFT_INLINE int64_t weft_order_split(weft_before *before, int64_t size, const char *x,
                                     int64_t low, int64_t middle, int64_t high,
                                     int64_t done) {
    int64_t least = done > high - middle ? done - (high - middle) : 0;
    int64_t most = done < middle - low ? done : middle - low;
    while (least < most) {
        const int64_t half = least + (most - least) / 2;
        if (before(x + (middle + done - 1 - half) * size, x + (low + half) * size))
            most = half;
        else
            least = half + 1;
    }
    return least;
}

/* Elements [part * length, ...) of what pairs of runs of x merge to; with `whole` one run
 * of `run` elements and one of all others. */
WEFT_INLINE void weft_order_part(weft_before *before, int64_t size, int64_t part, int64_t n,
                                 int64_t length, int64_t run, uint32_t whole,
                                 weft_order_side x, weft_order_side y) {
    const int64_t begin = part * length, end = n - begin < length ? n : begin + length;
    const int64_t low = whole ? 0 : begin / run / 2 * run * 2;
    const int64_t middle = n - low < run ? n : low + run;
    const int64_t high = whole || n - low < 2 * run ? n : low + 2 * run;
    const int64_t i = weft_order_split(before, size, x.x, low, middle, high, begin - low),
                  i_end = weft_order_split(before, size, x.x, low, middle, high, end - low);
    weft_order_merge(before, size, x, low + i, low + i_end, middle + begin - low - i,
                     middle + end - low - i_end, y, begin);
}

/* How many sorted elements come before the query, or with `upper` do not come after it. */
WEFT_INLINE int64_t weft_order_rank(weft_before *before, int64_t size, const char *sorted,
                                    int64_t length, const char *query, uint32_t upper) {
    int64_t low = 0, high = length;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const char *probe = sorted + middle * size;
        if (upper ? !before(query, probe) : before(probe, query))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Host loops over what a launch is given. */
WEFT_INLINE void weft_order_sort_loop(weft_before *before, int64_t size, int numbered,
                                      void *const *given, int64_t begin, int64_t end) {
    const int64_t n = *(const int64_t *)given[0], run = *(const int64_t *)given[1];
    const int64_t length = *(const uint32_t *)given[2];
    const uint32_t how = *(const uint32_t *)given[3];
    const weft_order_side x = {(char *)given[4], numbered ? (uint32_t *)given[6] : NULL},
                          y = {(char *)given[5], numbered ? (uint32_t *)given[7] : NULL};
    for (int64_t i = begin; i < end; i++) {
        if (run == 0)
            weft_order_block(before, size, i, n, length, how, x, y);
        else
            weft_order_part(before, size, i, n, length, run, how, x, y);
    }
}
WEFT_INLINE void weft_order_rank_loop(weft_before *before, int64_t size, void *const *given,
                                      int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
        ((int64_t *)given[4])[i] = weft_order_rank(
            before, size, (const char *)given[2], *(const int64_t *)given[0],
            (const char *)given[3] + i * size, *(const uint32_t *)given[1]);
}
WEFT_INLINE void weft_order_heads_loop(weft_before *before, int64_t size,
                                       void *const *given, int64_t begin, int64_t end,
                                       uint32_t *out) {
    const char *x = (const char *)given[0];
    for (int64_t i = begin; i < end; i++)
        out[i - begin] = i == 0 || before(x + (i - 1) * size, x + i * size) ||
                         before(x + i * size, x + (i - 1) * size);
}

#endif
