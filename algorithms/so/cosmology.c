#include "algorithms/points/arguments.h"
#include "weft/cosmology.h"
#include "weft/short_names.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NAME[] = "weft_cosmology";

static const f64 pi = 3.14159265358979323846;
static const f64 gravity = 6.67430e-8;               /* cm^3/g/s^2 */
static const f64 solar_mass = 1.98841e33;            /* g */
static const f64 megaparsec = 3.0856775814913673e24; /* cm */

static weft_status check(weft_device *device, const weft_cosmology *c, f64 redshift) {
    if (!arguments_given(device, NAME, "cosmology", c) ||
        !arguments_known(device, NAME, "cosmology", c->reserved, sizeof c->reserved))
        return weft_check(device);
    if (!(c->h > 0 && c->h <= DBL_MAX))
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: h is %g, not above 0", NAME, c->h);
    if (!(c->omega_matter > 0 && c->omega_matter <= DBL_MAX))
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: omega_matter is %g, not above 0",
                         NAME, c->omega_matter);
    if (!(fabs(c->omega_lambda) <= DBL_MAX) || !(fabs(c->omega_radiation) <= DBL_MAX))
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: omega_lambda %g or omega_radiation %g is not finite", NAME,
                         c->omega_lambda, c->omega_radiation);
    if (!(redshift > -1 && redshift <= 1e6))
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: the redshift %g is not above -1 and at most 1e6", NAME,
                         redshift);
    return WEFT_OK;
}

static f64 curvature(const weft_cosmology *c) {
    return 1 - (c->omega_matter + c->omega_lambda + c->omega_radiation);
}

weft_status weft_cosmology_at(weft_device *device, const weft_cosmology *c, f64 redshift,
                              weft_cosmology_epoch *out) {
    if (out)
        *out = (weft_cosmology_epoch){0};
    if (!arguments_given(device, NAME, "out", out) || check(device, c, redshift) != WEFT_OK)
        return weft_check(device);
    const f64 y = 1 + redshift;
    const f64 matter = c->omega_matter * y * y * y;
    const f64 e2 = c->omega_radiation * y * y * y * y + matter + curvature(c) * y * y +
                   c->omega_lambda;
    if (!(e2 > 0))
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: there is no expansion at redshift %g: H^2 is %g H0^2", NAME,
                         redshift, e2);
    out->scale_factor = 1 / y;
    out->hubble = 100 * c->h * sqrt(e2);
    const f64 per_second = out->hubble * 1e5 / megaparsec;
    out->critical_density = 3 * per_second * per_second / (8 * pi * gravity) *
                            (megaparsec * megaparsec * megaparsec / solar_mass);
    if (!(out->critical_density > 0 && out->critical_density <= DBL_MAX)) {
        *out = (weft_cosmology_epoch){0};
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: h is %g, whose critical density no f64 holds", NAME, c->h);
    }
    out->omega_matter = matter / e2;
    const f64 x = out->omega_matter - 1;
    if (fabs(curvature(c)) < WEFT_COSMOLOGY_FLAT)
        out->virial = 18 * pi * pi + 82 * x - 39 * x * x;
    return WEFT_OK;
}

weft_status weft_cosmology_density(weft_device *device, const weft_cosmology *c,
                                   f64 redshift, const char *name, f64 *density) {
    weft_cosmology_epoch now;
    if (density)
        *density = 0;
    if (!arguments_given(device, NAME, "density", density) ||
        weft_cosmology_at(device, c, redshift, &now) != WEFT_OK)
        return weft_check(device);
    if (name && strcmp(name, "vir") == 0) {
        if (now.virial == 0)
            return weft_fail(device, WEFT_E_ARGUMENT,
                             "%s: 'vir' is for a flat universe, and the curvature of this "
                             "one is %g",
                             NAME, curvature(c));
        *density = now.virial * now.critical_density;
        return WEFT_OK;
    }
    char *end = NULL;
    const size_t digits = name ? strspn(name, "0123456789.") : 0;
    const f64 number = digits ? strtod(name, &end) : 0;
    const char kind = end && end == name + digits ? *end : '\0';
    if (!(number > 0 && number <= DBL_MAX) || (kind != 'c' && kind != 'm') || end[1])
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: '%s' is neither vir nor a number above 0 and c or m", NAME,
                         name ? name : "NULL");
    *density = number * now.critical_density * (kind == 'm' ? now.omega_matter : 1);
    return WEFT_OK;
}
