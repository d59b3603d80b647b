/* Poisson centers: against their definition, in f64, and the laws that they obey. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mbp.h>
#include <weft/poisson.h>

/* Halos one after the other; member k of all is particle k. */
typedef struct scene {
    i64 n, count;
    i64 offset[16];
    f64 *x, *m;
    int has_mass;
    weft_poisson_options options;
} scene;

typedef struct found {
    u32 particle[16];
    f64 potential[16];
} found;

static f64 uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

/* Cuspy halos, whose coordinates are multiples of 2^-20: exact when they are moved. */
static scene scene_new(const i64 *sizes, i64 count, u64 seed) {
    scene s = {.count = count, .options = {.particle_mass = 1}};
    for (i64 h = 0; h < count; h++)
        s.offset[h + 1] = s.offset[h] + sizes[h];
    s.n = s.offset[count];
    s.x = calloc((size_t)(3 * s.n + 3), sizeof(f64));
    s.m = calloc((size_t)(s.n + 1), sizeof(f64));
    for (i64 k = 0; k < s.n; k++) {
        f64 d[3], r2 = 2;
        while (r2 > 1 || r2 < 1e-4) {
            r2 = 0;
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = 2 * uniform(&seed) - 1;
                r2 += d[axis] * d[axis];
            }
        }
        const f64 r = pow(uniform(&seed), 1.5) / sqrt(r2);
        for (int axis = 0; axis < 3; axis++)
            s.x[3 * k + axis] = floor((10 + r * d[axis]) * 0x1p20) * 0x1p-20;
        s.m[k] = exp(3 * uniform(&seed));
    }
    return s;
}

static void scene_free(scene *s) {
    free(s->x), free(s->m);
}

static found find_on(weft_device *where, const scene *s, int mbp) {
    found f = {{0}, {0}};
    u32 *member = malloc((size_t)(s->n + 1) * sizeof *member);
    for (i64 k = 0; k < s->n; k++)
        member[k] = (u32)k;
    const weft_array position = weft_array_new(where, WEFT_F64, 3 * s->n);
    const weft_array mass = weft_array_new(where, WEFT_F64, s->n), none = {0};
    const weft_halos halos = {.count = s->count,
                              .members = s->n,
                              .offset = weft_array_new(where, WEFT_I64, s->count + 1),
                              .member = weft_array_new(where, WEFT_U32, s->n)};
    const weft_array particle = weft_array_new(where, WEFT_U32, s->count);
    const weft_array potential = weft_array_new(where, WEFT_F64, s->count);
    weft_write(where, position, s->x);
    weft_write(where, mass, s->m);
    weft_write(where, halos.offset, s->offset);
    weft_write(where, halos.member, member);
    const weft_points points = weft_points_interleaved(where, position);
    weft_mbp_options bound = {.softening = s->options.softening,
                              .particle_mass = s->options.particle_mass};
    memcpy(bound.box, s->options.box, sizeof bound.box);
    if (mbp)
        weft_mbp(where, &points, s->has_mass ? mass : none, &bound, &halos, particle,
                 potential);
    else
        weft_poisson(where, &points, s->has_mass ? mass : none, &s->options, &halos,
                     particle, potential);
    weft_read(where, particle, f.particle);
    weft_read(where, potential, f.potential);
    ck_assert_msg(weft_check(where) == WEFT_OK, "%s", weft_error(where));
    const weft_array all[] = {position,     mass,     halos.offset,
                              halos.member, particle, potential};
    for (int k = 0; k < 6; k++)
        weft_array_free(where, all[k]);
    free(member);
    return f;
}

static found find(const scene *s) {
    return find_on(device, s, 0);
}

/* The definition of one halo. */
typedef struct halo {
    i64 members, n;
    f64 *at, *u, *phi; /* [3 members]: from the first, on the grid; [members] */
    f64 *mass, *depth; /* [n^3] */
} halo;

static void unwrap(const scene *s, i64 first, halo *h) {
    f64 low[3], high[3], wide = 0;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY, high[axis] = -INFINITY;
        for (i64 k = 0; k < h->members; k++) {
            const f64 d = s->x[3 * (first + k) + axis] - s->x[3 * first + axis];
            const f64 box = s->options.box[axis], at = box > 0 ? remainder(d, box) : d;
            h->at[3 * k + axis] = at;
            low[axis] = fmin(low[axis], at), high[axis] = fmax(high[axis], at);
        }
        wide = fmax(wide, high[axis] - low[axis]);
    }
    for (i64 k = 0; k < 3 * h->members; k++) {
        const f64 spacing = wide / (f64)(h->n - 1), middle = (low[k % 3] + high[k % 3]) / 2;
        const f64 u = (h->at[k] - middle) / spacing + (f64)(h->n - 1) / 2;
        h->u[k] = wide > 0 ? fmin(fmax(u, 0), (f64)(h->n - 1)) : 0;
    }
}

static f64 mass_of(const scene *s, i64 k) {
    return s->has_mass ? s->m[k] : s->options.particle_mass;
}

static void deposit(const scene *s, i64 first, halo *h) {
    for (i64 k = 0; k < h->members; k++)
        for (int corner = 0; corner < 8; corner++) {
            f64 share = mass_of(s, first + k);
            i64 point = 0;
            for (int axis = 0; axis < 3; axis++) {
                const f64 u = h->u[3 * k + axis], cell = fmin(floor(u), (f64)(h->n - 2));
                const int up = corner >> axis & 1;
                share *= up ? u - cell : 1 - (u - cell);
                point = point * h->n + (i64)cell + up;
            }
            h->mass[point] += share;
        }
}

/* Sine transforms by definition, in f64, of the last axis, which becomes the first. */
static void transform(i64 n, const f64 *in, f64 *out) {
    for (i64 i = 0; i < n; i++)
        for (i64 line = 0; line < n * n; line++) {
            f64 sum = 0;
            for (i64 p = 0; p < n; p++)
                sum += 2 * in[line * n + p] *
                       sin(3.14159265358979323846 * (f64)((i + 1) * (p + 1) % (2 * n + 2)) /
                           (f64)(n + 1));
            out[i * n * n + line] = sum;
        }
}

static void solve(halo *h) {
    const i64 n = h->n, points = n * n * n;
    f64 *other = malloc((size_t)points * sizeof *other), e[64];
    for (i64 p = 0; p < n; p++)
        e[p] = 2 - 2 * cos(3.14159265358979323846 * (f64)(p + 1) / (f64)(n + 1));
    transform(n, h->mass, h->depth);
    transform(n, h->depth, other);
    transform(n, other, h->depth);
    for (i64 p = 0; p < points; p++)
        h->depth[p] /= e[p / (n * n)] + e[p / n % n] + e[p % n];
    transform(n, h->depth, other);
    transform(n, other, h->depth);
    transform(n, h->depth, other);
    memcpy(h->depth, other, (size_t)points * sizeof *other);
    free(other);
}

/* The sum over the grid's masses, in empty space. */
static void sum_masses(halo *h) {
    const i64 n = h->n, points = n * n * n;
    for (i64 i = 0; i < points; i++)
        for (i64 j = 0; j < points; j++) {
            const f64 x = (f64)(i / (n * n) - j / (n * n)), z = (f64)(i % n - j % n),
                      y = (f64)(i / n % n - j / n % n),
                      own = 3 * log(2 + sqrt(3)) - acos(-1) / 2;
            if (h->mass[j] > 0)
                h->depth[i] +=
                    h->mass[j] * (i == j ? own : 1 / sqrt(x * x + y * y + z * z));
        }
}

static f64 potential(const scene *s, i64 first, const halo *h, i64 i) {
    f64 sum = 0;
    for (i64 j = 0; j < h->members; j++) {
        f64 r2 = s->options.softening * s->options.softening;
        for (int axis = 0; axis < 3; axis++)
            r2 += pow(h->at[3 * j + axis] - h->at[3 * i + axis], 2);
        sum -= j != i && r2 > 0 ? mass_of(s, first + j) / sqrt(r2) : 0;
    }
    return sum;
}

/* The smallest potential of members near a grid point; infinite where there are none. */
static f64 least_near(const halo *h, i64 point) {
    const i64 n = h->n, at[3] = {point / (n * n), point / n % n, point % n};
    f64 least = INFINITY;
    for (i64 k = 0; k < h->members; k++) {
        int near = 1;
        for (int axis = 0; axis < 3; axis++)
            near &= fabs(h->u[3 * k + axis] - (f64)at[axis]) <= 2;
        least = near ? fmin(least, h->phi[k]) : least;
    }
    return least;
}

/* That what was found is the most bound member near a grid point that is the deepest, but
 * for the rounding of transforms in f32. */
static void expect_defined(const scene *s, i64 number, i64 n, u32 particle, f64 told) {
    const i64 first = s->offset[number], points = n * n * n;
    halo h = {.members = s->offset[number + 1] - first, .n = n};
    h.at = malloc((size_t)(3 * h.members) * sizeof(f64));
    h.u = malloc((size_t)(3 * h.members) * sizeof(f64));
    h.phi = malloc((size_t)h.members * sizeof(f64));
    h.mass = calloc((size_t)points, sizeof(f64));
    h.depth = calloc((size_t)points, sizeof(f64));
    unwrap(s, first, &h);
    deposit(s, first, &h);
    if (s->options.boundary == WEFT_POISSON_OPEN)
        sum_masses(&h);
    else
        solve(&h);
    f64 deepest = 0;
    for (i64 k = 0; k < h.members; k++)
        h.phi[k] = potential(s, first, &h, k);
    for (i64 p = 0; p < points; p++)
        deepest = h.mass[p] > 0 ? fmax(deepest, h.depth[p]) : deepest;
    const f64 phi = h.phi[(i64)particle - first];
    ck_assert(fabs(told - phi) <= 1e-12 * fabs(phi));
    int good = 0;
    for (i64 p = 0; p < points; p++)
        good |= h.mass[p] > 0 && h.depth[p] >= deepest * (1 - 3e-6) &&
                fabs(least_near(&h, p) - phi) <= 1e-12 * fabs(phi);
    ck_assert_msg(good, "halo %lld of %lld, grid %lld: member %lld", (long long)number,
                  (long long)h.members, (long long)n,
                  (long long)particle - (long long)first);
    free(h.at), free(h.u), free(h.phi), free(h.mass), free(h.depth);
}

static const i64 sizes[] = {1500, 700, 400, 101, 64, 17, 16, 5, 3, 2, 1, 1};
static const i64 size_count = sizeof sizes / sizeof *sizes;

START_TEST(definition) {
    static const i64 grids[] = {0, 0, 11, 15, 19, 31, 0, 12, 4};
    for (int k = 0; k < 9; k++) {
        scene s = scene_new(sizes, size_count, (u64)k + 1);
        s.has_mass = k & 1;
        s.options.softening = k & 2 ? 0.02 : 0;
        s.options.grid = grids[k];
        s.options.boundary = k < 6 ? WEFT_POISSON_ZERO : WEFT_POISSON_OPEN;
        s.options.box[0] = s.options.box[2] = k & 2 ? 20 : 0;
        for (i64 i = 0; i < 3 * s.n && k & 2; i += 5)
            s.x[i] += 20 * (i % 3 != 1);
        const found f = find(&s);
        for (i64 h = 0; h < s.count; h++) {
            const i64 members = s.offset[h + 1] - s.offset[h];
            const i64 own = members < 1000 ? 7 : 15;
            expect_defined(&s, h, s.options.grid ? s.options.grid : own, f.particle[h],
                           f.potential[h]);
        }
        scene_free(&s);
    }
}
END_TEST

/* On three points an axis all members lie within two cells of any: the most bound of all
 * is found, and otherwise none that is more bound. */
START_TEST(most_bound) {
    for (int k = 0; k < 4; k++) {
        scene s = scene_new(sizes, size_count, (u64)k + 11);
        s.has_mass = k & 1;
        s.options.softening = k & 2 ? 0.02 : 0;
        const found least = find_on(device, &s, 1), usual = find(&s);
        s.options.grid = 3;
        const found all = find(&s);
        ck_assert_mem_eq(all.particle, least.particle, sizeof all.particle);
        ck_assert_mem_eq(all.potential, least.potential, sizeof all.potential);
        for (i64 h = 0; h < s.count; h++)
            ck_assert_double_ge(usual.potential[h], least.potential[h]);
        scene_free(&s);
    }
}
END_TEST

/* What moves all, or only changes the order of the members, changes no center. */
START_TEST(shift_and_permutation) {
    scene s = scene_new(sizes, 6, 5);
    const found before = find(&s);
    for (i64 k = 0; k < 3 * s.n; k++)
        s.x[k] += k % 3 == 1 ? 4096 : -512;
    const found shifted = find(&s);
    ck_assert_mem_eq(&shifted, &before, sizeof before);
    f64 *x = malloc((size_t)(3 * s.n) * sizeof *x);
    memcpy(x, s.x, (size_t)(3 * s.n) * sizeof *x);
    for (i64 h = 0; h < s.count; h++)
        for (i64 k = s.offset[h]; k < s.offset[h + 1]; k++)
            memcpy(s.x + 3 * k, x + 3 * (s.offset[h] + s.offset[h + 1] - 1 - k),
                   3 * sizeof *x);
    const found turned = find(&s);
    for (i64 h = 0; h < s.count; h++)
        ck_assert_int_eq(turned.particle[h],
                         s.offset[h] + s.offset[h + 1] - 1 - before.particle[h]);
    free(x);
    scene_free(&s);
}
END_TEST

START_TEST(repeats) {
    static const char *const teams[] = {"pthreads:1", "pthreads:3", "pthreads:64"};
    scene s = scene_new(sizes, size_count, 8);
    s.has_mass = 1;
    s.options.grid = 31;
    const found once = find(&s), again = find(&s);
    ck_assert_mem_eq(&once, &again, sizeof once);
    const int threads = strcmp(weft_backend_name(device), "pthreads") == 0;
    for (int k = 0; k < 3 && threads; k++) {
        weft_device *other = weft_open(teams[k]);
        const found others = find_on(other, &s, 0);
        ck_assert_mem_eq(&others, &once, sizeof once);
        weft_close(other);
    }
    scene_free(&s);
}
END_TEST

/* All at one place: no potential, and the smallest id. A shell, whose middle is as deep as
 * its rim and has no members. A heavy clump beside a light one. No members at all. */
START_TEST(shapes) {
    const i64 shape[] = {1000, 600, 500, 0};
    scene s = scene_new(shape, 4, 3);
    for (i64 k = s.offset[0]; k < s.offset[1]; k++) {
        f64 r = 0;
        for (int axis = 0; axis < 3; axis++)
            r += pow(s.x[3 * k + axis] - 10, 2);
        for (int axis = 0; axis < 3; axis++)
            s.x[3 * k + axis] = (s.x[3 * k + axis] - 10) / sqrt(r);
    }
    for (i64 k = s.offset[1] + 400; k < s.offset[2]; k++)
        s.x[3 * k] += 8;
    for (i64 k = 3 * s.offset[2]; k < 3 * s.offset[3]; k++)
        s.x[k] = 4;
    s.options.grid = 15;
    const found f = find(&s);
    for (i64 h = 0; h < 3; h++)
        expect_defined(&s, h, 15, f.particle[h], f.potential[h]);
    ck_assert_uint_lt(f.particle[1], (u32)s.offset[1] + 400);
    ck_assert_uint_eq(f.particle[2], (u32)s.offset[2]);
    ck_assert(f.potential[2] == 0 && f.potential[3] == 0);
    ck_assert_uint_eq(f.particle[3], UINT32_MAX);
    scene_free(&s);
}
END_TEST

/* Units in which squares leave the range of f32, or lengths that of f64 squares. */
START_TEST(extremes) {
    const f64 length[] = {1e-30, 1e30, 1e-150, 1e-300, 1e200};
    for (int k = 0; k < 5; k++) {
        scene s = scene_new(sizes + 2, 4, 9);
        for (i64 i = 0; i < 3 * s.n; i++)
            s.x[i] *= length[k];
        const found f = find(&s);
        for (i64 h = 0; h < s.count; h++)
            ck_assert(f.particle[h] >= s.offset[h] && f.particle[h] < s.offset[h + 1]);
        scene_free(&s);
    }
}
END_TEST

START_TEST(wrong_arguments) {
    scene s = scene_new(sizes, 1, 1);
    const weft_array position = test_array(WEFT_F64, s.x, 3 * s.n), none = {0};
    const u32 member[] = {0, 1};
    const i64 offset[] = {0, 2};
    const weft_points points = weft_points_interleaved(device, position);
    const weft_halos halos = {.count = 1,
                              .members = 2,
                              .offset = test_array(WEFT_I64, offset, 2),
                              .member = test_array(WEFT_U32, member, 2)};
    const weft_array particle = weft_array_new(device, WEFT_U32, 1);
    const weft_array phi = weft_array_new(device, WEFT_F64, 1);
    weft_poisson_options options = {.particle_mass = 1, .grid = 2};
    weft_poisson(device, &points, none, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_poisson: grid is 2, not 0 or 3 to 255");
    options.grid = 256;
    weft_poisson(device, &points, none, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "grid is 256");
    options.grid = 0, options.boundary = (weft_poisson_boundary)2;
    weft_poisson(device, &points, none, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_poisson: there is no boundary 2");
    options.boundary = WEFT_POISSON_OPEN, options.particle_mass = 0;
    weft_poisson(device, &points, none, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_poisson: particle_mass is 0, not above 0");
    options.particle_mass = 1;
    weft_poisson(device, &points, none, &options, &halos, phi, phi);
    test_expect_error(WEFT_E_TYPE, "weft_poisson: array 'particle'");
    scene_free(&s);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition, most_bound, shift_and_permutation, repeats,
                                  shapes,     extremes,   wrong_arguments};
    return test_main(argc, argv, "poisson", tests, sizeof tests / sizeof *tests);
}
