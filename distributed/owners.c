/* Positions that a rank's device has, and what it finds at the edge of its domain. */
#include "domains.h"
#include "domains.kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/lazy.h>
#include <weft/register.h>
#include <weft/select.h>
#include <weft/transform.h>

WEFT_GENERATOR(domains_edge, u32, (in, u32, words, 0), (value, domains_edge_rule, rule))
WEFT_GENERATOR(domains_edge_wide, u32, (in, u64, words, 0),
               (value, domains_edge_rule, rule))

/* So many 32-bit words has a row. */
static int64_t words_of(const struct positions *positions) {
    return 3 * positions->bytes / (int64_t)sizeof(u32);
}

/* Others come behind them, ghosts and what is gathered: an array that is too short would be
 * copied to a new one, which a driver takes milliseconds a gigabyte to make. */
static int64_t with_room(int64_t n, int64_t limit) {
    return limit == 0 ? n + n / 8 : n;
}

void positions_lend(weft_device *device, struct positions *positions, int64_t limit) {
    const int64_t bytes = 3 * (int64_t)positions->bytes * positions->n;
    if (weft_device_style(device) == WEFT_SIMT && bytes > 0 &&
        (limit == 0 || bytes <= limit)) {
        const int64_t words = words_of(positions), n = positions->n;
        positions->lent = weft_array_new(device, WEFT_U32, words * with_room(n, limit));
        weft_write(device, weft_slice(device, positions->lent, 0, words * n),
                   positions->at);
    }
}

void positions_lengthen(weft_device *device, struct positions *positions, int64_t more) {
    const int64_t words = words_of(positions), n = words * positions->n;
    const weft_array there = positions->lent;
    positions->n += more;
    if (there.type == 0)
        return;
    if (n + words * more > there.length) {
        positions->lent = weft_array_new(device, WEFT_U32, n + words * more);
        weft_copy(device, weft_slice(device, there, 0, n),
                  weft_slice(device, positions->lent, 0, n));
        weft_array_free(device, there);
    }
    weft_write(device, weft_slice(device, positions->lent, n, words * more),
               (const u32 *)positions->at + n);
}

void positions_take_back(weft_device *device, struct positions *positions) {
    if (positions->lent.type)
        weft_array_free(device, positions->lent);
    positions->lent = (weft_array){0};
}

/* Some rows as words on the device, until they are returned. */
static weft_array lend(weft_device *device, const struct positions *positions,
                       int64_t first, int64_t n) {
    const int64_t words = words_of(positions);
    return positions->lent.type
               ? weft_slice(device, positions->lent, words * first, words * n)
               : weft_borrow_const(device, WEFT_U32,
                                   (const u32 *)positions->at + words * first, words * n);
}

static void give_back(weft_device *device, const struct positions *positions,
                      weft_array words) {
    if (!positions->lent.type)
        weft_return(device, words);
}

/* Rows first .. first + n at the edge, into rows; returns how many. */
static int64_t list_some(weft_device *device, const struct positions *positions,
                         const domains_edge_rule *rule, int64_t first, int64_t n,
                         uint32_t *rows) {
    int64_t count = 0;
    weft_scope_open(device);
    const weft_array words = lend(device, positions, first, n);
    const weft_array found = weft_scratch(device, WEFT_U32, n);
    const weft_array numbers = weft_counting(n, (uint32_t)first);
    if (positions->bytes == sizeof(f64))
        weft_copy_if(device, numbers,
                     weft_lazy(n, domains_edge_wide,
                               .words = weft_as(device, words, WEFT_U64), .rule = *rule),
                     found, &count);
    else
        weft_copy_if(device, numbers,
                     weft_lazy(n, domains_edge, .words = words, .rule = *rule), found,
                     &count);
    weft_read(device, weft_slice(device, found, 0, count), rows);
    give_back(device, positions, words);
    weft_scope_close(device);
    return count;
}

static domains_edge_rule edge_rule(const struct domains *domains, int own,
                                   const double reach[3]) {
    domains_edge_rule rule;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = domains->boxes[own].low[axis];
        const double high = domains->boxes[own].high[axis];
        const double period = domains->period[axis];
        /* Twice what a coordinate there, its period and the sum of both are rounded by. */
        const double rounded = 0x1p-21 * period + FLT_MIN;
        const double above = low + reach[axis] + 0x1p-21 * fabs(low) + rounded;
        const double below = high - reach[axis] - 0x1p-21 * fabs(high) - rounded;
        rule.period[axis] = (f32)period;
        rule.low[axis] = isinf(low) ? -INFINITY : (f32)above;
        rule.high[axis] = isinf(high) ? INFINITY : (f32)below;
    }
    return rule;
}

int64_t domains_list_edge(weft_device *device, const struct domains *domains, int own,
                          const struct positions *positions, const double reach[3],
                          int64_t limit, uint32_t **rows) {
    /* On a processor, of what stays in a cache; bytes of a row: its position and number,
     * twice. */
    enum { MANY = 1 << 20, FEW = 1 << 16, ROW = 64 };
    const int64_t most = weft_device_style(device) == WEFT_SIMT ? MANY : FEW;
    const int64_t room = limit > ROW ? limit / ROW : 1;
    const int64_t block = limit > 0 && room < most ? room : most;
    const domains_edge_rule rule = edge_rule(domains, own, reach);
    int64_t count = 0;
    *rows = malloc(1);
    for (int64_t first = 0; first < positions->n && *rows; first += block) {
        const int64_t left = positions->n - first, n = left < block ? left : block;
        uint32_t *longer = realloc(*rows, (size_t)(count + n) * sizeof *longer);
        if (longer)
            count += list_some(device, positions, &rule, first, n, longer + count);
        else
            free(*rows);
        *rows = longer;
    }
    return count;
}
