#include "together.h"
#include "cli/command.h"
#include "distributed/table/table.h"
#include "cli/parallel.h"

#include <stdlib.h>
#include <weft/transform.h>

/* Members, and shares of what a rank has on average, from which on a halo is large. */
enum { LARGE = 1 << 16, SHARES = 4 };

int together_choose(struct halos_run *run) {
    struct comm *comm = &run->comm;
    int64_t all = run->n_members;
    if (comm->size == 1 || run->options.memory_limit > 0 || run->options.centers == 0)
        return CLI_DONE;
    run->together_of =
        comm_allocate(comm, comm->size, sizeof *run->together_of, "large halos");
    if (!comm_reduce_i64(comm, &all, 1, COMM_SUM))
        return parallel_stop(comm);
    const int64_t least = all / comm->size / SHARES;
    while (run->together < run->n_halos &&
           run->offset[run->together + 1] - run->offset[run->together] >
               (least > LARGE ? least : LARGE))
        ++run->together;
    return comm_share(comm, &run->together, sizeof run->together, run->together_of)
               ? CLI_DONE
               : parallel_stop(comm);
}

weft_halos together_rest(struct halos_run *run) {
    const weft_halos *all = &run->halos;
    const int64_t skip = run->together, count = all->count - skip;
    if (skip == 0)
        return *all;
    const int64_t first = run->offset[skip], members = all->members - first;
    int64_t *offset = halos_allocate(run, count + 1, sizeof *offset);
    const weft_halos rest = {.count = count,
                             .members = members,
                             .tag = weft_slice(run->device, all->tag, skip, count),
                             .offset = weft_scratch(run->device, WEFT_I64, count + 1),
                             .member =
                                 weft_slice(run->device, all->member, first, members)};
    for (int64_t h = 0; offset && h <= count; ++h)
        offset[h] = run->offset[skip + h] - first;
    if (offset)
        weft_write(run->device, rest.offset, offset);
    free(offset);
    return rest;
}

/* The fields of members that centers depend on, side by side in the host's memory. */
enum { FIELDS = 2 };
static const enum snapshot_field fields[FIELDS] = {SNAPSHOT_COORDINATES, SNAPSHOT_MASSES};
static const int components[FIELDS] = {3, 1};

struct halo_rows {
    int64_t n, bytes[FIELDS]; /* 0: there are none */
    uint32_t *row;            /* [n], on the rank that has the halo */
    void *field[FIELDS];
};

static void free_rows(struct halo_rows *rows) {
    free(rows->row);
    for (int f = 0; f < FIELDS; ++f)
        free(rows->field[f]);
}

/* What `owner` has of its halo h, on all ranks. */
static bool send_rows(struct halos_run *run, int owner, int64_t h, struct halo_rows *rows) {
    struct comm *comm = &run->comm;
    const bool mine = comm->rank == owner;
    *rows = (struct halo_rows){0};
    if (mine) {
        rows->n = run->offset[h + 1] - run->offset[h];
        rows->row = comm_allocate(comm, rows->n, sizeof *rows->row, "a large halo");
        for (int f = 0; f < FIELDS; ++f)
            rows->bytes[f] =
                run->particles.field[fields[f]] ? run->particles.bytes[fields[f]] : 0;
    }
    if (rows->row)
        weft_read(run->device,
                  weft_slice(run->device, run->halos.member, run->offset[h], rows->n),
                  rows->row);
    if (!comm_broadcast(comm, owner, &rows->n, sizeof rows->n) ||
        !comm_broadcast(comm, owner, rows->bytes, sizeof rows->bytes))
        return false;
    for (int f = 0; f < FIELDS; ++f) {
        const size_t each = (size_t)(components[f] * rows->bytes[f]);
        if (each == 0)
            continue;
        rows->field[f] = comm_allocate(comm, rows->n, each, "a large halo");
        if (mine && rows->field[f])
            table_gather(comm->threads, run->particles.field[fields[f]], each, rows->row,
                         rows->n, rows->field[f]);
        if (!comm_broadcast(comm, owner, rows->field[f], rows->n * (int64_t)each))
            return false;
    }
    return true;
}

static weft_type type_of(int64_t bytes) {
    return bytes == 4 ? (weft_type)WEFT_F32 : (weft_type)WEFT_F64;
}

static struct together_best look_at(struct halos_run *run, const struct halo_rows *rows,
                                    together_look *look) {
    weft_device *device = run->device;
    const int64_t ends[] = {0, rows->n};
    const uint32_t zero = 0, one = 1;
    weft_array lent[FIELDS] = {{0}};
    for (int f = 0; f < FIELDS; ++f) {
        if (rows->bytes[f] > 0)
            lent[f] = weft_borrow_const(device, type_of(rows->bytes[f]), rows->field[f],
                                        components[f] * rows->n);
    }
    weft_scope_open(device);
    const struct together_halo halo = {
        .points = weft_points_interleaved(device, lent[0]),
        .mass = lent[1],
        .halo = {.count = 1,
                 .members = rows->n,
                 .offset = weft_scratch(device, WEFT_I64, 2),
                 .member = weft_scratch(device, WEFT_U32, rows->n)},
    };
    weft_write(device, halo.halo.offset, ends);
    weft_sequence(device, halo.halo.member, &zero, &one);
    const struct together_best best = look(run, &halo);
    weft_scope_close(device);
    for (int f = 0; f < FIELDS; ++f)
        halos_take_back(run, lent[f]);
    return best;
}

/* The best of all ranks. */
static bool agree(struct halos_run *run, struct together_best *best) {
    struct comm *comm = &run->comm;
    struct together_best *all = comm_allocate(comm, comm->size, sizeof *all, "large halos");
    const bool well = comm_share(comm, best, sizeof *best, all);
    for (int r = 0; well && r < comm->size; ++r) {
        if (all[r].member != UINT32_MAX &&
            (best->member == UINT32_MAX || all[r].merit > best->merit ||
             (!(all[r].merit < best->merit) && all[r].member < best->member)))
            *best = all[r];
    }
    ++run->timings.ranks.together;
    for (int r = 0; well && r < comm->size; ++r)
        run->timings.ranks.finders += all[r].member == best->member;
    free(all);
    return well;
}

struct together_best *together_find(struct halos_run *run, together_look *look) {
    struct comm *comm = &run->comm;
    struct together_best *found = halos_allocate(run, run->together, sizeof *found);
    for (int r = 0; run->together_of && r < comm->size; ++r) {
        for (int64_t h = 0; h < run->together_of[r]; ++h) {
            struct halo_rows rows;
            struct together_best best = {0, UINT32_MAX};
            bool well = send_rows(run, r, h, &rows);
            if (well)
                best = look_at(run, &rows, look);
            well = well && agree(run, &best);
            if (!well)
                weft_fail(run->device, WEFT_E_DEVICE, "%s", comm->error.text);
            else if (found && comm->rank == r && best.member < rows.n)
                found[h] = (struct together_best){best.merit, rows.row[best.member]};
            free_rows(&rows);
        }
    }
    if (found && weft_check(run->device) != WEFT_OK) {
        free(found);
        found = NULL;
    }
    return found;
}
