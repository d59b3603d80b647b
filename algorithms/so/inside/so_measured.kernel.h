/* What the sums over a sphere's particles say of it. */
#ifndef WEFT_SO_MEASURED_KERNEL_H
#define WEFT_SO_MEASURED_KERNEL_H

#include "so_axes.kernel.h"
#include "so_properties.kernel.h"

enum { SO_MEASURED_SHAPED = 20 };

/* What is written, for all centers. */
typedef struct so_measured_found {
    GLOBAL f64 *vmax, *rmax, *concentration_vmax, *concentration_r1, *half_mass_radius;
    GLOBAL f64 *shape, *shape_axes, *shape_reduced, *shape_reduced_axes;
    GLOBAL f64 *center_of_mass, *offset_position;
    GLOBAL f64 *spin_bullock, *angular_momentum, *velocity, *dispersion, *offset_velocity;
    GLOBAL f64 *kinetic_energy;
} so_measured_found;

/* The moments of all blocks up to the next one. */
static inline void so_measured_join(so_properties_moments *all,
                                    const so_properties_moments *next) {
    if (next->steepest > all->steepest) {
        all->steepest = next->steepest;
        all->at = next->at;
    }
    if (all->half_at < 0)
        all->half_at = next->half_at;
    all->outward += next->outward;
    for (i32 a = 0; a < 3; a++)
        all->spin[a] += next->spin[a];
    for (i32 a = 0; a < 6; a++)
        all->spread[a] += next->spread[a];
}

static inline so_properties_moments
so_measured_all(const so_properties_members *of, i64 sphere,
                GLOBAL const so_properties_moments *moments) {
    const i64 end = so_properties_first(of, sphere + 1);
    so_properties_moments all = {{0.0, 0.0, 0.0}, {0.0, 0.0}, 0.0, 0.0, -1.0, 0.0};
    for (i64 block = so_properties_first(of, sphere); block < end; block++) {
        const so_properties_moments next = moments[block];
        so_measured_join(&all, &next);
    }
    return all;
}

static inline f64 so_measured_length(const f64 *d) {
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Axis ratios, triaxiality and axes, of center c. */
static inline void so_measured_shape(index_t c, so_axes of, GLOBAL f64 *shape,
                                     GLOBAL f64 *axes) {
    const f64 a2 = of.value[0], b2 = of.value[1], c2 = of.value[2];
    shape[3 * c] = a2 > 0 ? sqrt(c2 / a2) : 0;
    shape[3 * c + 1] = a2 > 0 ? sqrt(b2 / a2) : 0;
    shape[3 * c + 2] = a2 > c2 ? (a2 - b2) / (a2 - c2) : 0;
    for (i32 k = 0; k < 9; k++)
        axes[9 * c + k] = of.axis[k];
}

/* 1/2 sum m |v - <v> + hubble x|^2 */
static inline f64 so_measured_kinetic(const so_properties_sums *sum,
                                      const so_properties_moments *moments, f64 hubble) {
    const f64 *v2 = moments->spread, *x2 = sum->inertia;
    return (v2[0] + v2[1] + v2[2] + 2 * hubble * moments->outward +
            hubble * hubble * (x2[0] + x2[1] + x2[2])) /
           2;
}

/* What velocities tell of center c; speed is the circular one at the radius. */
static inline void so_measured_motion(index_t c, const so_properties_sums *sum,
                                      const so_properties_moments *moments, f64 mass,
                                      f64 radius, f64 speed, const f64 *v0,
                                      const so_measured_found *found) {
    f64 mean[3];
    for (i32 a = 0; a < 3; a++) {
        mean[a] = sum->flow[a] / mass;
        found->velocity[3 * c + a] = v0[a] + mean[a];
        found->angular_momentum[3 * c + a] = moments->spin[a];
    }
    for (i32 a = 0; a < 6; a++)
        found->dispersion[6 * c + a] = moments->spread[a] / mass;
    found->offset_velocity[c] = so_measured_length(mean) / speed;
    found->spin_bullock[c] =
        so_measured_length(moments->spin) / (1.4142135623730951 * mass * speed * radius);
}

static inline so_axes so_measured_axes(const f64 *sum, f64 mass) {
    f64 inertia[6];
    for (i32 a = 0; a < 6; a++)
        inertia[a] = sum[a] / mass;
    return so_axes_find(inertia);
}

/* Of center c, but for the shape; the nearest particle of its sphere moves by v0. */
static inline void so_measured_note(index_t c, const so_search *s,
                                    const so_properties_spheres *by,
                                    const so_properties_sums *sum,
                                    const so_properties_moments *all, i32 moves,
                                    const f64 *v0, const so_measured_found *found) {
    const f64 mass = by->mass[c], radius = by->radius[c];
    f64 middle[3];
    found->vmax[c] = sqrt(by->gravity * all->steepest);
    found->rmax[c] = all->at;
    found->half_mass_radius[c] = all->half_at;
    found->concentration_vmax[c] = all->steepest * (radius / mass); /* until so_nfw_... */
    found->concentration_r1[c] = sum->distance / (mass * radius);
    for (i32 a = 0; a < 3; a++) {
        middle[a] = sum->place[a] / mass;
        const f64 x = by->center[3 * c + a] + middle[a];
        const f64 w = s->box[a] > 0 ? points_wrap(x, s->box[a]) : x;
        found->center_of_mass[3 * c + a] = s->box[a] > 0 && !(w < s->box[a]) ? 0 : w;
    }
    found->offset_position[c] = so_measured_length(middle) / radius;
    if (!moves)
        return;
    found->kinetic_energy[c] = so_measured_kinetic(sum, all, by->hubble);
    so_measured_motion(c, sum, all, mass, radius, sqrt(by->gravity * (mass / radius)), v0,
                       found);
}

static inline void so_measured_finish(index_t sphere, so_search s, so_properties_members of,
                                      so_properties_spheres by, so_properties_lists lists,
                                      GLOBAL const so_properties_sums *total,
                                      GLOBAL const so_properties_moments *moments,
                                      so_measured_found found) {
    const i64 count = of.end[sphere] - of.offset[sphere];
    f64 v0[3];
    if (count == 0)
        return;
    const so_properties_sums sum = total[sphere];
    const so_properties_moments all = so_measured_all(&of, sphere, moments);
    so_properties_nearest(&of, lists.flow, (i64)sphere, v0);
    const index_t c = (index_t)of.first + sphere;
    so_measured_note(c, &s, &by, &sum, &all, of.moves, v0, &found);
    if (count < SO_MEASURED_SHAPED)
        return;
    so_measured_shape(c, so_measured_axes(sum.inertia, by.mass[c]), found.shape,
                      found.shape_axes);
    so_measured_shape(c, so_measured_axes(sum.reduced, by.mass[c]), found.shape_reduced,
                      found.shape_reduced_axes);
}

#endif
