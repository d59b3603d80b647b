/* Profiles against their definition: all distances, shell by shell. */
#include "so_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 6 };

typedef struct shells {
    i64 *count;
    f64 *mass, *density, *radial, *dispersion;
} shells;

typedef struct setting {
    f64 edge[BINS + 1], *radius, *v, *frame; /* v and frame may be NULL */
} setting;

static shells shells_new(i64 n) {
    const size_t size = (size_t)(n * BINS + 1);
    return (shells){calloc(size, 8), calloc(size, 8), calloc(size, 8), calloc(size, 8),
                    calloc(size, 8)};
}

static void shells_free(shells *s) {
    free(s->count), free(s->mass), free(s->density), free(s->radial), free(s->dispersion);
}

static shells measure(const scene *s, const setting *how) {
    const weft_array x = test_array(WEFT_F64, s->x, 3 * s->n),
                     c = test_array(WEFT_F64, s->c, 3 * s->centers);
    const weft_bodies bodies = {
        .points = weft_points_interleaved(device, x),
        .velocity = how->v ? test_array(WEFT_F64, how->v, 3 * s->n) : (weft_array){0},
        .mass = s->has_mass ? test_array(WEFT_F64, s->m, s->n) : (weft_array){0},
        .particle_mass = s->particle_mass,
        .box = {s->box[0], s->box[1], s->box[2]}};
    const weft_points centers = weft_points_interleaved(device, c);
    weft_so_options options = s->options;
    if (s->id)
        options.id = test_array(WEFT_I64, s->id, s->n);
    weft_profiles_options o = {.bins = BINS};
    memcpy(o.edge, how->edge, sizeof how->edge);
    o.radius = test_array(WEFT_F64, how->radius, s->centers);
    if (how->frame)
        o.velocity = test_array(WEFT_F64, how->frame, 3 * s->centers);
    weft_profiles out;
    weft_profiles_measure(device, &bodies, &centers, &options, &o, &out);
    test_ok();
    ck_assert_int_eq(out.count.length, BINS * s->centers);
    ck_assert_int_eq(out.radial_velocity.type != 0, how->v != NULL);
    shells found = shells_new(s->centers);
    weft_read(device, out.count, found.count);
    weft_read(device, out.mass, found.mass);
    weft_read(device, out.density, found.density);
    if (how->v) {
        weft_read(device, out.radial_velocity, found.radial);
        weft_read(device, out.velocity_dispersion, found.dispersion);
    }
    test_ok();
    weft_profiles_free(device, &out);
    return found;
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

static void define_shell(const scene *s, const setting *how, i64 c, int b, const ranked *p,
                         shells *to) {
    const i64 at = c * BINS + b;
    const f64 inner = how->edge[b] * how->radius[c],
              outer = how->edge[b + 1] * how->radius[c];
    const f64 e = how->edge[b], f = how->edge[b + 1],
              r3 = how->radius[c] * how->radius[c] * how->radius[c];
    f64 mean[3] = {0}, mass = 0, radial = 0, square = 0;
    i64 begin = 0, end;
    while (begin < s->n && p[begin].r2 < inner * inner)
        begin++;
    for (end = begin; end < s->n && p[end].r2 < outer * outer; end++)
        mass += p[end].m;
    if (begin == end)
        return;
    to->count[at] = end - begin;
    to->mass[at] = mass;
    to->density[at] =
        mass / (4.0 / 3 * 3.14159265358979323846 * (f * f * f - e * e * e) * r3);
    for (i64 k = begin; k < end && how->v; k++) {
        f64 along = 0;
        for (int a = 0; a < 3; a++) {
            along += (p[k].v[a] - (how->frame ? how->frame[3 * c + a] : 0)) * p[k].x[a];
            mean[a] += p[k].m * (p[k].v[a] - p[begin].v[a]);
        }
        radial += p[k].r2 > 0 ? p[k].m * (along / sqrt(p[k].r2)) : 0;
    }
    for (i64 k = begin; k < end; k++) {
        f64 apart = 0;
        for (int a = 0; a < 3; a++) {
            const f64 d = p[k].v[a] - p[begin].v[a] - mean[a] / mass;
            apart += d * d;
        }
        square += p[k].m * apart;
    }
    to->radial[at] = radial / mass;
    to->dispersion[at] = sqrt(square / (3 * mass));
}

static shells define(const scene *s, const setting *how) {
    shells to = shells_new(s->centers);
    ranked *p = malloc((size_t)(s->n + 1) * sizeof *p);
    for (i64 c = 0; c < s->centers; c++) {
        for (i64 i = 0; i < s->n; i++) {
            p[i] = (ranked){.m = s->has_mass ? s->m[i] : s->particle_mass,
                            .id = s->id ? s->id[i] : i};
            for (int k = 0; k < 3; k++) {
                const f64 d = s->x[3 * i + k] - s->c[3 * c + k];
                p[i].x[k] = s->box[k] > 0 ? remainder(d, s->box[k]) : d;
                p[i].v[k] = how->v ? how->v[3 * i + k] : 0;
            }
            p[i].r2 = p[i].x[0] * p[i].x[0] + p[i].x[1] * p[i].x[1] + p[i].x[2] * p[i].x[2];
        }
        qsort(p, (size_t)s->n, sizeof *p, by_distance);
        for (int b = 0; b < BINS && how->radius[c] > 0; b++)
            define_shell(s, how, c, b, p, &to);
    }
    free(p);
    return to;
}

static void check(const scene *s, const setting *how) {
    shells found = measure(s, how), expected = define(s, how);
    for (i64 k = 0; k < s->centers * BINS; k++) {
        const f64 a[] = {found.mass[k], found.density[k], found.radial[k],
                         found.dispersion[k]};
        const f64 b[] = {expected.mass[k], expected.density[k], expected.radial[k],
                         expected.dispersion[k]};
        ck_assert_int_eq(found.count[k], expected.count[k]);
        for (int j = 0; j < 4; j++)
            ck_assert_msg(j == 1 ? fabs(a[j] - b[j]) <= 1e-14 * b[j] : a[j] == b[j],
                          "center %lld, shell %lld, number %d: %.17g, not %.17g",
                          (long long)(k / BINS), (long long)(k % BINS), j, a[j], b[j]);
    }
    shells_free(&found), shells_free(&expected);
}

/* A clump on a lattice, so that many are at an edge, or at one place; around the box. */
START_TEST(clumps) {
    u64 seed = 3;
    for (int k = 0; k < 8; k++) {
        const i64 n = (const i64[]){0, 1, 2, 50, 257, 900, 2000, 2000}[k];
        scene s = scene_new(n, 5);
        setting how = {.edge = {k % 3 == 0 ? 0.25 : 0, 0.5, 1, 1.5, 2, 3, 5}};
        how.radius = calloc(5, sizeof(f64)), how.frame = calloc(15, sizeof(f64));
        how.v = calloc((size_t)(3 * n + 1), sizeof(f64));
        if (k % 2)
            s.id = calloc((size_t)n + 1, sizeof *s.id);
        for (i64 i = 0; i < n; i++) {
            for (int a = 0; a < 3; a++) {
                s.x[3 * i + a] = floor(40 * pow(scene_uniform(&seed), 2)) / 8;
                how.v[3 * i + a] = 1000 * scene_uniform(&seed);
            }
            s.m[i] = k > 4 ? pow(10, 6 * scene_uniform(&seed)) : 1;
            if (s.id)
                s.id[i] = (i * 7919 + 5) % 100003;
        }
        s.has_mass = k > 4;
        for (int c = 0; c < 5; c++)
            for (int a = 0; a < 3; a++) {
                s.c[3 * c + a] = c < 3 ? floor(8 * scene_uniform(&seed)) / 8 : 7.9;
                how.frame[3 * c + a] = 300;
            }
        for (int c = 0; c < 5; c++)
            how.radius[c] = c == 2 ? 0 : c == 4 ? 0.3 : 0.25 * (c + 1);
        for (int a = 0; a < 3; a++)
            s.box[a] = k % 2 ? 8 : 0;
        check(&s, &how);
        f64 *frame = how.frame, *v = how.v;
        how.frame = NULL;
        check(&s, &how);
        how.v = NULL;
        check(&s, &how);
        free(frame), free(v), free(how.radius);
        scene_free(&s);
    }
}
END_TEST

/* Each sphere holds most particles, so that the lists of all are more than are kept. */
START_TEST(crowds) {
    enum { N = 9001, CENTERS = 60 };
    u64 seed = 5;
    scene s = scene_new(N, CENTERS);
    setting how = {.edge = {0, 0.1, 0.5, 0.9, 1, 1.5, 2}};
    how.radius = calloc(CENTERS, sizeof(f64));
    how.v = calloc(3 * N, sizeof(f64));
    for (i64 i = 0; i < 3 * N; i++) {
        s.x[i] = scene_uniform(&seed);
        how.v[i] = scene_uniform(&seed);
    }
    for (i64 c = 0; c < CENTERS; c++)
        how.radius[c] = c % 7 == 3 ? 0 : c % 7 == 5 ? 0.1 : 0.9;
    for (i64 k = 0; k < 3 * CENTERS; k++)
        s.c[k] = scene_uniform(&seed);
    check(&s, &how);
    free(how.v), free(how.radius);
    scene_free(&s);
}
END_TEST

START_TEST(refusals) {
    const f64 x[] = {0, 0, 0, 1, 1, 1};
    const weft_points two = weft_points_interleaved(device, test_array(WEFT_F64, x, 6));
    const weft_bodies bodies = {.points = two, .particle_mass = 1};
    const weft_so_options o = {.densities = 1, .density = {1}};
    weft_profiles_options p = {.bins = 2, .edge = {0, 1, 2}}, q;
    weft_profiles out;
    weft_profiles_measure(device, &bodies, &two, &o, NULL, &out);
    test_expect_error(WEFT_E_ARGUMENT, "how");
    weft_profiles_measure(device, &bodies, &two, &o, &p, &out);
    test_expect_error(WEFT_E_TYPE, "radius");
    p.radius = test_array(WEFT_F64, x, 2);
    q = p, q.edge[1] = 2;
    weft_profiles_measure(device, &bodies, &two, &o, &q, &out);
    test_expect_error(WEFT_E_ARGUMENT, "edge[2] is 2");
    q = p, q.edge[0] = -1;
    weft_profiles_measure(device, &bodies, &two, &o, &q, &out);
    test_expect_error(WEFT_E_ARGUMENT, "edge[0] is -1");
    q = p, q.bins = 129;
    weft_profiles_measure(device, &bodies, &two, &o, &q, &out);
    test_expect_error(WEFT_E_ARGUMENT, "129 bins");
    q = p, q.velocity = test_array(WEFT_F64, x, 5);
    weft_profiles_measure(device, &bodies, &two, &o, &q, &out);
    test_expect_error(WEFT_E_SHAPE, "velocity");
    ck_assert_int_eq(out.count.length, 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {clumps, crowds, refusals};
    return test_main(argc, argv, "profiles", tests, sizeof tests / sizeof *tests);
}
