/* A run of `weft halos`, from step to step. */
#ifndef WEFT_CLI_HALOS_H
#define WEFT_CLI_HALOS_H

#include "columns.h"
#include "distributed/ranks/comm.h"
#include "members.h"
#include "options.h"
#include "spill.h"
#include "io/mixture.h"
#include "cli/closing.h"
#include "cli/parallel.h"
#include "cli/timings.h"

#include <weft/fof.h>
#include <weft/halos.h>
#include <weft/points.h>
#include <weft/subhalos.h>

enum { HALOS_PROFILE_BINS = 21 };

/* Subhalos, where they are asked for. */
struct halos_subhalos {
    weft_subhalos_options options;
    int64_t n;
    struct halos_columns columns;
    struct catalogue_rest rest, members; /* of other ranks */
    int64_t *offset;                     /* [n + 1] */
    int64_t *member_id; /* in each by their energies; NULL: not asked for */
};

/* Particles that the caller has, and keeps; what works on them in parts copies them. */
struct halos_given {
    const struct snapshot *snapshot; /* that they are in, too; NULL: none */
    struct snapshot_info info;
    struct snapshot_particles particles;
};

struct halos_run {
    struct halos_options options;
    char *command;   /* as it was typed */
    char *output;    /* the catalogue's name; "-" */
    char *xdmf;      /* that of its description, or NULL */
    char *filled[4]; /* other names of files in which the snapshot's was filled in */
    char key[2][20]; /* what made the catalogue: options and snapshot, as hashes */
    bool in_parts;   /* of one after another no step is shown */
    bool skipped;    /* it is there already */
    bool no_device;  /* that is why the run failed */
    struct timings timings;
    weft_device *device;
    weft_device *meanwhile; /* a host's, for a few numbers while that is on its way */
    struct opening opening; /* of a device that is on its way */
    bool opens;
    bool is_last; /* no other snapshot takes the device after it */
    struct closing closing;
    struct spill spill;
    struct comm comm;

    const struct halos_given *given; /* in place of the snapshot, which is a name then */
    bool keeps;                      /* what is found, and writes no file */

    struct snapshot_info info;           /* of all particles */
    struct snapshot_particles particles; /* those that are worked on: all, or whole halos */
    weft_array there;                    /* positions that link_groups left on the device */
    const int64_t *index;                /* their places in the input; NULL: in order */
    const uint32_t *friends;             /* theirs; NULL: not counted yet */
    int64_t *shares;                     /* [ranks + 1]: where theirs begin; NULL: equal */
    int64_t *place;                      /* of those in a region, in the input; or NULL */
    int64_t n_inside;                    /* of the region, on all ranks; without one all */
    struct halos_attached attached;      /* to halos; of no particles in parts */
    double lightest;                     /* mass of a particle, where types differ in it */
    double box[3];                       /* 0: none on that axis */
    double period[3];                    /* the box where the axis is wrapped, else 0 */
    double mean_separation;              /* NaN without a box */
    double linking_length;               /* absolute */

    weft_array position; /* lent, as are ids, velocities and masses while they */
    weft_array lent[SNAPSHOT_FIELDS]; /*   are used, and these from step to step */
    bool keeps_lent;
    weft_array
        roomy[SNAPSHOT_FIELDS]; /* with room behind them, of several ranks: the first */
    int64_t own; /*   rows stay, and for spheres those of other ranks come behind them */
    weft_points points;
    weft_fof_options rule; /* for friends-of-friends, */
    weft_cells *cells;     /*   and its cells where friends are counted after it */
    weft_halos halos;

    int64_t together;     /* of them so many, the largest, are so large that all ranks */
    int64_t *together_of; /*   look for their centers; [ranks] the same of each, or NULL */

    char potential_unit[2 * SNAPSHOT_UNIT_LENGTH + 4]; /* mass / length */
    char density_unit[2 * SNAPSHOT_UNIT_LENGTH + 8];   /* mass / length^3 */
    char energy_unit[SNAPSHOT_UNIT_LENGTH + 12];       /* mass km^2/s^2 */
    char spin_unit[2 * SNAPSHOT_UNIT_LENGTH + 12];     /* mass length km/s */

    struct halos_so so;
    struct halos_subhalos subhalos;

    bool shared;                /* each rank writes its rows; else the first has all */
    int64_t n_halos, n_members; /* of the columns */
    struct catalogue_rest rest, members_rest; /* of other ranks */
    int64_t proven;                           /* Poisson centers, of all ranks */
    int64_t *offset;                          /* [n_halos + 1], of all ranks' members */
    int64_t *member_id;                       /* [n_members], or NULL: not asked for */
    int64_t *member_friends;                  /* the same */
    struct halos_members members;             /* in their place, of halos found in parts */
    int64_t *labels; /* [n_labels]: this rank's share of the input */
    int64_t n_labels;
    struct halos_columns columns;
    struct halos_columns profiles;               /* of HALOS_PROFILE_BINS numbers each, */
    double profile_edge[HALOS_PROFILE_BINS + 1]; /*   whose shells end here */
};

/* The steps. Each returns the exit status, and tells what failed. */

/* All, from the snapshot to its files; with --resume none where those are there. */
int halos_run_steps(struct halos_run *run);

/* The first of them, from the snapshot to columns. */
int halos_find(struct halos_run *run);

/* Whether halos are found part by part: on several ranks, or under a limit of memory. */
static inline bool halos_has_parts(const struct halos_run *run) {
    return run->comm.size > 1 || run->options.memory_limit > 0;
}

/* Gives back what the run has, but for its device, which has nothing of it any more;
 * that alone which lies on the device; the particles alone; of these the velocities, once
 * no more is asked of them, as room for tables. */
void halos_release(struct halos_run *run);
void halos_release_device(struct halos_run *run);
void halos_release_particles(struct halos_run *run);
void halos_release_velocities(struct halos_run *run);

/* Whether all that shall be written can be: found out before the work and not after it. */
int halos_check_outputs(struct halos_run *run, const struct snapshot *snapshot);

/* What makes the catalogue, into run->key; and where --resume is given whether the files
 * are there that it makes, into run->skipped. */
void halos_resume(struct halos_run *run, const struct snapshot *snapshot);

/* Opens the snapshot, and the device unless the run has one; settles box and linking
 * length, reads. */
int halos_read(struct halos_run *run);

/* The device, once it is there, into the run: of several ranks it may be on its way after
 * halos_read, as particles travel without it. Returns the exit status. */
int halos_take_device(struct halos_run *run);

/* One for a few numbers of the universe: the device, or while that is on its way another,
 * whose errors are told as its are. */
weft_device *halos_any_device(struct halos_run *run);

/* Closes the device, where it is asked for nothing more: what is left goes on meanwhile. */
void halos_part_with_device(struct halos_run *run);

/* Names of the device, also where it is closed already. */
const char *halos_backend_name(const struct halos_run *run);
const char *halos_device_name(const struct halos_run *run);

/* Says on a terminal what is being done, and where. */
void halos_show(const struct halos_run *run, const char *what);

/* The halos from the labels of the particles, whose points were lent; they stay on the
 * device, as do fields that are lent, until they are described; labels are no longer
 * needed. */
int halos_group(struct halos_run *run, weft_array labels);

/* From these halos to columns: their properties, their centers, spheres. */
int halos_describe(struct halos_run *run);

/* What makes two particles friends. */
weft_fof_options halos_rule(const struct halos_run *run);

/* The points that are lent, with these masses. */
weft_bodies halos_bodies(const struct halos_run *run, weft_array mass);

/* Friends-of-friends on several ranks, or in pieces: labels, or what stays on the device,
 * which is taken if it was on its way. */
struct link_device;
struct table;
int halos_link(struct halos_run *run, struct table *particles, struct link_device *device,
               uint32_t **label);

/* The first n of the positions that stay there, if any do, are those to lend from here on.
 */
void halos_keep_left(struct halos_run *run, weft_array words, int64_t n);

/* Lends the positions to the device, as points. */
void halos_lend_points(struct halos_run *run);

/* The same of particles on several ranks, or of more than the device may hold: links and
 * describes them part by part. Each rank has the columns of some rows of the catalogue, or
 * rank 0 those of all. */
int halos_in_parts(struct halos_run *run);

/* Reads halos and their properties back into columns. */
int halos_measure(struct halos_run *run);

/* Whether the file tells what subhalos need, into what they are measured by; and, of halos
 * that lie on the device with their columns, finds them. */
int halos_subhalos_settle(struct halos_run *run);
int halos_subhalos_find(struct halos_run *run);
void halos_subhalos_free(struct halos_run *run);

/* One halo tag a particle, into labels. */
void halos_label(struct halos_run *run);

/* Whether masses of all particles that are the same may be one number. */
static inline bool halos_may_have_one_mass(const struct halos_run *run) {
    return !run->options.types.given;
}

/* Reads this rank's share of the particles; with one rank, all. */
int halos_read_particles(struct halos_run *run, struct mixture *mixture);

/* Whether the ids of all ranks are unique and in range; else the places take over, and why
 * is noted. False: for a reason that the ranks tell. */
bool halos_settle_ids(struct halos_run *run);

/* Where a rank's share of the input begins, and the rank whose share a place is in. */
int64_t halos_share(const struct halos_run *run, int rank);
int halos_rank_of(const struct halos_run *run, int64_t index);

/* Whether particles are labelled: to be written, or for what is attached to halos. */
static inline bool halos_needs_labels(const struct halos_run *run) {
    return run->options.labels || run->options.types.n_attached > 0;
}

/* Labels, and the catalogue. */
int halos_write(struct halos_run *run);

/* On all ranks: the catalogue, of which each has some rows. */
int halos_write_shared(struct halos_run *run, const struct catalogue *catalogue);

/* Lends field `field` of the particles to the device, and takes it back; {0} where there is
 * none. */
weft_array halos_lend(struct halos_run *run, enum snapshot_field field);
void halos_take_back(struct halos_run *run, weft_array array);

/* Ends that fields stay on the device from link_groups to spheres. */
void halos_forget_roomy(struct halos_run *run);

/* What is lent from now on stays so until nothing is kept: a GPU gets it once. With a limit
 * of memory it does not stay. */
void halos_keep_lent(struct halos_run *run, bool keep);

#endif
