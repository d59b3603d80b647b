/* Particles that ranks have read, on their way to the ranks whose slabs of the lattice they
 * are of. */
#include "cli/command.h"
#include "cli/progress.h"
#include "distributed/table/table.h"
#include "io/files/numbers.h"
#include "sheet.h"

#include <stdlib.h>

/* Who has which planes of the lattice: those in which one digit of ids is the same. */
struct slabs {
    weft_lattice_slab whole;
    int64_t stride[3];
    int64_t step; /* planes are dealt out by so many */
    int ranks;    /* that have some planes, two at least */
    int digit;
    int64_t *owner; /* of each plane, twice; and one more where a slab begins with it */
    const int64_t *ids;
    const weft_lattice_slab *own; /* which of the rank's particles are sent; NULL: all */
};

static int64_t first_of(const struct slabs *slabs, int rank) {
    const int64_t planes = slabs->whole.n[slabs->digit];
    return rank == slabs->ranks
               ? planes
               : io_share(planes / slabs->step, rank, slabs->ranks) * slabs->step;
}

/* Slabs across that digit; who has which plane, since to divide for each particle is slow.
 */
static void set_digit(struct comm *comm, struct slabs *slabs, int digit) {
    const int64_t planes = slabs->whole.n[digit];
    const int64_t most = planes / (slabs->step > 1 ? slabs->step : 2);
    slabs->digit = digit;
    slabs->ranks = most < 1 ? 1 : most < comm->size ? (int)most : comm->size;
    free(slabs->owner);
    slabs->owner =
        comm_allocate(comm, planes, sizeof *slabs->owner, "planes of the lattice");
    for (int rank = 0; slabs->owner && rank < slabs->ranks; ++rank)
        for (int64_t p = first_of(slabs, rank); p < first_of(slabs, rank + 1); ++p)
            slabs->owner[p] = 2 * rank + (p == first_of(slabs, rank));
}

static weft_lattice_slab slab_of(const struct slabs *slabs, int rank) {
    weft_lattice_slab slab = slabs->whole;
    slab.digit = slabs->digit;
    slab.first = first_of(slabs, rank);
    slab.count = first_of(slabs, rank + 1) - slab.first;
    return slab;
}

static int64_t digit_of(const struct slabs *slabs, int64_t id, int digit) {
    return (id - slabs->whole.least) / slabs->stride[digit] % slabs->whole.n[digit];
}

/* The plane's owner, and that of the slab which it is next to, around the period. */
static int to_slabs(const void *context, int64_t row, int *ranks) {
    const struct slabs *slabs = context;
    const int64_t plane = digit_of(slabs, slabs->ids[row], slabs->digit);
    if (slabs->own) {
        const int64_t there =
            digit_of(slabs, slabs->ids[row], slabs->own->digit) - slabs->own->first;
        if (there < 0 || there >= slabs->own->count)
            return 0;
    }
    if (slabs->owner == NULL) /* the plan fails */
        return 0;
    const int rank = (int)(slabs->owner[plane] / 2);
    ranks[0] = rank;
    ranks[1] = (rank + slabs->ranks - 1) % slabs->ranks;
    return slabs->owner[plane] % 2 == 1 && slabs->ranks > 1 ? 2 : 1;
}

static size_t row_bytes(const struct snapshot_particles *particles, int field) {
    const bool vectors = field == SNAPSHOT_COORDINATES || field == SNAPSHOT_VELOCITIES;
    return (size_t)particles->bytes[field] * (vectors ? 3 : 1);
}

static bool send(struct sheet_run *run, struct slabs *slabs) {
    struct comm *comm = run->comm;
    struct snapshot_particles *particles = &run->particles;
    struct mailing mailing;
    slabs->ids = particles->field[SNAPSHOT_IDS];
    bool well = mailing_plan(comm, particles->n, to_slabs, slabs, &mailing);
    for (int f = 0; well && f < SNAPSHOT_FIELDS; ++f) {
        const size_t bytes = row_bytes(particles, f);
        if (bytes == 0)
            continue;
        void *came = mailing_send(comm, &mailing, bytes, particles->field[f]);
        free(particles->field[f]);
        particles->field[f] = came;
        well = came != NULL;
    }
    if (well)
        particles->n = mailing.route.n_from;
    mailing_free(&mailing);
    if (well && particles->n >= (int64_t)UINT32_MAX) {
        io_fail(&comm->error,
                "a slab of the lattice has %lld particles, 2^32 - 1 or more: take more "
                "ranks",
                (long long)particles->n);
        comm_fail(comm, CLI_FAULT);
    }
    return comm_agree(comm);
}

/* Over all ranks, each of which has some of the particles. */
static int find_whole(struct sheet_run *run, struct slabs *slabs) {
    const int64_t *id = run->particles.field[SNAPSHOT_IDS];
    const int64_t *sides = run->options.lattice;
    int64_t least = INT64_MAX, most = -1;
    if (run->particles.n > 0)
        io_range(run->comm->threads, id, run->particles.n, &least, &most);
    if (!comm_reduce_i64(run->comm, &least, 1, COMM_MIN) ||
        !comm_reduce_i64(run->comm, &most, 1, COMM_MAX))
        return parallel_stop(run->comm);
    weft_device *device = run->device ? run->device : weft_open("serial");
    int status = CLI_DONE;
    if (weft_lattice_whole(device, run->info.n, least, most, sides[0] ? sides : NULL,
                           run->info.box, &slabs->whole) != WEFT_OK)
        status = progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                               progress_error(device));
    if (device != run->device)
        weft_close(device);
    const int64_t *n = slabs->whole.n;
    slabs->stride[0] = n[1] * n[2];
    slabs->stride[1] = n[2];
    slabs->stride[2] = 1;
    return status;
}

/* The digit of each axis; sums over slabs are the whole's. */
static int find_order(struct sheet_run *run, const struct slabs *slabs, int digit[3]) {
    uint64_t steps[9] = {0};
    if (run->comm->rank < slabs->ranks) {
        const weft_lattice_slab slab = slab_of(slabs, run->comm->rank);
        const struct sheet_lent lent = sheet_lend(run);
        weft_lattice_steps(run->device, &lent.points, lent.id, &slab, steps);
        sheet_take_back(run, &lent);
    }
    int status = weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
    status = parallel_meet(run->comm, status);
    if (status != CLI_DONE)
        return status;
    if (!comm_reduce_i64(run->comm, (int64_t *)steps, 9, COMM_SUM))
        return parallel_stop(run->comm);
    weft_lattice_order(run->device, &slabs->whole, steps, digit, &run->whole.separation);
    for (int k = 0; k < 3 && weft_check(run->device) == WEFT_OK; ++k)
        run->whole.n[k] = slabs->whole.n[digit[k]];
    return weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
}

static int place(struct sheet_run *run, const struct slabs *slabs, const int digit[3]) {
    if (run->comm->rank >= slabs->ranks)
        return CLI_DONE;
    const weft_lattice_slab slab = slab_of(slabs, run->comm->rank);
    const struct sheet_lent lent = sheet_lend(run);
    weft_lattice_place(run->device, &lent.points, lent.id, &slab, digit, &run->lattice);
    sheet_take_back(run, &lent);
    run->first = slab.first * run->whole.n[1] * run->whole.n[2];
    run->cubes = slab.count * run->whole.n[1] * run->whole.n[2];
    return weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
}

static int find_slab(struct sheet_run *run, struct slabs *slabs) {
    int digit[3] = {0};
    int status = parallel_meet(run->comm, find_whole(run, slabs));
    if (status != CLI_DONE)
        return status;
    set_digit(run->comm, slabs, 0);
    if (!send(run, slabs))
        return parallel_stop(run->comm);
    status = parallel_meet(run->comm, sheet_take_device(run, CLI_DONE));
    if (status == CLI_DONE)
        status = find_order(run, slabs, digit);
    if (status != CLI_DONE)
        return status;
    if (digit[0] != slabs->digit) { /* slabs are across x */
        weft_lattice_slab had = {.digit = slabs->digit};
        if (run->comm->rank < slabs->ranks)
            had = slab_of(slabs, run->comm->rank);
        slabs->own = &had;
        set_digit(run->comm, slabs, digit[0]);
        const bool sent = send(run, slabs);
        slabs->own = NULL;
        if (!sent)
            return parallel_stop(run->comm);
    }
    return place(run, slabs, digit);
}

int sheet_find_slab(struct sheet_run *run) {
    /* Boxes around blocks, by which patches are refined, are those of the whole. */
    struct slabs slabs = {.step = run->options.levels > 0 ? SHEET_BLOCK : 1};
    const int status = find_slab(run, &slabs);
    free(slabs.owner);
    return status;
}
