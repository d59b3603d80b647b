/* The sheet at points, and its caustics, against all tetrahedra looked at one by one. */
#include "harness.h"
#include "sheet_clip.h"
#include "sheet_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tetrahedron `which` of a cube: sites, and places unwrapped from its first corner. */
typedef struct tetrahedron {
    i64 site[4];
    f64 at[4][3];
    int corner[4];
} tetrahedron;

static tetrahedron look(const sheet *s, i64 cube, const int corner[4]) {
    const i64 *n = s->lattice.n;
    const i64 place[3] = {cube / (n[1] * n[2]), cube / n[2] % n[1], cube % n[2]};
    tetrahedron t;
    for (int v = 0; v < 4; v++) {
        i64 site = 0;
        t.corner[v] = corner[v];
        for (int k = 0; k < 3; k++)
            site = site * n[k] + (place[k] + (corner[v] >> (2 - k) & 1)) % n[k];
        t.site[v] = site;
        for (int k = 0; k < 3; k++)
            t.at[v][k] =
                s->x[3 * cube + k] +
                remainder(s->x[3 * site + k] - s->x[3 * cube + k], s->lattice.box[k]);
    }
    return t;
}

/* Six times the volume of four points, with its sign. */
static f64 det(const f64 *a, const f64 *b, const f64 *c, const f64 *d) {
    f64 x[3][3];
    for (int k = 0; k < 3; k++)
        x[0][k] = b[k] - a[k], x[1][k] = c[k] - a[k], x[2][k] = d[k] - a[k];
    return x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) -
           x[0][1] * (x[1][0] * x[2][2] - x[1][2] * x[2][0]) +
           x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
}

/* Whether a point, at its period that is nearest, is inside; its weights of the vertices.
 */
static int inside(const tetrahedron *t, const f64 *point, f64 box, f64 *weight,
                  f64 *volume) {
    const f64 *a = t->at[0], *b = t->at[1], *c = t->at[2], *d = t->at[3];
    f64 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = a[k] + remainder(point[k] - a[k], box);
    *volume = det(a, b, c, d);
    weight[0] = det(p, b, c, d) / *volume;
    weight[1] = det(a, p, c, d) / *volume;
    weight[2] = det(a, b, p, d) / *volume;
    weight[3] = det(a, b, c, p) / *volume;
    return weight[0] > 0 && weight[1] > 0 && weight[2] > 0 && weight[3] > 0;
}

enum { POINTS = 150 };

START_TEST(points_are_in_tetrahedra) {
    static f64 p[3 * POINTS], density[POINTS], streams[POINTS], mean[3 * POINTS];
    for (int t = 0; t < 3; t++) {
        u64 seed = 5;
        sheet s = scene_sheet(6, 6, 7, 8);
        scene_scatter(&s, 2.6, 5);
        f64 *v = malloc((size_t)(3 * s.sites) * sizeof *v);
        for (i64 k = 0; k < 3 * s.sites; k++)
            v[k] = scene_uniform(&seed);
        for (int k = 0; k < 3 * POINTS; k++)
            p[k] = 8 * (3 * scene_uniform(&seed) - 1) + 0x1p-30;
        s.lattice.position = test_array(WEFT_F64, s.x, 3 * s.sites);
        const weft_array velocity = test_array(WEFT_F64, v, 3 * s.sites);
        const weft_array at = test_array(WEFT_F64, p, 3 * POINTS);
        const weft_points points = weft_points_interleaved(device, at);
        const weft_array out[3] = {test_array(WEFT_F64, p, POINTS),
                                   test_array(WEFT_F64, p, POINTS),
                                   test_array(WEFT_F64, p, 3 * POINTS)};
        weft_sheet_at(device, &s.lattice, velocity, (weft_tessellation)t, &points, out[0],
                      out[1], out[2]);
        weft_read(device, out[0], density);
        weft_read(device, out[1], streams);
        weft_read(device, out[2], mean);
        test_ok();
        int corners[24][4], folded = 0;
        const int n = clip_tetrahedra(t, corners);
        for (int i = 0; i < POINTS; i++) {
            f64 sum[5] = {0};
            for (int k = 0; k < 3; k++)
                p[3 * i + k] -= 8 * floor(p[3 * i + k] / 8);
            for (i64 k = 0; k < n * s.sites; k++) {
                f64 weight[4], volume;
                const tetrahedron tet = look(&s, k / n, corners[k % n]);
                if (!inside(&tet, p + 3 * i, 8, weight, &volume))
                    continue;
                const f64 one = 6 * 512 / fabs(volume) / (f64)(n * s.sites);
                sum[0] += one;
                sum[1] += n == 24 ? 0.25 : 1;
                for (int w = 0; w < 12; w++)
                    sum[2 + w % 3] += one * weight[w / 3] * v[3 * tet.site[w / 3] + w % 3];
            }
            ck_assert_msg(streams[i] == sum[1], "%d, point %d: %g streams, not %g", t, i,
                          streams[i], sum[1]);
            ck_assert(n == 24 || fmod(sum[1], 2) == 1); /* a sheet has no ends */
            ck_assert(fabs(density[i] / sum[0] - 1) < 1e-9);
            for (int k = 0; k < 3; k++)
                ck_assert(fabs(mean[3 * i + k] - sum[2 + k] / sum[0]) < 1e-9);
            folded += sum[1] > 1;
        }
        ck_assert(folded > POINTS / 20);
        free(s.x), free(v);
    }
}
END_TEST

/* Points on sides of cubes, of a sheet that has not moved, are on one side. */
START_TEST(points_on_faces) {
    sheet s = scene_sheet(4, 4, 4, 8);
    f64 p[3 * 64], streams[64], density[64];
    for (int i = 0; i < 64; i++) { /* inside of sides of cubes, off their diagonals */
        p[3 * i] = 2 * (i % 4);
        p[3 * i + 1] = 0.5 + 2 * (i / 4 % 4);
        p[3 * i + 2] = 0.75 + 2 * (i / 16);
    }
    s.lattice.position = test_array(WEFT_F64, s.x, 3 * s.sites);
    const weft_array at = test_array(WEFT_F64, p, 192);
    const weft_points points = weft_points_interleaved(device, at);
    const weft_array out[2] = {test_array(WEFT_F64, p, 64), test_array(WEFT_F64, p, 64)};
    for (int t = 0; t < 3; t++) {
        weft_sheet_at(device, &s.lattice, (weft_array){0}, (weft_tessellation)t, &points,
                      out[0], out[1], (weft_array){0});
        weft_read(device, out[0], density);
        weft_read(device, out[1], streams);
        test_ok();
        for (int i = 0; i < 64; i++)
            ck_assert_msg(streams[i] == 1 && fabs(density[i] - 1) < 1e-12,
                          "%d, point %d: %g streams, density %.17g", t, i, streams[i],
                          density[i]);
    }
    free(s.x);
}
END_TEST

/* A face by its sites in ascending order; turned is 1 of a tetrahedron that is. */
typedef struct face {
    i64 site[3];
    int mesh, turned;
} face;

static int compare_faces(const void *a, const void *b) {
    const face *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->site[k] != q->site[k])
            return p->site[k] < q->site[k] ? -1 : 1;
    return p->mesh != q->mesh ? p->mesh - q->mesh : p->turned - q->turned;
}

static void sort_sites(i64 *site) {
    for (int k = 0; k < 3; k++)
        if (site[k & 1] > site[(k & 1) + 1]) {
            const i64 other = site[k & 1];
            site[k & 1] = site[(k & 1) + 1];
            site[(k & 1) + 1] = other;
        }
}

/* Each face has two sides; a caustic's differ. */
START_TEST(caustics_are_faces) {
    for (int t = 0; t < 3; t++) {
        sheet s = scene_sheet(6, 7, 6, 8);
        scene_scatter(&s, 2.6, 9);
        int corners[24][4];
        const int n = clip_tetrahedra(t, corners);
        const i64 faces = 4 * n * s.sites;
        face *list = malloc((size_t)faces * sizeof *list), *got = list;
        for (i64 k = 0; k < n * s.sites; k++) {
            const tetrahedron tet = look(&s, k / n, corners[k % n]);
            f64 began[4][3];
            for (int w = 0; w < 12; w++)
                began[w / 3][w % 3] = tet.corner[w / 3] >> (2 - w % 3) & 1;
            const f64 now = det(tet.at[0], tet.at[1], tet.at[2], tet.at[3]) *
                            det(began[0], began[1], began[2], began[3]);
            for (int apex = 0; apex < 4; apex++) {
                face *f = &list[4 * k + apex];
                for (int v = 0, i = 0; v < 4; v++)
                    if (v != apex)
                        f->site[i++] = tet.site[v];
                sort_sites(f->site);
                f->mesh = (int)(k % n) / 6;
                f->turned = now < 0;
            }
        }
        qsort(list, (size_t)faces, sizeof *list, compare_faces);
        i64 expected = 0, count = -1, few = -1;
        for (i64 k = 0; k < faces; k += 2) {
            const face *f = &list[k];
            ck_assert(memcmp(f[0].site, f[1].site, sizeof f->site) == 0 &&
                      f[0].mesh == f[1].mesh);
            if (f[0].turned != f[1].turned)
                list[expected++] = f[0];
        }
        ck_assert(expected > s.sites);
        s.lattice.position = test_array(WEFT_F64, s.x, 3 * s.sites);
        u32 *sites = calloc((size_t)(3 * expected), sizeof *sites);
        const weft_array out = test_array(WEFT_U32, sites, 3 * expected);
        weft_sheet_caustics(device, &s.lattice, (weft_tessellation)t, (weft_array){0},
                            &few);
        weft_sheet_caustics(device, &s.lattice, (weft_tessellation)t, out, &count);
        weft_read(device, out, sites);
        test_ok();
        ck_assert_int_eq(count, expected);
        ck_assert_int_eq(few, expected);
        got = malloc((size_t)expected * sizeof *got);
        for (i64 k = 0; k < expected; k++) {
            for (int i = 0; i < 3; i++)
                got[k].site[i] = sites[3 * k + i];
            sort_sites(got[k].site);
            got[k].mesh = got[k].turned = list[k].mesh = list[k].turned = 0;
        }
        qsort(got, (size_t)expected, sizeof *got, compare_faces);
        qsort(list, (size_t)expected, sizeof *list, compare_faces);
        ck_assert_mem_eq(got, list, (size_t)expected * sizeof *got);
        free(got), free(list), free(sites), free(s.x);
    }
}
END_TEST

START_TEST(refusals) {
    sheet s = scene_sheet(3, 3, 3, 1);
    const f64 p[6] = {0, 0.5, NAN, 0, 0, 0};
    i64 count = 5;
    weft_array at = test_array(WEFT_F64, p, 3), out = test_array(WEFT_F64, p, 3);
    weft_points points = weft_points_interleaved(device, at);
    const weft_array none = {0};
    s.lattice.position = test_array(WEFT_F64, s.x, 81);
    weft_sheet_at(device, &s.lattice, none, WEFT_TESSELLATION_ABEL, &points, out, out,
                  none);
    test_expect_error(WEFT_E_ARGUMENT, "particle 0");
    points = weft_points_interleaved(device, test_array(WEFT_F64, p + 3, 0));
    weft_sheet_at(device, &s.lattice, none, WEFT_TESSELLATION_ABEL, &points, out, out,
                  none);
    test_ok();
    points = weft_points_interleaved(device, test_array(WEFT_F64, p, 6));
    weft_sheet_at(device, &s.lattice, none, WEFT_TESSELLATION_ABEL, &points,
                  weft_slice(device, out, 0, 1), out, none);
    test_expect_error(WEFT_E_SHAPE, "'density' has 1 elements, at least 2");
    weft_sheet_at(device, &s.lattice, out, WEFT_TESSELLATION_ABEL, &points, out, out, none);
    test_expect_error(WEFT_E_SHAPE, "'velocity' has 3 elements");
    s.lattice.n[0] = 2;
    weft_sheet_caustics(device, &s.lattice, WEFT_TESSELLATION_ABEL, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "not weft_lattice_find's");
    ck_assert_int_eq(count, 0);
    free(s.x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {points_are_in_tetrahedra, points_on_faces,
                                  caustics_are_faces, refusals};
    return test_main(argc, argv, "sheet_at", tests, sizeof tests / sizeof *tests);
}
