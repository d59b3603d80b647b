/* Writing more than the caches hold, around them. */
#include "host.h"
#include "tuning.h"

#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

int host_bypasses(weft_span out) {
    return (u64)out.length * WEFT_SIZE(out.type) >= HOST_STREAM_BYTES;
}

#ifdef __SSE2__
static void stream_lines(char *out, const char *in, size_t lines) {
    for (size_t k = 0; k < lines * 64; k += 16)
        _mm_stream_si128((__m128i *)(void *)(out + k),
                         _mm_loadu_si128((const __m128i *)(const void *)(in + k)));
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void stream_vectors(char *out, const char *in,
                                                              size_t lines) {
    for (size_t k = 0; k < lines * 64; k += 64)
        _mm512_stream_si512((__m512i *)(void *)(out + k), _mm512_loadu_si512(in + k));
}
#endif
#endif

#ifdef __SSE2__
enum { PAGE = 4096, PAGES = 8 };

typedef void copy_lines(char *out, const char *in, size_t lines);

static inline __attribute__((always_inline)) void
copy_pages(char *out, const char *in, size_t blocks, copy_lines *lines) {
    for (size_t b = 0; b < blocks; b++)
        for (size_t line = 0; line < PAGE; line += 64)
            for (size_t page = 0; page < PAGES; page++) {
                const size_t at = (b * PAGES + page) * PAGE + line;
                lines(out + at, in + at, 1);
            }
}

static void lines_of_pages(char *out, const char *in, size_t blocks) {
    copy_pages(out, in, blocks, stream_lines);
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void vectors_of_pages(char *out, const char *in,
                                                                size_t blocks) {
    copy_pages(out, in, blocks, stream_vectors);
}
#endif
#endif

void host_stream_pages(void *to, const void *from, size_t bytes) {
    char *out = to;
    const char *in = from;
    size_t done = 0;
#ifdef __SSE2__
    const size_t head = (size_t)(-(uintptr_t)out & 63), block = (size_t)PAGE * PAGES;
    if (bytes >= head + block) {
        const size_t blocks = (bytes - head) / block;
        memcpy(out, in, head);
        done = head + blocks * block;
#ifdef __x86_64__
        if (__builtin_cpu_supports("avx512f"))
            vectors_of_pages(out + head, in + head, blocks);
        else
#endif
            lines_of_pages(out + head, in + head, blocks);
    }
#endif
    host_stream(out + done, in + done, bytes - done, 1);
}

void host_stream(void *to, const void *from, size_t bytes, int bypass) {
#ifdef __SSE2__
    char *out = to;
    const char *in = from;
    if (bypass && bytes >= 256) {
        const size_t head = (size_t)(-(uintptr_t)out & 63), lines = (bytes - head) / 64,
                     done = head + lines * 64;
        memcpy(out, in, head);
#ifdef __x86_64__
        if (bytes <= HOST_STREAM_NEAR && __builtin_cpu_supports("avx512f"))
            stream_vectors(out + head, in + head, lines);
        else
#endif
            stream_lines(out + head, in + head, lines);
        memcpy(out + done, in + done, bytes - done);
        return;
    }
#endif
    (void)bypass;
    memmove(to, from, bytes);
}

void host_stream_end(void) {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

void host_put(weft_span out, i64 place, const void *elements, i64 count, int bypass) {
    if (count > out.length - place)
        count = out.length - place;
    if (count > 0)
        host_stream(host_at(out, place), elements, (size_t)count * WEFT_SIZE(out.type),
                    bypass);
}
