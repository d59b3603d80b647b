/* The mesh, of which each rank has a slab or a pencil of the spectrum: particles go to the
 * rank whose planes they are in, what the mesh does to them comes back. */
#include "simulate.h"

#include <stdlib.h>
#include <weft/queue.h>

static weft_status transform(void *user, weft_device *device,
                             weft_fourier_direction direction, weft_array real,
                             weft_array spectrum) {
    struct simulate_run *run = user;
    return slabs_transform(&run->slabs, device, direction, real, spectrum)
               ? weft_check(device)
               : simulate_give_up(run);
}

static weft_status add(void *user, weft_device *device, weft_array mesh) {
    struct simulate_run *run = user;
    return slabs_add(&run->slabs, device, mesh) ? weft_check(device)
                                                : simulate_give_up(run);
}

static weft_status fill(void *user, weft_device *device, weft_array mesh) {
    struct simulate_run *run = user;
    return slabs_fill(&run->slabs, device, mesh) ? weft_check(device)
                                                 : simulate_give_up(run);
}

/* Where they are, rows of transforms travel while others are transformed. */
static void find_shelves(struct simulate_run *run) {
    run->has_shelves = slabs_find_shelves(&run->comm, run->device, &run->shelves);
    if (run->shelves.of && weft_device_style(run->device) == WEFT_SIMT)
        run->beside = weft_open_queue(run->device);
}

weft_gravity_slab simulate_slab(struct simulate_run *run) {
    const int64_t sides[3] = {run->mesh, run->mesh, run->mesh};
    run->slabs = slabs_of(&run->comm, sides, WEFT_F32);
    run->slabs.room = &run->room;
    run->slabs.shelves = &run->shelves;
    if (!run->has_shelves && run->comm.size > 1)
        find_shelves(run);
    run->slabs.beside = run->beside;
    const struct slab planes = slabs_planes(&run->slabs, run->comm.rank);
    const struct slab rows = slabs_rows(&run->slabs, run->comm.rank);
    const struct slab columns = slabs_columns(&run->slabs, run->comm.rank);
    return (weft_gravity_slab){.first_plane = planes.first,
                               .planes = planes.count,
                               .first_row = rows.first,
                               .rows = rows.count,
                               .first_column = columns.first,
                               .columns = columns.count,
                               .particles = run->info.n,
                               .transform = transform,
                               .add = add,
                               .fill = fill,
                               .user = run};
}

/* Whose the planes are. */
static bool find_owners(struct simulate_run *run) {
    run->far = (struct visits_cells){.n = {(int32_t)run->mesh, 1, 1}};
    int *owner = run->far.owner =
        comm_allocate(&run->comm, run->mesh, sizeof *owner, "planes");
    for (int rank = 0; rank < run->comm.size && owner; ++rank) {
        const struct slab planes = slabs_planes(&run->slabs, rank);
        for (int64_t k = 0; k < planes.count; ++k)
            owner[planes.first + k] = rank;
    }
    return owner != NULL;
}

weft_status simulate_far(struct simulate_run *run, int components, const weft_array *out) {
    return run->far.owner || find_owners(run)
               ? simulate_find(run, SIMULATE_FAR, components, out)
               : simulate_give_up(run);
}
