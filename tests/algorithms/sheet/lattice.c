/* Which particle began where on the lattice. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* n[0] n[1] n[2] particles in any order; those whose ids differ in digit k, the last
 * running fastest, began beside each other along axis[k]. */
typedef struct particles {
    i64 count;
    f64 *x, box[3];
    i64 *id;
} particles;

static particles particles_new(const i64 n[3], const int axis[3], i64 least, f64 off) {
    particles p = {.count = n[0] * n[1] * n[2], .box = {1, 2, 3}};
    p.x = malloc((size_t)p.count * 3 * sizeof *p.x);
    p.id = malloc((size_t)p.count * sizeof *p.id);
    u64 seed = 3;
    for (i64 i = 0; i < p.count; i++)
        p.id[i] = least + i;
    for (i64 i = p.count - 1; i > 0; i--) {
        const i64 k = (i64)(test_random(&seed) % (u64)(i + 1)), id = p.id[i];
        p.id[i] = p.id[k], p.id[k] = id;
    }
    for (i64 i = 0; i < p.count; i++) {
        const i64 place = p.id[i] - least;
        const i64 digit[3] = {place / (n[1] * n[2]), place / n[2] % n[1], place % n[2]};
        for (int k = 0; k < 3; k++) {
            const f64 random = (f64)(test_random(&seed) >> 11) * 0x1p-53 - 0.5;
            const f64 began = (f64)digit[k] / (f64)n[k];
            p.x[3 * i + axis[k]] = (began + off * random) * p.box[axis[k]];
        }
    }
    return p;
}

static void particles_free(particles *p) {
    free(p->x), free(p->id);
}

static weft_status find(const particles *p, weft_type type, const i64 *n,
                        weft_lattice *out) {
    f32 *narrow = malloc((size_t)(3 * p->count + 1) * sizeof *narrow);
    for (i64 k = 0; k < 3 * p->count; k++)
        narrow[k] = (f32)p->x[k];
    const weft_array at = type == WEFT_F32 ? test_array(type, narrow, 3 * p->count)
                                           : test_array(type, p->x, 3 * p->count);
    const weft_points points = weft_points_interleaved(device, at);
    const weft_array id = test_array(WEFT_I64, p->id, p->count);
    free(narrow);
    return weft_lattice_find(device, &points, id, n, p->box, out);
}

START_TEST(finds_sides_and_axes) {
    static const i64 n[2][3] = {{3, 5, 4}, {4, 4, 4}};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int o = 0; o < 12; o++) {
        const i64 *sides = n[o / 6];
        const int *axis = orders[o % 6];
        particles p = particles_new(sides, axis, o % 3 - 1, 0.1);
        weft_lattice lattice;
        find(&p, o % 2 ? WEFT_F32 : WEFT_F64, o < 6 ? sides : NULL, &lattice);
        test_ok();
        u32 *who = malloc((size_t)p.count * sizeof *who);
        f64 *x = malloc((size_t)p.count * 3 * sizeof *x);
        weft_read(device, lattice.particle, who);
        weft_read(device, lattice.position, x);
        for (int k = 0; k < 3; k++)
            ck_assert_int_eq(lattice.n[axis[k]], sides[k]);
        const i64 *m = lattice.n;
        for (i64 i = 0; i < p.count; i++) {
            const i64 site[3] = {i / (m[1] * m[2]), i / m[2] % m[1], i % m[2]};
            const i64 id = (site[axis[0]] * sides[1] + site[axis[1]]) * sides[2] +
                           site[axis[2]] + o % 3 - 1;
            ck_assert_int_eq(p.id[who[i]], id);
            for (int k = 0; k < 3; k++) { /* inside the box */
                f64 d = x[3 * i + k] - p.x[3 * (i64)who[i] + k];
                d -= p.box[k] * floor(d / p.box[k] + 0.5);
                ck_assert(x[3 * i + k] >= 0 && x[3 * i + k] <= p.box[k] && fabs(d) < 1e-6);
            }
        }
        ck_assert(lattice.separation > 0.05 && lattice.separation < 0.9);
        free(who), free(x);
        weft_lattice_free(device, &lattice);
        ck_assert_int_eq(lattice.particle.type, 0);
        particles_free(&p);
    }
}
END_TEST

START_TEST(refusals) {
    const i64 n[3] = {4, 4, 4}, others[3] = {4, 4, 5}, flat[3] = {2, 2, 16};
    const int axis[3] = {0, 1, 2};
    particles p = particles_new(n, axis, 1, 0.1);
    weft_lattice lattice;
    find(&p, WEFT_F64, others, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "64 particles are no lattice of 4 by 4 by 5");
    find(&p, WEFT_F64, flat, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "n[0] is 2");
    p.count = 63;
    find(&p, WEFT_F64, NULL, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "63 particles are no cube");
    p.count = 64;
    p.box[1] = 0;
    find(&p, WEFT_F64, NULL, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "box[1]");
    p.box[1] = 2;
    for (int i = 0; i < 64; i++)
        p.id[i] = p.id[i] == 30 ? 31 : p.id[i];
    find(&p, WEFT_F64, NULL, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "no particle has the id 30");
    p.id[7] = INT64_MIN, p.id[8] = INT64_MAX;
    find(&p, WEFT_F64, NULL, &lattice);
    test_expect_error(WEFT_E_ARGUMENT,
                      "the ids of 64 particles run from -9223372036854775808");
    p.x[3 * 9 + 1] = NAN;
    find(&p, WEFT_F64, NULL, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "particle 9");
    particles_free(&p);

    p = particles_new(n, axis, 0, 0.1);
    for (int i = 0; i < 64; i++) /* in no order of places */
        p.id[i] = i;
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 3; k++)
            p.x[3 * i + k] = (f64)(i * (7 + 4 * k) * (i + 5) % 61) / 61 * p.box[k];
    find(&p, WEFT_F64, NULL, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "the ids do not tell places on a lattice");
    particles_free(&p);

    p = particles_new(n, axis, 0, 0);
    for (int i = 0; i < 64; i++)
        if (p.id[i] == 1)
            p.x[3 * i + 2] = 2.25 * 3 / 4;
    find(&p, WEFT_F64, NULL, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "is wider than half the box");
    ck_assert_int_eq(lattice.n[0], 0);
    particles_free(&p);
}
END_TEST

/* The particles of planes first .. first + planes of a digit, around the period. */
static particles slab_of(const particles *p, const weft_lattice_slab *slab, i64 planes) {
    const i64 *n = slab->n, stride[3] = {n[1] * n[2], n[2], 1};
    particles some = {.x = malloc((size_t)p->count * 3 * sizeof *p->x),
                      .id = malloc((size_t)p->count * sizeof *p->id)};
    for (i64 i = 0; i < p->count; i++) {
        const i64 digit = (p->id[i] - slab->least) / stride[slab->digit] % n[slab->digit];
        if ((digit + n[slab->digit] - slab->first) % n[slab->digit] >= planes)
            continue;
        memcpy(some.x + 3 * some.count, p->x + 3 * i, 3 * sizeof *p->x);
        some.id[some.count++] = p->id[i];
    }
    return some;
}

/* The lattice's boxes, around the cubes of its first planes alone. */
static void check_boxes(const weft_lattice *l, const f64 *x, i64 planes) {
    const i64 *n = l->n, count = l->boxes.length / 6;
    f64 *boxes = malloc((size_t)l->boxes.length * sizeof *boxes);
    f64 *expected = malloc((size_t)l->boxes.length * sizeof *boxes);
    weft_read(device, l->boxes, boxes);
    for (i64 k = 0; k < 6 * count; k++)
        expected[k] = k % 6 < 3 ? INFINITY : -INFINITY;
    for (i64 cube = 0; cube < planes * n[1] * n[2]; cube++) {
        const i64 i = cube / (n[1] * n[2]), j = cube / n[2] % n[1], k = cube % n[2];
        const i64 origin = (i / 4 * 4 * n[1] + j / 4 * 4) * n[2] + k / 4 * 4;
        f64 *box =
            expected + 6 * ((i / 4 * ((n[1] + 3) / 4) + j / 4) * ((n[2] + 3) / 4) + k / 4);
        for (int corner = 0; corner < 8; corner++) {
            const i64 other =
                ((i + corner / 4) % n[0] * n[1] + (j + corner / 2 % 2) % n[1]) * n[2] +
                (k + corner % 2) % n[2];
            for (int a = 0; a < 3; a++) {
                const f64 from = x[3 * origin + a], here = x[3 * cube + a];
                const f64 at = from + remainder(here - from, l->box[a]) +
                               remainder(x[3 * other + a] - here, l->box[a]);
                box[a] = fmin(box[a], at);
                box[3 + a] = fmax(box[3 + a], at);
            }
        }
    }
    for (i64 b = 0; b < 6 * count; b++)
        if (b / 6 < (planes + 3) / 4 * (count / ((n[0] + 3) / 4)))
            ck_assert_double_eq(boxes[b], expected[b]);
    free(boxes), free(expected);
}

/* Steps of the slab, added to those of others; with digits, its place in the lattice. */
static void try_slab(const particles *p, const weft_lattice_slab *slab, u64 *steps,
                     const int *digit, const weft_lattice *whole) {
    const i64 all = slab->n[slab->digit];
    const i64 planes = slab->count < all ? slab->count + 1 : all;
    particles some = slab_of(p, slab, planes);
    const weft_points points =
        weft_points_interleaved(device, test_array(WEFT_F64, some.x, 3 * some.count));
    const weft_array id = test_array(WEFT_I64, some.id, some.count);
    u64 more[9];
    if (digit == NULL) {
        weft_lattice_steps(device, &points, id, slab, more);
        for (int k = 0; k < 9; k++)
            steps[k] += more[k];
    } else {
        weft_lattice lattice;
        weft_lattice_place(device, &points, id, slab, digit, &lattice);
        test_ok();
        const i64 plane = whole->n[1] * whole->n[2];
        f64 *x = malloc((size_t)p->count * 3 * sizeof *x);
        f64 *here = malloc((size_t)some.count * 3 * sizeof *here);
        ck_assert_int_eq(lattice.n[0] * lattice.n[1] * lattice.n[2], some.count);
        weft_read(device, whole->position, x);
        weft_read(device, lattice.position, here);
        for (i64 i = 0; i < planes; i++)
            ck_assert_mem_eq(here + 3 * i * plane,
                             x + 3 * ((slab->first + i) % whole->n[0]) * plane,
                             (size_t)plane * 3 * sizeof *x);
        check_boxes(&lattice, here, slab->count);
        free(x), free(here);
        weft_lattice_free(device, &lattice);
    }
    particles_free(&some);
}

START_TEST(slabs_find_the_whole) {
    static const i64 n[3] = {4, 6, 5};
    static const int orders[3][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    for (int o = 0; o < 3; o++) {
        particles p = particles_new(n, orders[o], 7, 0.1);
        weft_lattice lattice;
        weft_lattice_slab slab;
        int digit[3];
        double separation;
        find(&p, WEFT_F64, n, &lattice);
        for (int d = 0; d < 3; d++) {
            u64 steps[9] = {0};
            weft_lattice_whole(device, p.count, 7, 126, n, p.box, &slab);
            slab.digit = d;
            for (slab.first = 0; slab.first < n[d]; slab.first += slab.count) {
                slab.count = slab.first == 0 && d < 2 ? 2 : n[d] - slab.first;
                try_slab(&p, &slab, steps, NULL, NULL);
            }
            weft_lattice_order(device, &slab, steps, digit, &separation);
            test_ok();
            ck_assert_double_eq(separation, lattice.separation);
            for (int k = 0; k < 3; k++)
                ck_assert_int_eq(digit[orders[o][k]], k);
        }
        slab.digit = digit[0];
        for (slab.first = 1, slab.count = 2; slab.first < 4; slab.first += 2)
            try_slab(&p, &slab, NULL, digit, &lattice);
        weft_lattice_free(device, &lattice);
        particles_free(&p);
    }
}
END_TEST

START_TEST(slab_refusals) {
    static const i64 n[3] = {4, 4, 4};
    const int axis[3] = {0, 1, 2}, twice[3] = {0, 1, 1};
    u64 steps[9];
    particles p = particles_new(n, axis, 1, 0.1);
    weft_lattice lattice;
    weft_lattice_slab slab;
    weft_lattice_whole(device, 64, 1, 65, NULL, p.box, &slab);
    test_expect_error(WEFT_E_ARGUMENT, "the ids of 64 particles run from 1 to 65");
    ck_assert_int_eq(slab.count, 0);
    weft_lattice_whole(device, 64, 1, 64, NULL, p.box, &slab);
    weft_points points =
        weft_points_interleaved(device, test_array(WEFT_F64, p.x, 3 * p.count));
    const weft_array id = test_array(WEFT_I64, p.id, p.count);
    weft_lattice_place(device, &points, id, &slab, twice, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "digits 0, 1 and 1 are not all three");
    slab.first = 3, slab.count = 1;
    weft_lattice_place(device, &points, id, &slab, axis, &lattice);
    test_expect_error(WEFT_E_ARGUMENT, "a slab of 2 planes");
    slab.digit = 3;
    weft_lattice_steps(device, &points, id, &slab, steps);
    test_expect_error(WEFT_E_ARGUMENT, "the slab is none");
    slab.digit = 1;
    for (int i = 0; i < 64; i++)
        p.id[i] =
            p.id[i] == 18 ? 17 : p.id[i]; /* the first plane along c, next to the last */
    weft_lattice_steps(device, &points, test_array(WEFT_I64, p.id, 64), &slab, steps);
    test_expect_error(WEFT_E_ARGUMENT, "no particle has the id 18");
    ck_assert_uint_eq(steps[0], 0);
    points = weft_points_interleaved(device, test_array(WEFT_F64, p.x, 0));
    weft_lattice_steps(device, &points, weft_slice(device, id, 0, 0), &slab, steps);
    test_expect_error(WEFT_E_ARGUMENT, "no particle has the id");
    particles_free(&p);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {finds_sides_and_axes, slabs_find_the_whole, refusals,
                                  slab_refusals};
    return test_main(argc, argv, "lattice", tests, sizeof tests / sizeof *tests);
}
