#include "so_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static weft_array put(weft_type type, const f64 *values, i64 n) {
    if (type == WEFT_F64)
        return test_array(type, values, n);
    f32 *slim = malloc((size_t)(n + 1) * sizeof *slim);
    for (i64 k = 0; k < n; k++)
        slim[k] = (f32)values[k];
    const weft_array array = test_array(type, slim, n);
    free(slim);
    return array;
}

/* Component k of `components` of each row, into rows of `inside`. */
static void take(weft_array from, i64 n, int components, inside *to, size_t offset) {
    f64 *values = malloc((size_t)(from.length + 1) * sizeof *values);
    if (from.type != 0) {
        ck_assert_int_eq(from.length, components * n);
        weft_read(device, from, values);
    }
    for (i64 c = 0; c < n && from.type != 0; c++)
        memcpy((char *)(to + c) + offset, values + components * c,
               (size_t)components * sizeof(f64));
    free(values);
}

inside *inside_measure(const scene *s, const motion *how) {
    const weft_array x = put(s->type, s->x, 3 * s->n),
                     c = put(s->type, s->c, 3 * s->centers);
    const weft_array m = s->has_mass ? put(s->type, s->m, s->n) : (weft_array){0};
    const weft_array v = how->v ? put(s->type, how->v, 3 * s->n) : (weft_array){0};
    const weft_bodies bodies = {.points = weft_points_interleaved(device, x),
                                .velocity = v,
                                .mass = m,
                                .particle_mass = s->particle_mass,
                                .box = {s->box[0], s->box[1], s->box[2]}};
    const weft_points centers = weft_points_interleaved(device, c);
    weft_so_options options = s->options;
    if (s->id)
        options.id = test_array(WEFT_I64, s->id, s->n);
    const weft_so_measures measures = {.threshold = how->threshold,
                                       .gravity = how->gravity,
                                       .softening = how->softening,
                                       .hubble = how->hubble};
    weft_so_spheres crossed;
    weft_so_properties p;
    weft_so(device, &bodies, &centers, &options, &crossed);
    weft_so_measure(device, &bodies, &centers, &options, &crossed, &measures, &p);
    test_ok();
    const i64 n = s->centers;
    inside *to = calloc((size_t)n + 1, sizeof *to);
    take(p.vmax, n, 1, to, offsetof(inside, vmax));
    take(p.rmax, n, 1, to, offsetof(inside, rmax));
    take(p.half_mass_radius, n, 1, to, offsetof(inside, half_mass_radius));
    take(p.center_of_mass, n, 3, to, offsetof(inside, center_of_mass));
    take(p.offset_position, n, 1, to, offsetof(inside, offset_position));
    take(p.spin_bullock, n, 1, to, offsetof(inside, spin_bullock));
    take(p.angular_momentum, n, 3, to, offsetof(inside, angular_momentum));
    take(p.velocity, n, 3, to, offsetof(inside, velocity));
    take(p.velocity_dispersion_tensor, n, 6, to, offsetof(inside, dispersion));
    take(p.offset_velocity, n, 1, to, offsetof(inside, offset_velocity));
    take(p.concentration_vmax, n, 1, to, offsetof(inside, concentration_vmax));
    take(p.concentration_r1, n, 1, to, offsetof(inside, concentration_r1));
    take(p.concentration_nfw, n, 1, to, offsetof(inside, concentration_nfw));
    take(p.concentration_nfw_error, n, 1, to, offsetof(inside, concentration_nfw_error));
    take(p.potential_energy, n, 1, to, offsetof(inside, potential_energy));
    take(p.kinetic_energy, n, 1, to, offsetof(inside, kinetic_energy));
    take(p.bound_fraction, n, 1, to, offsetof(inside, bound_fraction));
    take(p.spin_peebles, n, 1, to, offsetof(inside, spin_peebles));
    take(p.shape, n, 3, to, offsetof(inside, shape));
    take(p.shape_axes, n, 9, to, offsetof(inside, axes));
    take(p.shape_reduced, n, 3, to, offsetof(inside, reduced));
    take(p.shape_reduced_axes, n, 9, to, offsetof(inside, reduced_axes));
    test_ok();
    weft_so_properties_free(device, &p);
    weft_so_free(device, &crossed);
    const weft_array made[] = {x, c, m, v, options.id};
    for (int k = 0; k < 5; k++)
        weft_array_free(device, made[k]);
    return to;
}

typedef struct ranked {
    f64 r2, m, x[3], v[3];
    i64 id;
} ranked;

static int by_distance(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->r2 != q->r2)
        return p->r2 < q->r2 ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static void rank_all(const scene *s, const motion *how, const f64 *center, ranked *to) {
    for (i64 i = 0; i < s->n; i++) {
        ranked *p = to + i;
        *p = (ranked){.m = s->has_mass ? s->m[i] : s->particle_mass,
                      .id = s->id ? s->id[i] : i};
        for (int k = 0; k < 3; k++) {
            const f64 d = s->x[3 * i + k] - center[k];
            p->x[k] = s->box[k] > 0 ? remainder(d, s->box[k]) : d;
            p->v[k] = how->v ? how->v[3 * i + k] : 0;
        }
        p->r2 = p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2];
    }
    qsort(to, (size_t)s->n, sizeof *to, by_distance);
}

/* The sum over blocks of 256, in order. */
static f64 sum(const f64 *terms, i64 n) {
    f64 all = 0;
    for (i64 begin = 0; begin < n; begin += 256) {
        f64 block = 0;
        for (i64 k = begin; k < n && k < begin + 256; k++)
            block += terms[k];
        all += block;
    }
    return all;
}

static f64 length(const f64 *d) {
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static const int first_axis[] = {0, 1, 2, 0, 0, 1}, second_axis[] = {0, 1, 2, 1, 2, 2};

f64 inside_nfw(f64 c) {
    return log1p(c) - c / (1 + c);
}

static f64 miss(f64 c, f64 value, int by_peak) {
    const f64 m = inside_nfw(c);
    return by_peak ? value - 0.2162 * c / m
                   : (c - 2 * log1p(c) + c / (1 + c)) / (c * m) - value;
}

static f64 concentration(f64 value, int by_peak) {
    f64 low = by_peak ? 2.1625815870646098 : 1, high = 1e4;
    if (!(miss(low, value, by_peak) >= 0 && miss(high, value, by_peak) < 0))
        return 0;
    for (int k = 0; k < 200; k++) {
        const f64 middle = (low + high) / 2;
        *(miss(middle, value, by_peak) >= 0 ? &low : &high) = middle;
    }
    return low;
}

/* Of equal masses M_k is k m; of others the sum of whole blocks and of the rest. */
static void weigh(const ranked *p, i64 n, int equal, f64 *inner) {
    f64 blocks = 0, block = 0;
    for (i64 k = 0; k < n; k++) {
        block += p[k].m;
        inner[k] = equal ? (f64)(k + 1) * p[0].m : blocks + block;
        if ((k + 1) % 256 == 0)
            blocks += block, block = 0;
    }
}

static void move(const motion *how, const ranked *p, i64 n, f64 mass, f64 radius,
                 f64 *terms, inside *to) {
    const f64 speed = sqrt(how->gravity * (mass / radius));
    f64 mean[3];
    for (int a = 0; a < 3; a++) {
        for (i64 k = 0; k < n; k++)
            terms[k] = p[k].m * (p[k].v[a] - p[0].v[a]);
        mean[a] = sum(terms, n) / mass;
        to->velocity[a] = p[0].v[a] + mean[a];
    }
    to->offset_velocity = length(mean) / speed;
    for (int t = 0; t < 6; t++) {
        const int a = first_axis[t], b = second_axis[t];
        for (i64 k = 0; k < n; k++)
            terms[k] = p[k].m * ((p[k].v[a] - p[0].v[a] - mean[a]) *
                                 (p[k].v[b] - p[0].v[b] - mean[b]));
        to->dispersion[t] = sum(terms, n) / mass;
    }
    for (int t = 0; t < 3; t++) {
        const int a = (t + 1) % 3, b = (t + 2) % 3;
        for (i64 k = 0; k < n; k++)
            terms[k] = p[k].m * (p[k].x[a] * (p[k].v[b] - p[0].v[b] - mean[b]) -
                                 p[k].x[b] * (p[k].v[a] - p[0].v[a] - mean[a]));
        to->angular_momentum[t] = sum(terms, n);
    }
    to->spin_bullock =
        length(to->angular_momentum) / (1.4142135623730951 * mass * speed * radius);
}

/* `axes` become the tensor: xx yy zz xy xz yz. */
static void define(const scene *s, const motion *how, const f64 *center, const ranked *p,
                   i64 n, f64 mass, f64 radius, inside *to) {
    f64 *terms = malloc((size_t)n * sizeof *terms),
        *inner = malloc((size_t)n * sizeof *inner);
    f64 steepest = 0, com[3];
    int equal = 1;
    for (i64 i = 0; i < s->n && s->has_mass; i++)
        equal &= s->m[i] == s->m[0];
    weigh(p, n, equal, inner);
    for (i64 k = 0; k < n; k++) {
        const f64 r = sqrt(p[k].r2), soft = fmax(r, how->softening);
        if (soft > 0 && inner[k] / soft > steepest) {
            steepest = inner[k] / soft;
            to->rmax = r;
        }
        if (inner[k] < mass / 2)
            to->half_mass_radius = sqrt(p[k + 1].r2);
        terms[k] = p[k].m * r;
    }
    if (inner[0] >= mass / 2)
        to->half_mass_radius = sqrt(p[0].r2);
    to->vmax = sqrt(how->gravity * steepest);
    to->concentration_vmax = concentration(steepest * (radius / mass), 1);
    to->concentration_r1 = concentration(sum(terms, n) / (mass * radius), 0);
    for (int a = 0; a < 3; a++) {
        for (i64 k = 0; k < n; k++)
            terms[k] = p[k].m * p[k].x[a];
        com[a] = sum(terms, n) / mass;
        f64 x = center[a] + com[a];
        const f64 box = s->box[a];
        if (box > 0)
            x = fmod(x, box) < 0 ? box + fmod(x, box) : fmod(x, box);
        to->center_of_mass[a] = box > 0 && x >= box ? 0 : x;
    }
    to->offset_position = length(com) / radius;
    for (int t = 0; t < 6 && n >= 20; t++) {
        for (i64 k = 0; k < n; k++)
            terms[k] = p[k].m * (p[k].x[first_axis[t]] * p[k].x[second_axis[t]]);
        to->axes[t] = sum(terms, n) / mass;
        for (i64 k = 0; k < n; k++) {
            const f64 r = length(p[k].x), per = r > 0 ? 1 / r : 0;
            terms[k] =
                p[k].m * (p[k].x[first_axis[t]] * per * p[k].x[second_axis[t]] * per);
        }
        to->reduced_axes[t] = sum(terms, n) / mass;
    }
    if (how->v)
        move(how, p, n, mass, radius, terms, to);
    free(terms), free(inner);
}

inside *inside_define(const scene *s, const motion *how) {
    inside *to = calloc((size_t)s->centers + 1, sizeof *to);
    ranked *p = malloc((size_t)(s->n + 1) * sizeof *p);
    spheres of = scene_define(s);
    for (i64 c = 0; c < s->centers; c++) {
        const i64 at = how->threshold * s->centers + c;
        if (of.count[at] == 0)
            continue;
        rank_all(s, how, s->c + 3 * c, p);
        define(s, how, s->c + 3 * c, p, of.count[at], of.mass[at], of.radius[at], to + c);
    }
    spheres_free(&of);
    free(p);
    return to;
}

/* That the axes are the tensor's, descending, of length 1, the largest component above 0,
 * and the ratios theirs. */
static void check_axes(const f64 *shape, const f64 *axes, const f64 *tensor) {
    f64 value[3], trace = tensor[0] + tensor[1] + tensor[2];
    const f64 m[3][3] = {{tensor[0], tensor[3], tensor[4]},
                         {tensor[3], tensor[1], tensor[5]},
                         {tensor[4], tensor[5], tensor[2]}};
    for (int k = 0; k < 3; k++) {
        const f64 *e = axes + 3 * k;
        f64 image[3], most = 0;
        value[k] = 0;
        for (int a = 0; a < 3; a++) {
            image[a] = m[a][0] * e[0] + m[a][1] * e[1] + m[a][2] * e[2];
            value[k] += e[a] * image[a];
            most = fabs(e[a]) > fabs(most) ? e[a] : most;
        }
        ck_assert(most > 0 && fabs(length(e) - 1) < 1e-13);
        for (int a = 0; a < 3; a++)
            ck_assert(fabs(image[a] - value[k] * e[a]) <= 1e-13 * trace);
        ck_assert(k == 0 || value[k] <= value[k - 1] + 1e-14 * trace);
    }
    if (trace > 0) {
        ck_assert(fabs(shape[0] * shape[0] - value[2] / value[0]) < 1e-12);
        ck_assert(fabs(shape[1] * shape[1] - value[1] / value[0]) < 1e-12);
    }
    if (value[0] - value[2] > 1e-3 * trace)
        ck_assert(fabs(shape[2] - (value[0] - value[1]) / (value[0] - value[2])) < 1e-9);
}

void inside_check(const scene *s, const motion *how) {
    inside *found = inside_measure(s, how), *expected = inside_define(s, how);
    static const inside nothing;
    for (i64 c = 0; c < s->centers; c++) {
        const f64 *a = &found[c].vmax, *b = &expected[c].vmax;
        for (int k = 0; k < INSIDE_EXACT; k++)
            ck_assert_msg(a[k] == b[k], "center %lld, number %d: %.17g, not %.17g",
                          (long long)c, k, a[k], b[k]);
        for (int k = 0; k < 2; k++)
            ck_assert_msg(fabs(a[INSIDE_EXACT + k] - b[INSIDE_EXACT + k]) <=
                              2e-7 * b[INSIDE_EXACT + k],
                          "center %lld, concentration %d: %.17g, not %.17g", (long long)c,
                          k, a[INSIDE_EXACT + k], b[INSIDE_EXACT + k]);
        if (memcmp(expected[c].axes, nothing.axes, sizeof nothing.axes) != 0)
            check_axes(found[c].shape, found[c].axes, expected[c].axes);
        if (memcmp(expected[c].reduced_axes, nothing.axes, sizeof nothing.axes) != 0)
            check_axes(found[c].reduced, found[c].reduced_axes, expected[c].reduced_axes);
    }
    free(found), free(expected);
}
