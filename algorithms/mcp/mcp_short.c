/* The most connected particle in short halos, of which a work-item with vectors takes one
 * at a time. */
#include "mcp_short.h"
#include "mcp_short.kernel.h"
#include "weft/register.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_GENERATOR(mcp_short_before, i64, (in, i64, offset, n + 1))
WEFT_KERNEL(mcp_short_find, (value, friends_rule, rule), (value, f64, per_length),
            (value, i64, items), (value, i64, first), (value, i64, halos),
            (in, i64, offset, 0), (in, u32, member, 0), (in, u32, x, 0), (in, u32, y, 0),
            (in, u32, z, 0), (inout, u32, particle, 0), (inout, u32, friends, 0))

i64 mcp_find_short(weft_device *device, const friends_rule *rule, f64 length,
                   const points_words *words, const weft_halos *halos, weft_array particle,
                   weft_array friends) {
    i64 first = 0;
    if (weft_device_style(device) == WEFT_SIMT || rule->near < 0)
        return halos->count;
    weft_reduce(device, weft_lazy(halos->count, mcp_short_before, .offset = halos->offset),
                weft_maximum(WEFT_I64), &first);
    const i64 count = halos->count - first, most = 16 * weft_concurrency(device);
    const i64 items = count < most ? count : most;
    weft_for_each(device, items, mcp_short_find, .rule = *rule, .per_length = 1 / length,
                  .items = items, .first = first, .halos = halos->count,
                  .offset = halos->offset, .member = halos->member, .x = words->x,
                  .y = words->y, .z = words->z, .particle = particle, .friends = friends);
    return first;
}
