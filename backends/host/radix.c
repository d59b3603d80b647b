/* Moving items: each loop is written once and compiled for each size of items. */
#include "radix.h"
#include "weft/register_macros.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline __attribute__((always_inline)) void digits_of(const char *restrict items,
                                                            i64 n, i32 size, i32 shift,
                                                            u32 mask,
                                                            u16 *restrict digits) {
    for (i64 i = 0; i < n; i++)
        digits[i] = (u16)(radix_word(items, i, size) >> shift & mask);
}

WEFT_CLONES void radix_digits(const void *items, i64 n, i32 size, i32 shift, u32 mask,
                              u16 *digits) {
    if (size == 4)
        digits_of(items, n, 4, shift, mask, digits);
    else if (size == 8)
        digits_of(items, n, 8, shift, mask, digits);
    else
        digits_of(items, n, 16, shift, mask, digits);
}

void radix_count(const u16 *digits, i64 n, u64 *counts) {
    for (i64 i = 0; i < n; i++)
        counts[digits[i]]++;
}

/* A whole line, around the cache or through it. */
static inline void write_line(char *to, const char *line, i32 bypass) {
#ifdef __SSE2__
    if (bypass) {
        for (int k = 0; k < RADIX_LINE; k += 16)
            _mm_stream_si128((__m128i *)(void *)(to + k),
                             _mm_load_si128((const __m128i *)(const void *)(line + k)));
        return;
    }
#endif
    (void)bypass;
    memcpy(to, line, RADIX_LINE);
}

/* The line that ends before `place`; the bucket may have begun within it. */
static inline __attribute__((always_inline)) void
write_out(const radix_stream *s, i64 bucket, u64 place, i32 size) {
    const u64 length = (u64)(RADIX_LINE / size), first = place - length;
    const char *line = s->lines + bucket * RADIX_LINE;
    if (place >= s->start[bucket] + length) {
        write_line(s->to + first * (u64)size, line, s->bypass);
        return;
    }
    const u64 skip = s->start[bucket] % length;
    memcpy(s->to + s->start[bucket] * (u64)size, line + skip * (u64)size,
           (length - skip) * (u64)size);
}

static inline __attribute__((always_inline)) void
scatter(const radix_stream *s, const char *items, const u16 *digits, i64 n, i32 size) {
    const u64 length = (u64)(RADIX_LINE / size);
    u64 *place = s->place;
    char *lines = s->lines;
    for (i64 i = 0; i < n; i++) {
        const i64 bucket = digits[i];
        const u64 p = place[bucket], slot = p % length;
        memcpy(lines + bucket * RADIX_LINE + slot * (u64)size, items + i * size,
               (size_t)size);
        place[bucket] = p + 1;
        if (slot == length - 1)
            write_out(s, bucket, p + 1, size);
    }
}

void radix_scatter(const radix_stream *stream, const void *items, const u16 *digits,
                   i64 n) {
    if (stream->size == 4)
        scatter(stream, items, digits, n, 4);
    else if (stream->size == 8)
        scatter(stream, items, digits, n, 8);
    else
        scatter(stream, items, digits, n, 16);
}

void radix_finish(const radix_stream *s) {
    const u64 size = (u64)s->size, length = RADIX_LINE / size;
    for (i64 b = 0; b < s->buckets; b++) {
        const u64 line = s->place[b] - s->place[b] % length;
        const u64 first = line > s->start[b] ? line : s->start[b];
        memcpy(s->to + first * size, s->lines + b * RADIX_LINE + first % length * size,
               (s->place[b] - first) * size);
    }
#ifdef __SSE2__
    _mm_sfence();
#endif
}

static inline __attribute__((always_inline)) u64 varying(const char *items, i64 n,
                                                         i32 size) {
    const u64 first = radix_word(items, 0, size);
    u64 bits = 0;
    for (i64 i = 0; i < n; i++)
        bits |= radix_word(items, i, size) ^ first;
    return bits;
}

WEFT_CLONES u64 radix_varying(const void *items, i64 n, i32 size) {
    return size == 4   ? varying(items, n, 4)
           : size == 8 ? varying(items, n, 8)
                       : varying(items, n, 16);
}
