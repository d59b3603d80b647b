#include "weft/steps.h"
#include "algorithms/points/arguments.h"
#include "weft/find.h"
#include "weft/register.h"

#include <math.h>

#include "steps.kernel.h"

WEFT_KERNEL(steps_drift, (value, f64, by), (in, i64, px), (in, i64, py), (in, i64, pz),
            (inout, u32, x), (inout, u32, y), (inout, u32, z))
WEFT_KERNEL(steps_kick, (value, f64, by), (in, f64, ax), (in, f64, ay), (in, f64, az),
            (inout, i64, px), (inout, i64, py), (inout, i64, pz))
WEFT_GENERATOR(steps_is_bad, u32, (value, f64, by), (in, f64, acceleration))
WEFT_GENERATOR(steps_are_bad, u32, (value, f64, by), (in, f64, ax), (in, f64, ay),
               (in, f64, az))

static const char *const positions[3] = {"position[0]", "position[1]", "position[2]"};
static const char *const momenta[3] = {"momentum[0]", "momentum[1]", "momentum[2]"};
static const char *const accelerations[3] = {"acceleration[0]", "acceleration[1]",
                                             "acceleration[2]"};

/* Whether all is there; without accelerations where they are NULL. */
static int check(weft_device *device, const char *call,
                 const weft_steps_particles *particles, const weft_array *acceleration) {
    if (!arguments_given(device, call, "particles", particles) ||
        !arguments_known(device, call, "particles", particles->reserved,
                         sizeof particles->reserved))
        return 0;
    const i64 n = particles->n;
    if (n < 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: n is %lld, below 0", call, (long long)n);
    for (int k = 0; k < 3; k++) {
        arguments_array(device, call, positions[k], particles->position[k], WEFT_U32, n);
        arguments_array(device, call, momenta[k], particles->momentum[k], WEFT_I64, n);
        if (acceleration)
            arguments_array(device, call, accelerations[k], acceleration[k], WEFT_F64, n);
    }
    return weft_check(device) == WEFT_OK;
}

static int check_factor(weft_device *device, const char *call, const char *name, f64 by) {
    if (!(by >= -1e12 && by <= 1e12))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: %s is %g, not -1e12 to 1e12", call, name,
                  by);
    return weft_check(device) == WEFT_OK;
}

weft_status weft_steps_drift(weft_device *device, const weft_steps_particles *particles,
                             double drift) {
    static const char call[] = "weft_steps_drift";
    if (!check(device, call, particles, NULL) ||
        !check_factor(device, call, "drift", drift))
        return weft_check(device);
    const weft_array *p = particles->momentum, *x = particles->position;
    weft_for_each(device, particles->n, steps_drift,
                  .by = drift * (4294967296.0 / WEFT_STEPS_MOMENTUM), .px = p[0],
                  .py = p[1], .pz = p[2], .x = x[0], .y = x[1], .z = x[2]);
    return weft_check(device);
}

/* Tells the first axis that has one, and its first. */
static void tell_bad(weft_device *device, const char *call, i64 n,
                     const weft_array acceleration[3], f64 by) {
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++) {
        i64 bad = -1;
        weft_find_if(device,
                     weft_lazy(n, steps_is_bad, .by = by, .acceleration = acceleration[k]),
                     &bad);
        if (bad >= 0)
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: %s of particle %lld is not finite, or kicks it by more than "
                      "2^20 boxes per Hubble time",
                      call, accelerations[k], (long long)bad);
    }
}

weft_status weft_steps_kick(weft_device *device, const weft_steps_particles *particles,
                            const weft_array acceleration[3], double kick) {
    static const char call[] = "weft_steps_kick";
    const f64 by = kick * WEFT_STEPS_MOMENTUM;
    if (!arguments_given(device, call, "acceleration", acceleration) ||
        !check(device, call, particles, acceleration) ||
        !check_factor(device, call, "kick", kick))
        return weft_check(device);
    const weft_array *a = acceleration, *p = particles->momentum;
    i64 bad = -1;
    weft_find_if(device,
                 weft_lazy(particles->n, steps_are_bad, .by = by, .ax = a[0], .ay = a[1],
                           .az = a[2]),
                 &bad);
    if (bad >= 0)
        tell_bad(device, call, particles->n, acceleration, by);
    return weft_for_each(device, particles->n, steps_kick, .by = by, .ax = a[0], .ay = a[1],
                         .az = a[2], .px = p[0], .py = p[1], .pz = p[2]);
}

/* Of both directions the same, which back on its way negates. */
typedef struct course {
    weft_device *device;
    const weft_steps_particles *particles;
    const weft_steps_options *options;
    f64 early, late, sign;
} course;

/* The scale factor after `half` of 2 substeps halves. */
static f64 scale_at(const course *c, i64 half) {
    const i64 halves = 2 * c->options->substeps;
    if (half == 0 || half == halves)
        return half == 0 ? c->early : c->late;
    return c->early * pow(c->late / c->early, (f64)half / (f64)halves);
}

/* The integrals from one half to another; back they are those forward, negated. */
static void integrate(const course *c, i64 first, i64 last, f64 *drift, f64 *kick) {
    weft_steps_integrals(c->device, &c->options->cosmology, scale_at(c, first),
                         scale_at(c, last), drift, kick);
    if (drift)
        *drift *= c->sign;
    if (kick)
        *kick *= c->sign;
}

static void force(const course *c, weft_steps_force *by) {
    if (weft_check(c->device) == WEFT_OK)
        by(c->options->user, c->device, c->particles, c->options->acceleration);
}

static void apply(const course *c, f64 kick) {
    const f64 strength = c->options->strength == 0 ? 1 : c->options->strength;
    weft_steps_kick(c->device, c->particles, c->options->acceleration, kick * strength);
}

/* Half a kick by the slow force: that of the early half of the step or the late one. */
static void kick_slowly(const course *c, int late) {
    const i64 substeps = c->options->substeps;
    f64 kick = 0;
    if (!c->options->slow)
        return;
    integrate(c, late ? substeps : 0, late ? 2 * substeps : substeps, NULL, &kick);
    apply(c, kick);
}

static void substep(const course *c, i64 k) {
    f64 drift[2] = {0, 0}, kick = 0;
    const int back = c->sign < 0;
    integrate(c, 2 * k, 2 * k + 1, &drift[0], NULL);
    integrate(c, 2 * k + 1, 2 * k + 2, &drift[1], NULL);
    integrate(c, 2 * k, 2 * k + 2, NULL, &kick);
    weft_steps_drift(c->device, c->particles, drift[back]);
    if (c->options->fast) {
        force(c, c->options->fast);
        apply(c, kick);
    }
    weft_steps_drift(c->device, c->particles, drift[!back]);
}

static int check_options(weft_device *device, const char *call,
                         const weft_steps_options *o) {
    if (!arguments_given(device, call, "options", o) ||
        !arguments_known(device, call, "options", o->reserved, sizeof o->reserved) ||
        !arguments_known(device, call, "options", &o->reserved1, sizeof o->reserved1))
        return 0;
    if (o->substeps < 1 || o->substeps > 1 << 20)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: substeps is %lld, not 1 to 2^20", call,
                  (long long)o->substeps);
    return weft_check(device) == WEFT_OK;
}

weft_status weft_steps_take(weft_device *device, const weft_steps_particles *particles,
                            const weft_steps_options *options) {
    static const char call[] = "weft_steps_take";
    if (!check_options(device, call, options) ||
        !check(device, call, particles,
               options->slow || options->fast ? options->acceleration : NULL))
        return weft_check(device);
    const int back = options->to < options->from;
    const course c = {.device = device,
                      .particles = particles,
                      .options = options,
                      .early = back ? options->to : options->from,
                      .late = back ? options->from : options->to,
                      .sign = back ? -1 : 1};
    if (options->slow && !options->known)
        force(&c, options->slow);
    kick_slowly(&c, back);
    for (i64 k = 0; k < options->substeps && weft_check(device) == WEFT_OK; k++)
        substep(&c, back ? options->substeps - 1 - k : k);
    if (options->slow)
        force(&c, options->slow);
    kick_slowly(&c, !back);
    return weft_check(device);
}
