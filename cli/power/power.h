/* weft power: what is asked for, and what its steps work on. */
#ifndef WEFT_CLI_POWER_H
#define WEFT_CLI_POWER_H

#include "cli/options.h"
#include "cli/timings.h"
#include "distributed/slabs/slabs.h"
#include "io/density/density.h"
#include "io/snapshot.h"

#include <weft/power.h>

struct power_options {
    struct shared_options shared;
    const char *snapshot, *density, *output; /* NULL where not given */
    int64_t grid;                            /* 0 where not given */
    weft_mesh_window window;
    bool plain;
};

struct power_run {
    struct power_options options;
    char *command; /* as it was typed */
    char *output;  /* the name of the file */
    struct timings timings;
    struct comm *comm;
    weft_device *device;
    struct snapshot_info info;           /* of a density: box and unit alone */
    struct snapshot_particles particles; /* those that this rank read */
    struct density_grid density;         /* its planes */
    weft_power_options asked;
    int64_t shells, *modes;
    double *k, *power, shot_noise;
};

/* The names of windows, from that of NGP on. */
extern const char *const power_windows[4];

/* Ends the process on a usage error. */
void power_parse(int argc, char **argv, struct power_options *options);

/* What of the mesh is a rank's, where there are several. */
struct power_share {
    struct power_run *run;
    struct slabs slabs;
    int *owner; /* of each plane, for free() */
    weft_power_slab slab;
};

/* Shares out the mesh that is asked for, in the run, too. False where a rank failed. */
bool power_share_out(struct power_run *run, struct power_share *share);

/* Opens the device and reads the particles or the density. Returns the exit status. */
int power_read(struct power_run *run);

/* What is asked for of particles, by the options, and their number and box in the run.
 * Returns the exit status. */
int power_settle(struct power_run *run);

/* The spectrum of all particles, or of the density, on each rank: k, power and modes, which
 * are the caller's to free. Returns the exit status. */
int power_measure(struct power_run *run);

/* Writes the spectrum as CSV, whole or not at all. Returns the exit status. */
int power_write(const struct power_run *run);

#endif
