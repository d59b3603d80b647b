/* weft power: what is asked for, and what its steps work on. */
#ifndef WEFT_CLI_POWER_H
#define WEFT_CLI_POWER_H

#include "cli/options.h"
#include "cli/timings.h"
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
    weft_device *device;
    struct snapshot_info info; /* of a density: box and unit alone */
    struct snapshot_particles particles;
    struct density_grid density;
    weft_power_options asked;
    int64_t shells, *modes;
    double *k, *power, shot_noise;
};

/* The names of windows, from that of NGP on. */
extern const char *const power_windows[4];

/* Ends the process on a usage error. */
void power_parse(int argc, char **argv, struct power_options *options);

/* Opens the device and reads the particles or the density. Returns the exit status. */
int power_read(struct power_run *run);

/* Writes the spectrum as CSV, whole or not at all. Returns the exit status. */
int power_write(const struct power_run *run);

#endif
