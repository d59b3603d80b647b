/* Whole groups, each on one rank. */
#ifndef WEFT_DISTRIBUTED_GATHER_H
#define WEFT_DISTRIBUTED_GATHER_H

#include "around.h"

/* Particles whose group has its first particle on another rank go there, behind those that
 * it has; what stays of them here has no label, 2^32 - 1. The others of groups that cross
 * are labelled with the first of the whole group. */
bool gather_groups(struct comm *comm, weft_device *device, struct table *particles,
                   struct groups *groups);

#endif
