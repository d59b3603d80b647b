/* A picture of a snapshot and its halos, drawn by gnuplot. */
#ifndef WEFT_CLI_PLOT_H
#define WEFT_CLI_PLOT_H

#include "io/files/error.h"

#include <stdio.h>

/* Arrays are borrowed. */
struct plot_scene {
    const char *path; /* of the picture: .pdf, .svg, or PNG */
    const char *title;
    int64_t n;
    const float *map;     /* as plot_density gives; NULL: it is made of the positions */
    bool map_only;        /* without halos and their masses */
    const void *position; /* [n][3], f4 or f8; NULL where there are a map and a box */
    int position_bytes;
    const void *mass; /* [n], f4 or f8; NULL: each has particle_mass */
    int mass_bytes;
    double particle_mass;
    const double *box, *period; /* [3]; 0: no box on that axis, not wrapped */
    const char *length_unit, *mass_unit;
    double redshift;     /* NaN: not known */
    int64_t min_members; /* 0: not known */
    int64_t n_halos;
    const double *halo_center; /* [n_halos][3] */
    const double *halo_mass;   /* [n_halos] */
    const double
        *sphere_mass; /* [n_halos], 0 where there is no sphere; NULL: none are known */
    const char *sphere_name; /* of what density: "200c" */
};

/* Whether gnuplot is there; a sentence where it is not. */
bool plot_ready(struct io_error *error);

/* Writes the picture, PNG, whole or not at all. Its data pass through a temporary folder,
 * which is gone afterwards. Errors: no gnuplot, and what it says; no room for the files. */
bool plot_write(const struct plot_scene *scene, struct io_error *error);

/* What follows are the picture's parts. */

enum {
    PLOT_SIDE = 1024, /* pixels of the density map along each axis */
    PLOT_CIRCLES =
        250, /* halos, the largest, that are drawn: more would hide the density */
};

/* The part of space that is drawn, from above: x to the right, y up. */
struct plot_window {
    double low[2], high[2];
    double volume; /* of the box, or of the smallest box around all particles */
    bool has_box;
    double mean_density; /* mass in the volume; 0 where there is neither */
    double mean_mass;    /* of a particle */
    bool equal_masses;
};

struct plot_window plot_window_of(const struct plot_scene *scene);

/* Surface density relative to its mean over the map, [PLOT_SIDE][PLOT_SIDE], y by y, x
 * fastest: each particle is spread over as much of the map as holds a few of its
 * neighbours, so that voids are smooth and halos sharp. For free(); NULL and a sentence
 * where memory is out. */
float *plot_density(const struct plot_scene *scene, const struct plot_window *window,
                    struct io_error *error);

/* The ends of the 68 % interval of the mean that gave n events. */
double plot_at_most(double n);
double plot_at_least(double n);

/* Writes the mass function of n masses, of which those that are 0 do not count, a line a
 * bin: mass, halos per volume and decade of mass, and the ends of the 68 % interval of that
 * for so many halos. Returns the number of lines. */
int plot_mass_function(FILE *stream, int64_t n, const double *mass, double volume);

/* Writes the commands that draw the files density.bin, halos.txt, masses.txt and, where it
 * has bins, spheres.txt of a folder into its picture.png, whatever its format. */
void plot_script(FILE *stream, const char *folder, const struct plot_scene *scene,
                 const struct plot_window *window, float darkest, float brightest,
                 int mass_bins, int sphere_bins);

#endif
