/* What `weft halos` is asked for. */
#ifndef WEFT_CLI_HALOS_OPTIONS_H
#define WEFT_CLI_HALOS_OPTIONS_H

#include "region.h"
#include "so.h"
#include "cli/halos/types/types.h"
#include "cli/options.h"

struct halos_options {
    struct shared_options shared;
    const char *snapshot; /* that which is worked on */
    char **snapshots;
    int n_snapshots;
    const char *summary; /* of all of them; NULL: none */
    bool resume;
    const char *output;        /* NULL: STEM.halos.hdf5; "-": standard output */
    const char *labels, *plot; /* NULL: none */
    const char *plot_halo;     /* the picture of the halo of that tag; NULL: none */
    int64_t plot_tag;
    double linking_length;          /* of the mean separation; negative where not given */
    double linking_length_absolute; /* negative where not given */
    int64_t min_members, min_friends;
    struct halos_types types;
    struct halos_region region;
    bool periodic_given;
    bool periodic[3];
    double box[3]; /* 0: not given */
    bool centers_given;
    unsigned centers;
    bool so_given;
    struct halos_so so;
    bool profiles, shapes;
    const char *properties;       /* inside which threshold, or none; NULL: not given */
    double softening;             /* negative where not given */
    int64_t poisson_grid;         /* 0: by the halo */
    const char *poisson_boundary; /* zero or open; NULL: not given */
    bool poisson_prove;
    bool members, subhalos, xdmf, comments;
    int64_t memory_limit; /* bytes of the device; 0: not given */
};

/* What nobody asked for anything of has; its snapshot is missing. */
struct halos_options halos_options_default(void);

/* Whether what a halo is and what is measured of it can be had together; else a sentence.
 */
bool halos_options_agree(const struct halos_options *options, struct io_error *error);

/* Ends the process with a sentence and status 2 where they are not right. */
void halos_options_parse(struct halos_options *options, int argc, char **argv);

#endif
