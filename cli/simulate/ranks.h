/* Several ranks: each has some particles all the way, those that it read, and moves them.
 * What is done to most of them it finds out itself; the others visit the ranks that do. */
#ifndef WEFT_CLI_SIMULATE_RANKS_H
#define WEFT_CLI_SIMULATE_RANKS_H

#include "distributed/ranks/comm.h"

#include <weft/gravity.h>

struct simulate_run;

/* Where particles of the rank begin among all; and of the next one. */
int64_t simulate_share_first(const struct comm *comm, int64_t n, int rank);

/* This rank's slab of the mesh, for a plan of gravity. */
weft_gravity_slab simulate_slab(struct simulate_run *run);

/* What the mesh, and what pairs do to this rank's particles: accelerations along three
 * axes, or where `components` is 1 potentials. */
weft_status simulate_far(struct simulate_run *run, int components, const weft_array *out);
weft_status simulate_near(struct simulate_run *run, int components, const weft_array *out);

/* The same once it is known whose places are. */
enum simulate_force { SIMULATE_FAR, SIMULATE_NEAR };
weft_status simulate_find(struct simulate_run *run, enum simulate_force force,
                          int components, const weft_array *out);

/* What ended the ranks, as an error of the device, so that its calls end, too. */
weft_status simulate_give_up(struct simulate_run *run);

/* Rows of all ranks on the first, for free(), in the order of ranks; those of the others
 * are freed. NULL there, and after a failure. `rows` is taken over. */
void *simulate_gather(struct comm *comm, void *rows, int64_t n, size_t row_bytes);

#endif
