#include "link.h"
#include "around.h"
#include "gather.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

/* Counts friends, and leaves out particles that have too few. */
static bool leave_out(struct comm *comm, weft_device *device, struct table *particles,
                      const weft_fof_options *options, int64_t limit, struct space *space) {
    struct around around;
    uint32_t *friends = NULL, *row = NULL;
    if (around_look(comm, device, particles, space, true, &around)) {
        friends = comm_allocate(comm, around.positions.n, sizeof *friends, "friends");
        row = comm_allocate(comm, particles->n, sizeof *row, "friends");
    }
    if (friends && row &&
        pieces_friends(comm, device, &around.positions, options, limit, friends)) {
        int64_t kept = 0;
        for (int64_t i = 0; i < particles->n; ++i) {
            if (friends[i] >= options->min_friends)
                row[kept++] = (uint32_t)i;
        }
        particles->bytes[LINK_FRIENDS] = sizeof *friends;
        particles->column[LINK_FRIENDS] = friends;
        friends = NULL;
        table_take(comm, particles, row, kept);
        space_update(space, particles);
    }
    free(friends);
    free(row);
    around_free(&around);
    comm_end(comm, COMM_LINK);
    return comm_agree(comm);
}

static bool link_ranks(struct comm *comm, struct link_device *to, struct table *particles,
                       const weft_fof_options *options, int64_t limit, struct space *space,
                       uint32_t **label) {
    weft_device *device = to->device;
    const bool stay = to->stay && limit == 0 && weft_device_style(device) == WEFT_SIMT;
    struct groups groups;
    bool well =
        around_find_groups(comm, device, particles, options, limit, space, stay, &groups);
    struct positions *positions = &space->positions;
    const int64_t n = particles->n;
    well = well && gather_groups(comm, device, particles, &groups);
    positions->at = particles->column[LINK_POSITION];
    if (well && stay)
        positions_lengthen(device, positions, particles->n - n);
    well = well && table_well(comm, device);
    comm_end(comm, COMM_GATHER);
    to->position = positions->lent;
    to->label = groups.labels.there;
    *label = groups.labels.host;
    positions->lent = (weft_array){0};
    names_free(&groups.names);
    return well;
}

static bool link_alone(struct comm *comm, weft_device *device,
                       const weft_fof_options *options, int64_t limit, struct space *space,
                       uint32_t **label) {
    *label = comm_allocate(comm, space->positions.n, sizeof **label, "groups");
    return *label && pieces_fof(comm, device, &space->positions, options, limit, *label);
}

static void forget(struct link_device *device, weft_array *array) {
    if (array->type)
        weft_array_free(device->device, *array);
    *array = (weft_array){0};
}

void link_forget_labels(struct link_device *device) {
    forget(device, &device->label);
}

void link_forget(struct link_device *device) {
    forget(device, &device->position);
    forget(device, &device->label);
}

/* Counted as other work than that of ranks. */
static weft_device *take(struct comm *comm, struct link_device *device) {
    if (device->device == NULL) {
        device->wait(device->user);
        device->device = device->take(device->user);
        comm_end(comm, COMM_REST);
    }
    return device->device;
}

bool link_groups(struct comm *comm, struct link_device *opened, struct table *particles,
                 const weft_fof_options *options, int64_t limit, uint32_t **label) {
    weft_fof_options rule = *options;
    struct space space;
    bool well = space_settle(comm, options->min_friends > 0 ? NULL : opened, particles,
                             options, limit, &space);
    weft_device *device = well ? take(comm, opened) : NULL;
    *label = NULL;
    well = comm_agree(comm) && well;
    if (well && options->min_friends > 0)
        well = leave_out(comm, device, particles, options, limit, &space);
    rule.min_friends = 0;
    opened->own = particles->n;
    if (well)
        well = comm->size > 1
                   ? link_ranks(comm, opened, particles, &rule, limit, &space, label)
                   : link_alone(comm, device, &rule, limit, &space, label);
    if (opened->device)
        positions_take_back(opened->device, &space.positions);
    space_free(&space);
    well = comm_agree(comm) && well;
    if (!well) {
        free(*label);
        *label = NULL;
        link_forget(opened);
    }
    return well;
}
