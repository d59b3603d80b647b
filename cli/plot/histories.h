/* A picture of the histories of some halos: their masses through time, and who merged. */
#ifndef WEFT_CLI_PLOT_HISTORIES_H
#define WEFT_CLI_PLOT_HISTORIES_H

#include "io/files/error.h"

#include <stdbool.h>

enum { PLOT_HISTORIES = 10 };

/* A halo at some time. */
struct plot_moment {
    double stretch; /* 1 + z, above 0 */
    double mass;
};

/* Arrays are borrowed. */
struct plot_histories {
    const char *path; /* of the picture: .pdf, .svg, or PNG */
    const char *title, *kind, *mass_unit;
    int snapshots;
    const double *stretch; /* [snapshots], descending */
    int64_t n_halos;       /* of the last snapshot */
    int n;                 /* histories, of the largest of them */
    struct plot_history {
        int64_t tag;
        int64_t moments, mergers;
        const struct plot_moment *moment; /* [moments], the latest first */
        const struct plot_moment *merger; /* [2 mergers]: from, to */
    } history[PLOT_HISTORIES];
};

/* Writes the picture, whole or not at all. Errors as those of plot_write. */
bool plot_histories_write(const struct plot_histories *histories, struct io_error *error);

#endif
