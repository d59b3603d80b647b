/* Histograms by ranges: bins by edges, which the host computes for even ones. */
#include "primitives/primitives.h"
#include "ranges.kernels.h"
#include "weft/histogram.h"
#include "weft/typed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATORS(ranges_found, (i8, u8, i16, u16, i32, u32, i64, u64, f32, f64), u32,
                (value, u32, bins), (in, T, edges, 0), (in, T, x))
WEFT_GENERATORS(ranges_even, (i8, u8, i16, u16, i32, u32, i64, u64, f32), u32,
                (value, u32, bins), (value, f32, scale), (in, T, edges, 0), (in, T, x))
WEFT_GENERATOR(ranges_even_f64, u32, (value, u32, bins), (value, f64, scale),
               (in, f64, edges, 0), (in, f64, x))

enum { MOST_EVEN = 1 << 20 };        /* bins, by a product */
static const f64 most_bins = 0x1p48; /* in as much as the larger end, of edges in f64 */

/* Tables are in the order of the types. */
static u32 kind_of(weft_type type) {
    return (type >> 24) - 1;
}

static weft_status check(weft_device *device, const char *call, const char *const names[2],
                         weft_array in, weft_array counts) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, names[0], in, 0) != WEFT_OK ||
        weft_need_counts(device, names[1], counts, 0) != WEFT_OK ||
        weft_need_apart(device, names[1], counts, in) != WEFT_OK)
        return weft_check(device);
    if (counts.type == WEFT_U32 && in.length > UINT32_MAX)
        return weft_fail(device, WEFT_E_TYPE,
                         "%s: %lld elements are too many for counts in u32", call,
                         (long long)in.length);
    if (counts.length >= UINT32_MAX)
        return weft_fail(device, WEFT_E_SHAPE, "%s: %lld counts are more than 2^32 - 2",
                         call, (long long)counts.length);
    return WEFT_OK;
}

weft_status weft_histogram_ranges(weft_device *device, weft_array in, weft_array edges,
                                  weft_array counts) {
    static const char *const names[] = {"weft_histogram_ranges.in",
                                        "weft_histogram_ranges.counts"};
    if (check(device, "weft_histogram_ranges", names, in, counts) != WEFT_OK ||
        weft_need_array(device, "weft_histogram_ranges.edges", edges, in.type,
                        counts.length + 1) != WEFT_OK ||
        weft_need_apart(device, names[1], counts, edges) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    const struct ranges_found_u32_arguments arguments = {
        .bins = (u32)counts.length,
        .edges = weft_settled(device, weft_part(edges, 0, counts.length + 1)),
        .x = weft_settled(device, in)};
    weft_histogram(
        device,
        weft_lazy_array(in.length, ranges_found_generators[kind_of(in.type)], &arguments),
        counts);
    weft_scope_close(device);
    return weft_check(device);
}

static u64 whole_of(weft_type type, const void *number) {
    i64 value = 0;
    switch (type) {
    case WEFT_I8:
        return (u64)(i64) * (const i8 *)number;
    case WEFT_I16:
        return (u64)(i64) * (const i16 *)number;
    case WEFT_I32:
        return (u64)(i64) * (const i32 *)number;
    default: /* the others as they lie: little-endian */
        memcpy(&value, number, WEFT_SIZE(type));
        return (u64)value;
    }
}

static f64 float_of(weft_type type, const void *number) {
    return type == WEFT_F32 ? (f64) * (const f32 *)number : *(const f64 *)number;
}

static int is_float(weft_type type) {
    return type == WEFT_F32 || type == WEFT_F64;
}

static int rises(weft_type type, const void *low, const void *high) {
    const u64 sign = weft_order_kind(type) == 1 ? (u64)1 << 63 : 0;
    if (is_float(type))
        return float_of(type, low) < float_of(type, high) &&
               isfinite(float_of(type, low)) && isfinite(float_of(type, high));
    return (whole_of(type, low) ^ sign) < (whole_of(type, high) ^ sign);
}

/* Edge b of k: the least number of the type that is not below low + b (high - low) / k. Of
 * integers this is exact; of floats each operation is rounded to f64. */
static void put_edge(weft_type type, const void *low, const void *high, u64 b, u64 k,
                     void *to) {
    if (b == 0 || b == k) {
        memcpy(to, b == 0 ? low : high, WEFT_SIZE(type));
    } else if (is_float(type)) {
        const f64 first = float_of(type, low), last = float_of(type, high);
        const f64 share = (f64)b / (f64)k;
        f64 edge = first * (1 - share) + last * share;
        edge = edge < first ? first : edge > last ? last : edge;
        f32 narrow = (f32)edge;
        if ((f64)narrow < edge)
            narrow = nextafterf(narrow, INFINITY);
        if (type == WEFT_F32)
            memcpy(to, &narrow, sizeof narrow);
        else
            memcpy(to, &edge, sizeof edge);
    } else {
        const u64 first = whole_of(type, low), span = whole_of(type, high) - first;
        const u64 rest = b * (span % k);
        const u64 edge = first + b * (span / k) + rest / k + (rest % k > 0);
        memcpy(to, &edge, WEFT_SIZE(type));
    }
}

/* Bins for each unit from the lowest edge on; 0: where a product may be wrong by a quarter
 * of a bin. Three roundings in f32 lose 3 * 2^-24 of all bins; edges in f64 are off by
 * 2^-51 of the larger end; and those in f32 are rounded up, so that no number lies between.
 */
static f64 scale_of(weft_type type, const void *low, const void *high, i64 k) {
    const f64 span = is_float(type) ? float_of(type, high) - float_of(type, low)
                                    : (f64)(whole_of(type, high) - whole_of(type, low));
    const f64 most = type == WEFT_F64 ? 1e300 : 1e37;
    const f64 scale = (f64)k / span;
    const f64 end =
        is_float(type) ? fmax(fabs(float_of(type, low)), fabs(float_of(type, high))) : 0;
    return span < most && scale < most && k <= MOST_EVEN && end * scale < most_bins ? scale
                                                                                    : 0;
}

static void count_even(weft_device *device, weft_array in, weft_array edges, f64 scale,
                       weft_array counts) {
    const u32 bins = (u32)counts.length;
    const weft_array x = weft_settled(device, in);
    if (in.type == WEFT_F64) {
        weft_histogram(device,
                       weft_lazy(in.length, ranges_even_f64, .bins = bins, .scale = scale,
                                 .edges = edges, .x = x),
                       counts);
        return;
    }
    const struct ranges_even_u32_arguments arguments = {
        .bins = bins, .scale = (f32)scale, .edges = edges, .x = x};
    weft_histogram(
        device,
        weft_lazy_array(in.length, ranges_even_generators[kind_of(in.type)], &arguments),
        counts);
}

weft_status(weft_histogram_even)(weft_device *device, weft_array in, const void *low,
                                 const void *high, weft_array counts) {
    static const char *const names[] = {"weft_histogram_even.in",
                                        "weft_histogram_even.counts"};
    const i64 k = counts.length;
    const size_t size = WEFT_SIZE(in.type);
    if (check(device, "weft_histogram_even", names, in, counts) != WEFT_OK)
        return weft_check(device);
    if (!low || !high)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_histogram_even: '%s' is NULL",
                         low ? "high" : "low");
    if (!rises(in.type, low, high))
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_histogram_even: 'low' is not below 'high', or one is not "
                         "finite");
    if (k == 0)
        return WEFT_OK;
    char *host = malloc((size_t)(k + 1) * size);
    if (!host)
        return weft_fail(device, WEFT_E_MEMORY,
                         "weft_histogram_even: out of memory: %lld edges",
                         (long long)k + 1);
    for (i64 b = 0; b <= k; b++) {
        char *edge = host + (size_t)b * size;
        put_edge(in.type, low, high, (u64)b, (u64)k, edge);
        /* Where bins are narrower than floats are apart, edges are rounded out of order. */
        if (is_float(in.type) && b > 0 &&
            float_of(in.type, edge) < float_of(in.type, edge - size))
            memcpy(edge, edge - size, size);
    }
    weft_scope_open(device);
    const weft_array edges = weft_scratch(device, in.type, k + 1);
    const f64 scale = scale_of(in.type, low, high, k);
    weft_write(device, edges, (const void *)host);
    if (scale > 0)
        count_even(device, in, edges, scale, counts);
    else
        weft_histogram_ranges(device, in, edges, counts);
    weft_scope_close(device);
    free(host);
    return weft_check(device);
}
