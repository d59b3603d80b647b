/* usage: weft-centers BACKEND SNAPSHOT [SOFTENING [GRID]]
 * Where the centers of halos of 100 members and more lie in their halos' potentials: how
 * often each is the most bound particle, how many members are more bound where it is not,
 * and how long all halos took. */
#include "centers.kernel.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <weft/weft.h>

enum { MIN_MEMBERS = 100, RUNS = 3 };

WEFT_PAIRS(centers_potential, f64, 0.0, (in, centers_body, body, 0), (value, f64, soft2))

struct scene {
    weft_device *device;
    struct particles particles;
    weft_bodies bodies;
    weft_fof_options fof;
    weft_mbp_options mbp;
    weft_poisson_options poisson;
    weft_halos halos;
    i64 *offset;
    u32 *member;
    f64 *phi; /* of each member */
};

/* On the clock, and of all processors together. */
struct seconds {
    f64 wall, processors;
};

static f64 seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (f64)t.tv_sec + 1e-9 * (f64)t.tv_nsec;
}

static struct seconds seconds_now(void) {
    return (struct seconds){seconds_of(CLOCK_MONOTONIC),
                            seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
}

static void find_halos(struct scene *s) {
    weft_device *device = s->device;
    const struct particles *p = &s->particles;
    const weft_array at = weft_array_new(device, WEFT_F64, 3 * p->n);
    const weft_array label = weft_array_new(device, WEFT_U32, p->n);
    weft_write(device, at, p->position);
    s->bodies =
        (weft_bodies){.points = weft_points_interleaved(device, at), .particle_mass = 1};
    s->fof.linking_length = 0.2 * p->separation;
    weft_fof(device, &s->bodies.points, &s->fof, label);
    weft_halos_group(device, label, (weft_array){0}, MIN_MEMBERS, &s->halos);
    s->offset = calloc((size_t)s->halos.count + 1, sizeof *s->offset);
    s->member = calloc((size_t)s->halos.members + 1, sizeof *s->member);
    s->phi = calloc((size_t)s->halos.members + 1, sizeof *s->phi);
    weft_read(device, s->halos.offset, s->offset);
    weft_read(device, s->halos.member, s->member);
}

static void find_potentials(struct scene *s) {
    weft_device *device = s->device;
    const i64 n = s->halos.members;
    centers_body *body = calloc((size_t)n + 1, sizeof *body);
    for (i64 k = 0; body && k < n; k++) {
        const f64 *at = s->particles.position + 3 * (i64)s->member[k];
        body[k] = (centers_body){at[0], at[1], at[2]};
    }
    const weft_array bodies = weft_array_new(device, WEFT_STRUCT(centers_body), n);
    const weft_array phi = weft_array_new(device, WEFT_F64, n);
    weft_write(device, bodies, body);
    weft_pairs(device, s->halos.offset, phi, centers_potential, .body = bodies,
               .soft2 = s->mbp.softening * s->mbp.softening);
    weft_read(device, phi, s->phi);
    free(body);
}

/* The member nearest to the center of mass. */
static void find_middle(const struct scene *s, u32 *particle) {
    for (i64 h = 0; h < s->halos.count; h++) {
        f64 middle[3] = {0}, least = INFINITY;
        const i64 first = s->offset[h], end = s->offset[h + 1];
        for (i64 k = first; k < end; k++)
            for (int axis = 0; axis < 3; axis++)
                middle[axis] += s->particles.position[3 * (i64)s->member[k] + axis] /
                                (f64)(end - first);
        for (i64 k = first; k < end; k++) {
            f64 r2 = 0;
            for (int axis = 0; axis < 3; axis++)
                r2 += pow(
                    s->particles.position[3 * (i64)s->member[k] + axis] - middle[axis], 2);
            if (r2 < least) {
                least = r2;
                particle[h] = s->member[k];
            }
        }
    }
}

enum { MBP, POISSON, POISSON_OPEN, POISSON_PROVE, MCP, CENTERS };
static const char *const names[] = {"mbp", "poisson", "poisson, open", "proven", "mcp"};

static void find(const struct scene *s, int center, weft_array particle,
                 weft_array potential, weft_array friends) {
    weft_poisson_options poisson = s->poisson;
    poisson.boundary = center == POISSON_OPEN ? WEFT_POISSON_OPEN : WEFT_POISSON_ZERO;
    if (center == MBP)
        weft_mbp(s->device, &s->bodies, &s->mbp, &s->halos, particle, potential);
    else if (center == POISSON_PROVE)
        weft_poisson_prove(s->device, &s->bodies, &poisson, &s->halos, particle, potential,
                           friends);
    else if (center != MCP)
        weft_poisson(s->device, &s->bodies, &poisson, &s->halos, particle, potential);
    else
        weft_mcp(s->device, &s->bodies.points, &s->fof, NULL, &s->halos, particle, friends);
}

/* Of a proof, `friends` tells where there is one. */
static struct seconds time_of(const struct scene *s, int center, u32 *found) {
    weft_device *device = s->device;
    const weft_array particle = weft_array_new(device, WEFT_U32, s->halos.count);
    const weft_array potential = weft_array_new(device, WEFT_F64, s->halos.count);
    const weft_array friends = weft_array_new(device, WEFT_U32, s->halos.count);
    struct seconds least = {INFINITY, INFINITY};
    for (int run = 0; run < RUNS; run++) {
        weft_synchronize(device);
        const struct seconds begin = seconds_now();
        find(s, center, particle, potential, friends);
        weft_synchronize(device);
        const struct seconds end = seconds_now();
        least.wall = fmin(least.wall, end.wall - begin.wall);
        least.processors = fmin(least.processors, end.processors - begin.processors);
    }
    weft_read(device, particle, found);
    if (center == POISSON_PROVE) {
        u32 proven = 0;
        weft_reduce(device, friends, weft_plus(WEFT_U32), &proven);
        printf("%u of them are proven by bounds\n", proven);
    }
    weft_array_free(device, particle);
    weft_array_free(device, potential);
    weft_array_free(device, friends);
    return least;
}

static int rising(const void *a, const void *b) {
    const f64 x = *(const f64 *)a, y = *(const f64 *)b;
    return (x > y) - (x < y);
}

/* Of the halos whose center is another: how many members are more bound, the potential's
 * share of the deepest. */
static void tell(const struct scene *s, const char *name, const u32 *found,
                 struct seconds seconds) {
    const i64 halos = s->halos.count;
    f64 *rank = calloc((size_t)halos + 1, sizeof *rank);
    f64 *share = calloc((size_t)halos + 1, sizeof *share);
    i64 others = 0;
    for (i64 h = 0; h < halos; h++) {
        f64 own = 0, least = 0, above = 0;
        for (i64 k = s->offset[h]; k < s->offset[h + 1]; k++) {
            own = s->member[k] == found[h] ? s->phi[k] : own;
            least = fmin(least, s->phi[k]);
        }
        for (i64 k = s->offset[h]; k < s->offset[h + 1]; k++)
            above += s->phi[k] < own * (1 + 1e-12);
        if (above > 0) {
            rank[others] = above;
            share[others++] = own / least;
        }
    }
    qsort(rank, (size_t)others, sizeof *rank, rising);
    qsort(share, (size_t)others, sizeof *share, rising);
    printf("%-13s is it in %5.1f %%; else more bound: median %.0f, nine of ten up to %.0f, "
           "most %.0f; potential's share: median %.3f, least %.3f;",
           name, 100.0 * (f64)(halos - others) / (f64)halos, rank[others / 2],
           rank[others * 9 / 10], others ? rank[others - 1] : 0, share[others / 2],
           share[0]);
    if (seconds.wall > 0)
        printf(" %.4f s, %.4f s of processors", seconds.wall, seconds.processors);
    printf("\n");
    free(rank);
    free(share);
}

int main(int argc, char **argv) {
    struct scene s = {0};
    if (argc < 3 || argc > 5 || !particles_read(&s.particles, argv[2], 1, 0)) {
        fprintf(stderr, "usage: weft-centers BACKEND SNAPSHOT [SOFTENING [GRID]]\n");
        return 2;
    }
    s.device = weft_open(argv[1]);
    s.mbp = (weft_mbp_options){.softening = argc > 3 ? atof(argv[3]) : 0};
    s.poisson = (weft_poisson_options){.softening = s.mbp.softening,
                                       .grid = argc > 4 ? atol(argv[4]) : 0};
    find_halos(&s);
    find_potentials(&s);
    u32 *found = calloc((size_t)s.halos.count + 1, sizeof *found);
    printf("%s, %s: %lld halos of %d members and more, %lld in all; softening %g\n",
           argv[2], weft_backend_name(s.device), (long long)s.halos.count, MIN_MEMBERS,
           (long long)s.halos.members, s.mbp.softening);
    for (int center = 0; center < CENTERS && weft_check(s.device) == WEFT_OK; center++) {
        const struct seconds seconds = time_of(&s, center, found);
        tell(&s, names[center], found, seconds);
    }
    find_middle(&s, found);
    if (weft_check(s.device) == WEFT_OK)
        tell(&s, "middle", found, (struct seconds){0, 0});
    else
        fprintf(stderr, "weft-centers: %s\n", weft_error(s.device));
    const int failed = weft_check(s.device) != WEFT_OK;
    weft_halos_free(s.device, &s.halos);
    weft_close(s.device);
    particles_free(&s.particles);
    free(s.offset), free(s.member), free(s.phi), free(found);
    return failed;
}
