/* The mesh of several ranks: each has a slab or a pencil of it. Particles stay with the
 * ranks that read them; copies go to those whose planes they are spread over, some at a
 * time. */
#include "cli/command.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "distributed/table/table.h"
#include "power.h"

#include <stdlib.h>

/* Particles of all ranks that travel at a time; of one, at least. */
enum { AT_A_TIME = 1 << 20, LEAST = 1 << 12 };

static weft_status give_up(const struct power_share *share, weft_device *device) {
    const struct comm *comm = share->run->comm;
    if (weft_check(device) == WEFT_OK)
        weft_fail(device, WEFT_E_MEMORY, "%s",
                  comm->trouble ? comm->error.text : "another rank failed");
    return weft_check(device);
}

static weft_status in_turn(void *user, weft_device *device, weft_power_add *add,
                           void *context, void *sum, int64_t bytes) {
    const struct power_share *share = user;
    struct comm *comm = share->run->comm;
    for (int rank = 0; rank < comm->size; ++rank) {
        if (rank == comm->rank) {
            add(context, sum);
            slabs_check(comm, device);
        }
        if (!comm_broadcast(comm, rank, sum, bytes))
            return give_up(share, device);
    }
    return weft_check(device);
}

static weft_status transform(void *user, weft_device *device, weft_array real,
                             weft_array spectrum) {
    const struct power_share *share = user;
    return slabs_transform(&share->slabs, device, WEFT_FOURIER_FORWARD, real, spectrum)
               ? weft_check(device)
               : give_up(share, device);
}

static weft_status to_planes(void *user, weft_device *device, weft_array rows,
                             weft_array planes) {
    const struct power_share *share = user;
    return slabs_to_planes(&share->slabs, device, rows, planes) ? weft_check(device)
                                                                : give_up(share, device);
}

/* Some of this rank's particles, and whose the planes of a mesh are. */
struct some {
    const weft_mesh_options *options;
    const int *owner;
    const char *position, *mass; /* mass: NULL where the snapshot has none */
    int bytes, mass_bytes;       /* of a number */
    int64_t n;
};

static double x_of(const struct some *some, int64_t row) {
    const char *x = some->position + (size_t)(3 * row) * (size_t)some->bytes;
    return some->bytes == 4 ? (double)*(const float *)(const void *)x
                            : *(const double *)(const void *)x;
}

/* A parts_rule. */
static int to_owners(const void *context, int64_t row, int *ranks) {
    const struct some *some = context;
    const int64_t n = some->options->n[0];
    int64_t plane = weft_mesh_plane(some->options, x_of(some, row));
    int count = 0;
    for (int k = 0; k < (int)some->options->window; ++k) {
        const int owner = some->owner[plane];
        bool there = false;
        for (int j = 0; j < count; ++j)
            there = there || ranks[j] == owner;
        if (!there)
            ranks[count++] = owner;
        plane = plane + 1 < n ? plane + 1 : 0;
    }
    return count;
}

static void deposit_here(weft_device *device, const struct some *came, weft_array mesh) {
    const weft_array position = weft_borrow_const(
        device, came->bytes == 4 ? WEFT_F32 : WEFT_F64, came->position, 3 * came->n);
    const weft_array mass =
        came->mass ? weft_borrow_const(device, came->mass_bytes == 4 ? WEFT_F32 : WEFT_F64,
                                       came->mass, came->n)
                   : (weft_array){0};
    const weft_points points = weft_points_interleaved(device, position);
    weft_mesh_deposit(device, &points, mass, came->options, mesh);
    weft_return(device, position);
    if (came->mass)
        weft_return(device, mass);
}

/* What others have of this rank's planes comes, and is deposited. */
static bool exchange(struct comm *comm, weft_device *device, const struct some *some,
                     weft_array mesh) {
    struct mailing mailing;
    struct some came = *some;
    char *position = NULL, *mass = NULL;
    bool well = mailing_plan(comm, some->n, to_owners, some, &mailing);
    if (well) {
        came.n = mailing.route.n_from;
        position = mailing_send(comm, &mailing, 3 * (size_t)some->bytes, some->position);
        if (some->mass_bytes)
            mass = mailing_send(comm, &mailing, (size_t)some->mass_bytes, some->mass);
        well = position && (mass || !some->mass_bytes);
    }
    came.position = position;
    came.mass = mass;
    if (well && came.n > 0)
        deposit_here(device, &came, mesh);
    free(position);
    free(mass);
    mailing_free(&mailing);
    return slabs_check(comm, device) && well;
}

static weft_status deposit(void *user, weft_device *device,
                           const weft_mesh_options *options, weft_array mesh) {
    const struct power_share *share = user;
    const struct power_run *run = share->run;
    const struct snapshot_particles *p = &run->particles;
    struct comm *comm = run->comm;
    const int64_t part = AT_A_TIME / comm->size, block = part > LEAST ? part : LEAST;
    int64_t rounds = (p->n + block - 1) / block;
    bool well = comm_reduce_i64(comm, &rounds, 1, COMM_MAX);
    for (int64_t k = 0; k < rounds && well; ++k) {
        const int64_t first = k * block < p->n ? k * block : p->n, left = p->n - first;
        struct some some = {.options = options,
                            .owner = share->owner,
                            .position = p->field[SNAPSHOT_COORDINATES],
                            .mass = p->field[SNAPSHOT_MASSES],
                            .bytes = run->info.bytes[SNAPSHOT_COORDINATES],
                            .mass_bytes = run->info.bytes[SNAPSHOT_MASSES],
                            .n = left < block ? left : block};
        if (some.n > 0) {
            some.position += (size_t)(3 * first) * (size_t)some.bytes;
            some.mass += (size_t)first * (size_t)some.mass_bytes;
        }
        well = exchange(comm, device, &some, mesh);
    }
    return well ? weft_check(device) : give_up(share, device);
}

bool power_share_out(struct power_run *run, struct power_share *share) {
    struct comm *comm = run->comm;
    *share =
        (struct power_share){.run = run, .slabs = slabs_of(comm, run->asked.n, WEFT_F64)};
    const struct slab planes = slabs_planes(&share->slabs, comm->rank);
    const struct slab rows = slabs_rows(&share->slabs, comm->rank);
    const struct slab columns = slabs_columns(&share->slabs, comm->rank);
    share->slab = (weft_power_slab){.first_plane = planes.first,
                                    .planes = planes.count,
                                    .first_row = rows.first,
                                    .rows = rows.count,
                                    .first_column = columns.first,
                                    .columns = columns.count,
                                    .in_turn = in_turn,
                                    .deposit = deposit,
                                    .transform = transform,
                                    .to_planes = to_planes,
                                    .user = share};
    share->owner = comm_allocate(comm, run->asked.n[0], sizeof *share->owner, "planes");
    for (int rank = 0; rank < comm->size && share->owner; ++rank) {
        const struct slab theirs = slabs_planes(&share->slabs, rank);
        for (int64_t k = 0; k < theirs.count; ++k)
            share->owner[theirs.first + k] = rank;
    }
    run->asked.slab = &share->slab;
    return comm_agree(comm);
}
