/* usage: so-snapshots BACKEND EVERY SNAPSHOT [EVERY SNAPSHOT]...
 * Spherical overdensities around the most bound particle of every EVERY-th halo of real
 * snapshots, against the definition; f32 and f64, with the cells of friends-of-friends and
 * without. Of the first of them, and with WEFT_TEST=all of all. */
#include "so_scene.h"

#include "io/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **arguments;

static f64 number(const void *values, int bytes, i64 k) {
    return bytes == 4 ? (f64)((const f32 *)values)[k] : ((const f64 *)values)[k];
}

/* The most bound particles as centers, with how many members their halos have. */
static void find_centers(scene *s, i64 every) {
    const weft_array at = test_array(WEFT_F64, s->x, 3 * s->n);
    const weft_bodies bodies = {.points = weft_points_interleaved(device, at),
                                .particle_mass = 1,
                                .box = {s->box[0], s->box[1], s->box[2]}};
    const weft_array label = weft_array_new(device, WEFT_U32, s->n);
    const weft_fof_options fof = {.linking_length = s->length,
                                  .box = {s->box[0], s->box[1], s->box[2]}};
    weft_halos halos;
    weft_fof(device, &bodies.points, &fof, label);
    weft_halos_group(device, label, (weft_array){0}, 20, &halos);
    const weft_array best = weft_array_new(device, WEFT_U32, halos.count);
    const weft_array potential = weft_array_new(device, WEFT_F64, halos.count);
    weft_mbp(device, &bodies, NULL, &halos, best, potential);
    u32 *particle = malloc((size_t)(halos.count + 1) * sizeof *particle);
    i64 *offset = malloc((size_t)(halos.count + 1) * sizeof *offset);
    weft_read(device, best, particle);
    weft_read(device, halos.offset, offset);
    test_ok();
    s->centers = (halos.count + every - 1) / every;
    s->c = realloc(s->c, (size_t)(3 * s->centers + 1) * sizeof *s->c);
    i64 *guess = malloc((size_t)(s->centers + 1) * sizeof *guess);
    for (i64 c = 0; c < s->centers; c++) {
        guess[c] = offset[c * every + 1] - offset[c * every];
        for (int k = 0; k < 3; k++)
            s->c[3 * c + k] = s->x[3 * (i64)particle[c * every] + k];
    }
    s->options.guess = test_array(WEFT_I64, guess, s->centers);
    free(particle), free(offset), free(guess);
    weft_halos_free(device, &halos);
    weft_array_free(device, at), weft_array_free(device, label);
    weft_array_free(device, best), weft_array_free(device, potential);
}

static scene load(const char *path, i64 every) {
    struct io_error error;
    struct snapshot_particles p;
    struct snapshot *snapshot = snapshot_open(path, &error);
    ck_assert_msg(snapshot &&
                      snapshot_read(snapshot, 1 << SNAPSHOT_COORDINATES, &p, &error),
                  "%s", error.text);
    scene s = scene_new(p.n, 0);
    for (i64 k = 0; k < 3 * s.n; k++)
        s.x[k] = number(p.field[SNAPSHOT_COORDINATES], p.bytes[SNAPSHOT_COORDINATES], k);
    f64 volume = 1;
    for (int k = 0; k < 3; k++)
        volume *= s.box[k] = snapshot_info(snapshot)->box[k];
    const f64 mean = (f64)s.n / volume;
    s.length = 0.2 * cbrt(1 / mean);
    s.options.densities = 5;
    for (int t = 0; t < 5; t++)
        s.options.density[t] = mean * (const f64[]){102.505 / 0.31, 200, 200 / 0.31,
                                                    500 / 0.31, 2500 / 0.31}[t];
    snapshot_free(&p);
    snapshot_close(snapshot);
    find_centers(&s, every);
    return s;
}

static int ascending(const void *a, const void *b) {
    const f64 x = *(const f64 *)a, y = *(const f64 *)b;
    return (x > y) - (x < y);
}

/* SOAP's mass, in particles: where the mass, linear in r from particle to particle, first
 * comes down to the density. The k nearest are at r, r[k] is the next. */
static f64 soap(const f64 *r, i64 n, f64 per_volume) {
    for (i64 k = 1; k < n; k++) {
        if (!((f64)k > per_volume * pow(r[k - 1], 3)) ||
            (f64)k + 1 > per_volume * pow(r[k], 3))
            continue;
        f64 low = r[k - 1], high = r[k];
        for (int step = 0; step < 60; step++) {
            const f64 at = (low + high) / 2;
            const f64 mass = (f64)k + (at - r[k - 1]) / (r[k] - r[k - 1]);
            *(mass > per_volume * pow(at, 3) ? &low : &high) = at;
        }
        return (f64)k + (low - r[k - 1]) / (r[k] - r[k - 1]);
    }
    return 0;
}

/* That SOAP's masses of some of the spheres lie between that of the sphere and of one
 * particle more; returns how many did. */
static i64 compare_soap(const scene *s, const spheres *found, i64 every) {
    f64 *r = malloc((size_t)(s->n + 1) * sizeof *r);
    i64 within = 0;
    for (i64 c = 0; c < s->centers; c += every) {
        for (i64 i = 0; i < s->n; i++) {
            r[i] = 0;
            for (int k = 0; k < 3; k++)
                r[i] += pow(remainder(s->x[3 * i + k] - s->c[3 * c + k], s->box[k]), 2);
            r[i] = sqrt(r[i]);
        }
        qsort(r, (size_t)s->n, sizeof *r, ascending);
        for (i64 t = 0; t < s->options.densities; t++) {
            const f64 count = (f64)found->count[t * s->centers + c];
            const f64 theirs =
                soap(r, s->n, 4 * 3.14159265358979323846 / 3 * s->options.density[t]);
            ck_assert_msg(theirs >= count && theirs <= count + 1,
                          "center %lld, density %lld: %g of SOAP's, %g of ours",
                          (long long)c, (long long)t, theirs, count);
            within++;
        }
    }
    free(r);
    return within;
}

START_TEST(snapshots) {
    for (char **a = arguments; a[0] && a[1] && (a == arguments || test_is_whole());
         a += 2) {
        if (access(a[1], R_OK) != 0) {
            printf("skipped: there is no %s\n", a[1]);
            continue;
        }
        scene s = load(a[1], atoi(a[0]));
        ck_assert_int_gt(s.centers, 100);
        spheres expected = scene_define(&s), found = scene_measure(&s);
        spheres_expect(&s, &found, &expected);
        if (strcmp(weft_backend_name(device), "serial") == 0)
            ck_assert_int_gt(compare_soap(&s, &found, 40), 100);
        spheres_free(&found);
        s.length = 0;
        found = scene_measure(&s);
        spheres_expect(&s, &found, &expected);
        spheres_free(&found), spheres_free(&expected);
        s.type = WEFT_F32;
        scene_round(&s);
        scene_check(&s);
        scene_free(&s);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {snapshots};
    arguments = argv + (argc > 1 ? 2 : 1);
    return test_main(argc, argv, "so_snapshots", tests, 1);
}
