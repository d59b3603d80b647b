/* A hash of 128 bits: two lanes that take turns with words, mixed by multiply and shift.
 * It tells programs apart and finds damage; it keeps out no adversary. */
#include "program.h"

#include <string.h>

static u64 mix(u64 x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 29) * 0xe7037ed1a0b428dbu;
    return x ^ x >> 32;
}

opencl_hash opencl_hash_bytes(opencl_hash from, const void *bytes, size_t length) {
    const char *p = bytes;
    u64 a = from.word[0] + length, b = from.word[1] ^ mix(length);
    for (size_t k = 0; k < length; k += 8) {
        u64 word = 0;
        memcpy(&word, p + k, length - k < 8 ? length - k : 8);
        const u64 next = mix(a ^ word) + b;
        b = mix(b + word * 0x9e3779b97f4a7c15u) ^ a;
        a = next;
    }
    return (opencl_hash){{mix(a + b), mix(b ^ (a << 1))}};
}
