/* Halos among particles of several ranks, or of more than the device may hold: linked
 * piece by piece, then described part by part, each a set of whole halos. */
#include "command.h"
#include "distributed/link.h"
#include "halos_collect.h"
#include "parallel.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)LINK_POSITION == (int)SNAPSHOT_COORDINATES &&
                   (int)LINK_VELOCITY == (int)SNAPSHOT_VELOCITIES &&
                   (int)LINK_MASS == (int)SNAPSHOT_MASSES &&
                   (int)LINK_ID == (int)SNAPSHOT_IDS,
               "fields are columns");

/* The particles as a table, which owns them from then on. */
static bool give(struct halos_run *run, struct table *table) {
    struct snapshot_particles *particles = &run->particles;
    *table = (struct table){.n = particles->n};
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const int components =
            f == SNAPSHOT_COORDINATES || f == SNAPSHOT_VELOCITIES ? 3 : 1;
        if (particles->field[f] == NULL)
            continue;
        table->bytes[f] = (size_t)(components * particles->bytes[f]);
        table->column[f] = particles->field[f];
        particles->field[f] = NULL;
    }
    if (run->comm.size == 1 && run->options.min_friends == 0)
        return true; /* a row is a place in the input */
    int64_t *index =
        comm_allocate(&run->comm, particles->n, sizeof *index, "the particles' places");
    for (int64_t i = 0; index && i < particles->n; ++i)
        index[i] = particles->first + i;
    table->bytes[LINK_INDEX] = sizeof *index;
    table->column[LINK_INDEX] = index;
    return index != NULL;
}

/* Particles of whole halos, with the labels of their groups. */
struct part {
    struct table table;
    uint32_t *label;
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
    halos_lend_points(run);
    const weft_array labels = weft_borrow_const(device, WEFT_U32, part->label, table->n);
    const int status = halos_describe(run, labels);
    weft_return(device, labels);
    weft_halos_free(device, &run->halos);
    halos_take_back(run, run->position);
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        particles->field[f] = NULL;
    return status;
}

/* Which part each row is in: that of its group's first row. */
struct plan {
    const uint32_t *label, *part;
};
static const uint32_t no_part = UINT32_MAX;

static int part_of(const void *context, int64_t row, int *parts) {
    const struct plan *plan = context;
    const uint32_t part = plan->part[plan->label[row]];
    parts[0] = (int)part;
    return part != no_part;
}

/* Puts halos into parts of at most `room` members; others than halos into none. At the
 * place of each group's first row, part [n] holds the part. Returns how many there are. */
static int64_t plan_parts(struct halos_run *run, const struct part *all, int64_t room,
                          uint32_t *part) {
    const int64_t n = all->table.n;
    int64_t parts = 0, filled = room;
    memset(part, 0, (size_t)n * sizeof *part);
    for (int64_t i = 0; i < n; ++i)
        ++part[all->label[i]];
    for (int64_t i = 0; i < n; ++i) {
        const int64_t members = part[i];
        if (members < run->options.min_members) {
            part[i] = no_part;
            continue;
        }
        if (members > room) {
            io_fail(&run->comm.error,
                    "a halo of %" PRId64 " particles does not fit the memory limit, which "
                    "has room for %" PRId64,
                    members, room);
            comm_fail(&run->comm, CLI_FAULT);
        }
        parts += filled + members > room;
        filled = filled + members > room ? members : filled + members;
        part[i] = (uint32_t)(parts - 1);
    }
    return parts;
}

/* The place of a row among rows that ascend. */
static uint32_t place_of(const uint32_t *rows, int64_t n, uint32_t row) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static bool take_part(struct comm *comm, const struct part *all, const uint32_t *rows,
                      int64_t n, struct part *part) {
    *part = (struct part){.table.n = n};
    for (int c = 0; c < TABLE_COLUMNS; ++c) {
        const size_t bytes = all->table.bytes[c];
        if (bytes == 0)
            continue;
        part->table.bytes[c] = bytes;
        part->table.column[c] = comm_allocate(comm, n, bytes, "a part of the halos");
        if (part->table.column[c] == NULL)
            return false;
        table_gather(all->table.column[c], bytes, rows, n, part->table.column[c]);
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
        part->label[k] = place_of(rows, n, all->label[rows[k]]);
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

/* Bytes of the device that a member of a halo takes, beside its own numbers, from grouping
 * to centers; and those that centers take however few there are. */
enum { MEMBER = 200, BASE = 48 << 20 };

static int add_in_parts(struct halos_run *run, const struct part *all,
                        struct halos_collection *collection) {
    struct comm *comm = &run->comm;
    const int64_t limit = run->options.memory_limit;
    int64_t row_bytes = 0, *count = NULL;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        row_bytes += (int64_t)all->table.bytes[f];
    const int64_t room = limit > BASE ? (limit - BASE) / (MEMBER + row_bytes) : 0;
    uint32_t *first = comm_allocate(comm, all->table.n, sizeof *first, "parts"),
             *rows = NULL;
    struct plan plan = {all->label, first};
    const int64_t parts = first ? plan_parts(run, all, room, first) : 0;
    int status = comm->trouble ? parallel_stop(&run->comm) : CLI_DONE;
    if (status == CLI_DONE) {
        parts_list(comm, all->table.n, parts > 0 ? (int)parts : 1, part_of, &plan, &rows,
                   &count);
        status = rows ? CLI_DONE : parallel_stop(&run->comm);
    }
    free(first);
    const uint32_t *next = rows;
    for (int64_t p = 0; status == CLI_DONE && p < (parts > 0 ? parts : 1); ++p) {
        struct part part;
        status = take_part(comm, all, next, count[p], &part) ? add(run, &part, collection)
                                                             : parallel_stop(&run->comm);
        part_free(&part);
        weft_memory_trim(run->device); /* parts differ in size */
        next += count[p];
    }
    free(rows);
    free(count);
    return status;
}

static int link_all(struct halos_run *run, struct part *all) {
    run->rule = halos_rule(run);
    progress_show("linking friends (%s: %s)", weft_backend_name(run->device),
                  weft_device_name(run->device));
    *all = (struct part){0};
    const int status = parallel_meet(
        &run->comm, give(run, &all->table) ? CLI_DONE : parallel_stop(&run->comm));
    if (status != CLI_DONE)
        return status;
    const bool linked = link_groups(&run->comm, run->device, &all->table, &run->rule,
                                    run->options.memory_limit, &all->label);
    timings_end(&run->timings, TIMINGS_FOF,
                all->table.n * ((int64_t)all->table.bytes[LINK_POSITION] + 4));
    return linked ? CLI_DONE : parallel_stop(&run->comm);
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
    struct part all;
    if (run->options.memory_limit)
        parallel_save_memory();
    int status = link_all(run, &all);
    if (status == CLI_DONE)
        status = run->options.memory_limit ? add_in_parts(run, &all, &collection)
                                           : add(run, &all, &collection);
    if (status == CLI_DONE && run->options.labels && run->comm.size == 1)
        status = label_all(run, &all, &collection);
    part_free(&all);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE && !collect_ranks(&collection, run))
        status = parallel_stop(&run->comm);
    collect_free(&collection);
    timings_end(&run->timings, TIMINGS_GROUP, 0);
    return status;
}
