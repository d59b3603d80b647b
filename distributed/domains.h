/* Space cut into domains that hold about the same number of particles: recursive bisection
 * of a sample, each time across its longest side (Berger and Bokhari 1987, IEEE Trans.
 * Comput. C-36, 570). One domain a rank, or one for each piece that a device takes. */
#ifndef WEFT_DISTRIBUTED_DOMAINS_H
#define WEFT_DISTRIBUTED_DOMAINS_H

#include <stdbool.h>
#include <stdint.h>
#include <weft/array.h>

/* Positions as they lie in memory: x y z of each particle in turn, f32 or f64. */
struct positions {
    const void *at;
    int bytes; /* 4 or 8 */
    int64_t n;
    weft_array
        lent; /* of them, then room, as u32 on a device; no type: they are not there */
};

/* Lends them to a device whose memory is its own, so that they travel once: not to others,
 * and not where they take more than `limit` bytes, if that is not 0. To those that are
 * there adds what came after them. Take them back before they change. Errors stick to the
 * device. */
void positions_lend(weft_device *device, struct positions *positions, int64_t limit);
void positions_lengthen(weft_device *device, struct positions *positions, int64_t more);
void positions_take_back(weft_device *device, struct positions *positions);

struct domains {
    int n;
    double period[3];           /* 0: the axis does not wrap */
    struct domains_plane *cuts; /* [n - 1], and room for one */
    struct domains_box {
        double low[3], high[3]; /* infinite where space goes on */
    } * boxes;                  /* [n] */
};

/* x y z of particle i, brought into the period of each axis that wraps. */
void domains_place(const double period[3], const struct positions *positions, int64_t i,
                   double place[3]);

/* `count` places, spread evenly over the particles; NaN for those that there are not. */
void domains_sample(const double period[3], const struct positions *positions, int count,
                    double *sample);

/* Cuts space into n domains by a sample of `count` places, which are put in another order;
 * NaN is left out. False where memory is out. Free with domains_free. */
bool domains_cut(struct domains *domains, int n, const double period[3], double *sample,
                 int64_t count);
void domains_free(struct domains *domains);

/* The domain that a place lies in. */
int domains_owner(const struct domains *domains, const double place[3]);

/* Those of particles first .. first + n: owner [n]. */
void domains_owners(const struct domains *domains, const struct positions *positions,
                    int64_t first, int64_t n, uint16_t *owner);

/* The same, in vectors. Where there are few domains and all axes wrap: true, and the cuts
 * for it; and of n rows from `at` on, raising `farthest` to their largest coordinates:
 * false, and nothing done, where some are outside a period. */
enum { DOMAINS_FEW = 64 };
struct domains_sides {
    int cuts;
    struct domains_side {
        int axis;
        int first, left; /* of the domains from `first` on so many are below the cut */
        float at;        /* for f32; */
        double at_wide;  /*   and f64 */
    } cut[DOMAINS_FEW - 1];
    uint32_t end[3]; /* of the periods, as bits */
    uint64_t end_wide[3];
};
bool domains_find_sides(const struct domains *domains, struct domains_sides *sides);
bool domains_owners_within(const struct domains_sides *sides, const void *at, int bytes,
                           int64_t n, uint16_t *owner, double farthest[3]);

/* Whether all within reach of a place is in the domain that the place is in. True of nearly
 * all places, and found out faster than domains_near does. */
bool domains_is_inside(const struct domains *domains, int owner, const double place[3],
                       const double reach[3]);

/* The particles, all of domain `own`, of which domains_is_inside is not true, and perhaps
 * others that are more than a period outside: their rows, ascending, for free(); NULL where
 * memory is out. The device takes at most `limit` bytes for it; 0: no limit. Errors stick
 * to it. Returns how many. */
int64_t domains_list_edge(weft_device *device, const struct domains *domains, int own,
                          const struct positions *positions, const double reach[3],
                          int64_t limit, uint32_t **rows);

/* All domains with a place within reach[axis] of this one on every axis, around the period
 * too, into found [n]. Returns how many. */
int domains_near(const struct domains *domains, const double place[3],
                 const double reach[3], int *found);

#endif
