/* weft simulate: what is asked for, and what its steps work on. */
#ifndef WEFT_CLI_SIMULATE_H
#define WEFT_CLI_SIMULATE_H

#include "cli/options.h"
#include "cli/timings.h"
#include "energy.h"
#include "numbers.h"
#include "ranks.h"
#include "distributed/slabs/slabs.h"
#include "distributed/visits/visits.h"
#include "io/snapshot.h"

#include <weft/gravity.h>
#include <weft/steps.h>

enum { SIMULATE_STOPS = 64 };

struct simulate_options {
    struct shared_options shared;
    const char *input, *name; /* name: NULL where not given */
    double to_z;
    int64_t steps, substeps;
    double softening;         /* Mpc; NaN: not given */
    int64_t mesh;             /* 0: not given */
    int n_snapshots, n_halos; /* of redshifts; of snapshots without the last one */
    double snapshot[SIMULATE_STOPS];
    double halos[SIMULATE_STOPS];
    int64_t checkpoint; /* steps from one to the next; 0: none */
    int64_t energy;     /* steps from row to row; 0: none */
    weft_gravity_split split;
    int genericio; /* files that each snapshot is split into; 0: none */
    bool restart, reverse, power;
    bool planned; /* an option that --reverse excludes is there */
};

/* Steps, equal in ln a from stop to stop, so many in all. */
struct simulate_schedule {
    int n_stops;
    double scale[SIMULATE_STOPS]; /* the first where the run begins, one a snapshot */
    int64_t step[SIMULATE_STOPS]; /* 0 at the first */
    bool halos[SIMULATE_STOPS];   /* whether they are found there */
};

struct simulate_run {
    struct simulate_options options;
    char *command; /* as it was typed */
    char *name;    /* of files, without what each adds */
    struct timings timings;
    struct comm comm;
    weft_device *device;

    struct snapshot_info info;
    double box;   /* Mpc */
    double mass;  /* of a particle, 1e10 Msun */
    int64_t *id;  /* of this rank's; NULL: those of all are as they come */
    int64_t mesh; /* points along each axis */
    int64_t substeps;
    double softening; /* Mpc */
    weft_gravity_split split;
    struct simulate_schedule schedule;
    int64_t step;     /* where the particles are */
    double source[2]; /* halves of the input's fingerprint, which checkpoints tell */
    struct simulate_energy energy;

    int64_t first; /* of all particles, the first of this rank */
    weft_steps_particles particles;
    weft_steps_options take;
    struct slabs slabs;            /* of the mesh, where there are several ranks */
    struct slabs_room room;        /* of its transforms */
    struct comm_shelves shelves;   /* by which they go between ranks, */
    bool has_shelves;              /*   once these were asked for, */
    weft_device *beside;           /*   on another queue; NULL: on that of the device */
    struct visits_cells far, near; /* whose rank finds the forces in them */
    int64_t near_step;             /* for which `near` was cut */
    double near_seconds;           /* that this rank's pairs took since, at least */
    weft_gravity *gravity;
};

/* Ends the process on a usage error. */
void simulate_parse(int argc, char **argv, struct simulate_options *options);

/* From the redshift of the particles to all that was asked for. Returns the exit status. */
int simulate_plan(struct simulate_run *run);

/* The plan that a snapshot or a checkpoint tells, where in it it is, and of which input, if
 * it tells that, into the run; false in *there where it has none. */
bool simulate_read_plan(const char *path, struct simulate_run *run, bool *there,
                        struct io_error *error);

/* The scale factor after so many steps. */
double simulate_scale(const struct simulate_schedule *schedule, int64_t step);

/* Opens the device and reads what the run begins with. Returns the exit status. */
int simulate_read(struct simulate_run *run);

/* Lends the device the particles that a file has, as integers. Returns the exit status. */
int simulate_lend(struct simulate_run *run, const struct snapshot_particles *particles);

/* Ids of all, for free(), out of what was read; NULL where they are as they come. */
int64_t *simulate_take_ids(struct snapshot_particles *particles);

/* The same of several ranks, each of which gets its own into the run. Returns whether all
 * are well. */
bool simulate_read_ids(struct simulate_run *run, struct snapshot *snapshot);

/* Memory for the forces; tells how much all takes. Returns the exit status. */
int simulate_prepare(struct simulate_run *run);

/* Between two steps: gives back all memory but that of particles and accelerations, and
 * takes it again. */
void simulate_rest(struct simulate_run *run);
int simulate_go_on(struct simulate_run *run);

/* All steps, with what is written on the way. Returns the exit status. */
int simulate_evolve(struct simulate_run *run);

/* Writes the particles as they are. With `halos` it also finds them in the same numbers,
 * and writes their catalogue; and so the power spectrum. Returns the exit status. */
int simulate_write(struct simulate_run *run, const char *path, bool halos, bool power);

/* A snapshot that also tells of which input it is. Returns the exit status. */
int simulate_write_checkpoint(struct simulate_run *run, const char *path);

/* Writes the snapshot `path` as GenericIO beside it, all ranks together. Returns the exit
 * status. */
int simulate_convert(struct simulate_run *run, const char *path);

/* Halos, or the power spectrum, of the numbers of the snapshot `path`, which was written:
 * the bytes that weft halos and weft power make of it. The first rank finds halos, all of
 * them the spectrum, each from its own numbers. Return the exit status. */
int simulate_find_halos(struct simulate_run *run, const char *path,
                        const struct simulate_numbers *numbers);
int simulate_measure_power(struct simulate_run *run, const char *path,
                           const struct simulate_numbers *numbers);

/* Names, for free(); NULL: out of memory. NAME_000.hdf5 is that of stop 1, and of stop 0;
 * NAME.checkpoint.hdf5 that of -1. Beside a snapshot lie its NAME_000.halos.hdf5,
 * NAME_000.gio and NAME.power_000.csv; NAME.energy.csv is of the whole run. */
char *simulate_path(const struct simulate_run *run, int stop);
char *simulate_halos_path(const char *path);
char *simulate_genericio_path(const char *path);
char *simulate_power_path(const char *path);
char *simulate_energy_path(const struct simulate_run *run);

#endif
