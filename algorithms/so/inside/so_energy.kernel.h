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

/* Some particles at all of these places, a pair each: the mass that counts, r^2, softened,
 * and 1 / r so far. */
typedef struct so_energy_pairs {
    f64 mass[SO_ENERGY_PAIRS], square[SO_ENERGY_PAIRS], inverse[SO_ENERGY_PAIRS];
} so_energy_pairs;

static inline i64 so_energy_count(const so_properties_members *of, i64 sphere) {
    return of->end[sphere] - of->offset[sphere];
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
 * the exponent, and three of Newton's steps y (3 - x y^2) / 2, in operations that are
 * rounded alike everywhere. Their halves are left to the mass, and so steps are told 3
 * times the square of what y is too large by: all by powers of two, which change no
 * rounding. */
CONSTANT f64 SO_ENERGY_ONCE = 3, SO_ENERGY_TWICE = 12, SO_ENERGY_THRICE = 768;
CONSTANT f64 SO_ENERGY_SCALE = 0x1p-13;
static inline f64 so_energy_guess(f64 x) {
    return bits_f64(((u64)0x5fe6eb50 << 32 | 0xc7b537a9u) - (f64_bits(x) >> 1));
}
static inline f64 so_energy_step(f64 three, f64 x, f64 y) {
    return y * (three - x * y * y);
}

/* The mass that counts of one particle at another place: none at its own. Without
 * softening it is at r = 0 there, where nothing else is counted either. */
static inline f64 so_energy_counted(f64 m, f64 r2, i32 is_own, f64 softening2) {
    if (softening2 > 0)
        return is_own ? 0.0 : m;
    return r2 > 0 ? m : 0.0;
}

/* Particle `own` at all places, as pairs first, first + 1, ... All of its mass counts where
 * it is `apart` from them. */
static inline void so_energy_meet(f64 m, GLOBAL const f64 *place, f64 own, f64 softening2,
                                  i32 apart, const so_energy_places *at,
                                  so_energy_pairs *pairs, i32 first) {
    const f64 x = place[0], y = place[1], z = place[2];
    for (i32 lane = 0; lane < SO_ENERGY_LANES; lane++) {
        const f64 dx = x - at->x[lane], dy = y - at->y[lane], dz = z - at->z[lane];
        const f64 r2 = dx * dx + dy * dy + dz * dz;
        const f64 s2 = softening2 > 0 ? r2 + softening2 : r2;
        pairs->mass[first + lane] =
            apart ? m : so_energy_counted(m, r2, at->own[lane] == own, softening2);
        pairs->square[first + lane] = s2;
        pairs->inverse[first + lane] = so_energy_guess(s2);
    }
}

static inline void so_energy_refine(const so_energy_pairs *pairs, f64 three,
                                    const f64 *from, f64 *to) {
    for (i32 p = 0; p < SO_ENERGY_PAIRS; p++)
        to[p] = so_energy_step(three, pairs->square[p], from[p]);
}

/* Adds m / r of all pairs, in order, to the sums. All take a step before any takes the
 * next, for which it would wait. */
static inline void so_energy_add(const so_energy_pairs *pairs, so_energy_places *at) {
    f64 once[SO_ENERGY_PAIRS], twice[SO_ENERGY_PAIRS], inverse[SO_ENERGY_PAIRS];
    so_energy_refine(pairs, SO_ENERGY_ONCE, pairs->inverse, once);
    so_energy_refine(pairs, SO_ENERGY_TWICE, once, twice);
    so_energy_refine(pairs, SO_ENERGY_THRICE, twice, inverse);
    for (i32 p = 0; p < SO_ENERGY_PAIRS; p += SO_ENERGY_LANES)
        for (i32 lane = 0; lane < SO_ENERGY_LANES; lane++)
            at->sum[lane] += pairs->mass[p + lane] * inverse[p + lane];
}

/* The same of a particle, that counts for nothing from `end` on. */
static inline void so_energy_next(const so_search *s, const so_properties_members *of,
                                  GLOBAL const f64 *place, f64 softening2, i32 apart, i64 k,
                                  i64 end, const so_energy_places *at,
                                  so_energy_pairs *pairs, i32 first) {
    const i64 own = min(k, end - 1);
    const f64 m = k < end ? so_properties_mass(s, of, own) : 0.0;
    so_energy_meet(SO_ENERGY_SCALE * m, place + 3 * own, (f64)own, softening2, apart, at,
                   pairs, first);
}

/* The same of particles [begin, end), a few in a turn. `softening2` is a constant where
 * this is called without. */
static inline void so_energy_sum(const so_search *s, const so_properties_members *of,
                                 GLOBAL const f64 *place, f64 softening2, i64 begin,
                                 i64 end, so_energy_places *at) {
    so_energy_pairs pairs;
    for (i64 k = begin; k < end; k += SO_ENERGY_TURN) {
        for (i32 t = 0; t < SO_ENERGY_TURN; t++)
            so_energy_next(s, of, place, softening2, 0, k + t, end, at, &pairs,
                           t * SO_ENERGY_LANES);
        so_energy_add(&pairs, at);
    }
}

/* The same where they are apart from the places: a turn without its loop, which compilers
 * would not unroll. */
static inline void so_energy_sum_apart(const so_search *s, const so_properties_members *of,
                                       GLOBAL const f64 *place, f64 softening2, i64 begin,
                                       i64 end, so_energy_places *at) {
    const i32 lanes = SO_ENERGY_LANES;
    so_energy_pairs pairs;
    for (i64 k = begin; k < end; k += SO_ENERGY_TURN) {
        so_energy_next(s, of, place, softening2, 1, k, end, at, &pairs, 0);
        so_energy_next(s, of, place, softening2, 1, k + 1, end, at, &pairs, lanes);
        so_energy_next(s, of, place, softening2, 1, k + 2, end, at, &pairs, 2 * lanes);
        so_energy_next(s, of, place, softening2, 1, k + 3, end, at, &pairs, 3 * lanes);
        so_energy_add(&pairs, at);
    }
}

/* The same, where particles are `distinct` from all others: only in turns with some that
 * are places are these not apart from them. */
static inline void so_energy_sums(const so_search *s, const so_properties_members *of,
                                  GLOBAL const f64 *place, f64 softening2, i32 distinct,
                                  i64 begin, i64 end, so_energy_places *at) {
    const i64 turn = SO_ENERGY_TURN, all = end - begin;
    const i64 first = (i64)at->own[0] - begin;
    const i64 behind = (i64)at->own[SO_ENERGY_LANES - 1] + turn - begin;
    const i64 low = distinct ? min(max(first, (i64)0), all) / turn * turn : 0;
    const i64 high = distinct ? min(max(behind / turn * turn, low), all) : all;
    so_energy_sum_apart(s, of, place, softening2, begin, begin + low, at);
    so_energy_sum(s, of, place, softening2, begin + low, begin + high, at);
    so_energy_sum_apart(s, of, place, softening2, begin + high, end, at);
}

/* Whether none of particles [begin, end) of a sphere is where another is, so near that r^2
 * between them would be 0: it would be as far from the center, and so beside it. Below some
 * distance r^2 from the center is rounded as well, to 0 or so. */
static inline i32 so_energy_distinct(const so_properties_members *of, i64 sphere, i64 begin,
                                     i64 end) {
    const i64 first = of->offset[sphere], last = of->end[sphere];
    GLOBAL const f64 *r2 = of->r2;
    i32 same = 0;
    for (i64 k = max(begin, first + 1); k < min(end + 1, last); k++)
        same |= r2[k] == r2[k - 1];
    return !same && (last - first < 2 || r2[first + 1] > 1e-200);
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
    const i64 begin = first + part * count / parts;
    const i64 end = first + (part + 1) * count / parts;
    const i32 distinct = so_energy_distinct(&of, sphere, begin, end);
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
        if (softening > 0)
            so_energy_sums(&s, &of, place, softening * softening, 1, begin, end, &at);
        else
            so_energy_sums(&s, &of, place, 0.0, distinct, begin, end, &at);
        for (i32 lane = 0; lane < SO_ENERGY_LANES && t + lane < places; lane++)
            pull[first + part * places + t + lane] = at.sum[lane];
    }
}

/* m / r of one particle at another place. */
static inline f64 so_energy_term(f64 m, f64 dx, f64 dy, f64 dz, i32 is_own,
                                 f64 softening2) {
    const f64 r2 = dx * dx + dy * dy + dz * dz;
    const f64 s2 = softening2 > 0 ? r2 + softening2 : r2;
    const f64 once = so_energy_step(SO_ENERGY_ONCE, s2, so_energy_guess(s2));
    const f64 inverse =
        so_energy_step(SO_ENERGY_THRICE, s2, so_energy_step(SO_ENERGY_TWICE, s2, once));
    return so_energy_counted(SO_ENERGY_SCALE * m, r2, is_own, softening2) * inverse;
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

/* Share t of a sphere: its mass times the potential, and its mass if what stands for it is
 * bound. The nearest particle moves by v0, all by `mean` more. */
static inline void so_energy_add_up(const so_search *s, const so_properties_members *of,
                                    const so_properties_spheres *by,
                                    const so_properties_lists *lists, i64 sphere, i64 t,
                                    const f64 *v0, const f64 *mean, GLOBAL const f64 *pull,
                                    GLOBAL f64 *share) {
    const i64 first = of->offset[sphere], count = so_energy_count(of, sphere);
    const i64 places = so_energy_places_of(count);
    const f64 mass = so_energy_mass(s, of, first, count, t);
    f64 phi = 0, speed2 = 0;
    for (i64 part = 0; part < so_energy_parts(count); part++)
        phi -= pull[first + part * places + t];
    share[2 * (first + t)] = mass * phi;
    if (!of->moves)
        return;
    const i64 k = first + so_energy_middle(count, t);
    for (i32 a = 0; a < 3; a++) {
        const f64 v =
            lists->flow[3 * k + a] - v0[a] - mean[a] + by->hubble * lists->place[3 * k + a];
        speed2 += v * v;
    }
    share[2 * (first + t) + 1] = speed2 / 2 + by->gravity * phi < 0 ? mass : 0.0;
}

/* Shares of a sphere, so many a work-item. */
static inline void so_energy_share(index_t i, i64 each, so_search s,
                                   so_properties_members of, so_properties_spheres by,
                                   so_properties_lists lists,
                                   GLOBAL const so_properties_sums *total,
                                   GLOBAL const f64 *pull, GLOBAL f64 *share) {
    const i64 items = SO_ENERGY_MOST / each, sphere = (i64)i / items;
    const i64 from = (i64)i % items * each;
    const i64 to = min(from + each, so_energy_places_of(so_energy_count(&of, sphere)));
    f64 v0[3], mean[3];
    so_properties_nearest(&of, lists.flow, sphere, v0);
    for (i32 a = 0; a < 3; a++)
        mean[a] = of.moves && from < to ? total[sphere].flow[a] / by.mass[of.first + sphere]
                                        : 0.0;
    for (i64 t = from; t < to; t++)
        so_energy_add_up(&s, &of, &by, &lists, sphere, t, v0, mean, pull, share);
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
