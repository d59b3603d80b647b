/* Halos so large that one rank would still look for their centers when others are done: all
 * look together, each among its share of the members. */
#ifndef WEFT_CLI_HALOS_TOGETHER_H
#define WEFT_CLI_HALOS_TOGETHER_H

#include "cli/halos/halos.h"

/* Chooses them among the halos of each rank: all ranks call it, once, when those are known.
 * They are its first, run->together; none with one rank, or with a memory limit. */
int together_choose(struct halos_run *run);

/* The others of this rank, with arrays of the open scope. */
weft_halos together_rest(struct halos_run *run);

/* One halo, alike on all ranks: particles 0 .. n, its members by ascending id. */
struct together_halo {
    weft_points points;
    weft_array mass; /* {0}: none */
    weft_halos halo;
};

/* The best of this rank's share of the members: the larger the merit, the better. */
struct together_best {
    double merit;
    uint32_t member; /* 2^32 - 1: none */
};
typedef struct together_best together_look(struct halos_run *run,
                                           const struct together_halo *halo);

/* Looks for a center of each such halo: all ranks call it. Returns those of this rank's,
 * [run->together] for free(), as input indices; of several as good the first by id. NULL
 * after an error, which is the device's. */
struct together_best *together_find(struct halos_run *run, together_look *look);

#endif
