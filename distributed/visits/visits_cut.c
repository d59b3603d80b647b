/* Cells for each rank by about how many pairs they have. */
#include "visits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns along the last axis, in order of the first axis, in which inputs mostly are in
 * order, so that few particles are not where they are asked for, and ranks meet in about a
 * plane; but cubes along Morton's curve where ranks would have few planes. Along the first
 * axis there are 2^FINE at most, along others, and of cubes, 2^COARSE. */
enum { FINE = 9, COARSE = 5, LEAST_PLANES = 4 };

/* What a particle costs beside the pairs that it may have with those in the cubes around
 * its own, in as many of these: where there are few, more of them are in tiles within
 * reach, and tiles are not full. (Of lcdm128 tiles within reach have 0.43 to 0.5 of those
 * around, and some 200 more; on H100, by times of four ranks, 500 to 3,000 fit.) */
enum { APART = 500 };

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Adds to each cell what its neighbours along an axis have, of which two may be the same.
 */
static void add_neighbours(const struct visits_cells *c, int axis, const int64_t *in,
                           int64_t *out) {
    const int64_t n = c->n[axis], all = visits_count(c);
    const int64_t step = axis == 0 ? all / n : axis == 1 ? c->n[2] : 1;
    for (int64_t block = 0; block < all; block += n * step)
        for (int64_t k = 0; k < n; ++k) {
            const int64_t *here = in + block + k * step;
            const int64_t *before = in + block + (k + n - 1) % n * step;
            const int64_t *after = in + block + (k + 1) % n * step;
            for (int64_t i = 0; i < step; ++i)
                out[block + k * step + i] = here[i] + before[i] + after[i];
        }
}

/* About as many pairs as are met for the particles in each cell, of which `parts` are as
 * large as a cube of the plan; `near` and `other` are room for as many cells. */
static void weigh(const struct visits_cells *c, const int64_t *particles, double parts,
                  int64_t *near, int64_t *other, double *work) {
    add_neighbours(c, 2, particles, near);
    add_neighbours(c, 1, near, other);
    add_neighbours(c, 0, other, near);
    for (int64_t k = 0; k < visits_count(c); ++k)
        work[k] = (double)particles[k] * ((double)near[k] / parts + APART);
}

/* The number of the cube that is number `k` along Morton's curve. */
static int64_t along_curve(const struct visits_cells *c, int bits, int64_t k) {
    int64_t at[3] = {0, 0, 0};
    for (int b = 3 * bits - 1; b >= 0; --b)
        at[2 - b % 3] = at[2 - b % 3] << 1 | (k >> b & 1);
    return visits_number(c, at);
}

/* What each cell costs for each unit of its work, by what those of the ranks took of the
 * mean: from 4/5 of it to 5/4 at a time, as a rank may have been held up by others. */
static bool learn(struct comm *comm, double seconds, struct visits_cells *c) {
    double *all = comm_allocate(comm, comm->size, sizeof *all, "ranks"), mean = 0;
    const bool well = comm_share(comm, &seconds, sizeof seconds, all);
    bool known = well && c->cost;
    for (int rank = 0; rank < comm->size && known; ++rank) {
        known = all[rank] > 0;
        mean += all[rank] / comm->size;
    }
    for (int64_t k = 0; known && k < visits_count(c); ++k)
        c->cost[k] *= fmin(fmax(all[c->owner[k]] / mean, 0.8), 1.25);
    free(all);
    return well;
}

/* Cells of other sides have no costs yet. */
static double *take_costs(struct comm *comm, const int32_t n[3], struct visits_cells *c) {
    double *cost = c->cost;
    if (cost && memcmp(c->n, n, sizeof c->n) == 0) {
        c->cost = NULL;
        return cost;
    }
    const int64_t count = (int64_t)n[0] * n[1] * n[2];
    cost = comm_allocate(comm, count, sizeof *cost, "cells");
    for (int64_t k = 0; cost && k < count; ++k)
        cost[k] = 1;
    return cost;
}

/* Shares that cost about as much. Columns have the work of `each` cubes in turn; where
 * cells are cubes `bits` are those of their sides. */
static void share(const struct comm *comm, struct visits_cells *c, int bits, double *work,
                  int64_t each) {
    const int64_t count = visits_count(c);
    double before = 0, all = 0;
    for (int64_t k = 0; k < count * each; ++k)
        all += work[k] *= c->cost[k / each];
    for (int64_t k = 0; k < count; ++k) {
        const int64_t cell = each == 1 ? along_curve(c, bits, k) : k;
        double own = 0;
        for (int64_t i = 0; i < each; ++i)
            own += work[cell * each + i];
        const double middle = before + own / 2;
        c->owner[cell] =
            all > 0 ? least((int)(middle / all * comm->size), comm->size - 1) : 0;
        before += own;
    }
}

bool visits_cut(struct comm *comm, weft_device *device, int bits, const weft_array x[3],
                double seconds, struct visits_cells *c) {
    const int coarse = least(bits, COARSE), fine = least(bits, FINE);
    const bool columns = 1 << fine >= LEAST_PLANES * comm->size;
    const int first = columns ? fine : coarse;
    const struct visits_cells weighed = {.n = {1 << first, 1 << coarse, 1 << coarse}};
    const int64_t count = visits_count(&weighed);
    const int32_t n[3] = {1 << first, 1 << coarse, columns ? 1 : 1 << coarse};
    if (!learn(comm, seconds, c))
        return false;
    double *cost = take_costs(comm, n, c);
    visits_free_cells(c);
    *c = (struct visits_cells){.n = {n[0], n[1], n[2]}, .cost = cost};
    c->owner = comm_allocate(comm, visits_count(c), sizeof *c->owner, "cells");
    int64_t *particles = comm_allocate(comm, count, 3 * sizeof *particles, "cells");
    double *work = comm_allocate(comm, count, sizeof *work, "cells");
    bool well = c->owner && cost && particles && work;
    well = visits_weigh(comm, device, &weighed, x, particles) && well;
    if (well) {
        weigh(&weighed, particles, exp2(3 * bits - first - 2 * coarse), particles + count,
              particles + 2 * count, work);
        share(comm, c, coarse, work, count / visits_count(c));
        well = visits_find_others(comm, c);
    }
    free(particles);
    free(work);
    return well;
}
