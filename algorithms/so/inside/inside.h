/* Quantities of spheres that weft_so_measure finds in passes of their own, for one batch of
 * spheres and with scratch of the open scope. */
#ifndef WEFT_SO_INSIDE_H
#define WEFT_SO_INSIDE_H

#include "algorithms/so/known.h"
#include "algorithms/so/around/members.h"
#include "so_energy.kernel.h"
#include "so_fit.kernel.h"
#include "so_profiles.kernel.h"
#include "weft/profiles.h"
#include "weft/so_properties.h"

WEFT_BUNDLE(so_properties_members, (value, i64, first), (value, i64, spheres),
            (value, i32, moves), (in, i64, offset, 0), (in, i64, end, 0), (in, f64, r2, 0),
            (in, u32, who, 0), (optional, u32, weight, 0))
WEFT_BUNDLE(so_properties_spheres, (value, f64, gravity), (value, f64, softening),
            (value, f64, hubble), (in, f64, center, 0), (in, f64, mass, 0),
            (in, f64, radius, 0))

WEFT_BUNDLE(so_properties_lists, (in, f64, place, 0), (in, f64, flow, 0))

/* The particles of a batch up to `end` of each sphere; no array: all. */
so_properties_members_arrays so_inside_members(weft_device *device, const so_task *task,
                                               const so_members *members, weft_array end,
                                               i32 moves);

/* What lists of members tell, or would tell, of which `flow` are the velocities. */
so_properties_lists_arrays so_inside_lists(weft_device *device, const so_task *task,
                                           const so_members *members,
                                           const so_properties_members_arrays *of,
                                           const points_words *flow);

/* Particles by sphere, as weft_so_measure has listed them: `total` are the sums of each
 * sphere, and `by` is of all centers. */
typedef struct so_inside {
    const so_task *task;
    const so_members *members;
    so_properties_members_arrays of;
    so_properties_spheres_arrays by;
    so_properties_lists_arrays lists;
    weft_array total;
} so_inside;

/* Kinetic energies and angular momenta must have been found. Arrays that only moving
 * particles have are not used of others. */
void so_inside_energies(weft_device *device, const so_inside *of, weft_array potential,
                        weft_array kinetic, weft_array angular_momentum, weft_array bound,
                        weft_array spin);

/* The likeliest NFW concentration, and its error. */
void so_inside_fit(weft_device *device, const so_inside *of, weft_array concentration,
                   weft_array error);

/* The calls weft_so_measure and weft_profiles_measure in parts, for one that does both.
 * Velocities, or the positions where there are none: */
points_words so_inside_flow(weft_device *device, const char *call,
                            const weft_bodies *bodies, const so_task *task);

/* On CPUs: that lists of members tell places, and such velocities if particles move. */
void so_inside_tell(weft_device *device, const weft_bodies *bodies, so_task *task);

/* Checks what does not depend on the spheres; makes the results, all 0. */
void so_inside_check(weft_device *device, const char *call, const weft_bodies *bodies,
                     const weft_so_measures *how);
void so_inside_check_shells(weft_device *device, const char *call,
                            const weft_profiles_options *how);
void so_inside_make(weft_device *device, i64 n, int moves, weft_so_properties *out);
void so_inside_make_shells(weft_device *device, i64 centers, i64 bins, int moves,
                           weft_profiles *out);

/* What the members of each batch are measured with, in scratch: a so_members_use and its
 * context. */
typedef struct so_inside_properties {
    points_words flow;
    i32 moves;
    so_properties_spheres_arrays by;
    weft_array end; /* of what is inside, in a batch; no array: all is */
    const weft_so_properties *out;
} so_inside_properties;

so_inside_properties so_inside_with(weft_device *device, const weft_bodies *bodies,
                                    const so_task *task, const so_known *known,
                                    const weft_so_measures *how,
                                    const weft_so_properties *out);
so_members_use so_inside_measure;

/* Members are all particles up to reach2, or more. */
typedef struct so_inside_shells {
    points_words flow;
    i32 moves;
    weft_array edge, radius, velocity, reach2;
    const weft_profiles *out;
} so_inside_shells;

so_inside_shells so_inside_shells_with(weft_device *device, const weft_bodies *bodies,
                                       const so_task *task,
                                       const weft_profiles_options *how,
                                       const weft_profiles *out);
so_members_use so_inside_shell;

#endif
