/* Spherical overdensities of `weft halos`: which, and their columns. */
#ifndef WEFT_CLI_HALOS_SO_H
#define WEFT_CLI_HALOS_SO_H

#include "io/files/error.h"

#include <stdbool.h>
#include <weft/so.h>

struct halos_run;
struct halos_options;

/* One threshold, and what its columns are called. */
struct halos_so_threshold {
    char name[16];
    double density;                       /* in the snapshot's units */
    char columns[3][24], about[2][3][96]; /* of halos, of subhalos */
};

enum { HALOS_SO_INSIDE = 32 }; /* columns of what is inside, at most */

struct halos_so {
    int n; /* thresholds that are looked for */
    struct halos_so_threshold thresholds[WEFT_SO_MOST];
    int within;    /* inside of which properties are measured; -1: none */
    bool in_parts; /* of all halos at the end, and not of each part */
    double gravity,
        hubble; /* in km/s and the snapshot's units of comoving length and mass */
    char inside_name[HALOS_SO_INSIDE][40], inside_about[HALOS_SO_INSIDE][160]; /* texts */
};

/* The number of the threshold of that name; -1: there is none. */
int halos_so_named(const struct halos_so *so, const char *name);

/* The threshold inside which --properties are, of what was given there: 200c for NULL; NULL
 * for none. */
const char *halos_so_within(const char *properties);

/* Whether a text is the name of a threshold: vir, NUMBERc or NUMBERm. */
bool halos_so_is_name(const char *text);

/* Those that are found where the file tells what they need, and none is asked for. */
void halos_so_usual(struct halos_so *so);

/* The thresholds of a comma-separated list of vir, NUMBERc and NUMBERm, or of `none`.
 * False, and a sentence for the user, where one is none of them or comes twice. */
bool halos_so_parse(const char *list, struct halos_so *so, struct io_error *error);

/* Whether --so, --properties and --profiles can be had together; else a sentence. */
bool halos_so_agree(const struct halos_options *options, struct io_error *error);

/* Whether spheres are found, unless the particles say otherwise: known before they are. */
bool halos_so_planned(const struct halos_run *run);

/* What the file lets be found, from what is asked for or, where nothing is, from the
 * default. Known once the particles are. Returns the exit status, after telling why not
 * what was asked for; for the default it tells why nothing is where the file seems to know
 * its universe. */
int halos_so_settle(struct halos_run *run);

/* Finds the spheres around the most bound particles of all halos, and appends their
 * columns. Returns the exit status, after telling what failed. */
int halos_so_find(struct halos_run *run);

/* The same around all subhalos, which were found. */
int halos_so_find_subhalos(struct halos_run *run);

/* For each subhalo the number that a column, of eight bytes a row, has of its halo, for
 * free(); NULL, and an error of the device, where memory is out. */
struct halos_columns;
struct halos_subhalos;
void *halos_so_hosts(struct halos_run *run, const struct halos_columns *halos,
                     const struct halos_subhalos *subhalos, const char *name);

/* What spheres are around. */
struct halos_so_centers {
    bool subhalos; /* nothing is measured inside theirs */
    int64_t n;
    const double *at;     /* [3 n] */
    const int64_t *guess; /* [n] of how many particles about */
};

/* The same around these, among the particles that the run has and with their lent points;
 * but for the column `inside`. Errors are the device's.
 *   part   what is known of other particles; NULL: there are none */
void halos_so_around(struct halos_run *run, const struct halos_so_centers *of,
                     const weft_so_part *part);

#endif
