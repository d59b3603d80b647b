/* What pairs do: space is cut into cells, no smaller than the reach of pairs, and these are
 * shared out by about how many pairs they have. */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>

/* Planes across the first axis, in which inputs mostly are in order, so that few particles
 * are not where they are asked for; but cubes where ranks would have few planes. Along an
 * axis there are 2^FINE of them at most, and of cubes that are weighed 2^COARSE. */
enum { FINE = 9, COARSE = 5, LEAST_PLANES = 4 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* About as many pairs as are met for the particles in each cell, of which `parts` are as
 * large as a cube of the plan. */
static void weigh(const struct visits_cells *c, const int64_t *particles, double parts,
                  double *work) {
    int64_t around[VISITS_AROUND], cell = 0;
    for (int64_t x = 0; x < c->n[0]; ++x)
        for (int64_t y = 0; y < c->n[1]; ++y)
            for (int64_t z = 0; z < c->n[2]; ++z, ++cell) {
                int64_t near = particles[cell];
                visits_list_around(c, (int64_t[]){x, y, z}, around);
                for (int k = 0; k < VISITS_AROUND; ++k)
                    near += particles[around[k]];
                work[cell] = (double)particles[cell] * ((double)near / parts + 64);
            }
}

/* The number of the cube that is number `k` along Morton's curve. */
static int64_t along_curve(const struct visits_cells *c, int bits, int64_t k) {
    int64_t at[3] = {0, 0, 0};
    for (int b = 3 * bits - 1; b >= 0; --b)
        at[2 - b % 3] = at[2 - b % 3] << 1 | (k >> b & 1);
    return visits_number(c, at);
}

/* Shares of about as much work. Planes have that of `each` cells in turn; of cubes `bits`
 * are those of their sides. */
static void share(const struct comm *comm, struct visits_cells *c, int bits,
                  const double *work, int64_t each) {
    const int64_t count = visits_count(c);
    double before = 0, all = 0;
    for (int64_t k = 0; k < count * each; ++k)
        all += work[k];
    for (int64_t k = 0; k < count; ++k) {
        const int64_t cell = c->n[1] > 1 ? along_curve(c, bits, k) : k;
        double own = 0;
        for (int64_t i = 0; i < each; ++i)
            own += work[cell * each + i];
        const double middle = before + own / 2;
        c->owner[cell] =
            all > 0 ? least((int)(middle / all * comm->size), comm->size - 1) : 0;
        before += own;
    }
}

static bool cut(struct simulate_run *run) {
    struct comm *comm = &run->comm;
    struct visits_cells *c = &run->near;
    const int all = weft_gravity_cubes(run->gravity);
    const int coarse = least(all, COARSE), fine = least(all, FINE);
    const bool planes = 1 << fine >= LEAST_PLANES * comm->size;
    const int first = planes ? fine : coarse;
    const struct visits_cells weighed = {.n = {1 << first, 1 << coarse, 1 << coarse}};
    const int64_t count = visits_count(&weighed);
    const int others = planes ? 1 : 1 << coarse;
    visits_free_cells(c);
    *c = (struct visits_cells){.n = {1 << first, others, others}};
    c->owner = comm_allocate(comm, visits_count(c), sizeof *c->owner, "cells");
    int64_t *particles = comm_allocate(comm, count, sizeof *particles, "cells");
    double *work = comm_allocate(comm, count, sizeof *work, "cells");
    bool well = c->owner && particles && work;
    well = visits_weigh(comm, run->device, &weighed, run->particles.position, particles) &&
           well;
    if (well) {
        weigh(&weighed, particles, exp2(3 * all - first - 2 * coarse), work);
        share(comm, c, coarse, work, count / visits_count(c));
        well = visits_find_others(comm, c);
    }
    free(particles);
    free(work);
    return well;
}

/* The cells are cut once a step. */
weft_status simulate_near(struct simulate_run *run, int components, const weft_array *out) {
    bool well = true;
    if (run->near.owner == NULL || run->near_step != run->step)
        well = cut(run);
    run->near_step = run->step;
    return well ? simulate_find(run, SIMULATE_NEAR, components, out)
                : simulate_give_up(run);
}
