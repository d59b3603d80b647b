/* Domains of particles, found by a rank's own device. */
#include "domains.h"
#include "domains.kernel.h"

#include <stdlib.h>
#include <string.h>
#include <weft/lazy.h>
#include <weft/register.h>
#include <weft/select.h>
#include <weft/transform.h>

WEFT_GENERATOR(domains_number, u32, (in, u32, words, 0), (in, domains_plane, cuts, 0),
               (value, domains_rule, rule))

WEFT_GENERATOR(domains_edge, u32, (in, u32, words, 0), (value, domains_edge_rule, rule))

/* Rows of positions as 32-bit words. */
static weft_array lend(weft_device *device, const struct positions *positions,
                       int64_t first, int64_t n) {
    const int64_t words = positions->bytes / (int64_t)sizeof(u32);
    return weft_borrow_const(device, WEFT_U32,
                             (const u32 *)positions->at + 3 * words * first, 3 * words * n);
}

static domains_rule rule_of(const struct domains *domains,
                            const struct positions *positions) {
    domains_rule rule = {.wide = positions->bytes == sizeof(f64), .n = domains->n};
    memcpy(rule.period, domains->period, sizeof rule.period);
    return rule;
}

void domains_owners(weft_device *device, const struct domains *domains,
                    const struct positions *positions, int64_t first, weft_array owner) {
    const weft_array words = lend(device, positions, first, owner.length);
    const weft_array cuts =
        weft_borrow_const(device, WEFT_STRUCT(domains_plane), domains->cuts, domains->n);
    weft_transform(device, owner.length, owner, domains_number, .words = words,
                   .cuts = cuts, .rule = rule_of(domains, positions));
    weft_return(device, cuts);
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
    weft_copy_if(device, weft_counting(n, (uint32_t)first),
                 weft_lazy(n, domains_edge, .words = words, .rule = *rule), found, &count);
    weft_read(device, weft_slice(device, found, 0, count), rows);
    weft_return(device, words);
    weft_scope_close(device);
    return count;
}

int64_t domains_list_edge(weft_device *device, const struct domains *domains, int own,
                          const struct positions *positions, const double reach[3],
                          uint32_t **rows) {
    enum { BLOCK = 1 << 20 };
    domains_edge_rule rule = {.wide = positions->bytes == sizeof(f64)};
    int64_t count = 0;
    memcpy(rule.period, domains->period, sizeof rule.period);
    memcpy(rule.low, domains->boxes[own].low, sizeof rule.low);
    memcpy(rule.high, domains->boxes[own].high, sizeof rule.high);
    memcpy(rule.reach, reach, sizeof rule.reach);
    *rows = malloc(1);
    for (int64_t first = 0; first < positions->n && *rows; first += BLOCK) {
        const int64_t left = positions->n - first, n = left < BLOCK ? left : BLOCK;
        uint32_t *longer = realloc(*rows, (size_t)(count + n) * sizeof *longer);
        if (longer)
            count += list_some(device, positions, &rule, first, n, longer + count);
        else
            free(*rows);
        *rows = longer;
    }
    return count;
}
