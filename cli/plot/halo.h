/* A picture of one halo: its members from above, the radii of its spheres, its density by
 * radius. */
#ifndef WEFT_CLI_PLOT_HALO_H
#define WEFT_CLI_PLOT_HALO_H

#include "io/files/error.h"

#include <stdbool.h>

enum { PLOT_RINGS = 16 };

/* Arrays are borrowed. */
struct plot_halo {
    const char *path; /* of the picture: .pdf, .svg, or PNG */
    const char *title;
    int64_t tag, count;
    int64_t n;           /* members that are drawn, */
    const float *member; /*   [n][2] from the center */
    int rings;           /* spheres: their names, as "200c", and radii */
    struct plot_ring {
        const char *name;
        double radius;
    } ring[PLOT_RINGS];
    int shells; /* of all particles around the center */
    const struct plot_shell {
        double from, to; /* radii */
        double mass;
        int64_t count;
    } * shell;
    /* The NFW profile that is drawn: mass in the radius, and concentration, 0: none. */
    double mass, radius, concentration;
    const char *length_unit, *mass_unit;
    double redshift; /* NaN: not known */
};

/* Writes the picture, whole or not at all. Errors as those of plot_write. */
bool plot_halo_write(const struct plot_halo *halo, struct io_error *error);

#endif
