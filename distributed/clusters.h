/* DBSCAN among the points of all ranks. */
#ifndef WEFT_DISTRIBUTED_CLUSTERS_H
#define WEFT_DISTRIBUTED_CLUSTERS_H

#include "link.h"

#include <weft/dbscan.h>

/* Labels as weft_dbscan gives them to the whole input.
 *   points   the columns LINK_POSITION and LINK_INDEX. In: this rank's share of the input,
 *            indices begin, begin + 1, ...; shares follow each other in the order of the
 *            ranks. Out: the points of its domain
 *   limit    bytes of the device that may be used; 0: all
 *   labels   [points->n as it was]: of this rank's share
 * Ghosts of one eps go both ways, and then what became of them: whether they are core, and
 * in which cluster. Traffic besides, for each point: 16 bytes, to the rank that has it in
 * its share; 16 for each cluster that a share has points of and another the first.
 * Errors, on all ranks: those of weft_dbscan, memory, 2^32 - 1 points on one rank. */
bool clusters_find(struct comm *comm, weft_device *device, struct table *points,
                   const weft_dbscan_options *options, int64_t begin, int64_t limit,
                   int64_t *labels);

#endif
