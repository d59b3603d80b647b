#include "plot.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BINS = 400 };

/* Gehrels 1986, ApJ 303, 336, equations 9 and 12 with S = 1. */
double plot_at_most(double n) {
    const double a = 1 - 1 / (9 * (n + 1)) + 1 / (3 * sqrt(n + 1));
    return (n + 1) * a * a * a;
}

double plot_at_least(double n) {
    const double a = 1 - 1 / (9 * n) - 1 / (3 * sqrt(n));
    return n * a * a * a;
}

int plot_mass_function(FILE *stream, int64_t n, const double *mass, double volume) {
    static const double width = 0.2; /* decades */
    int64_t bins[MOST_BINS] = {0};
    int lines = 0;
    double least = INFINITY;
    for (int64_t h = 0; h < n; ++h)
        least = mass[h] > 0 ? fmin(least, mass[h]) : least;
    const double first = floor(log10(least) / width);
    for (int64_t h = 0; h < n; ++h) {
        const double bin = floor(log10(mass[h]) / width) - first;
        if (mass[h] > 0 && bin < MOST_BINS)
            ++bins[(int)bin];
    }
    for (int k = 0; k < MOST_BINS; ++k) {
        const double count = (double)bins[k], scale = 1 / (volume * width);
        if (bins[k] == 0)
            continue;
        fprintf(stream, "%.9g %.9g %.9g %.9g\n", pow(10, (first + k + 0.5) * width),
                count * scale, plot_at_least(count) * scale, plot_at_most(count) * scale);
        ++lines;
    }
    return lines;
}
