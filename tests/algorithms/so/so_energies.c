/* Energies of spherical overdensities and their NFW fit, against their definition and
 * against halos that are known. */
#include "so_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The n nearest of all, velocities about their mean, with a Hubble flow. */
static ranked *nearest(const scene *s, const motion *how, const f64 *center, i64 n) {
    ranked *to = malloc((size_t)(s->n + 1) * sizeof *to);
    f64 mass = 0, flow[3] = {0};
    for (i64 i = 0; i < s->n; i++) {
        ranked *p = to + i;
        *p = (ranked){.m = s->has_mass ? s->m[i] : s->particle_mass, .id = i};
        for (int k = 0; k < 3; k++) {
            const f64 d = s->x[3 * i + k] - center[k];
            p->x[k] = s->box[k] > 0 ? remainder(d, s->box[k]) : d;
            p->v[k] = how->v ? how->v[3 * i + k] : 0;
        }
        p->r2 = p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2];
    }
    qsort(to, (size_t)s->n, sizeof *to, by_distance);
    for (i64 i = 0; i < n; i++) {
        mass += to[i].m;
        for (int k = 0; k < 3; k++)
            flow[k] += to[i].m * to[i].v[k];
    }
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            to[i].v[k] += how->hubble * to[i].x[k] - flow[k] / mass;
    return to;
}

static f64 potential(const ranked *p, i64 n, i64 i, f64 softening) {
    f64 sum = 0;
    for (i64 j = 0; j < n; j++) {
        f64 square = softening * softening;
        for (int k = 0; k < 3; k++)
            square += (p[i].x[k] - p[j].x[k]) * (p[i].x[k] - p[j].x[k]);
        sum -= j != i && square > 0 ? p[j].m / sqrt(square) : 0;
    }
    return sum;
}

/* sum m ln p, but for what does not depend on c. */
static long double likelihood(const ranked *p, i64 n, f64 radius, f64 softening,
                              long double c) {
    const long double d = c * (long double)(softening / radius);
    const long double norm = log1pl(c) - c / (1 + c) - (log1pl(d) - d / (1 + d));
    long double sum = 0;
    for (i64 i = 0; i < n; i++) {
        const f64 r = sqrt(p[i].r2);
        if (r > 0 && r / radius >= softening / radius)
            sum += p[i].m *
                   (2 * logl(c) - 2 * log1pl(c * (long double)(r / radius)) - logl(norm));
    }
    return sum;
}

static void check_fit(const inside *found, const ranked *p, i64 n, f64 radius,
                      f64 softening) {
    const f64 c = found->concentration_nfw;
    f64 mass = 0, square = 0;
    for (i64 i = 0; i < n; i++) {
        const f64 m = p[i].r2 > 0 && sqrt(p[i].r2) >= softening ? p[i].m : 0;
        mass += m, square += m * m;
    }
    long double most = -INFINITY;
    f64 best = 0;
    for (f64 at = 1; at < 1e4; at *= 1.02) {
        const long double is = likelihood(p, n, radius, softening, at);
        best = is > most ? at : best;
        most = is > most ? is : most;
    }
    if (c == 0) {
        ck_assert_msg(best == 1 || best > 9800 || !(mass > 0), "no fit, but one of %g",
                      best);
        ck_assert(found->concentration_nfw_error == 0);
        return;
    }
    const long double step = 1e-3L * c;
    const long double here = likelihood(p, n, radius, softening, c),
                      low = likelihood(p, n, radius, softening, c - step),
                      high = likelihood(p, n, radius, softening, c + step);
    const f64 bend = (f64)((low + high - 2 * here) / (step * step));
    const f64 slope = (f64)((high - low) / (2 * step));
    ck_assert_msg(here >= most && bend < 0, "a fit of %g, not %g", c, best);
    ck_assert(fabs(slope / bend) < 1e-5 * c);
    ck_assert(fabs(found->concentration_nfw_error * sqrt(-bend * mass / square) - 1) <
              1e-4);
}

static void check_near(f64 is, f64 expected, const char *what, i64 n) {
    ck_assert_msg(fabs(is - expected) <= 1e-10 * fabs(expected),
                  "%s of %lld: %.17g, not %.17g", what, (long long)n, is, expected);
}

/* Of center c, whose sphere holds n particles. */
static void check_sphere(const scene *s, const motion *how, i64 c, i64 n, f64 mass,
                         f64 radius, const inside *found) {
    ranked *p = nearest(s, how, s->c + 3 * c, n);
    const i64 shares = n < 256 ? n : 256;
    f64 kinetic = 0, sum = 0, bound = 0, spin[3] = {0};
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            kinetic += p[i].m * p[i].v[k] * p[i].v[k] / 2;
            spin[k] += p[i].m * (p[i].x[a] * p[i].v[b] - p[i].x[b] * p[i].v[a]);
        }
    for (i64 t = 0; t < shares; t++) {
        const i64 i = (2 * t + 1) * n / (2 * shares);
        const f64 phi = how->gravity * potential(p, n, i, how->softening);
        f64 share = 0, speed2 = 0;
        for (i64 j = t * n / shares; j < (t + 1) * n / shares; j++)
            share += p[j].m;
        for (int k = 0; k < 3; k++)
            speed2 += p[i].v[k] * p[i].v[k];
        sum += share * phi / 2;
        bound += speed2 / 2 + phi < 0 ? share : 0;
    }
    check_near(found->potential_energy, sum, "potential energy", n);
    check_fit(found, p, n, radius, how->softening);
    if (how->v) {
        const f64 j = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
        check_near(found->kinetic_energy, kinetic, "kinetic energy", n);
        check_near(found->bound_fraction, bound / mass, "bound fraction", n);
        if (n > 1)
            ck_assert(fabs(found->spin_peebles * how->gravity * pow(mass, 2.5) /
                               (j * sqrt(fabs(kinetic + sum))) -
                           1) < 1e-7);
    }
    free(p);
}

static void check(const scene *s, const motion *how) {
    inside *found = inside_measure(s, how);
    spheres of = scene_define(s);
    for (i64 c = 0; c < s->centers; c++) {
        const i64 at = how->threshold * s->centers + c;
        if (of.count[at] > 0)
            check_sphere(s, how, c, of.count[at], of.mass[at], of.radius[at], found + c);
        else
            ck_assert(found[c].potential_energy == 0 && found[c].concentration_nfw == 0);
    }
    spheres_free(&of);
    free(found);
}

/* A clump about (0.9, 0.9, 0.9), cuspy, whose velocities some are bound with. */
static scene clump(i64 n, f64 box, u64 seed, motion *how) {
    scene s = scene_new(n, 3);
    how->v = calloc((size_t)(3 * n + 1), sizeof *how->v);
    for (i64 i = 0; i < n; i++) {
        const f64 r = scene_uniform(&seed) * scene_uniform(&seed) / 4;
        for (int k = 0; k < 3; k++) {
            const f64 x = 0.9 + r * (scene_uniform(&seed) - 0.5);
            s.x[3 * i + k] = box > 0 ? x - floor(x) : x;
            how->v[3 * i + k] =
                70 + 1.5 * sqrt(how->gravity * (f64)n) * (scene_uniform(&seed) - 0.5);
        }
        s.m[i] = 1;
    }
    for (int k = 0; k < 3; k++) {
        s.c[k] = n > 0 ? s.x[k] : 0;
        s.c[3 + k] = 0.9;
        s.c[6 + k] = 0.375;
        s.box[k] = box;
    }
    s.options.densities = 2;
    s.options.density[0] = 50 * (f64)(n > 0 ? n : 1);
    s.options.density[1] = 2000 * (f64)(n > 0 ? n : 1);
    return s;
}

/* Around 256, where shares begin, and 512, where a sphere is summed over in parts. */
START_TEST(sizes) {
    const i64 n[] = {0, 1, 2, 15, 17, 255, 256, 257, 511, 512, 513, 1400};
    for (int k = 0; k < 12; k++) {
        motion how = {.gravity = 2,
                      .softening = k % 3 == 0 ? 0.004 : 0,
                      .hubble = k % 4 == 1 ? 0 : 700};
        scene s = clump(n[k], (f64)(k % 2), (u64)(n[k] + 3), &how);
        for (; how.threshold < 2; how.threshold++)
            check(&s, &how);
        if (k == 4) {
            free(how.v);
            how.v = NULL, how.threshold = 0;
            check(&s, &how);
        }
        free(how.v);
        scene_free(&s);
    }
}
END_TEST

/* Masses over 6 decades, particles at one place. */
START_TEST(masses_differ) {
    u64 seed = 5;
    motion how = {.gravity = 2, .hubble = 3};
    scene s = clump(700, 1, 17, &how);
    s.has_mass = 1;
    for (i64 i = 0; i < s.n; i++)
        s.m[i] = pow(10, 6 * scene_uniform(&seed) - 3);
    for (i64 i = 0; i < 30; i++)
        memcpy(s.x + 3 * (s.n - 1 - i), s.x + 3 * (i / 3), 3 * sizeof(f64));
    s.options.density[0] *= 10;
    check(&s, &how);
    free(how.v);
    scene_free(&s);
}
END_TEST

/* Each where the next or the one before is: some of these pairs are of different lanes,
 * turns and parts of a sphere. */
START_TEST(two_at_each_place) {
    u64 seed = 11;
    const motion how = {.gravity = 2};
    scene s = scene_new(601, 1);
    for (i64 i = 0; i < s.n; i++)
        for (int k = 0; k < 3; k++)
            s.x[3 * i + k] = i % 2 == 0 && i > 0
                                 ? s.x[3 * (i - 1) + k]
                                 : (f64)(i + 1) * (0.5 + scene_uniform(&seed)) * 1e-3;
    for (f64 n = 17; n < 800; n *= 2) {
        s.options.density[0] = (f64)s.n / (n * n * n * 1e-9);
        check(&s, &how);
    }
    scene_free(&s);
}
END_TEST

/* 10^4 particles drawn from NFW profiles: within 5 %, and within 3 standard errors. */
START_TEST(known_concentrations) {
    const i64 n = 10000;
    if (strcmp(weft_backend_name(device), "checking") == 0)
        return;
    u64 seed = 29;
    for (f64 c = 4; c < 40; c *= 2) {
        scene s = scene_new(n, 1);
        for (i64 i = 0; i < n; i++) {
            const f64 mass = scene_uniform(&seed) * inside_nfw(c), z = scene_uniform(&seed),
                      angle = 6.283185307179586 * scene_uniform(&seed);
            f64 low = 0, high = c;
            for (int k = 0; k < 60; k++)
                *(inside_nfw((low + high) / 2) < mass ? &low : &high) = (low + high) / 2;
            const f64 across = low / c * sqrt(1 - (2 * z - 1) * (2 * z - 1));
            s.x[3 * i] = across * cos(angle);
            s.x[3 * i + 1] = across * sin(angle);
            s.x[3 * i + 2] = low / c * (2 * z - 1);
        }
        s.options.density[0] = (f64)n / (4 * 3.14159265358979323846 / 3);
        const motion how = {.gravity = 1};
        inside *found = inside_measure(&s, &how);
        const f64 off = found->concentration_nfw - c;
        ck_assert_msg(fabs(off) < 0.05 * c &&
                          fabs(off) < 3 * found->concentration_nfw_error,
                      "%g: %g +- %g", c, off + c, found->concentration_nfw_error);
        ck_assert(found->concentration_nfw_error < 0.03 * c);
        /* W of an NFW sphere: Mo, Mao and White 1998 (MNRAS 295, 319), equation 23. */
        const f64 m = inside_nfw(c);
        const f64 shape =
            c * (1 - 1 / ((1 + c) * (1 + c)) - 2 * log1p(c) / (1 + c)) / (2 * m * m);
        ck_assert_msg(fabs(-found->potential_energy / (shape * (f64)n * (f64)n) - 1) < 0.02,
                      "%g: %g", c, -found->potential_energy / (shape * (f64)n * (f64)n));
        free(found);
        scene_free(&s);
    }
}
END_TEST

START_TEST(refusals) {
    const f64 x[] = {0, 0, 0, 1, 1, 1};
    const weft_points all = weft_points_interleaved(device, test_array(WEFT_F64, x, 6));
    const weft_bodies bodies = {.points = all, .particle_mass = 1};
    const weft_so_options o = {.densities = 1, .density = {1}};
    const weft_so_measures m = {.gravity = 1, .hubble = -1};
    weft_so_spheres crossed;
    weft_so_properties out;
    weft_so(device, &bodies, &all, &o, &crossed);
    test_ok();
    weft_so_measure(device, &bodies, &all, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "hubble is -1");
    weft_so_free(device, &crossed);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {sizes, masses_differ, two_at_each_place,
                                  known_concentrations, refusals};
    return test_main(argc, argv, "so_energies", tests, sizeof tests / sizeof *tests);
}
