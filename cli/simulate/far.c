/* The mesh, of which each rank has a slab: particles go to the rank whose planes they are
 * in, what the mesh does to them comes back. */
#include "rows.h"

#include <stdlib.h>

static weft_status transform(void *user, weft_device *device,
                             weft_fourier_direction direction, weft_array real,
                             weft_array spectrum) {
    const struct slabs *slabs = user;
    return slabs_transform(slabs, device, direction, real, spectrum)
               ? weft_check(device)
               : rows_give_up(slabs->comm, device);
}

static weft_status add(void *user, weft_device *device, weft_array mesh) {
    const struct slabs *slabs = user;
    return slabs_add(slabs, device, mesh) ? weft_check(device)
                                          : rows_give_up(slabs->comm, device);
}

static weft_status fill(void *user, weft_device *device, weft_array mesh) {
    const struct slabs *slabs = user;
    return slabs_fill(slabs, device, mesh) ? weft_check(device)
                                           : rows_give_up(slabs->comm, device);
}

weft_gravity_slab simulate_slab(struct simulate_run *run) {
    const int64_t sides[3] = {run->mesh, run->mesh, run->mesh};
    run->slabs = slabs_of(&run->comm, sides, WEFT_F32);
    const struct slab planes = slabs_planes(&run->slabs, run->comm.rank);
    const struct slab rows = slabs_rows(&run->slabs, run->comm.rank);
    return (weft_gravity_slab){.first_plane = planes.first,
                               .planes = planes.count,
                               .first_row = rows.first,
                               .rows = rows.count,
                               .particles = run->info.n,
                               .transform = transform,
                               .add = add,
                               .fill = fill,
                               .user = &run->slabs};
}

struct planes {
    const uint32_t (*at)[3];
    int64_t mesh;
    const int *owner; /* [mesh] */
};

static int to_owner(const void *context, int64_t row, int *ranks) {
    const struct planes *p = context;
    ranks[0] = p->owner[(uint64_t)p->at[row][0] * (uint64_t)p->mesh >> 32];
    return 1;
}

static int *find_owners(struct simulate_run *run) {
    int *owner = comm_allocate(&run->comm, run->mesh, sizeof *owner, "planes");
    for (int rank = 0; rank < run->comm.size && owner; ++rank) {
        const struct slab planes = slabs_planes(&run->slabs, rank);
        for (int64_t k = 0; k < planes.count; ++k)
            owner[planes.first + k] = rank;
    }
    return owner;
}

/* Positions to the ranks whose they are. */
static uint32_t (*send(struct simulate_run *run, struct mailing *mail))[3] {
    uint32_t(*at)[3] = rows_of_positions(run), (*own)[3] = NULL;
    int *owner = find_owners(run);
    const struct planes planes = {(const uint32_t(*)[3])at, run->mesh, owner};
    if (mailing_plan(&run->comm, at && owner ? run->particles.n : 0, to_owner, &planes,
                     mail))
        own = mailing_send(&run->comm, mail, sizeof *own, at);
    free(owner), free(at);
    return own;
}

weft_status simulate_far(struct simulate_run *run, int components, const weft_array *out) {
    struct mailing mail = {0};
    uint32_t(*own)[3] = send(run, &mail);
    const bool well = own && rows_find(run, ROWS_FAR, components, &mail, own, NULL, 0, out);
    mailing_free(&mail);
    return well ? weft_check(run->device) : rows_give_up(&run->comm, run->device);
}
