/* A center by definition: masses on a grid, its potential by matrices or by sums, and the
 * members near its deepest point. */
#include "poisson_scene.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static f64 uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

scene scene_new(const i64 *sizes, i64 count, u64 seed) {
    scene s = {.count = count, .particle_mass = 1};
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

void scene_free(scene *s) {
    free(s->x), free(s->m);
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
            const f64 box = s->box[axis], at = box > 0 ? remainder(d, box) : d;
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
    return s->has_mass ? s->m[k] : s->particle_mass;
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

void expect_defined(const scene *s, i64 number, i64 n, u32 particle, f64 told) {
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
