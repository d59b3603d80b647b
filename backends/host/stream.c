/* Writing more than the caches hold, around them. */
#include "host.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CACHE = 16 << 20 };

int host_bypasses(weft_span out) {
    return (u64)out.length * WEFT_SIZE(out.type) >= CACHE;
}

void host_stream(void *to, const void *from, size_t bytes, int bypass) {
#ifdef __SSE2__
    char *out = to;
    const char *in = from;
    if (bypass && bytes >= 256) {
        const size_t head = (size_t)(-(uintptr_t)out & 63);
        memcpy(out, in, head);
        size_t k = head;
        for (; k + 64 <= bytes; k += 64)
            for (size_t j = k; j < k + 64; j += 16)
                _mm_stream_si128((__m128i *)(void *)(out + j),
                                 _mm_loadu_si128((const __m128i *)(const void *)(in + j)));
        memcpy(out + k, in + k, bytes - k);
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

void host_put(weft_span out, i64 place, const void *elements, i64 count) {
    const int bypass = host_bypasses(out);
    if (count > out.length - place)
        count = out.length - place;
    if (count <= 0)
        return;
    host_stream(host_at(out, place), elements, (size_t)count * WEFT_SIZE(out.type), bypass);
    if (bypass)
        host_stream_end();
}
