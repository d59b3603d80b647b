/* Halos among particles of several ranks, or of more than the device may hold: linked
 * piece by piece, then described part by part, each a set of whole halos. */
#include "cli/command.h"
#include "distributed/link.h"
#include "cli/halos/collect/collect.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/halos/spheres/apart.h"
#include "cli/halos/spheres/inside.h"
#include "room.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)LINK_POSITION == (int)SNAPSHOT_COORDINATES &&
                   (int)LINK_VELOCITY == (int)SNAPSHOT_VELOCITIES &&
                   (int)LINK_MASS == (int)SNAPSHOT_MASSES &&
                   (int)LINK_ID == (int)SNAPSHOT_IDS,
               "fields are columns");

/* Whether spheres are of particles that were left out for too few friends, too. */
static bool needs_whole(const struct halos_run *run) {
    return run->so.n > 0 && run->options.min_friends > 0;
}

/* The particles as a table, which owns them from then on. */
static bool give(struct halos_run *run, struct table *table) {
    struct snapshot_particles *particles = &run->particles;
    *table = (struct table){.n = particles->n, .first = particles->first};
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const int components =
            f == SNAPSHOT_COORDINATES || f == SNAPSHOT_VELOCITIES ? 3 : 1;
        if (particles->field[f] == NULL)
            continue;
        table->bytes[f] = (size_t)(components * particles->bytes[f]);
        table->column[f] = particles->field[f];
        particles->field[f] = NULL;
    }
    if (run->comm.size == 1 && run->options.min_friends == 0 && run->place == NULL)
        return true; /* a row is a place in the input */
    table->bytes[LINK_INDEX] = sizeof(int64_t);
    if (run->comm.size > 1 && run->place == NULL && !needs_whole(run))
        return true; /* ranks tell each other which rows they send */
    int64_t *index = table_places(&run->comm, run->place, particles->first, particles->n);
    table->column[LINK_INDEX] = index;
    return index != NULL;
}

/* Particles of whole halos, with the labels of their groups. */
struct part {
    struct table table;
    uint32_t *label;          /* NULL: they stay on the device */
    struct link_device *stay; /* what does; NULL: nothing */
};

static void part_free(struct part *part) {
    table_free(&part->table);
    free(part->label);
    part->label = NULL;
}

/* Describes a part; its halos stay on the device, as columns in the run. */
static int describe(struct halos_run *run, const struct part *part) {
    weft_device *device = run->device;
    const struct table *table = &part->table;
    struct snapshot_particles *particles = &run->particles;
    particles->n = table->n;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        particles->field[f] = table->column[f];
    if (particles->field[SNAPSHOT_IDS] == NULL)
        particles->field[SNAPSHOT_IDS] = table->column[LINK_INDEX];
    run->index = table->column[LINK_INDEX];
    run->friends = table->column[LINK_FRIENDS];
    weft_array labels = {0};
    if (part->stay)
        halos_keep_left(run, part->stay->position, table->n);
    halos_lend_points(run);
    if (part->stay && part->stay->label.type)
        labels = weft_slice(device, part->stay->label, 0, table->n);
    else
        labels = weft_borrow_const(device, WEFT_U32, part->label, table->n);
    int status = halos_group(run, labels);
    if (part->label)
        weft_return(device, labels);
    if (status == CLI_DONE)
        status = halos_describe(run);
    weft_halos_free(device, &run->halos);
    halos_take_back(run, run->position);
    run->position = run->there = (weft_array){0};
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        particles->field[f] = NULL;
    return status;
}

static const uint32_t no_label = UINT32_MAX;

/* The first of each group is labelled with its own place and, on top of that, how many more
 * there are. */
static void count_members(uint32_t *label, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        if (label[i] < i)
            ++label[label[i]];
    }
}

static void forget_counts(uint32_t *label, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        if (label[i] != no_label && label[i] > i)
            label[i] = (uint32_t)i;
    }
}

static int64_t first_of(const uint32_t *label, int64_t i) {
    return label[i] < i ? label[i] : i;
}

/* 0: it is no first of a group. */
static int64_t members_of(const uint32_t *label, int64_t i) {
    return label[i] < i || label[i] == no_label ? 0 : label[i] - i + 1;
}

/* Halos whose first member is in begin .. end. */
struct plan {
    int64_t begin, end, halos, members;
    uint32_t *rows;  /* [members], ascending */
    uint32_t *first; /* [halos]: of those, where the first members are */
};

/* As many halos from `begin` on as have `room` members, or one. */
static struct plan plan_part(const struct part *all, int64_t begin, int64_t room,
                             int64_t least) {
    struct plan plan = {.begin = begin, .end = begin};
    for (; plan.end < all->table.n; ++plan.end) {
        const int64_t members = members_of(all->label, plan.end);
        if (members < least)
            continue;
        if (plan.halos > 0 && plan.members + members > room)
            break;
        ++plan.halos;
        plan.members += members;
    }
    return plan;
}

static bool list_rows(struct comm *comm, const struct part *all, int64_t least,
                      struct plan *plan) {
    const uint32_t *label = all->label;
    int64_t members = 0, halos = 0;
    plan->rows = comm_allocate(comm, plan->members, sizeof *plan->rows, "parts");
    plan->first = comm_allocate(comm, plan->halos, sizeof *plan->first, "parts");
    if (plan->rows == NULL || plan->first == NULL)
        return false;
    for (int64_t i = plan->begin; members < plan->members; ++i) {
        const int64_t first = first_of(label, i);
        if (first < plan->begin || first >= plan->end || members_of(label, first) < least)
            continue;
        if (first == i)
            plan->first[halos++] = (uint32_t)members;
        plan->rows[members++] = (uint32_t)i;
    }
    return true;
}

/* The place in the part of a halo's first member. */
static uint32_t place_of(const struct plan *plan, uint32_t row) {
    int64_t low = 0, high = plan->halos - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (plan->rows[plan->first[middle]] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return plan->first[low];
}

static bool take_part(struct comm *comm, const struct part *all, const struct plan *plan,
                      struct part *part) {
    const uint32_t *rows = plan->rows;
    const int64_t n = plan->members;
    *part = (struct part){.table.n = n};
    for (int c = 0; c < TABLE_COLUMNS; ++c) {
        const size_t bytes = all->table.bytes[c];
        if (bytes == 0)
            continue;
        part->table.bytes[c] = bytes;
        part->table.column[c] = comm_allocate(comm, n, bytes, "a part of the halos");
        if (part->table.column[c] == NULL)
            return false;
        table_gather(comm->threads, all->table.column[c], bytes, rows, n,
                     part->table.column[c]);
    }
    if (part->table.bytes[LINK_INDEX] == 0) {
        int64_t *index = comm_allocate(comm, n, sizeof *index, "a part of the halos");
        for (int64_t k = 0; index && k < n; ++k)
            index[k] = rows[k];
        part->table.bytes[LINK_INDEX] = sizeof *index;
        part->table.column[LINK_INDEX] = index;
    }
    part->label = comm_allocate(comm, n, sizeof *part->label, "a part of the halos");
    for (int64_t k = 0; part->label && k < n; ++k)
        part->label[k] = place_of(plan, (uint32_t)first_of(all->label, rows[k]));
    return comm->trouble == 0;
}

/* Describes a part and adds it to what there is. */
static int add(struct halos_run *run, const struct part *part,
               struct halos_collection *collection) {
    int status = describe(run, part);
    if (status == CLI_DONE && !collect_part(collection, run, part->label))
        status = progress_fail(CLI_FAULT, "out of memory: the columns of the catalogue");
    return status;
}

/* A halo that does not fit by itself. */
static int add_spilled(struct halos_run *run, const struct part *part, int64_t needed,
                       struct halos_collection *collection) {
    const int status = spill_begin(run, part->table.n, needed) ? add(run, part, collection)
                                                               : parallel_stop(&run->comm);
    spill_end(run);
    return status;
}

static int add_part(struct halos_run *run, const struct part *all, struct plan *plan,
                    int64_t row_bytes, struct halos_collection *collection) {
    struct part part = {0};
    const int64_t needed = room_needed(run, plan->members, row_bytes);
    const bool taken = list_rows(&run->comm, all, run->options.min_members, plan) &&
                       take_part(&run->comm, all, plan, &part);
    free(plan->rows);
    free(plan->first);
    int status = CLI_DONE;
    if (!taken)
        status = parallel_stop(&run->comm);
    else if (plan->halos == 1 && needed > run->options.memory_limit)
        status = add_spilled(run, &part, needed, collection);
    else
        status = add(run, &part, collection);
    part_free(&part);
    weft_memory_trim(run->device); /* parts differ in size */
    return status;
}

/* A part is what the limit allows for, and a small part of all particles. */
static int add_in_parts(struct halos_run *run, const struct part *all,
                        struct halos_collection *collection) {
    enum { PART = 128, SMALL = 1 << 17 };
    const int64_t limit = run->options.memory_limit, n = all->table.n;
    const int64_t small = n / PART > SMALL ? n / PART : SMALL;
    int64_t row_bytes = 0;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        row_bytes += (int64_t)all->table.bytes[f];
    const int64_t room = room_within(run, limit, row_bytes);
    int64_t begin = 0;
    int status;
    count_members(all->label, n);
    halos_show(run, "halos and their centers");
    progress_part(0, n);
    run->in_parts = true;
    do {
        struct plan plan =
            plan_part(all, begin, small < room ? small : room, run->options.min_members);
        status = add_part(run, all, &plan, row_bytes, collection);
        begin = plan.end;
        progress_part(begin, n);
    } while (status == CLI_DONE && begin < n);
    forget_counts(all->label, n);
    run->in_parts = false;
    return status;
}

/* The particles, and for spheres those that are left out, too. */
static int begin(struct halos_run *run, struct part *all, struct table *whole) {
    bool well = give(run, &all->table);
    const bool again = needs_whole(run);
    if (well && again)
        *whole = all->table;
    for (int c = 0; c < TABLE_COLUMNS && well && again; ++c) {
        const size_t bytes = all->table.bytes[c];
        whole->column[c] = NULL;
        if (bytes == 0)
            continue;
        whole->column[c] =
            comm_allocate(&run->comm, whole->n, bytes, "the particles for spheres");
        well = whole->column[c] != NULL;
        if (well)
            memcpy(whole->column[c], all->table.column[c], (size_t)whole->n * bytes);
    }
    return parallel_meet(&run->comm, well ? CLI_DONE : parallel_stop(&run->comm));
}

/* What particles have is not needed any more, but for their places. */
static int label_all(struct halos_run *run, struct part *all,
                     struct halos_collection *collection) {
    for (int c = 0; c < TABLE_COLUMNS; ++c) {
        if (c != LINK_INDEX) {
            free(all->table.column[c]);
            all->table.column[c] = NULL;
        }
    }
    return collect_labels(collection, run, all->table.n, all->label,
                          all->table.column[LINK_INDEX])
               ? CLI_DONE
               : parallel_stop(&run->comm);
}

int halos_in_parts(struct halos_run *run) {
    struct halos_collection collection = {0};
    struct link_device device = {0};
    struct part all = {.stay = &device};
    struct table whole = {0};
    if (run->options.memory_limit)
        parallel_save_memory();
    int status = begin(run, &all, &whole);
    if (status == CLI_DONE)
        status = halos_link(run, &all.table, &device, &all.label);
    run->own = device.own;
    if (status == CLI_DONE)
        status = run->options.memory_limit ? add_in_parts(run, &all, &collection)
                                           : add(run, &all, &collection);
    link_forget_labels(&device); /* spheres need the room */
    status = parallel_meet(&run->comm, status);
    all.table.n = status == CLI_DONE ? device.own : all.table.n;
    if (status == CLI_DONE)
        status = needs_whole(run) ? apart_find(run, &whole, NULL, &collection)
                                  : apart_find(run, &all.table, &device, &collection);
    halos_forget_roomy(run);
    link_forget(&device);
    spill_close(run);
    table_free(&whole);
    if (status == CLI_DONE && halos_needs_labels(run) && run->comm.size == 1)
        status = label_all(run, &all, &collection);
    part_free(&all);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE)
        halos_part_with_device(run);
    if (status == CLI_DONE && !collect_ranks(&collection, run))
        status = parallel_stop(&run->comm);
    if (status == CLI_DONE)
        status = inside_settle_hosts(run);
    collect_free(&collection);
    timings_end(&run->timings, TIMINGS_GROUP, 0);
    return status;
}
