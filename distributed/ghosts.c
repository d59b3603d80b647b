#include "ghosts.h"
#include "io/crew/crew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ghosts_reach(double linking_length, const double period[3], const double farthest[3],
                  double reach[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        reach[axis] = linking_length * (1 + 0x1p-40);
        if (period[axis] > 0)
            reach[axis] += 0x1p-48 * (period[axis] + farthest[axis]);
    }
}

struct extent {
    const struct positions *positions;
    double (*farthest)[3]; /* [threads] */
};

/* Rows begin .. end of f32: sizes are in the order of their bits, but for the sign. Lanes
 * are vectors. */
static void find_farthest_f32(const float *at, int64_t begin, int64_t end, double far[3]) {
    enum { LANES = 48, SIGN = 31 };
    uint32_t most[LANES] = {0}, bits[LANES];
    int64_t k = 3 * begin;
    for (; k + LANES <= 3 * end; k += LANES) {
        memcpy(bits, at + k, sizeof bits);
        for (int l = 0; l < LANES; ++l) {
            const uint32_t size = bits[l] & ~(UINT32_C(1) << SIGN);
            most[l] = size > most[l] ? size : most[l];
        }
    }
    for (; k < 3 * end; ++k)
        far[k % 3] = fmax(far[k % 3], fabs((double)at[k]));
    for (int l = 0; l < LANES; ++l) {
        float size;
        memcpy(&size, &most[l], sizeof size);
        far[l % 3] = fmax(far[l % 3], (double)size);
    }
}

void ghosts_farthest_of(const struct positions *positions, int64_t begin, int64_t end,
                        double farthest[3]) {
    double far[3] = {0, 0, 0};
    const double *at = positions->at;
    if (positions->bytes == 4)
        find_farthest_f32(positions->at, begin, end, far);
    else
        for (int64_t k = begin; k < end; ++k)
            for (int axis = 0; axis < 3; ++axis) {
                const double size = fabs(at[3 * k + axis]);
                far[axis] = size > far[axis] ? size : far[axis];
            }
    memcpy(farthest, far, sizeof far);
}

static void find_farthest(void *context, int64_t begin, int64_t end, int thread) {
    const struct extent *extent = context;
    ghosts_farthest_of(extent->positions, begin, end, extent->farthest[thread]);
}

bool ghosts_farthest(struct comm *comm, const struct positions *positions,
                     double farthest[3]) {
    const int threads = crew_parts(comm->threads, positions->n);
    struct extent extent = {positions, NULL};
    extent.farthest =
        comm_allocate(comm, threads, sizeof *extent.farthest, "the largest coordinates");
    farthest[0] = farthest[1] = farthest[2] = 0;
    if (extent.farthest == NULL)
        return false;
    crew_run(comm->threads, positions->n, find_farthest, &extent);
    for (int t = 0; t < threads; ++t) {
        for (int axis = 0; axis < 3; ++axis)
            farthest[axis] = fmax(farthest[axis], extent.farthest[t][axis]);
    }
    free(extent.farthest);
    return true;
}

int ghosts_owner(const void *context, int64_t row, int *parts) {
    const struct ghosts *ghosts = context;
    double place[3];
    domains_place(ghosts->domains->period, ghosts->positions, row, place);
    parts[0] = domains_owner(ghosts->domains, place);
    return 1;
}

int ghosts_others(const void *context, int64_t row, int *parts) {
    const struct ghosts *ghosts = context;
    const struct domains *domains = ghosts->domains;
    double place[3];
    domains_place(domains->period, ghosts->positions, row, place);
    const int own = domains_owner(domains, place);
    if (domains_is_inside(domains, own, place, ghosts->reach))
        return 0;
    const int near = domains_near(domains, place, ghosts->reach, parts);
    int others = 0;
    for (int k = 0; k < near; ++k) {
        if (ghosts->both ? parts[k] != own : parts[k] > own)
            parts[others++] = parts[k];
    }
    return others;
}

/* Rows that may be ghosts, found by the device. */
struct edge {
    const struct ghosts *ghosts;
    const int64_t *index;
    const uint32_t *row;
};

static int others_of_edge(const void *context, int64_t k, int *ranks) {
    const struct edge *edge = context;
    const int64_t row = edge->row[k];
    return edge->index && edge->index[row] < 0 ? 0
                                               : ghosts_others(edge->ghosts, row, ranks);
}

bool ghosts_plan(struct comm *comm, weft_device *device, const struct ghosts *ghosts,
                 const int64_t *index, struct mailing *mailing) {
    uint32_t *row;
    const int64_t n =
        domains_list_edge(device, ghosts->domains, comm->rank, ghosts->positions,
                          ghosts->reach, ghosts->limit, &row);
    const struct edge edge = {ghosts, index, row};
    *mailing = (struct mailing){0};
    if (table_well(comm, device) && row == NULL) {
        io_fail(&comm->error, "no memory for the lists of particles that move");
        comm_fail(comm, 1);
    }
    const bool well =
        comm_agree(comm) && mailing_plan(comm, n, others_of_edge, &edge, mailing);
    for (int64_t k = 0; well && k < mailing->route.n_to; ++k)
        mailing->row[k] = row[mailing->row[k]];
    free(row);
    return well;
}
