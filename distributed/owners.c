/* Domains of particles, found by a rank's own device. */
#include "domains.h"
#include "domains.kernel.h"

#include <string.h>
#include <weft/register.h>
#include <weft/transform.h>

WEFT_GENERATOR(domains_number, u32, (in, u32, words, 0), (in, domains_plane, cuts, 0),
               (value, domains_rule, rule))

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
