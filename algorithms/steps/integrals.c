/* What makes up for the expansion. */
#include "weft/short_names.h"
#include "weft/steps.h"

#include <float.h>
#include <math.h>

/* Nodes and weights of Gauss and Legendre on -1 .. 1, the half above 0; five in all. */
static const f64 node[3] = {0, 0.53846931010568309104, 0.90617984593866399280};
static const f64 weight[3] = {0.56888888888888888889, 0.47862867049936646804,
                              0.23692688505618908751};

/* Adds the integrands at ln a: H0 / (H a^2) and H0 / (H a). */
static void add(weft_device *device, const weft_cosmology *cosmology, f64 at, f64 times,
                f64 *drift, f64 *kick) {
    weft_cosmology_epoch epoch;
    const f64 a = exp(at);
    if (weft_cosmology_at(device, cosmology, 1 / a - 1, &epoch) != WEFT_OK)
        return;
    const f64 e = epoch.hubble / (100 * cosmology->h);
    *drift += times / (a * a * e);
    *kick += times / (a * e);
}

weft_status weft_steps_integrals(weft_device *device, const weft_cosmology *cosmology,
                                 double from, double to, double *drift, double *kick) {
    f64 sums[2] = {0, 0};
    if (drift)
        *drift = 0;
    if (kick)
        *kick = 0;
    if (weft_check(device) == WEFT_OK && !(from > 0 && to > 0 && from < 1e6 && to < 1e6))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "weft_steps_integrals: scale factors %g and %g are not both above 0 and "
                  "below 1e6",
                  from, to);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    const int back = to < from;
    const f64 low = log(back ? to : from), high = log(back ? from : to);
    const i64 panels = 1 + (i64)((high - low) * 32);
    const f64 half = (high - low) / (f64)panels / 2;
    for (i64 p = 0; p < panels && weft_check(device) == WEFT_OK; p++) {
        const f64 middle = low + (f64)(2 * p + 1) * half;
        add(device, cosmology, middle, half * weight[0], &sums[0], &sums[1]);
        for (int k = 1; k < 3; k++) {
            add(device, cosmology, middle - half * node[k], half * weight[k], &sums[0],
                &sums[1]);
            add(device, cosmology, middle + half * node[k], half * weight[k], &sums[0],
                &sums[1]);
        }
    }
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (drift)
        *drift = back ? -sums[0] : sums[0];
    if (kick)
        *kick = back ? -sums[1] : sums[1];
    return WEFT_OK;
}
