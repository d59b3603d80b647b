/* 17 digits of a double are exact integers of 128 bits, where it is neither tiny nor huge:
 * x 10^k = m 2^e 5^k 2^k with whole m below 2^53, rounded once, half to even. */
#include "print.h"

#include "io/files/bytes.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 17, MOST_POWER = 27 };
static const uint64_t LOW = 10000000000000000u, HIGH = 10 * 10000000000000000u;

static const uint64_t five[MOST_POWER + 1] = {1,
                                              5,
                                              25,
                                              125,
                                              625,
                                              3125,
                                              15625,
                                              78125,
                                              390625,
                                              1953125,
                                              9765625,
                                              48828125,
                                              244140625,
                                              1220703125,
                                              6103515625,
                                              30517578125,
                                              152587890625,
                                              762939453125,
                                              3814697265625,
                                              19073486328125,
                                              95367431640625,
                                              476837158203125,
                                              2384185791015625,
                                              11920928955078125,
                                              59604644775390625,
                                              298023223876953125,
                                              1490116119384765625,
                                              7450580596923828125};

/* m 2^e 10^k, rounded down; *more: whether it rounds up. */
static uint64_t scale(uint64_t m, int e, int k, bool *more) {
    const int shift = e + k;
    if (k < 0) {
        const wide all = (wide)m << shift;
        const uint64_t by = five[-k], whole = (uint64_t)(all / by);
        const uint64_t left = (uint64_t)(all - (wide)whole * by);
        *more = left > by - left || (left == by - left && whole % 2 == 1);
        return whole;
    }
    const wide all = (wide)m * five[k];
    if (shift >= 0) {
        *more = false;
        return (uint64_t)(all << shift);
    }
    const uint64_t whole = (uint64_t)(all >> -shift);
    const wide left = all - ((wide)whole << -shift), half = (wide)1 << (-shift - 1);
    *more = left > half || (left == half && whole % 2 == 1);
    return whole;
}

/* x > 0 as digits 10^(exponent - 16), of DIGITS digits; false where it is out of reach. */
static bool take_apart(double x, uint64_t *digits, int *exponent) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52), e = biased - 1075;
    const uint64_t m = (bits & 0xfffffffffffffu) | (uint64_t)1 << 52;
    if (biased < 1 || x < 1e-10 || x >= 1e40)
        return false;
    int ten = (e + 52) * 1233 >> 12; /* of log10 x, or one less */
    bool more;
    uint64_t whole = scale(m, e, DIGITS - 1 - ten, &more);
    if (whole >= HIGH)
        whole = scale(m, e, DIGITS - 1 - ++ten, &more);
    whole += more;
    *digits = whole == HIGH ? LOW : whole;
    *exponent = ten + (whole == HIGH);
    return whole >= LOW;
}

/* Eight digits, all at once: by 10,000, then both by 100, then all four by 10. */
static void put_eight(char *at, uint32_t value) {
    const uint64_t four = value / 10000 | (uint64_t)(value % 10000) << 32;
    const uint64_t hundreds = (four * 10486 >> 20) & 0x7f0000007fu;
    const uint64_t two = hundreds | (four - 100 * hundreds) << 16;
    const uint64_t tens = (two * 103 >> 10) & 0xf000f000f000fu;
    const uint64_t one = tens | (two - 10 * tens) << 8;
    io_put_u64(at, one | 0x3030303030303030u, IO_LITTLE);
}

/* The digits, without zeros at their end; returns how many. */
static int put_digits(char *text, uint64_t digits) {
    const uint64_t low = digits % 100000000, high = digits / 100000000;
    int n = DIGITS;
    text[0] = (char)('0' + high / 100000000);
    put_eight(text + 1, (uint32_t)(high % 100000000));
    put_eight(text + 9, (uint32_t)low);
    while (n > 1 && text[n - 1] == '0')
        --n;
    return n;
}

static char *put_exponent(char *at, int exponent) {
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    *at++ = (char)('0' + size / 10);
    *at++ = (char)('0' + size % 10);
    return at;
}

static char *put_point(char *at, const char *digits, int n, int exponent) {
    const int before = exponent + 1;
    for (int k = 0; k < before; ++k)
        *at++ = k < n ? digits[k] : '0';
    if (before >= n)
        return at;
    if (before < 1)
        *at++ = '0';
    *at++ = '.';
    for (int k = before; k < 0; ++k)
        *at++ = '0';
    const int first = before > 0 ? before : 0;
    memcpy(at, digits + first, (size_t)(n - first));
    return at + (n - first);
}

char *io_print_f64(char *at, double value) {
    char digits[DIGITS];
    uint64_t whole;
    int exponent;
    const double size = fabs(value);
    if (!(size > 0 && take_apart(size, &whole, &exponent)))
        return at + snprintf(at, IO_PRINT_MOST, "%.17g", value);
    if (value < 0)
        *at++ = '-';
    const int n = put_digits(digits, whole);
    if (exponent >= -4 && exponent < DIGITS)
        return put_point(at, digits, n, exponent);
    *at++ = digits[0];
    if (n > 1)
        *at++ = '.';
    memcpy(at, digits + 1, (size_t)(n - 1));
    return put_exponent(at + n - 1, exponent);
}

char *io_print_i64(char *at, int64_t value) {
    char text[20];
    int n = 0;
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        text[n++] = (char)('0' + size % 10);
        size /= 10;
    } while (size > 0);
    if (value < 0)
        *at++ = '-';
    while (n > 0)
        *at++ = text[--n];
    return at;
}
