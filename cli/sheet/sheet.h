/* weft sheet: what is asked for, and what its steps work on. */
#ifndef WEFT_CLI_SHEET_H
#define WEFT_CLI_SHEET_H

#include "cli/options.h"
#include "cli/parallel.h"
#include "cli/timings.h"
#include "io/density/density.h"
#include "io/snapshot.h"

#include <weft/sheet.h>

enum { SHEET_BLOCK = 4 }; /* cubes along each axis around which a box of the lattice is */

struct sheet_options {
    struct shared_options shared;
    const char *snapshot, *output; /* output NULL where not given */
    const char *plot, *halos;      /* NULL where not given */
    int64_t grid[3];               /* 0 where not given */
    int64_t lattice[3];            /* the same */
    weft_tessellation tessellation;
    unsigned fields;      /* bits of enum density_field */
    int project;          /* the axis; -1: none */
    int64_t memory_limit; /* bytes; 0: not given */
    int samples;          /* points a tetrahedron; 0: exact */
    int levels;           /* by which patches are refined at most; 0: one grid */
    int64_t crowded;      /* more tetrahedra than that refine a patch */
    bool xdmf;
};

struct sheet_run {
    struct sheet_options options;
    struct comm *comm;
    char *command; /* as it was typed */
    char *output;  /* the name of the file, */
    char *xdmf;    /* and of its description; NULL: none */
    struct timings timings;
    weft_device *device;
    struct opening opening; /* of a device that is on its way */
    bool opens;
    struct snapshot_info info;
    struct snapshot_particles particles;
    double particle_mass;
    bool slabs;             /* whether each rank has a slab of the lattice alone */
    weft_lattice whole;     /* without arrays */
    weft_lattice lattice;   /* the whole, or the slab; {0} of a rank that has none */
    int64_t first, cubes;   /* this rank's of the whole: its lattice's from 0 on */
    weft_array velocity;    /* of each site; no array where none is wanted */
    struct density density; /* what the file says */
    int64_t turns, planes;  /* of cells, each rank's in a turn */
    int64_t pieces, piece;  /* of those, sent at once: planes */
    uint8_t *touched;       /* [ranks][planes]: whether the rank's slab has mass there */
    uint8_t *ahead;         /* [layers]: whether one has mass in planes of other ranks */
    double *halos;          /* that are drawn: centers [n][3], then masses [n] */
    int64_t n_halos;
    double halos_box[3]; /* what their file tells; 0: nothing */
    int64_t *columns;    /* of the picture, x slowest */
    double most;         /* density of the fullest cell */
    int64_t empty;       /* cells without any mass */
    struct density_patch *patches;
    uint8_t *near;  /* [ranks][patches]: whether the rank's part of the lattice is near */
    double squares; /* of errors of a preview, in units of the mean density */
};

/* The names of tessellations, in the order of weft_tessellation. */
extern const char *const sheet_tessellations[3];

/* Ends the process on a usage error. */
void sheet_parse(int argc, char **argv, struct sheet_options *options);

/* Opens the device and reads the snapshot. Returns the exit status. */
int sheet_read(struct sheet_run *run);

/* The device, once it is there, into the run: of several ranks it may be on its way after
 * sheet_read, as particles are sent to slabs without it. Returns the exit status, or that
 * given. */
int sheet_take_device(struct sheet_run *run, int status);

/* Says what failed on the device. Returns the exit status. */
int sheet_fail(const struct sheet_run *run);

/* Finds the lattice, and the velocities of its sites. Returns the exit status. */
int sheet_find_lattice(struct sheet_run *run);

/* The same where ranks have read some particles each: sends them to the ranks whose slabs
 * of the lattice they are of. */
int sheet_find_slab(struct sheet_run *run);

/* The particles that the rank has, for the device. */
struct sheet_lent {
    weft_array position, id;
    weft_points points;
};
struct sheet_lent sheet_lend(const struct sheet_run *run);
void sheet_take_back(const struct sheet_run *run, const struct sheet_lent *lent);

/* How many planes of cells fit --memory-limit. Returns the exit status. */
int sheet_plan(struct sheet_run *run);

/* Bytes of particles and of scratch. */
int64_t sheet_rest(const struct sheet_run *run);

/* The axis along which planes of cells are counted, how many there are, and cells of each.
 */
int sheet_slow(const struct sheet_run *run);
int64_t sheet_planes(const struct sheet_run *run);
int64_t sheet_plane(const struct sheet_run *run);

/* The planes of a rank in a turn, some of those that it has in all: so that slabs, which
 * began side by side, have work in each turn. The count is 0 or below where none are left.
 */
struct sheet_share {
    int64_t first, count;
};
struct sheet_share sheet_share(const struct sheet_run *run, int64_t turn, int rank);

/* Some of them, 0 .. run->pieces; the count as above. */
struct sheet_share sheet_part(const struct sheet_run *run, struct sheet_share share,
                              int64_t part);

/* How many of them the slab of a rank touches; how many of the shares before that of
 * `owner`; and how many in a turn at most. */
int64_t sheet_touched(const struct sheet_run *run, int rank, struct sheet_share share);
int64_t sheet_touched_before(const struct sheet_run *run, int rank, int64_t turn,
                             int owner);
int64_t sheet_most_touched(const struct sheet_run *run, int rank);

/* Finds that out, and which layers of blocks of this rank's lattice, planes of SHEET_BLOCK
 * cubes, have mass in planes of others: into run->touched and run->ahead, which the run
 * keeps. Returns the exit status. */
int sheet_find_touched(struct sheet_run *run);

/* Whether a plane is touched by the slab of another rank than this. */
bool sheet_touched_by_others(const struct sheet_run *run, int64_t plane);

/* Computes the cells and writes the file. Returns the exit status. */
int sheet_cells(struct sheet_run *run);

/* The same of refined patches. */
int sheet_refine(struct sheet_run *run);

/* Patches of 64^3 cells that cover the box, each before the eight that are finer; those are
 * there where it has more than so many tetrahedra, by the boxes around the lattice's
 * blocks. Into run->patches, run->near and run->density. Returns the exit status. */
int sheet_grow(struct sheet_run *run);

/* Patches without finer ones, in the order in which they are computed: so that those of
 * each `turn` are spread along x, as slabs are. */
struct sheet_leaves {
    int64_t *patch, n, turn;
    int64_t most; /* that are near the part of one rank, in a turn */
};

/* False where memory ends. Free the patches. */
bool sheet_find_leaves(const struct sheet_run *run, struct sheet_leaves *leaves);

/* As many of them a turn as fit so many patches a rank; at least one. */
void sheet_set_turn(const struct sheet_run *run, int64_t fit, struct sheet_leaves *leaves);

/* Whether what a rank has of the lattice is near a patch. */
bool sheet_is_near(const struct sheet_run *run, int rank, int64_t patch);

/* Notes the fullest cell and those that are empty. */
void sheet_summarize(struct sheet_run *run, const int64_t *mass, int64_t cells,
                     double mean);

/* i64 a cell of what fields need: masses, streams, momentum, energy. */
enum sheet_sum {
    SHEET_MASS,
    SHEET_STREAMS,
    SHEET_MOMENTUM,
    SHEET_ENERGY,
    SHEET_OFF, /* what a preview of some of the sheet is off by */
    SHEET_SUMS,
};

/* How many of each are wanted; returns the sum. */
int64_t sheet_count_sums(const struct sheet_run *run, int each[SHEET_SUMS]);

/* Whether the device has sums of its own, far from the host's memory. */
bool sheet_is_far(const struct sheet_run *run);

/* Adds up what all slabs have in the planes of a turn: `slab` has those that this rank's
 * touches, owner by owner, `sums` gets the rank's share. Where the device is far that of
 * its own slab, but SHEET_OFF, comes later: of planes that it touches what others have is
 * in `slab` then, which has zeros there as `sums` has. Scratch for a piece of one in
 * `came`. False after a failure of comm. */
bool sheet_sum(struct sheet_run *run, int64_t turn, const int each[SHEET_SUMS],
               int64_t *const slab[SHEET_SUMS], int64_t *const sums[SHEET_SUMS],
               int64_t *came);

/* Brings the sums that rank `from` has of `cells` cells, but SHEET_OFF, to rank 0, into
 * *here: the caller's to free; NULL on other ranks. False after a failure of comm. */
bool sheet_bring(struct comm *comm, int from, int64_t cells, const int each[SHEET_SUMS],
                 int64_t *const sums[SHEET_SUMS], int64_t *here[SHEET_SUMS]);

/* What a preview of these planes is off by, of this rank's part of some of the sheet: into
 * `off`, of zeros. */
void sheet_compare(struct sheet_run *run, const weft_sheet_options *planes, int64_t cells,
                   int64_t *off);

/* The sum of its squares over cells, in units of `mean`, as the whole sheet has it. */
double sheet_squares(const struct sheet_run *run, double mean, const int64_t *off,
                     int64_t cells);

/* Reads the halos that are drawn, if some are. Returns the exit status. */
int sheet_read_halos(struct sheet_run *run);

/* The mass in columns along z, which are the picture's pixels, on rank 0. Returns the exit
 * status. */
int sheet_map(struct sheet_run *run);

/* Draws them, and halos on them. Returns the exit status. */
int sheet_draw(struct sheet_run *run);

#endif
