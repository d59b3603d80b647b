#include "so_part.h"
#include "so_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static f64 distance(const scene *s, i64 i, i64 c) {
    f64 r2 = 0;
    for (int k = 0; k < 3; k++) {
        f64 d = fabs(s->x[3 * i + k] - s->c[3 * c + k]);
        d = s->box[k] > 0 ? fabs(remainder(d, s->box[k])) : d;
        r2 += d * d;
    }
    return sqrt(r2);
}

/* Leaves out the particles that are farther from all centers than is known around those. */
static scene near_centers(const scene *s, const f64 *within) {
    scene part = *s;
    part.n = 0;
    part.c = malloc((size_t)(3 * s->centers + 1) * sizeof *part.c);
    memcpy(part.c, s->c, (size_t)(3 * s->centers) * sizeof *part.c);
    part.x = malloc((size_t)(3 * s->n + 1) * sizeof *part.x);
    part.m = malloc((size_t)(s->n + 1) * sizeof *part.m);
    part.id = malloc((size_t)(s->n + 1) * sizeof *part.id);
    for (i64 i = 0; i < s->n; i++) {
        int near = 0;
        for (i64 c = 0; c < s->centers; c++)
            near |= distance(s, i, c) <= within[c] * (1 + 1e-12);
        if (!near)
            continue;
        memcpy(part.x + 3 * part.n, s->x + 3 * i, 3 * sizeof *part.x);
        part.m[part.n] = s->m[i];
        part.id[part.n++] = i;
    }
    return part;
}

/* Each sphere is as it is among all particles, or open; of a center all are or none is. */
static void expect_known(const scene *s, const spheres *found, const spheres *all,
                         i64 *closed, i64 *open) {
    const i64 thresholds = s->options.densities;
    for (i64 c = 0; c < s->centers; c++)
        for (i64 t = 0; t < thresholds; t++) {
            const i64 at = t * s->centers + c;
            const int is_open = found->count[c] < 0;
            ck_assert_int_eq(found->count[at], is_open ? -1 : all->count[at]);
            ck_assert(found->mass[at] == (is_open ? 0 : all->mass[at]));
            ck_assert(found->radius[at] == (is_open ? 0 : all->radius[at]));
            *(is_open ? open : closed) += t == 0;
        }
}

enum { CENTERS = 24 };

/* Around every third center nothing beyond `reach` is known, around others more. */
static void check(int periodic, int has_mass, f64 reach, i64 centers) {
    scene s = scene_clumpy(6000, centers, (f64)periodic, 29);
    i64 closed = 0, open = 0;
    f64 within[CENTERS];
    weft_so_part known = {.least = 1, .greatest = 1};
    s.has_mass = has_mass;
    for (i64 i = 0; has_mass && i < s.n; i++) {
        s.m[i] = (f64)(1 + i % 5);
        known.greatest = 5;
    }
    for (i64 c = 0; c < s.centers; c++)
        within[c] = reach * (f64)(1 + c % 3);
    const spheres all = scene_define(&s);
    scene part = near_centers(&s, within);
    ck_assert(part.n > 0 && part.n <= s.n);
    known.within = test_array(WEFT_F64, within, s.centers);
    part.options.part = &known;
    const spheres found = scene_measure(&part);
    expect_known(&s, &found, &all, &closed, &open);
    ck_assert_msg(reach > 0.02 ? closed > 0 : open > 0, "%lld closed, %lld open",
                  (long long)closed, (long long)open);
    ck_assert(reach < 3 || open == 0);
    spheres_free((spheres *)&all), spheres_free((spheres *)&found);
    scene_free(&part), scene_free(&s);
}

START_TEST(known) {
    for (int which = 0; which < 4; which++)
        for (f64 reach = 0.004; reach < 5; reach *= 5)
            check(which & 1, which >> 1, reach, CENTERS);
}
END_TEST

/* All that is given is inside. */
START_TEST(known_around_one) {
    for (f64 reach = 0.004; reach < 0.02; reach *= 1.3)
        check(0, 0, reach, 1);
}
END_TEST

const TTest *part_is_known(void) {
    return known;
}

const TTest *part_is_known_around_one(void) {
    return known_around_one;
}
