/* A slab that several ranks share. Each has some of its planes, some lines of all planes
 * while these are transformed along the last axis, and some columns then. */
#ifndef WEFT_DISTRIBUTED_PENCILS_H
#define WEFT_DISTRIBUTED_PENCILS_H

#include "slabs.h"

/* Planes of the slab of a rank, which those with its neighbours are a part of; of all of
 * these planes the lines along the last axis that are the rank's. */
struct slab slabs_shared(const struct slabs *slabs, int rank);
struct slab slabs_lines(const struct slabs *slabs, int rank);

/* Planes of the largest slab. */
int64_t slabs_most(const struct slabs *slabs);

/* weft_fourier_planes, to the bit, of some planes of this rank's slab, with the ranks that
 * share it.
 *   real   [its planes of these][n[1]][n[2]]
 *   waves  [planes][n[1]][columns] complex
 * False after a failure, as the calls of slabs.h are. */
bool pencils_planes(const struct slabs *slabs, weft_device *device,
                    weft_fourier_direction direction, struct slab planes, weft_array real,
                    weft_array waves);

/* Those of the planes that a rank has itself. */
struct slab pencils_own(const struct slabs *slabs, int rank, struct slab planes);

#endif
