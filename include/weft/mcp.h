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
 *   options   the rule; min_friends plays no part: all particles are counted. With cells of
 *             weft_fof, of the same points, nothing is sorted again
 *   friends   [count] u32
 * Cost: a sort of the particles by cell, then for each particle those in the cells around
 * it; sub-cells wholly within reach count at once, and so do particles at one place.
 * Scratch below 70 bytes a particle. Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (a bad option; a coordinate that is not finite, naming the
 * particle; cells of another number of particles or another rule), WEFT_E_TYPE,
 * WEFT_E_SHAPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_friends_count(weft_device *device, const weft_points *points,
                                        const weft_fof_options *options,
                                        weft_array friends);

/* Finds the member with the most friends of every halo; of several that with the smallest
 * id. Friends are counted as above, among all particles.
 *   points     the positions that the halos were found in
 *   options    those that weft_fof found the halos with; with its cells nothing is sorted
 *   halos      of weft_halos_group: members of each ascend by id
 *   particle   [halos] u32: its input index; 2^32 - 1 of a halo without members
 *   friends    [halos] u32: how many friends it has
 * Cost: without cells, a sort of the members (of all particles where min_friends > 0); and
 * less than to count the friends of each: a member is given up as soon as its halo is known
 * to have a better one. Scratch below 30 bytes a particle and, without cells, 80 a member.
 * Repeats: bit for bit everywhere. Errors: as above.
 * Source: the most connected particle of Sewell et al. 2015 (LDAV 2015, 65). */
WEFT_API weft_status weft_mcp(weft_device *device, const weft_points *points,
                              const weft_fof_options *options, const weft_halos *halos,
                              weft_array particle, weft_array friends);

#ifdef __cplusplus
}
#endif
#endif
