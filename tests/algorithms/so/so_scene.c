#include "so_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

scene scene_new(i64 n, i64 centers) {
    scene s = {.n = n, .centers = centers, .type = WEFT_F64};
    s.x = calloc((size_t)(3 * n + 1), sizeof(f64));
    s.m = calloc((size_t)(n + 1), sizeof(f64));
    s.c = calloc((size_t)(3 * centers + 1), sizeof(f64));
    s.particle_mass = 1;
    s.options.densities = 1;
    s.options.density[0] = 1;
    return s;
}

void scene_free(scene *s) {
    free(s->x), free(s->m), free(s->c), free(s->id);
}

f64 scene_uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

scene scene_clumpy(i64 n, i64 centers, f64 box, u64 seed) {
    scene s = scene_new(n, centers);
    f64 clump[3] = {0};
    for (i64 i = 0; i < n; i++) {
        if (i % 300 == 0)
            for (int k = 0; k < 3; k++)
                clump[k] = scene_uniform(&seed);
        const f64 r = 0.1 * pow(scene_uniform(&seed), 2);
        for (int k = 0; k < 3; k++) {
            f64 x = i % 3 == 0 ? scene_uniform(&seed)
                               : clump[k] + r * (scene_uniform(&seed) - 0.5);
            x = box > 0 ? x - floor(x) + (i % 11 == 0 ? (f64)(i % 5 - 2) : 0) : x;
            s.x[3 * i + k] = floor(x * 0x1p24) * 0x1p-24;
        }
        s.m[i] = 1;
    }
    for (i64 c = 0; c < centers; c++)
        for (int k = 0; k < 3; k++) {
            const f64 off = c % 3 == 0 ? 0 : c % 3 == 1 ? 0x1p-9 : 0.1;
            const f64 from = n > 0 && c % 7 < 6 ? s.x[3 * (c * 37 % n) + k]
                                                : 3 * scene_uniform(&seed) - 1;
            s.c[3 * c + k] = from + floor(off * scene_uniform(&seed) * 0x1p24) * 0x1p-24;
        }
    for (int k = 0; k < 3; k++)
        s.box[k] = box;
    s.options.densities = 5;
    for (int t = 0; t < 5; t++) /* 8 to 2500 times the mean, in no order */
        s.options.density[t] =
            (f64)(n > 0 ? n : 1) * (const f64[]){200, 8, 2500, 90, 700}[t];
    return s;
}

static f64 narrow(f64 value) {
    const volatile f32 rounded = (f32)value;
    return (f64)rounded;
}

void scene_round(scene *s) {
    for (i64 k = 0; k < 3 * s->n && s->type == WEFT_F32; k++)
        s->x[k] = narrow(s->x[k]);
    for (i64 k = 0; k < s->n && s->type == WEFT_F32; k++)
        s->m[k] = narrow(s->m[k]);
    for (i64 k = 0; k < 3 * s->centers && s->type == WEFT_F32; k++)
        s->c[k] = narrow(s->c[k]);
}

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

static spheres spheres_new(i64 n) {
    const size_t size = (size_t)n + 1;
    return (spheres){calloc(size, 8), calloc(size, 8), calloc(size, 8)};
}

void spheres_free(spheres *s) {
    free(s->count), free(s->mass), free(s->radius);
}

spheres scene_measure(const scene *s) {
    const weft_array x = put(s->type, s->x, 3 * s->n);
    const weft_array m = s->has_mass ? put(s->type, s->m, s->n) : (weft_array){0};
    const weft_array c = put(s->type, s->c, 3 * s->centers);
    const weft_bodies bodies = {.points = weft_points_interleaved(device, x),
                                .mass = m,
                                .particle_mass = s->particle_mass,
                                .box = {s->box[0], s->box[1], s->box[2]}};
    const weft_points centers = weft_points_interleaved(device, c);
    weft_so_options options = s->options;
    if (s->id)
        options.id = test_array(WEFT_I64, s->id, s->n);
    weft_cells *cells = NULL;
    if (s->length > 0) {
        const weft_fof_options fof = {.linking_length = s->length,
                                      .box = {s->box[0], s->box[1], s->box[2]}};
        const weft_array label = weft_array_new(device, WEFT_U32, s->n);
        weft_fof_cells(device, &bodies.points, &fof, label, &cells);
        weft_array_free(device, label);
        options.cells = cells;
    }
    weft_so_spheres out;
    weft_so(device, &bodies, &centers, &options, &out);
    test_ok();
    spheres found = spheres_new(s->centers * options.densities);
    weft_read(device, out.count, found.count);
    weft_read(device, out.mass, found.mass);
    weft_read(device, out.radius, found.radius);
    test_ok();
    weft_cells_free(device, cells);
    weft_so_free(device, &out);
    const weft_array made[] = {x, m, c, options.id};
    for (int k = 0; k < 4; k++)
        weft_array_free(device, made[k]);
    return found;
}

typedef struct ranked {
    f64 r2, mass;
    i64 id;
} ranked;

static int by_distance(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->r2 != q->r2)
        return p->r2 < q->r2 ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static f64 apart(f64 x, f64 center, f64 box) {
    const f64 d = x - center;
    return box > 0 && !(fabs(d) < box / 2) ? remainder(d, box) : d;
}

/* All particles in order, but for those so far away that not even all mass there is would
 * make a sphere dense. */
static i64 rank_all(const scene *s, const f64 *center, f64 far2, ranked *to) {
    i64 count = 0;
    for (i64 i = 0; i < s->n; i++) {
        const f64 dx = apart(s->x[3 * i], center[0], s->box[0]);
        const f64 dy = apart(s->x[3 * i + 1], center[1], s->box[1]);
        const f64 dz = apart(s->x[3 * i + 2], center[2], s->box[2]);
        const f64 r2 = dx * dx + dy * dy + dz * dz;
        to[count] = (ranked){r2, s->m[i], s->id ? s->id[i] : i};
        count += r2 <= far2;
    }
    qsort(to, (size_t)count, sizeof *to, by_distance);
    return count;
}

static void cross(const scene *s, const ranked *p, i64 count, int equal, f64 mass,
                  f64 density, i64 at, const spheres *out) {
    const f64 v = 3 / (4 * 3.14159265358979323846 * density), q = v * v;
    f64 blocks = 0, block = 0, before = 0;
    int was = 0;
    i64 k = 0;
    for (; k < count; k++) {
        block += p[k].mass;
        const f64 inside = equal ? (f64)(k + 1) * mass : blocks + block;
        const int dense = inside * inside * q > p[k].r2 * p[k].r2 * p[k].r2;
        if (was && !dense)
            break;
        was = dense;
        before = inside;
        if ((k + 1) % 256 == 0)
            blocks = inside, block = 0;
    }
    ck_assert(s->n == 0 || count >= 0);
    out->count[at] = was ? k : 0;
    out->mass[at] = was ? before : 0;
    out->radius[at] = was ? (f64)cbrtl((long double)(before * v)) : 0;
}

spheres scene_define(const scene *s) {
    const i64 densities = s->options.densities;
    spheres out = spheres_new(s->centers * densities);
    ranked *p = malloc((size_t)(s->n + 1) * sizeof *p);
    f64 mass = s->n > 0 && s->has_mass ? s->m[0] : s->particle_mass, most = mass;
    f64 lowest = INFINITY;
    int equal = 1;
    for (i64 i = 0; i < s->n && s->has_mass; i++) {
        equal &= s->m[i] == mass;
        most = fmax(most, s->m[i]);
    }
    for (i64 t = 0; t < densities; t++)
        lowest = fmin(lowest, s->options.density[t]);
    const f64 far = cbrt(3 / (4 * 3.14159265358979323846 * lowest) * (f64)s->n * most);
    for (i64 c = 0; c < s->centers; c++) {
        const i64 count = rank_all(s, s->c + 3 * c, far * far * 1.01, p);
        for (i64 t = 0; t < densities; t++)
            cross(s, p, count, equal, mass, s->options.density[t], t * s->centers + c,
                  &out);
    }
    free(p);
    return out;
}

void spheres_expect(const scene *s, const spheres *found, const spheres *expected) {
    for (i64 k = 0; k < s->centers * s->options.densities; k++) {
        const i64 c = k % s->centers, t = k / s->centers;
        ck_assert_msg(found->count[k] == expected->count[k],
                      "center %lld, density %g: %lld particles, not %lld", (long long)c,
                      s->options.density[t], (long long)found->count[k],
                      (long long)expected->count[k]);
        ck_assert_msg(memcmp(&found->mass[k], &expected->mass[k], 8) == 0,
                      "center %lld, density %g: mass %.17g, not %.17g", (long long)c,
                      s->options.density[t], found->mass[k], expected->mass[k]);
        ck_assert_msg(memcmp(&found->radius[k], &expected->radius[k], 8) == 0,
                      "center %lld, density %g: radius %.17g, not %.17g", (long long)c,
                      s->options.density[t], found->radius[k], expected->radius[k]);
    }
}

void scene_check(const scene *s) {
    spheres found = scene_measure(s), expected = scene_define(s);
    spheres_expect(s, &found, &expected);
    spheres_free(&found), spheres_free(&expected);
}
