/* The most connected particle in short halos. */
#ifndef WEFT_ALGORITHMS_MCP_SHORT_H
#define WEFT_ALGORITHMS_MCP_SHORT_H

#include "algorithms/cells/friends.h"
#include "weft/halos.h"

/* Finds it in halos at the end, whose members have no friends elsewhere; returns how many
 * come before those. */
i64 mcp_find_short(weft_device *device, const friends_view_arrays *f, f64 length,
                   const weft_halos *halos, weft_array particle, weft_array friends);

#endif
