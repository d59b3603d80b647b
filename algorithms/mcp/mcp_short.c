/* The most connected particle in short halos, of which a work-item with vectors takes one
 * at a time. */
#include "mcp_short.h"
#include "mcp_short.kernel.h"
#include "algorithms/pyramid/lengths.h"
#include "weft/transform.h"

WEFT_KERNEL(mcp_short_find, (bundle, friends_view, f), (value, f64, per_length),
            (value, i64, items), (value, i64, first), (value, i64, halos),
            (in, i64, offset, 0), (in, u32, member, 0), (inout, u32, particle, 0),
            (inout, u32, friends, 0))

i64 mcp_find_short(weft_device *device, const friends_view_arrays *f, f64 length,
                   const weft_halos *halos, weft_array particle, weft_array friends) {
    if (weft_device_style(device) == WEFT_SIMT || f->rule.near < 0)
        return halos->count;
    const i64 first = lengths_last(device, halos->count, halos->offset, MCP_SHORT + 1);
    const i64 count = halos->count - first, most = 16 * weft_concurrency(device);
    const i64 items = count < most ? count : most;
    weft_for_each(device, items, mcp_short_find, .f = *f, .per_length = 1 / length,
                  .items = items, .first = first, .halos = halos->count,
                  .offset = halos->offset, .member = halos->member, .particle = particle,
                  .friends = friends);
    return first;
}
