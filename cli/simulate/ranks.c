#include "ranks.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

int64_t simulate_share_first(const struct comm *comm, int64_t n, int rank) {
    return (n * rank + comm->size - 1) / comm->size;
}

/* Cubes of space, numbered along Morton's curve: whose rank finds what is near in each, and
 * which others need the particles in it. */
enum { MOST_BITS = 5, AROUND = 26 };
struct cubes {
    int bits;
    const uint32_t (*at)[3];
    int *owner;          /* [8^bits] */
    int *others, *count; /* [8^bits][AROUND], [8^bits] */
};

static int64_t number(const struct cubes *c, const uint32_t at[3]) {
    int64_t cube = 0;
    for (int b = c->bits - 1; b >= 0; --b)
        for (int axis = 0; axis < 3; ++axis)
            cube = cube << 1 | (at[axis] >> b & 1);
    return cube;
}

static int64_t cube_of(const struct cubes *c, const uint32_t at[3]) {
    uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis)
        cell[axis] = (uint32_t)((uint64_t)at[axis] >> (32 - c->bits));
    return number(c, cell);
}

/* The cubes around the one at `cell`: AROUND of them, some more than once in few. */
static void list_around(const struct cubes *c, const uint32_t cell[3],
                        int64_t around[AROUND]) {
    const uint32_t mask = (1u << c->bits) - 1;
    int n = 0;
    for (int k = 0; k < AROUND + 1; ++k) {
        const uint32_t next[3] = {(cell[0] + (uint32_t)(k / 9) - 1) & mask,
                                  (cell[1] + (uint32_t)(k / 3 % 3) - 1) & mask,
                                  (cell[2] + (uint32_t)(k % 3) - 1) & mask};
        if (k != AROUND / 2)
            around[n++] = number(c, next);
    }
}

/* Does `work` for each cube and those around it. */
typedef void cube_work(struct cubes *c, void *context, int64_t cube,
                       const int64_t around[AROUND]);

static void each_cube(struct cubes *c, cube_work *work, void *context) {
    const uint32_t side = 1u << c->bits;
    int64_t around[AROUND];
    for (uint32_t x = 0; x < side; ++x)
        for (uint32_t y = 0; y < side; ++y)
            for (uint32_t z = 0; z < side; ++z) {
                const uint32_t cell[3] = {x, y, z};
                list_around(c, cell, around);
                work(c, context, number(c, cell), around);
            }
}

struct weights {
    const int64_t *particles;
    double *work;
};

/* About as many pairs as are met for its particles. */
static void weigh(struct cubes *c, void *context, int64_t cube,
                  const int64_t around[AROUND]) {
    const struct weights *w = context;
    int64_t near = w->particles[cube];
    (void)c;
    for (int k = 0; k < AROUND; ++k)
        near += w->particles[around[k]];
    w->work[cube] = (double)w->particles[cube] * (double)(near + 64);
}

static void list_others(struct cubes *c, void *context, int64_t cube,
                        const int64_t around[AROUND]) {
    int *list = c->others + cube * AROUND, n = 0;
    (void)context;
    for (int k = 0; k < AROUND; ++k) {
        const int rank = c->owner[around[k]];
        bool there = rank == c->owner[cube];
        for (int i = 0; i < n && !there; ++i)
            there = list[i] == rank;
        if (!there)
            list[n++] = rank;
    }
    c->count[cube] = n;
}

/* Shares of about as much work, each of cubes one after the other. */
static bool share_cubes(struct comm *comm, struct cubes *c, int64_t n) {
    const int64_t count = (int64_t)1 << (3 * c->bits);
    int64_t *particles = comm_allocate(comm, count, sizeof *particles, "cubes");
    double *work = comm_allocate(comm, count, sizeof *work, "cubes");
    c->owner = comm_allocate(comm, count, sizeof *c->owner, "cubes");
    c->others = comm_allocate(comm, count * AROUND, sizeof *c->others, "cubes");
    c->count = comm_allocate(comm, count, sizeof *c->count, "cubes");
    if (particles)
        memset(particles, 0, (size_t)count * sizeof *particles);
    for (int64_t i = 0; particles && i < n; ++i)
        ++particles[cube_of(c, c->at[i])];
    const bool well = comm_reduce_i64(comm, particles, (int)count, COMM_SUM);
    if (well) {
        double before = 0, all = 0;
        each_cube(c, weigh, &(struct weights){particles, work});
        for (int64_t k = 0; k < count; ++k)
            all += work[k];
        for (int64_t k = 0; k < count; ++k) {
            const int rank = all > 0 ? (int)(before / all * comm->size) : 0;
            c->owner[k] = rank < comm->size ? rank : comm->size - 1;
            before += work[k];
        }
        each_cube(c, list_others, NULL);
    }
    free(particles);
    free(work);
    return well;
}

static int to_owner(const void *context, int64_t row, int *ranks) {
    const struct cubes *c = context;
    ranks[0] = c->owner[cube_of(c, c->at[row])];
    return 1;
}

static int to_others(const void *context, int64_t row, int *ranks) {
    const struct cubes *c = context;
    const int64_t cube = cube_of(c, c->at[row]);
    memcpy(ranks, c->others + cube * AROUND, (size_t)c->count[cube] * sizeof *ranks);
    return c->count[cube];
}

/* Sends particles, finds, sends back. */
static bool pass(struct simulate_run *run, int components, struct cubes *c,
                 const weft_array *out) {
    struct comm *comm = &run->comm;
    const int64_t n = run->particles.n;
    struct mailing mail = {0}, copies = {0};
    uint32_t(*own)[3] = NULL, (*others)[3] = NULL;
    bool well = mailing_plan(comm, n, to_owner, c, &mail);
    if (well)
        own = mailing_send(comm, &mail, sizeof *own, c->at);
    well = own != NULL && mailing_plan(comm, n, to_others, c, &copies);
    if (well)
        others = mailing_send(comm, &copies, sizeof *others, c->at);
    well = others != NULL;
    if (well) {
        well = rows_find(run, ROWS_NEAR, components, &mail, own, others,
                         copies.route.n_from, out);
        own = others = NULL;
    }
    mailing_free(&mail);
    mailing_free(&copies);
    free(own), free(others);
    return well;
}

weft_status simulate_near(struct simulate_run *run, int components, const weft_array *out) {
    struct comm *comm = &run->comm;
    const int bits = weft_gravity_cubes(run->gravity);
    uint32_t(*at)[3] = rows_of_positions(run);
    struct cubes c = {.bits = bits < MOST_BITS ? bits : MOST_BITS,
                      .at = (const uint32_t(*)[3])at};
    const bool well =
        share_cubes(comm, &c, at ? run->particles.n : 0) && pass(run, components, &c, out);
    free(at), free(c.owner), free(c.others), free(c.count);
    return well ? weft_check(run->device) : rows_give_up(comm, run->device);
}

void *simulate_gather(struct comm *comm, void *rows, int64_t n, size_t row_bytes) {
    struct route route;
    void *all = NULL;
    if (comm->size == 1)
        return rows;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "what goes where");
    for (int r = 0; to && r < comm->size; ++r)
        to[r] = r == 0 ? n : 0;
    if (route_find(comm, to, &route)) {
        all = comm_allocate(comm, route.n_from, row_bytes, "a snapshot");
        if (!route_send(comm, &route, row_bytes, rows, all) || comm->rank > 0) {
            free(all);
            all = NULL;
        }
    }
    route_free(&route);
    free(rows);
    return all;
}
