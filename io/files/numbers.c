#include "numbers.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 4096 };

static bool is_finite_f32(const char *values, int64_t n) {
    uint32_t found = 0;
    for (int64_t i = 0; i < n; ++i) {
        uint32_t bits;
        memcpy(&bits, values + 4 * i, sizeof bits);
        found |= (bits & 0x7f800000u) == 0x7f800000u;
    }
    return found == 0;
}

static bool is_finite_f64(const char *values, int64_t n) {
    uint64_t found = 0;
    for (int64_t i = 0; i < n; ++i) {
        uint64_t bits;
        memcpy(&bits, values + 8 * i, sizeof bits);
        found |= (bits & 0x7ff0000000000000u) == 0x7ff0000000000000u;
    }
    return found == 0;
}

static bool is_finite(const void *values, int bytes, int64_t first, int64_t n) {
    const char *start = (const char *)values + first * bytes;
    return bytes == 4 ? is_finite_f32(start, n) : is_finite_f64(start, n);
}

int64_t io_first_not_finite(const void *values, int bytes, int64_t n) {
    for (int64_t first = 0; first < n; first += BLOCK) {
        const int64_t length = n - first < BLOCK ? n - first : BLOCK;
        if (is_finite(values, bytes, first, length))
            continue;
        for (int64_t i = first; i < first + length; ++i) {
            if (!is_finite(values, bytes, i, 1))
                return i;
        }
    }
    return -1;
}

int64_t io_first_not_positive(const void *values, int bytes, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        if (!(io_value(values, bytes, i) > 0))
            return i;
    }
    return -1;
}

void io_scale(void *values, int bytes, int64_t n, double factor) {
    if (bytes == 4) {
        float *x = values;
        for (int64_t i = 0; i < n; ++i)
            x[i] = (float)(factor * (double)x[i]);
    } else {
        double *x = values;
        for (int64_t i = 0; i < n; ++i)
            x[i] *= factor;
    }
}

double io_value(const void *values, int bytes, int64_t index) {
    return bytes == 4 ? (double)((const float *)values)[index]
                      : ((const double *)values)[index];
}

int64_t io_share(int64_t n, int share, int shares) {
    return n / shares * share + n % shares * share / shares;
}
