/* Positions of particles as rows, on their way to the rank that finds what is done to them,
 * and accelerations or potentials on their way back. */
#ifndef WEFT_CLI_SIMULATE_ROWS_H
#define WEFT_CLI_SIMULATE_ROWS_H

#include "distributed/table/table.h"
#include "simulate.h"

/* Positions of this rank's particles, for free(). NULL after comm_fail. */
uint32_t (*rows_of_positions(struct simulate_run *run))[3];

/* What the mesh does, or pairs. */
enum rows_force { ROWS_FAR, ROWS_NEAR };

/* Finds it for particles that `mail` brought, `own`, and sends it back into arrays of what
 * they were sent from. Of ROWS_NEAR m others lie around them. Both are freed. */
bool rows_find(struct simulate_run *run, enum rows_force force, int components,
               const struct mailing *mail, uint32_t (*own)[3], uint32_t (*others)[3],
               int64_t m, const weft_array *out);

/* What ended the ranks, as an error of the device, so that its calls end, too. */
weft_status rows_give_up(const struct comm *comm, weft_device *device);

#endif
