/* Halos in the arrays of another code while it runs: here a leapfrog of 512 particles at
 * rest, that fall together. The library works on the code's own memory: no copy, no file.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <weft/weft.h>

enum { N = 512, STEPS = 60, EVERY = 15, MIN_MEMBERS = 10 };

static double x[N][3], v[N][3], g[N][3]; /* the code's */

static void pull(void) {
    memset(g, 0, sizeof g);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double d[3] = {x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 4e-4;
            for (int k = 0; k < 3; k++)
                g[i][k] += d[k] / (r2 * sqrt(r2)) / N;
        }
}

static void step(double dt) {
    for (int i = 0; i < 3 * N; i++)
        x[i / 3][i % 3] += dt * (v[i / 3][i % 3] += dt * g[i / 3][i % 3]);
    pull();
}

/* What a code adds to its own: friends-of-friends, and the most bound particle of each. */
static void analyse(weft_device *device, double time) {
    weft_halos halos;
    const weft_array mine = weft_borrow_const(device, WEFT_F64, x, 3 * N);
    const weft_points points = weft_points_interleaved(device, mine);
    const weft_fof_options rule = {.linking_length = 0.2 / cbrt(N)};
    const weft_array label = weft_array_new(device, WEFT_U32, N);
    weft_fof(device, &points, &rule, label);
    weft_halos_group(device, label, (weft_array){0}, MIN_MEMBERS, &halos);
    const weft_bodies bodies = {.points = points, .particle_mass = 1.0 / N};
    const weft_array deepest = weft_array_new(device, WEFT_U32, halos.count);
    const weft_array potential = weft_array_new(device, WEFT_F64, halos.count);
    weft_mbp(device, &bodies, NULL, &halos, deepest, potential);
    printf("time %.2f: %lld halos with %lld particles", time, (long long)halos.count,
           (long long)halos.members);
    if (halos.count > 0 && weft_check(device) == WEFT_OK) {
        uint32_t first = 0;
        weft_read(device, weft_slice(device, deepest, 0, 1), &first);
        printf("; the largest is deepest at %.4f %.4f %.4f", x[first][0], x[first][1],
               x[first][2]);
    }
    printf("\n");
    weft_halos_free(device, &halos);
    weft_array_free(device, deepest), weft_array_free(device, potential);
    weft_array_free(device, label);
    weft_return(device, mine);
}

int main(void) {
    uint64_t seed = 1;
    weft_device *device = weft_open(NULL);
    for (int i = 0; i < 3 * N; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i / 3][i % 3] = (double)(seed >> 11) / 0x1p53;
    }
    pull();
    for (int s = 1; s <= STEPS; s++) {
        step(0.01);
        if (s % EVERY == 0)
            analyse(device, 0.01 * s);
    }
    const int failed = weft_check(device) != WEFT_OK;
    if (failed)
        fprintf(stderr, "leapfrog: %s\n", weft_error(device));
    weft_close(device);
    return failed;
}
