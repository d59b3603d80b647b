/* What the spheres of `weft halos` are like inside: the columns of --properties. */
#ifndef WEFT_CLI_HALOS_SPHERES_INSIDE_H
#define WEFT_CLI_HALOS_SPHERES_INSIDE_H

#include <weft/profiles.h>

struct halos_run;
struct halos_columns;

/* What was asked, and what was found. */
struct spheres {
    weft_bodies bodies; /* without velocities */
    weft_points around;
    weft_so_options options;
    weft_so_spheres found;
};

/* Appends the columns of what is inside threshold run->so.within; the caller finds errors
 * of the device. */
void inside_measure(struct halos_run *run, const struct spheres *spheres);

/* The tags of the halos in whose spheres each of n halos, of all of them, lies, for free();
 * NULL: the caller finds errors on the device. And the column `inside` of these. */
int64_t *inside_find_hosts(struct halos_run *run, const struct halos_columns *columns,
                           int64_t n);
void inside_keep_hosts(struct halos_run *run, int64_t *inside);

/* The column of ranks' rows: hosts are found on rank 0, which gets what it takes of all
 * halos, and told to the ranks that have their rows. Returns the exit status. */
int inside_settle_hosts(struct halos_run *run);

/* The edges of the shells of profiles, in units of R, from that of the innermost on:
 * HALOS_PROFILE_BINS. */
void inside_edges(double *edge);

/* How far all particles must be known, in units of R, for profiles and shapes that are
 * asked for; 0: they are not. */
double inside_reach(const struct halos_run *run);

/* Where profiles end, in units of R. */
double inside_edge(void);

/* The shells of --profiles, and their columns. */
weft_profiles_options inside_shells(struct halos_run *run);
void inside_keep_profiles(struct halos_run *run, const weft_profiles *found);

#endif
