/* The loops around a registered operator, for a type of `size` bytes. What
 * register_macros.h calls them with is constant, and all is inlined, so each operator has
 * loops of its own. */
#ifndef WEFT_REGISTER_LOOPS_H
#define WEFT_REGISTER_LOOPS_H

#include "descriptor.h"

#if defined(__GNUC__)
#define WEFT_INLINE static inline __attribute__((always_inline))
#else
#define WEFT_INLINE static inline
#endif

/* for_each promises no order, so no iteration waits for another. (clang's pragma of the
 * same meaning warns wherever it does not vectorise.) */
#if defined(__GNUC__) && !defined(__clang__)
#define WEFT_INDEPENDENT _Pragma("GCC ivdep")
#else
#define WEFT_INDEPENDENT
#endif

/* A short loop of constant length, whose variables are to stay in registers. */
#if defined(__clang__)
#define WEFT_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define WEFT_UNROLL _Pragma("GCC unroll 8")
#else
#define WEFT_UNROLL
#endif

/* *out = *a op *b. */
typedef void weft_combine_step(const void *a, const void *b, void *out);
/* One element of a scan: *sum is what comes before it, and becomes what comes after; it
 * begins anew where there is a head, which may be NULL. */
typedef void weft_scan_step(const void *in, const uint32_t *head, int exclusive, void *out,
                            void *sum);

/* out[i] = a[i] op b[i], or a[0] op b[i] where a_size is 0. */
WEFT_INLINE void weft_combine_loop(weft_combine_step *step, int64_t size, const void *a,
                                   int64_t a_size, const void *b, void *out, int64_t n) {
    WEFT_INDEPENDENT
    for (int64_t i = 0; i < n; i++)
        step((const char *)a + i * a_size, (const char *)b + i * size,
             (char *)out + i * size);
}

/* As weft_operator.scan; sums hold the identity before, and the last row's is there too. */
WEFT_INLINE void weft_scan_rows(weft_scan_step *step, int64_t size, const void *in,
                                const uint32_t *heads, int exclusive, void *out, int64_t n,
                                void *sums) {
    const int64_t length = n / (WEFT_ROWS * WEFT_STEP) * WEFT_STEP;
    const char *from = (const char *)in;
    char *to = (char *)out, *sum = (char *)sums;
    for (int64_t k = 0; k < length; k += WEFT_STEP) {
        WEFT_UNROLL
        for (int64_t r = 0; r < WEFT_ROWS; r++) {
            const int64_t i = r * length + k;
            WEFT_UNROLL
            for (int64_t j = i; j < i + WEFT_STEP; j++)
                step(from + j * size, heads ? heads + j : heads, exclusive, to + j * size,
                     sum + r * size);
        }
    }
    for (int64_t i = WEFT_ROWS * length; i < n; i++)
        step(from + i * size, heads ? heads + i : heads, exclusive, to + i * size,
             sum + WEFT_ROWS * size);
}

/* The same, with loops of their own for each kind of scan. */
WEFT_INLINE void weft_scan_loop(weft_scan_step *step, int64_t size, const void *in,
                                const uint32_t *heads, int exclusive, void *out, int64_t n,
                                void *sums) {
    if (heads && exclusive)
        weft_scan_rows(step, size, in, heads, 1, out, n, sums);
    else if (heads)
        weft_scan_rows(step, size, in, heads, 0, out, n, sums);
    else if (exclusive)
        weft_scan_rows(step, size, in, NULL, 1, out, n, sums);
    else
        weft_scan_rows(step, size, in, NULL, 0, out, n, sums);
}

#endif
