/* weft sheet: what is asked for, and what its steps work on. */
#ifndef WEFT_CLI_SHEET_H
#define WEFT_CLI_SHEET_H

#include "cli/options.h"
#include "cli/timings.h"
#include "io/snapshot.h"

#include <weft/sheet.h>

struct sheet_options {
    struct shared_options shared;
    const char *snapshot, *output; /* output NULL where not given */
    int64_t grid[3];               /* 0 where not given */
    int64_t lattice[3];            /* the same */
    weft_tessellation tessellation;
};

struct sheet_run {
    struct sheet_options options;
    char *command; /* as it was typed */
    char *output;  /* the name of the file */
    struct timings timings;
    weft_device *device;
    struct snapshot_info info;
    struct snapshot_particles particles;
    double particle_mass;
    weft_lattice lattice;
    int64_t *units; /* [cells] */
};

/* The names of tessellations, in the order of weft_tessellation. */
extern const char *const sheet_tessellations[3];

/* Ends the process on a usage error. */
void sheet_parse(int argc, char **argv, struct sheet_options *options);

/* Opens the device and reads the snapshot. Returns the exit status. */
int sheet_read(struct sheet_run *run);

#endif
