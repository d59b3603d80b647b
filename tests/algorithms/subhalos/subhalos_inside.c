/* What subhalos are like inside, by the definition. */
#include "subhalos_define.h"

#include <math.h>
#include <stdlib.h>
#include <weft/halos.h>

static const scene *of;
static u32 center;

static f64 step(u32 i, int axis) {
    const f64 d = of->x[3 * (i64)i + axis] - of->x[3 * (i64)center + axis];
    return of->box[axis] > 0 ? remainder(d, of->box[axis]) : d;
}

static f64 distance(u32 i) {
    return sqrt((step(i, 0) * step(i, 0) + step(i, 1) * step(i, 1)) +
                step(i, 2) * step(i, 2));
}

static int nearer(const void *a, const void *b) {
    const f64 p = distance(*(const u32 *)a), q = distance(*(const u32 *)b);
    return p < q ? -1 : p > q;
}

static void expect_close(f64 found, f64 expected, f64 scale) {
    ck_assert_msg(fabs(found - expected) <= 1e-11 * scale, "%.17g is not %.17g", found,
                  expected);
}

static f64 *numbers(weft_array array) {
    f64 *values = malloc((size_t)(array.length + 1) * sizeof *values);
    weft_read(device, array, values);
    return values;
}

/* The first member is the most bound one. */
static void expect(u32 *member, i64 n, i64 s, f64 *const *found) {
    f64 mass = 0, drift[3] = {0}, spin[3] = {0}, sum = 0, vmax = 0, rmax = 0, half = -1;
    center = member[0];
    for (i64 k = 0; k < n; k++) {
        const f64 m = of->has_mass ? of->m[member[k]] : of->particle_mass;
        mass += m;
        for (int a = 0; a < 3; a++)
            drift[a] += m * of->v[3 * (i64)member[k] + a];
    }
    qsort(member, (size_t)n, sizeof *member, nearer);
    for (i64 k = 0; k < n; k++) {
        const u32 i = member[k];
        const f64 m = of->has_mass ? of->m[i] : of->particle_mass, r = distance(i);
        f64 w[3];
        sum += m;
        for (int a = 0; a < 3; a++)
            w[a] = of->v[3 * (i64)i + a] - drift[a] / mass;
        for (int a = 0; a < 3; a++)
            spin[a] += m * (step(i, (a + 1) % 3) * w[(a + 2) % 3] -
                            step(i, (a + 2) % 3) * w[(a + 1) % 3]);
        const f64 speed = sqrt(of->o.gravity * sum / fmax(r, of->o.softening));
        if (fmax(r, of->o.softening) > 0 && speed > vmax)
            vmax = speed, rmax = r;
        /* k + 1 of n that are equal: no rounded sum decides */
        const int is_half = of->has_mass ? sum >= mass / 2 : 2 * (k + 1) >= n;
        half = half < 0 && is_half ? r : half;
    }
    const f64 reach = distance(member[n - 1]);
    const f64 size = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    expect_close(found[0][s], mass, mass);
    expect_close(found[1][s], reach, reach);
    expect_close(found[2][s], vmax, vmax);
    expect_close(found[3][s], rmax, reach);
    expect_close(found[4][s], half, reach);
    expect_close(found[5][s], size / (sqrt(2 * of->o.gravity * mass * reach) * mass), 1);
    for (int a = 0; a < 3; a++) {
        expect_close(found[6][3 * s + a], spin[a], mass * reach * vmax);
        expect_close(found[7][3 * s + a], drift[a] / mass, 10);
    }
}

void scene_expect_inside(const scene *s) {
    const weft_bodies bodies = scene_bodies(s);
    weft_halos halos;
    weft_subhalos subs;
    weft_subhalo_properties p;
    of = s;
    weft_halos_group(device, test_array(WEFT_U32, s->label, s->n),
                     test_array(WEFT_I64, s->id, s->n), 1, &halos);
    weft_subhalos_find(device, &bodies, &s->o, &halos, &subs);
    weft_subhalos_measure(device, &bodies, &s->o, &subs, &p);
    test_ok();
    f64 *found[] = {numbers(p.mass),
                    numbers(p.radius_max),
                    numbers(p.vmax),
                    numbers(p.rmax),
                    numbers(p.half_mass_radius),
                    numbers(p.spin),
                    numbers(p.angular_momentum),
                    numbers(p.velocity)};
    u32 *member = malloc((size_t)(subs.members + 1) * sizeof *member);
    i64 *offset = malloc((size_t)(subs.count + 1) * sizeof *offset);
    weft_read(device, subs.member, member), weft_read(device, subs.offset, offset);
    test_ok();
    ck_assert_int_gt(subs.count, 1);
    for (i64 k = 0; k < subs.count; k++)
        expect(member + offset[k], offset[k + 1] - offset[k], k, found);
    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        free(found[k]);
    free(member), free(offset);
    weft_subhalo_properties_free(device, &p);
    weft_subhalos_free(device, &subs);
    weft_halos_free(device, &halos);
}
