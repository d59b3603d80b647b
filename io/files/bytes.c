#include "bytes.h"

#include <string.h>

static enum io_order machine_order(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1 ? IO_LITTLE : IO_BIG;
}

static uint64_t get(const void *bytes, int width, enum io_order order) {
    const unsigned char *byte = bytes;
    uint64_t value = 0;
    for (int k = 0; k < width; ++k)
        value = value << 8 | byte[order == IO_BIG ? k : width - 1 - k];
    return value;
}

static void put(void *bytes, uint64_t value, int width, enum io_order order) {
    unsigned char *byte = bytes;
    for (int k = 0; k < width; ++k)
        byte[order == IO_LITTLE ? k : width - 1 - k] = (unsigned char)(value >> (8 * k));
}

uint32_t io_get_u32(const void *bytes, enum io_order order) {
    return (uint32_t)get(bytes, 4, order);
}

uint64_t io_get_u64(const void *bytes, enum io_order order) {
    return get(bytes, 8, order);
}

double io_get_f64(const void *bytes, enum io_order order) {
    const uint64_t bits = get(bytes, 8, order);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void io_put_u32(void *bytes, uint32_t value, enum io_order order) {
    put(bytes, value, 4, order);
}

void io_put_u64(void *bytes, uint64_t value, enum io_order order) {
    put(bytes, value, 8, order);
}

void io_put_f64(void *bytes, double value, enum io_order order) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(bytes, bits, 8, order);
}

void io_swap(void *values, int width, int64_t n, enum io_order order) {
    unsigned char *at = values;
    if (order == machine_order() || width == 1)
        return;
    for (int64_t i = 0; i < n; ++i, at += width)
        put(at, get(at, width, IO_LITTLE), width, IO_BIG);
}

void io_widen(const void *values, int width, bool is_signed, int64_t n, int64_t *out) {
    const unsigned char *at = values;
    const int unused = 64 - 8 * width;
    for (int64_t i = 0; i < n; ++i, at += width) {
        const uint64_t value = get(at, width, machine_order()) << unused;
        out[i] = is_signed ? (int64_t)value >> unused : (int64_t)(value >> unused);
    }
}
