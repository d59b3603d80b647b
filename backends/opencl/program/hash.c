/* A hash of 128 bits: four lanes that take turns with words, mixed by multiply and shift.
 * It tells programs apart and finds damage; it keeps out no adversary. */
#include "program.h"

#include <string.h>

enum { LANES = 4, BLOCK = LANES * sizeof(u64) };

static u64 mix(u64 x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 29) * 0xe7037ed1a0b428dbu;
    return x ^ x >> 32;
}

static void take_block(u64 *lanes, const char *bytes) {
    for (int k = 0; k < LANES; k++) {
        u64 word;
        memcpy(&word, bytes + (size_t)k * sizeof word, sizeof word);
        lanes[k] = (lanes[k] ^ word) * 0x9e3779b97f4a7c15u;
        lanes[k] ^= lanes[k] >> 32;
    }
}

opencl_hash opencl_hash_bytes(opencl_hash from, const void *bytes, size_t length) {
    const char *p = bytes;
    const u64 a = from.word[0] + length, b = from.word[1] ^ mix(length);
    u64 lanes[LANES] = {a, b, mix(a), mix(b)};
    char last[BLOCK] = {0};
    for (; length >= BLOCK; length -= BLOCK, p += BLOCK)
        take_block(lanes, p);
    memcpy(last, p, length);
    take_block(lanes, last);
    opencl_hash hash = {{0, 1}};
    for (int k = 0; k < LANES; k++) {
        hash.word[0] = mix(hash.word[0] ^ lanes[k]);
        hash.word[1] = mix(hash.word[1] + lanes[LANES - 1 - k]);
    }
    return hash;
}
