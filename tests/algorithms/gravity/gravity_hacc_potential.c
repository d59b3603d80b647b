/* Potentials of HACC's split: both parts by their definitions, and what they are together.
 */
#include "gravity_scene.h"

#include <math.h>

static const f64 pi = 3.14159265358979323846, images = 2.8372974794806;

static weft_gravity *plan_of(i64 mesh, f64 softening) {
    const weft_gravity_options o = {
        .mesh = mesh, .most = 1000, .softening = softening, .split = WEFT_GRAVITY_HACC};
    weft_gravity *plan = weft_gravity_new(device, &o);
    test_ok();
    return plan;
}

/* The calls as those that give three numbers a particle. */
static weft_status far(weft_device *on, weft_gravity *plan, weft_array x, weft_array y,
                       weft_array z, weft_array ax, weft_array ay, weft_array az) {
    weft_gravity_long_potential(on, plan, x, y, z, ax);
    weft_copy(on, ax, ay);
    return weft_copy(on, ax, az);
}

static weft_status near(weft_device *on, weft_gravity *plan, weft_array x, weft_array y,
                        weft_array z, weft_array ax, weft_array ay, weft_array az) {
    weft_gravity_short_potential(on, plan, x, y, z, ax);
    weft_copy(on, ax, ay);
    return weft_copy(on, ax, az);
}

/* What is left of the pull over the distance, in points: HACC's numbers. */
static f64 pull(f64 r, f64 soft) {
    const f64 s = r * r;
    const f64 poly =
        0.269327 +
        s * (-0.0750978 +
             s * (0.0114808 + s * (-0.00109313 + s * (6.05491e-5 + s * -1.47177e-6))));
    return pow(s + soft * soft, -1.5) - poly;
}

static const f64 reach = 3.116326;

/* Its integral from r to the reach, by Simpson's rule in ln r. */
static f64 depth(f64 r, f64 soft) {
    const int steps = 400;
    const f64 h = log(reach / r) / steps;
    f64 sum = 0;
    for (int i = 0; r < reach && i <= steps; i++) {
        const f64 at = r * exp(h * i);
        const f64 weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
        sum += weight * at * at * pull(at, soft);
    }
    return r < reach ? sum * h / 3 : 0;
}

static scene crowd(i64 n, f64 size, u64 seed) {
    scene s = scene_new(n);
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const f64 x = (f64)(test_random(&seed) >> 11) * 0x1p-53;
            s.at[k][i] = (u32)(i64)(x * (i % 2 ? size / 10 : size) * 0x1p32);
        }
    return s;
}

START_TEST(near_by_definition) {
    static const i64 counts[] = {1, 2, 15, 16, 17, 33, 500};
    const i64 mesh = 32;
    const f64 soft = 0.02;
    weft_gravity *plan = plan_of(mesh, soft / (f64)mesh);
    for (int c = 0; c < (kind_step > 1 ? 6 : 7); c++) {
        const i64 n = counts[c];
        scene s = crowd(n, 0.5, 3);
        scene_run(&s, plan, near);
        for (i64 i = 0; i < n; i++) {
            f64 wanted = 0, size = 1;
            for (i64 j = 0; j < n; j++) {
                f64 d[3];
                scene_away(&s, i, j, d);
                const f64 r = (f64)mesh * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                if (r > 0 && r < reach)
                    wanted -= depth(r, soft), size += 1 / sqrt(r * r + soft * soft);
            }
            if (!(fabs(s.got[0][i] / (f64)mesh - wanted) <= 2e-5 * size))
                ck_abort_msg("%lld particles: %lld has %g, not %g, of %g", (long long)n,
                             (long long)i, s.got[0][i] / (f64)mesh, wanted, size);
        }
        scene_free(&s);
    }
    weft_gravity_free(device, plan);
}
END_TEST

enum { SIDE = 10, POINTS = SIDE * SIDE * SIDE };

/* Green's function of HACC, filtered, between points, by its sum over waves. */
static void fill_between(f64 *between) {
    f64 filter[SIDE], sum[SIDE];
    for (int i = 0; i < SIDE; i++) {
        const f64 k = 2 * pi * (2 * i > SIDE ? i - SIDE : i) / SIDE;
        const f64 fall = i ? sin(k / 2) / (k / 2) : 1;
        filter[i] = exp(-k * k * 0.64 / 4) * pow(fall, 3);
        sum[i] = 21. / 8 - 128 * cos(k) / 45 + 2 * cos(2 * k) / 9 - cos(4 * k) / 360;
    }
    for (int p = 0; p < POINTS; p++) {
        between[p] = 0;
        for (int w = 1; w < POINTS; w++) {
            const int x = w / SIDE / SIDE, y = w / SIDE % SIDE, z = w % SIDE;
            const int turn = x * (p / SIDE / SIDE) + y * (p / SIDE % SIDE) + z * (p % SIDE);
            between[p] -= 4 * pi * filter[x] * filter[y] * filter[z] /
                          (2 * SIDE * SIDE * (sum[x] + sum[y] + sum[z])) *
                          cos(2 * pi * turn / SIDE) * 2;
        }
    }
}

/* The 8 points around a particle, and its shares of them. */
static void place(const scene *s, i64 i, int at[8][3], f64 share[8]) {
    for (int c = 0; c < 8; c++) {
        share[c] = 1;
        for (int k = 0; k < 3; k++) {
            const f64 x = s->at[k][i] * 0x1p-32 * SIDE;
            const int up = c >> k & 1;
            at[c][k] = ((int)floor(x) + up) % SIDE;
            share[c] *= up ? x - floor(x) : 1 - (x - floor(x));
        }
    }
}

static f64 of_pair(const scene *s, i64 i, i64 j, const f64 *between) {
    int here[8][3], there[8][3];
    f64 own[8], share[8], sum = 0;
    place(s, i, here, own), place(s, j, there, share);
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            int p = 0;
            for (int k = 0; k < 3; k++)
                p = p * SIDE + (here[a][k] - there[b][k] + SIDE) % SIDE;
            sum += own[a] * share[b] * between[p];
        }
    return sum;
}

/* What the others have on the mesh, and the mean of the wells of pairs. */
START_TEST(far_by_definition) {
    const i64 n = 30;
    const f64 soft = 0.1;
    static f64 between[POINTS];
    if (kind_step > 1)
        return;
    fill_between(between);
    f64 mean = 0;
    for (int m = 0; m < 1000; m++) {
        const f64 r = reach * (m + 0.5) / 1000;
        mean += 4 * pi * r * r * depth(r, soft) * reach / 1000;
    }
    mean /= SIDE * SIDE;
    weft_gravity *plan = plan_of(SIDE, soft / SIDE);
    scene s = crowd(n, 1, 8);
    scene_run(&s, plan, far);
    for (i64 i = 0; i < n; i++) {
        f64 wanted = images + (f64)(n - 1) * mean;
        for (i64 j = 0; j < n; j++)
            wanted += j == i ? 0 : of_pair(&s, i, j, between);
        if (!(fabs(s.got[0][i] - wanted) <= 1e-5 * (f64)n * SIDE))
            ck_abort_msg("%lld: %.8g, not %.8g", (long long)i, s.got[0][i], wanted);
    }
    scene_free(&s);
    weft_gravity_free(device, plan);
}
END_TEST

/* A particle alone has its images, wherever between points it is. */
START_TEST(alone) {
    static const i64 meshes[] = {10, 32, 48};
    for (int m = 0; m < (kind_step > 1 ? 2 : 3); m++) {
        weft_gravity *plan = plan_of(meshes[m], 0.001);
        for (u64 seed = 1; seed < 9; seed++) {
            scene s = crowd(1, 1, seed);
            scene_run(&s, plan, far);
            ck_assert_double_eq_tol(s.got[0][0], images, 1e-4);
            scene_free(&s);
        }
        weft_gravity_free(device, plan);
    }
}
END_TEST

/* Both parts of a pair, whose images are far: as far off as its force is. */
START_TEST(pairs) {
    u64 seed = 3;
    const f64 points[] = {0.3, 1, 2, 3, 4, 6};
    weft_gravity *plan = plan_of(48, 0);
    for (int k = 0; k < (kind_step > 1 ? 2 : 60); k++) {
        const f64 r = points[k % 6] / 48;
        scene s = scene_new(2), also = scene_new(2);
        scene_pair(&s, r, &seed);
        for (int axis = 0; axis < 3; axis++)
            for (int i = 0; i < 2; i++)
                also.at[axis][i] = s.at[axis][i];
        scene_run(&s, plan, far);
        scene_run(&also, plan, near);
        const f64 wanted = 2 * images - 1 / r - 2 * pi / 3 * r * r;
        for (int i = 0; i < 2; i++) {
            const f64 got = s.got[0][i] + also.got[0][i];
            if (!(fabs(got - wanted) * r <= 0.06))
                ck_abort_msg("%g points: %g, not %g", points[k % 6], got, wanted);
        }
        scene_free(&s), scene_free(&also);
    }
    weft_gravity_free(device, plan);
}
END_TEST

START_TEST(same_bytes) {
    const weft_gravity_options o = {
        .mesh = 32, .most = 500, .softening = 0.001, .split = WEFT_GRAVITY_HACC};
    scene s = crowd(o.most, 0.5, 3);
    scene_same(&s, &o, near);
    scene_same(&s, &o, far);
    scene_free(&s);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {near_by_definition, far_by_definition, alone, pairs,
                                  same_bytes};
    return test_main(argc, argv, "gravity_hacc_potential", tests,
                     sizeof tests / sizeof *tests);
}
