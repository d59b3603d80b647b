/* Spheres of halos whose particles are on several ranks, or do not fit a device: around
 * some centers at a time, with the particles that are near those. */
#ifndef WEFT_CLI_HALOS_SPHERES_APART_H
#define WEFT_CLI_HALOS_SPHERES_APART_H

#include "cli/halos/collect/collect.h"
#include "distributed/link.h"

/* Appends the columns of spheres, and their profiles, to those of this rank's halos, and
 * those of spheres to those of its subhalos, if any were looked for. All ranks call it.
 *   table   of all ranks together: all particles, each in one row; on several ranks rows of
 *           others may come to lie behind these
 *   stay    what the device has of them, and may have more of then; NULL: nothing
 * Returns the exit status, after telling what failed. */
int apart_find(struct halos_run *run, struct table *table, struct link_device *stay,
               struct halos_collection *collection);

#endif
