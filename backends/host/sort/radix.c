/* Moving items: each loop is written once and compiled for each size of items. */
#include "radix.h"
#include "weft/register_macros.h"

#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

void radix_count(const u16 *digits, i64 n, u64 *counts) {
    for (i64 i = 0; i < n; i++)
        counts[digits[i]]++;
}

static inline __attribute__((always_inline)) void
count_items(const char *items, i64 n, i32 size, i32 shift, u32 mask, u64 *counts) {
#pragma GCC unroll 4
    for (i64 i = 0; i < n; i++)
        counts[(u32)(radix_word(items, i, size) >> shift) & mask]++;
}

void radix_count_items(const void *items, i64 n, i32 size, i32 shift, u32 mask,
                       u64 *counts) {
    if (size == 4)
        count_items(items, n, 4, shift, mask, counts);
    else if (size == 8)
        count_items(items, n, 8, shift, mask, counts);
    else
        count_items(items, n, 16, shift, mask, counts);
}

/* Through the cache, or around it. */
typedef enum route { THROUGH, AROUND, AROUND_BY_512 } route;

#ifdef __x86_64__
__attribute__((target("avx512f"))) static inline void stream_512(char *to,
                                                                 const char *line) {
    for (int k = 0; k < RADIX_LINE; k += 64)
        _mm512_stream_si512((__m512i *)(void *)(to + k), _mm512_load_si512(line + k));
}
#endif

static inline __attribute__((always_inline)) void write_line(char *to, const char *line,
                                                             route by) {
#ifdef __SSE2__
    if (by == AROUND) {
        for (int k = 0; k < RADIX_LINE; k += 16)
            _mm_stream_si128((__m128i *)(void *)(to + k),
                             _mm_load_si128((const __m128i *)(const void *)(line + k)));
        return;
    }
#endif
#ifdef __x86_64__
    if (by == AROUND_BY_512) {
        stream_512(to, line);
        return;
    }
#endif
    (void)by;
    memcpy(to, line, RADIX_LINE);
}

/* The place of a chunk's first item; the chunk counts as full. */
static __attribute__((noinline)) u64 take_chunk(radix_supply *supply, u64 bucket,
                                                i32 size) {
    radix_chunks *chunks = supply->chunks;
    const u64 length = RADIX_CHUNK / (u64)size;
    if (supply->next == supply->end) {
        supply->next = atomic_fetch_add(&chunks->taken, RADIX_CHUNKS);
        supply->end = supply->next + RADIX_CHUNKS;
    }
    chunks->bucket[supply->next] = (u16)bucket;
    chunks->items[supply->next] = (u16)length;
    return (u64)supply->next++ * length;
}

void radix_begin(const radix_stream *s) {
    const u64 size = (u64)s->size, length = RADIX_LINE / size;
    for (i64 b = 0; s->supply && b < s->buckets; b++) {
        s->place[b] = take_chunk(s->supply, (u64)b, s->size);
        s->next[b] = (u32)(b * RADIX_LINE);
    }
    for (i64 b = 0; !s->supply && b < s->buckets; b++) {
        const u64 skip = s->start[b] % length;
        s->place[b] = s->start[b] - skip;
        s->next[b] = (u32)((u64)b * RADIX_LINE + skip * size);
    }
}

/* A bucket's line that is full; the bucket may have begun within it. */
static inline __attribute__((always_inline)) void
write_out(const radix_stream *s, u64 bucket, i32 size, route by) {
    const u64 first = s->place[bucket], end = first + (u64)(RADIX_LINE / size);
    const u64 start = s->supply ? 0 : s->start[bucket];
    const char *line = s->lines + bucket * RADIX_LINE;
    s->place[bucket] = s->supply && end % (u64)(RADIX_CHUNK / size) == 0
                           ? take_chunk(s->supply, bucket, size)
                           : end;
    if (first >= start) {
        write_line(s->to + first * (u64)size, line, by);
        return;
    }
    const u64 skip = (start - first) * (u64)size;
    memcpy(s->to + start * (u64)size, line + skip, RADIX_LINE - skip);
}

/* An item needs no more than `next`: how far its line has come, and where that lies. */
static inline __attribute__((always_inline)) void scatter_sized(const radix_stream *s,
                                                                const char *items,
                                                                const u16 *digits, i64 n,
                                                                i32 size, route by) {
    const i32 shift = s->shift;
    const u32 mask = s->mask;
    u32 *next = s->next;
    char *lines = s->lines;
#pragma GCC unroll 4
    for (i64 i = 0; i < n; i++) {
        const u64 bucket =
            digits ? digits[i] : (u32)(radix_word(items, i, size) >> shift) & mask;
        u32 to = next[bucket];
        memcpy(lines + to, items + i * size, (size_t)size);
        to += (u32)size;
        if (to % RADIX_LINE == 0) {
            write_out(s, bucket, size, by);
            to -= RADIX_LINE;
        }
        next[bucket] = to;
    }
}

static inline __attribute__((always_inline)) void scatter_from(const radix_stream *s,
                                                               const char *items,
                                                               const u16 *digits, i64 n,
                                                               i32 size, route by) {
    if (digits)
        scatter_sized(s, items, digits, n, size, by);
    else
        scatter_sized(s, items, NULL, n, size, by);
}

static inline __attribute__((always_inline)) void
scatter(const radix_stream *s, const void *items, const u16 *digits, i64 n, route by) {
    if (s->size == 4)
        scatter_from(s, items, digits, n, 4, by);
    else if (s->size == 8)
        scatter_from(s, items, digits, n, 8, by);
    else
        scatter_from(s, items, digits, n, 16, by);
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void
scatter_512(const radix_stream *s, const void *items, const u16 *digits, i64 n) {
    scatter(s, items, digits, n, AROUND_BY_512);
}
#endif

void radix_scatter(const radix_stream *stream, const void *items, const u16 *digits,
                   i64 n) {
    if (!stream->bypass)
        scatter(stream, items, digits, n, THROUGH);
#ifdef __x86_64__
    else if (__builtin_cpu_supports("avx512f"))
        scatter_512(stream, items, digits, n);
#endif
    else
        scatter(stream, items, digits, n, AROUND);
}

void radix_finish(const radix_stream *s) {
    const u64 size = (u64)s->size, length = RADIX_CHUNK / size;
    for (i64 b = 0; b < s->buckets; b++) {
        const char *line = s->lines + (u64)b * RADIX_LINE;
        const u64 place = s->place[b], start = s->supply ? 0 : s->start[b];
        const u64 skip = place < start ? (start - place) * size : 0;
        const u64 end = s->next[b] - (u64)b * RADIX_LINE;
        memcpy(s->to + place * size + skip, line + skip, end - skip);
        if (s->supply)
            s->supply->chunks->items[place / length] = (u16)(place % length + end / size);
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
