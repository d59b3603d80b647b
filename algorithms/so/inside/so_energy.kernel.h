/* Potential energies of spheres, and what of them is bound.
 *
 * Potentials are evaluated at up to 256 particles of a sphere, each of which stands for an
 * equal share of the particles, by distance; but at each they are those of all particles.
 * So a sphere of no more is measured exactly, and the work for others goes as their size.
 */
#ifndef WEFT_SO_ENERGY_KERNEL_H
#define WEFT_SO_ENERGY_KERNEL_H

#include "so_properties.kernel.h"

enum { SO_ENERGY_BITS = 8, SO_ENERGY_MOST = 256, SO_ENERGY_LANES = 16 };
enum { SO_ENERGY_TURN = 4, SO_ENERGY_PAIRS = SO_ENERGY_TURN * SO_ENERGY_LANES };

/* What is written, for all centers; the last three only where particles move. */
typedef struct so_energy_found {
    GLOBAL f64 *potential;
    GLOBAL const f64 *kinetic, *angular_momentum;
    GLOBAL f64 *bound, *spin;
} so_energy_found;

/* Where they are evaluated, and sums there. */
typedef struct so_energy_places {
    f64 x[SO_ENERGY_LANES], y[SO_ENERGY_LANES], z[SO_ENERGY_LANES], own[SO_ENERGY_LANES];
    f64 sum[SO_ENERGY_LANES];
} so_energy_places;

/* Some particles at all of these places, a pair each: the mass that counts, half of r^2,
 * softened, and 1 / r so far. */
typedef struct so_energy_pairs {
    f64 mass[SO_ENERGY_PAIRS], halved[SO_ENERGY_PAIRS], inverse[SO_ENERGY_PAIRS];
} so_energy_pairs;

static inline i64 so_energy_count(const so_properties_members *of, i64 sphere) {
    return of->offset[sphere + 1] - of->offset[sphere];
}

static inline i64 so_energy_places_of(i64 count) {
    return min(count, (i64)SO_ENERGY_MOST);
}

/* Particles of a sphere are pulled by in so many parts: their sums have room beside its
 * particles. */
static inline i64 so_energy_parts(i64 count) {
    return max(count >> SO_ENERGY_BITS, (i64)1);
}

/* Where share t of a sphere begins. Where there are fewer particles than shares, each is
 * one; else the division is by a power of two. */
static inline i64 so_energy_begin(i64 count, i64 t) {
    return count <= SO_ENERGY_MOST ? t : t * count / SO_ENERGY_MOST;
}

/* The particle that stands for share t. */
static inline i64 so_energy_middle(i64 count, i64 t) {
    return count <= SO_ENERGY_MOST ? t : (2 * t + 1) * count / (2 * SO_ENERGY_MOST);
}

/* 1 / sqrt(x) for x > 0 of the normal range within 4e-11 of it, finite for 0: a guess by
 * the exponent, and three of Newton's steps, in operations that are rounded alike
 * everywhere. A step is told x / 2. */
static inline f64 so_energy_guess(f64 x) {
    return bits_f64(((u64)0x5fe6eb50 << 32 | 0xc7b537a9u) - (f64_bits(x) >> 1));
}
static inline f64 so_energy_step(f64 h, f64 y) {
    return y * (1.5 - h * y * y);
}

/* The mass that counts of one particle at another place: none at its own. Without
 * softening it is at r = 0 there, where nothing else is counted either. */
static inline f64 so_energy_counted(f64 m, f64 r2, i32 is_own, f64 softening2) {
    if (softening2 > 0)
        return is_own ? 0.0 : m;
    return r2 > 0 ? m : 0.0;
}

/* Particle `own` at all places, as pairs first, first + 1, ... */
static inline void so_energy_meet(f64 m, GLOBAL const f64 *place, f64 own, f64 softening2,
                                  const so_energy_places *at, so_energy_pairs *pairs,
                                  i32 first) {
    const f64 x = place[0], y = place[1], z = place[2];
    for (i32 lane = 0; lane < SO_ENERGY_LANES; lane++) {
        const f64 dx = x - at->x[lane], dy = y - at->y[lane], dz = z - at->z[lane];
        const f64 r2 = dx * dx + dy * dy + dz * dz;
        const f64 s2 = softening2 > 0 ? r2 + softening2 : r2;
        pairs->mass[first + lane] =
            so_energy_counted(m, r2, at->own[lane] == own, softening2);
        pairs->halved[first + lane] = 0.5 * s2;
        pairs->inverse[first + lane] = so_energy_guess(s2);
    }
}

static inline void so_energy_refine(const so_energy_pairs *pairs, const f64 *from,
                                    f64 *to) {
    for (i32 p = 0; p < SO_ENERGY_PAIRS; p++)
        to[p] = so_energy_step(pairs->halved[p], from[p]);
}

/* Adds m / r of all pairs, in order, to the sums. All take a step before any takes the
 * next, for which it would wait. */
static inline void so_energy_add(const so_energy_pairs *pairs, so_energy_places *at) {
    f64 once[SO_ENERGY_PAIRS], twice[SO_ENERGY_PAIRS], inverse[SO_ENERGY_PAIRS];
    so_energy_refine(pairs, pairs->inverse, once);
    so_energy_refine(pairs, once, twice);
    so_energy_refine(pairs, twice, inverse);
    for (i32 p = 0; p < SO_ENERGY_PAIRS; p += SO_ENERGY_LANES)
        for (i32 lane = 0; lane < SO_ENERGY_LANES; lane++)
            at->sum[lane] += pairs->mass[p + lane] * inverse[p + lane];
}

/* The same of particles [begin, end), a few in a turn, where the last counts for nothing
 * once it was met. `softening2` is a constant where this is called without. */
static inline void so_energy_sum(const so_search *s, const so_properties_members *of,
                                 GLOBAL const f64 *place, f64 softening2, i64 begin,
                                 i64 end, so_energy_places *at) {
    so_energy_pairs pairs;
    for (i64 k = begin; k < end; k += SO_ENERGY_TURN) {
        for (i32 t = 0; t < SO_ENERGY_TURN; t++) {
            const i64 own = min(k + t, end - 1);
            const f64 m = k + t < end ? so_properties_mass(s, of, own) : 0.0;
            so_energy_meet(m, place + 3 * own, (f64)own, softening2, at, &pairs,
                           t * SO_ENERGY_LANES);
        }
        so_energy_add(&pairs, at);
    }
}

/* Sums over one part of a sphere, at all places of the sphere. */
static inline void so_energy_pull(index_t block, so_search s, so_properties_members of,
                                  f64 softening, GLOBAL const f64 *place,
                                  GLOBAL f64 *pull) {
    const i64 sphere = pyramid_owner(block, of.spheres, SO_PROPERTIES_BITS, of.offset);
    const i64 first = of.offset[sphere], count = so_energy_count(&of, sphere);
    const i64 part = block - so_properties_first(&of, sphere);
    const i64 parts = so_energy_parts(count), places = so_energy_places_of(count);
    if (part >= parts)
        return;
    for (i64 t = 0; t < places; t += SO_ENERGY_LANES) {
        so_energy_places at;
        for (i32 lane = 0; lane < SO_ENERGY_LANES; lane++) {
            const i64 k = first + so_energy_middle(count, min(t + lane, places - 1));
            at.x[lane] = place[3 * k];
            at.y[lane] = place[3 * k + 1];
            at.z[lane] = place[3 * k + 2];
            at.own[lane] = (f64)k;
            at.sum[lane] = 0;
        }
        const i64 begin = first + part * count / parts,
                  end = first + (part + 1) * count / parts;
        if (softening > 0)
            so_energy_sum(&s, &of, place, softening * softening, begin, end, &at);
        else
            so_energy_sum(&s, &of, place, 0.0, begin, end, &at);
        for (i32 lane = 0; lane < SO_ENERGY_LANES && t + lane < places; lane++)
            pull[first + part * places + t + lane] = at.sum[lane];
    }
}

/* m / r of one particle at another place. */
static inline f64 so_energy_term(f64 m, f64 dx, f64 dy, f64 dz, i32 is_own,
                                 f64 softening2) {
    const f64 r2 = dx * dx + dy * dy + dz * dz;
    const f64 s2 = softening2 > 0 ? r2 + softening2 : r2, h = 0.5 * s2;
    f64 inverse = so_energy_guess(s2);
    for (i32 step = 0; step < 3; step++)
        inverse = so_energy_step(h, inverse);
    return so_energy_counted(m, r2, is_own, softening2) * inverse;
}

/* The same at place i % 256 alone, of part i / 256. */
static inline void so_energy_pull_one(index_t i, so_search s, so_properties_members of,
                                      f64 softening, GLOBAL const f64 *place,
                                      GLOBAL f64 *pull) {
    const i64 block = (i64)i >> SO_ENERGY_BITS, t = (i64)i % SO_ENERGY_MOST;
    const i64 sphere = pyramid_owner(block, of.spheres, SO_PROPERTIES_BITS, of.offset);
    const i64 first = of.offset[sphere], count = so_energy_count(&of, sphere);
    const i64 part = block - so_properties_first(&of, sphere);
    const i64 parts = so_energy_parts(count), places = so_energy_places_of(count);
    if (part >= parts || t >= places)
        return;
    const i64 own = first + so_energy_middle(count, t);
    const f64 x = place[3 * own], y = place[3 * own + 1], z = place[3 * own + 2];
    f64 sum = 0;
    for (i64 k = first + part * count / parts; k < first + (part + 1) * count / parts; k++)
        sum += so_energy_term(so_properties_mass(&s, &of, k), place[3 * k] - x,
                              place[3 * k + 1] - y, place[3 * k + 2] - z, k == own,
                              softening * softening);
    pull[first + part * places + t] = sum;
}

/* The mass that share t stands for. */
static inline f64 so_energy_mass(const so_search *s, const so_properties_members *of,
                                 i64 first, i64 count, i64 t) {
    const i64 begin = so_energy_begin(count, t), end = so_energy_begin(count, t + 1);
    f64 mass = (f64)(end - begin) * s->mass;
    if (s->weighted) {
        mass = 0;
        for (i64 k = begin; k < end; k++)
            mass += so_properties_mass(s, of, first + k);
    }
    return mass;
}

/* Shares [from, to) of a sphere: the mass of each times the potential, and its mass if what
 * stands for it is bound. */
static inline void so_energy_add_up(const so_search *s, const so_properties_members *of,
                                    const so_properties_spheres *by, i64 sphere, i64 from,
                                    i64 to, GLOBAL const f64 *place,
                                    GLOBAL const f64 *velocity,
                                    GLOBAL const so_properties_sums *total,
                                    GLOBAL const f64 *pull, GLOBAL f64 *share) {
    const i64 first = of->offset[sphere], count = so_energy_count(of, sphere);
    const i64 places = so_energy_places_of(count);
    f64 mean[3];
    for (i32 a = 0; a < 3; a++)
        mean[a] = of->moves ? total[sphere].flow[a] / by->mass[of->first + sphere] : 0.0;
    for (i64 t = from; t < to; t++) {
        const f64 mass = so_energy_mass(s, of, first, count, t);
        f64 phi = 0, speed2 = 0;
        for (i64 part = 0; part < so_energy_parts(count); part++)
            phi -= pull[first + part * places + t];
        share[2 * (first + t)] = mass * phi;
        if (!of->moves)
            continue;
        const i64 k = first + so_energy_middle(count, t);
        for (i32 a = 0; a < 3; a++) {
            const f64 v = velocity[3 * k + a] - mean[a] + by->hubble * place[3 * k + a];
            speed2 += v * v;
        }
        share[2 * (first + t) + 1] = speed2 / 2 + by->gravity * phi < 0 ? mass : 0.0;
    }
}

/* Share i % 256 of sphere i / 256. */
static inline void so_energy_share(index_t i, so_search s, so_properties_members of,
                                   so_properties_spheres by, GLOBAL const f64 *place,
                                   GLOBAL const f64 *velocity,
                                   GLOBAL const so_properties_sums *total,
                                   GLOBAL const f64 *pull, GLOBAL f64 *share) {
    const i64 sphere = (i64)i / SO_ENERGY_MOST, t = (i64)i % SO_ENERGY_MOST;
    if (t < so_energy_places_of(so_energy_count(&of, sphere)))
        so_energy_add_up(&s, &of, &by, sphere, t, t + 1, place, velocity, total, pull,
                         share);
}

/* All of a sphere. */
static inline void so_energy_shares(index_t sphere, so_search s, so_properties_members of,
                                    so_properties_spheres by, GLOBAL const f64 *place,
                                    GLOBAL const f64 *velocity,
                                    GLOBAL const so_properties_sums *total,
                                    GLOBAL const f64 *pull, GLOBAL f64 *share) {
    const i64 places = so_energy_places_of(so_energy_count(&of, (i64)sphere));
    if (places > 0)
        so_energy_add_up(&s, &of, &by, (i64)sphere, 0, places, place, velocity, total, pull,
                         share);
}

static inline void so_energy_finish(index_t sphere, so_properties_members of,
                                    so_properties_spheres by, GLOBAL const f64 *share,
                                    so_energy_found found) {
    const index_t c = (index_t)of.first + sphere;
    const i64 count = so_energy_count(&of, sphere), places = so_energy_places_of(count);
    const f64 mass = by.mass[c];
    f64 sum = 0, bound = 0;
    for (i64 k = of.offset[sphere]; k < of.offset[sphere] + places; k++) {
        sum += share[2 * k];
        bound += of.moves ? share[2 * k + 1] : 0.0;
    }
    if (count == 0)
        return;
    found.potential[c] = by.gravity * sum / 2;
    if (!of.moves)
        return;
    const f64 jx = found.angular_momentum[3 * c], jy = found.angular_momentum[3 * c + 1],
              jz = found.angular_momentum[3 * c + 2];
    found.bound[c] = bound / mass;
    found.spin[c] = sqrt(jx * jx + jy * jy + jz * jz) *
                    sqrt(fabs(found.kinetic[c] + found.potential[c])) /
                    (by.gravity * mass * mass * sqrt(mass));
}

#endif
