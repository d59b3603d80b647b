/* That members of halos are particles with a place and a mass. */
#include "arguments.h"
#include "members.kernel.h"
#include "points.h"
#include "weft/operators.h"
#include "weft/reduce.h"

#include <float.h>

WEFT_GENERATOR(members_strange, i64, (value, i64, none), (value, i64, count),
               (value, i64, last), (bundle, points_coordinates, at),
               (bundle, points_masses, masses), (in, u32, member))

WEFT_GENERATOR(members_is_none, u32, (value, i64, count), (in, u32, member))

f64 arguments_mass(weft_device *device, const weft_bodies *bodies, i64 particle) {
    f64 wide = bodies->particle_mass;
    f32 narrow = 0;
    if (bodies->mass.type == WEFT_F64)
        weft_read(device, weft_slice(device, bodies->mass, particle, 1), &wide);
    if (bodies->mass.type == WEFT_F32) {
        weft_read(device, weft_slice(device, bodies->mass, particle, 1), &narrow);
        wide = (f64)narrow;
    }
    return wide;
}

static void refuse(weft_device *device, const char *call, const weft_bodies *bodies,
                   i64 particle) {
    const i64 count = bodies->points.count;
    const f64 mass = particle < count ? arguments_mass(device, bodies, particle) : 0;
    if (particle >= count)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: member %lld of a halo is none of the %lld particles", call,
                  (long long)particle, (long long)count);
    else if (!(mass > 0 && mass <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the mass %g of particle %lld is not above 0 and finite", call, mass,
                  (long long)particle);
    else
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: particle %lld has a coordinate that is not finite", call,
                  (long long)particle);
}

void arguments_numbers(weft_device *device, const char *call, const weft_bodies *bodies,
                       const weft_halos *halos) {
    const i64 n = halos->count > 0 ? halos->members : 0;
    u32 some = 0;
    arguments_scales(device, call, bodies);
    if (n > 0)
        weft_reduce(device,
                    weft_lazy(n, members_is_none, .count = bodies->points.count,
                              .member = weft_slice(device, halos->member, 0, n)),
                    weft_maximum(WEFT_U32), &some);
    if (some)
        arguments_members(device, call, bodies, halos);
}

void arguments_members(weft_device *device, const char *call, const weft_bodies *bodies,
                       const weft_halos *halos) {
    const i64 none = INT64_MAX, n = halos->count > 0 ? halos->members : 0;
    i64 first = none;
    weft_scope_open(device);
    const points_words at = points_view(device, call, &bodies->points);
    arguments_scales(device, call, bodies);
    if (n > 0)
        weft_reduce(device,
                    weft_lazy(n, members_strange, .none = none,
                              .count = bodies->points.count, .last = n - 1, .at = at,
                              .masses = points_masses_of(device, bodies),
                              .member = weft_slice(device, halos->member, 0, n)),
                    weft_minimum(WEFT_I64), &first);
    if (weft_check(device) == WEFT_OK && first < none)
        refuse(device, call, bodies, first);
    weft_scope_close(device);
}
