/* Particles as a snapshot tells them. */
#ifndef WEFT_CLI_SIMULATE_NUMBERS_H
#define WEFT_CLI_SIMULATE_NUMBERS_H

#include "io/ics/ics.h"

struct simulate_run;

/* What simulate_give_rows gives this rank's particles from. */
struct simulate_source {
    const struct simulate_run *run;
    void *axis; /* scratch: 8 bytes for each of ICS_PIECE */
};
ics_rows simulate_give_rows;

/* Those of this rank; then those of all ranks, on the first. */
struct simulate_numbers {
    double *position;  /* [n][3] Mpc */
    double *mass;      /* [n] 1e10 Msun */
    double *velocity;  /* [n][3] km/s, of all alone */
    int64_t *id;       /* [n], of all alone */
    bool ids_are_lent; /* they are those of the run */
};

/* Those of this rank; and then those of all. Return whether all ranks are well. Free the
 * numbers in each case. */
bool simulate_take(struct simulate_run *run, struct simulate_numbers *numbers);
bool simulate_bring(struct simulate_run *run, struct simulate_numbers *numbers);
void simulate_numbers_free(struct simulate_numbers *numbers);

#endif
