/* A part of space: x0:x1,y0:y1,z0:z1. */
#ifndef WEFT_CLI_HALOS_REGION_H
#define WEFT_CLI_HALOS_REGION_H

#include "io/files/error.h"

#include <stdbool.h>

struct halos_run;

struct halos_region {
    bool given;
    bool whole[3]; /* no bounds on that axis */
    double from[3],
        to[3]; /* particles with from <= x < to, and x their place in some period */
};

/* Three ranges with commas between; `:` is the whole axis. */
bool region_parse(const char *text, struct halos_region *region, struct io_error *error);

/* Once the periods are known: on a periodic axis a range that ends before it begins goes on
 * through the box's face, and one as long as the box is the whole axis. Errors: on another
 * axis a range that ends before it begins. */
bool region_settle(struct halos_region *region, const double period[3],
                   struct io_error *error);

/* Leaves the run with the particles in the region, and run->place with their places in the
 * input; all of its ranks call it. Returns the exit status. */
int region_cut(struct halos_run *run);

/* Whether the particle is within a distance of a face that cuts space: a halo that it is in
 * may go on behind it. */
bool region_is_near_face(const struct halos_region *region, const double period[3],
                         const double x[3], double distance);

#endif
