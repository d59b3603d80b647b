/* What the halo rows compute, for their checks. */
#ifndef WEFT_BENCH_HALOS_H
#define WEFT_BENCH_HALOS_H

#include "bench/bench.h"

/* A task's settings. Its in[0] are the positions, [3n] f32 or f64 interleaved. */
struct halos_settings {
    f64 linking_length;
    f64 box[3];              /* 0: not periodic */
    i64 min_points;          /* of DBSCAN rows */
    f64 density;             /* the mean number density, and */
    weft_cells *cells;       /*   what friends-of-friends stored, of rows that use it */
    weft_so_spheres spheres; /* of rows that measure what is inside */
};

/* Whether out[0] [n] u32 names for each particle the smallest index in its group: by
 * another finder, sequential and plain, on cells in a hash table. */
bool check_fof(const struct task *task);

/* Whether out[0] [n] i32 are scikit-learn's clusters, found as plainly. */
bool check_dbscan(const struct task *task);

/* Whether out[0] [n] u32 are fof's labels, and out[1][0 .. count) u32 the most connected
 * particles of the groups of 20 and more, largest group first. */
bool check_mcp(const struct task *task);

/* Whether out[0] [halos] u32 are the most bound particles of equal masses, and out[1] f64
 * their potentials, by plain sums in f64: of particles equal to a few roundings any. */
bool check_mbp(const struct task *task);

/* Halos of the profile of Navarro, Frenk and White, one or a thousand of lengths from
 * n / 144,000 to n / 144: positions and members as mbp:bounded has them; a check by
 * samples; and how many particles there are. */
bool nfw_make(struct task *task, i64 halos);
bool nfw_check(const struct task *task);
i64 nfw_length(const struct bench *bench, bool all_pairs);

/* Spherical overdensities of five thresholds: in[1] [3 halos] f32 are the centers, in[2]
 * i64 how many members each has; out[0] i64 and out[1] f64 [5 halos] are the counts and
 * radii, threshold by threshold. The check is the definition, for some centers. */
void run_so(weft_device *device, const weft_array *in, const weft_array *out,
            struct task *task);
bool check_so(const struct task *task);
enum { SO_DENSITIES = 5 };

/* The options of that; and squared distances from a center of all particles that are not
 * farther than `far`, in order, whose number is returned. */
weft_so_options so_options(const struct halos_settings *settings, weft_array guess);
i64 so_rank(const struct task *task, const f32 *center, f64 far, f64 *r2);

/* What is inside the spheres of 200c: in[0] to in[2] as above, in[3] [3n] f32 velocities;
 * the spheres are in the settings. out[0] is vmax, f64 [halos]; or the counts of shells,
 * i64 [INSIDE_SHELLS halos], and out[1] f64 their radii, and after them vmax where both
 * are found at once. */
void find_spheres(weft_device *device, const weft_array *in, struct task *task);
void run_properties(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task);
void run_profiles(weft_device *device, const weft_array *in, const weft_array *out,
                  struct task *task);
void run_inside(weft_device *device, const weft_array *in, const weft_array *out,
                struct task *task);
bool check_properties(const struct task *task);
bool check_profiles(const struct task *task);
bool check_inside(const struct task *task);
enum { INSIDE_SHELLS = 6 };

/* The pairs of members of each halo, every member with every other and itself. */
double pairs_of(const struct task *task);

/* Whether out[0] are members of their halos, and out[1] their potentials. */
bool check_poisson(const struct task *task);

#endif
