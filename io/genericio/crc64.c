#include "crc64.h"

#include "io/files/bytes.h"

#include <pthread.h>

static const uint64_t POLYNOMIAL = 0xC96C5795D7870F42u;

/* table[k][b]: what byte b does to the CRC of k bytes of zeros after it. */
static uint64_t table[8][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_table(void) {
    for (uint64_t b = 0; b < 256; ++b) {
        uint64_t crc = b;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        table[0][b] = crc;
    }
    for (int k = 1; k < 8; ++k) {
        for (int b = 0; b < 256; ++b)
            table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 255];
    }
}

uint64_t crc64(uint64_t crc, const void *bytes, size_t n) {
    const unsigned char *at = bytes;
    pthread_once(&made, make_table);
    crc = ~crc;
    for (; n >= 8; n -= 8, at += 8) {
        const uint64_t word = crc ^ io_get_u64(at, IO_LITTLE);
        crc = table[7][word & 255] ^ table[6][word >> 8 & 255] ^
              table[5][word >> 16 & 255] ^ table[4][word >> 24 & 255] ^
              table[3][word >> 32 & 255] ^ table[2][word >> 40 & 255] ^
              table[1][word >> 48 & 255] ^ table[0][word >> 56];
    }
    for (; n > 0; --n, ++at)
        crc = crc >> 8 ^ table[0][(crc ^ *at) & 255];
    return ~crc;
}

/* Of two polynomials, modulo that of the CRC: bit 63 is 1, bit 62 is x, ... */
static uint64_t multiply(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    for (; a != 0; a <<= 1) {
        product ^= a >> 63 ? b : 0;
        b = b >> 1 ^ (b & 1 ? POLYNOMIAL : 0);
    }
    return product;
}

/* A byte after others multiplies their remainder by x^8, and adds its own. */
uint64_t crc64_join(uint64_t crc, uint64_t after, uint64_t n) {
    uint64_t power = (uint64_t)1 << 55;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            crc = multiply(crc, power);
        power = multiply(power, power);
    }
    return crc ^ after;
}
