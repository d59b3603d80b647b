/* Friends: how many each particle has, and the most connected particle of each halo. */
#ifndef WEFT_MCP_H
#define WEFT_MCP_H

#include "fof.h"
#include "halos.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts each particle's friends: the others within the linking length, as weft_fof decides
 * it.
 *   points    count < 2^32 - 1, finite; may lie outside a periodic box
 *   options   those of weft_fof; min_friends is ignored: all particles are counted
 *   cells     NULL, or what weft_fof_cells kept of the same points and options: then
 *             nothing is sorted again
 *   friends   [count] u32
 * Cost: a sort of the particles by cell, then for each particle those in the cells around
 * it; sub-cells that are wholly within reach are counted as one, as are coincident
 * particles. Scratch below 70 bytes per particle. Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (a bad option; a coordinate that is not finite, naming the
 * particle; cells of another number of particles or another rule), WEFT_E_TYPE,
 * WEFT_E_SHAPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_friends_count(weft_device *device, const weft_points *points,
                                        const weft_fof_options *options, weft_cells *cells,
                                        weft_array friends);

/* Finds the member with the most friends of every halo; of several the one with the
 * smallest id. Friends are counted as above, among all particles.
 *   points     the positions that the halos were found in
 *   options    those of weft_fof. Unless min_friends > 0 the halos must be its groups:
 *              friends in no halo or in another one, which other finders' halos may have,
 *              are not all counted
 *   cells      as above
 *   halos      of weft_halos_group: members of each ascend by id
 *   particle   [halos] u32: its input index; 2^32 - 1 of a halo without members
 *   friends    [halos] u32: how many friends it has
 * Cost: without cells, a sort of the members (of all particles if min_friends > 0); then
 * less than counting the friends of each member: a member is dropped as soon as its halo is
 * known to have a better one. With cells and few threads, all pairs of a halo of up to 512
 * members instead. Scratch below 30 bytes per particle and, without cells, 80 per member.
 * Repeats: bit for bit everywhere. Errors: as above.
 * Source: the most connected particle of Sewell et al. 2015 (LDAV 2015, 65). */
WEFT_API weft_status weft_mcp(weft_device *device, const weft_points *points,
                              const weft_fof_options *options, weft_cells *cells,
                              const weft_halos *halos, weft_array particle,
                              weft_array friends);

#ifdef __cplusplus
}
#endif
#endif
