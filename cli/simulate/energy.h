/* NAME.energy.csv: what the energy equation and momentum are step by step. */
#ifndef WEFT_CLI_SIMULATE_ENERGY_H
#define WEFT_CLI_SIMULATE_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

struct simulate_run;

/* Means over particles, for a mass of 1: km/s and their squares, in peculiar velocities. */
struct simulate_energy_row {
    int64_t step;
    double scale;
    double kinetic, potential;
    double off; /* of the equation of Layzer and Irvine, since the first row */
    double momentum[3];
};

struct simulate_energy {
    struct simulate_energy_row *row; /* [n] of `room` */
    int64_t n, room;
    double done; /* the integral of kinetic over the scale factor */
};

/* Those of a run that goes on, up to where it is; none where the file is not there. Returns
 * the exit status. */
int simulate_energy_resume(struct simulate_run *run);

/* A row of the particles as they are, if it is due. Returns the exit status. */
int simulate_energy_add(struct simulate_run *run);

/* Writes all rows so far, if there are any. Returns the exit status. */
int simulate_energy_write(struct simulate_run *run);

void simulate_energy_free(struct simulate_energy *energy);

#endif
