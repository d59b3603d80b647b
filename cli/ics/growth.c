/* Linear growth in a flat universe of matter and a cosmological constant. */
#include "ics.h"

#include <math.h>

/* E^2 = H^2 / H0^2. */
static double square(double matter, double a) {
    return matter / (a * a * a) + (1 - matter);
}

/* The integral of (a E)^-3 up to a, by Simpson's rule in sqrt(a), in which it is smooth. */
static double integral(double matter, double a) {
    enum { STEPS = 2000 };
    const double width = sqrt(a) / STEPS;
    double sum = 0;
    for (int k = 1; k <= STEPS; ++k) {
        const double s = k * width, at = s * s;
        const double value = 2 * s * pow(at * at * square(matter, at), -1.5);
        sum += value * (k == STEPS ? 1 : k % 2 ? 4 : 2);
    }
    return sum * width / 3;
}

struct ics_growth ics_growth_at(const struct ics_options *options, double redshift) {
    const double matter = options->omega_matter, a = 1 / (1 + redshift);
    const double e2 = square(matter, a), part = matter / (a * a * a) / e2;
    const double whole = integral(matter, a);
    return (struct ics_growth){
        .scale_factor = a,
        .hubble = 100 * options->h * sqrt(e2),
        .growth = sqrt(e2) * whole / integral(matter, 1),
        .rate = -1.5 * part + 1 / (a * a * pow(e2, 1.5) * whole),
        .second_rate = 2 * pow(part, 6.0 / 11),
        .second = 3.0 / 7 * pow(part, -1.0 / 143),
    };
}
