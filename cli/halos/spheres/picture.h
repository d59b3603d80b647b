/* The picture of one halo, --plot-halo. */
#ifndef WEFT_CLI_HALOS_SPHERES_PICTURE_H
#define WEFT_CLI_HALOS_SPHERES_PICTURE_H

struct halos_run;

/* Whether the halo of that tag is there. Returns the exit status, after telling that it is
 * not. */
int picture_check(const struct halos_run *run);

/* Draws it, of a run whose halos lie on its device. Returns the exit status, after telling
 * what failed. */
int picture_draw(struct halos_run *run);

#endif
