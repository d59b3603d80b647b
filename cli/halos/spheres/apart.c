#include "apart.h"
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "distributed/link.h"
#include "inside.h"
#include "io/files/numbers.h"
#include "nearby.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much more than its halo's mass a sphere may hold at first, and how much farther it is
 * looked for where that was not enough. */
static const double larger = 2.5, farther = 1.6;

/* The centers of this rank, and what was found of them, in the order `row` in which it was.
 */
struct apart {
    struct halos_run *run;
    struct halos_so_centers of;
    int64_t left;
    double *reach; /* [of.n]: all within is brought; 0: it is done */
    int64_t *row, n_found;
    struct halos_collection found, profiles;
    double mass[2]; /* the least and the greatest of all particles */
};

/* Columns of all centers of a batch, without the rows of those that are not done. */
static void keep_rows(struct halos_columns *columns, const uint8_t *done, int64_t n) {
    if (memchr(done, 0, (size_t)n) == NULL)
        return;
    for (int c = 0; c < columns->n; ++c) {
        struct catalogue_column *column = &columns->column[c];
        const size_t bytes = (size_t)column->components * 8;
        char *data = (char *)(uintptr_t)column->data;
        int64_t kept = 0;
        for (int64_t k = 0; k < n; ++k) {
            if (done[k])
                memmove(data + (size_t)kept++ * bytes, data + (size_t)k * bytes, bytes);
        }
    }
}

/* What was measured around the centers of a batch. */
struct measured {
    const int64_t *count[WEFT_SO_MOST];
    const double *radius; /* within which more is asked for; NULL: nothing is */
};

static struct measured measured_of(const struct apart *a) {
    const struct halos_run *run = a->run;
    const int within = run->so.within;
    struct measured m = {.radius = NULL};
    for (int t = 0; t < run->so.n; ++t)
        m.count[t] = halos_column(run, run->so.thresholds[t].columns[2]);
    if (!a->of.subhalos && within >= 0)
        m.radius = halos_column(run, run->so.thresholds[within].columns[1]);
    return m;
}

/* Whether all spheres of a row are closed, and what is around them ends before what was
 * brought does; where not, how far to look. */
static bool is_done(const struct apart *a, const struct measured *m, int64_t k,
                    double *reach) {
    bool closed = true;
    for (int t = 0; t < a->run->so.n; ++t)
        closed = closed && m->count[t][k] >= 0;
    const double farthest = m->radius ? inside_reach(a->run) : 0;
    const double edge = closed && farthest > 0 ? m->radius[k] * farthest * (1 + 1e-9) : 0;
    if (closed && edge <= *reach)
        return true;
    *reach = closed ? edge : *reach * farther;
    return false;
}

/* Takes what the run has of the centers that a batch was around. */
static bool keep(struct apart *a, const struct nearby_batch *batch) {
    struct halos_run *run = a->run;
    const int64_t n = batch->n;
    const struct measured m = measured_of(a);
    uint8_t *done = halos_allocate(run, n, sizeof *done);
    int64_t kept = 0;
    for (int64_t k = 0; done && k < n; ++k) {
        const int64_t h = batch->center[k];
        done[k] = is_done(a, &m, k, &a->reach[h]);
        if (done[k]) {
            a->reach[h] = 0;
            a->row[a->n_found + kept++] = h;
        }
    }
    if (!done)
        return false;
    keep_rows(&run->columns, done, n);
    keep_rows(&run->profiles, done, n);
    free(done);
    run->n_halos = kept;
    bool well = collect_part(&a->found, run, NULL);
    run->columns = run->profiles;
    run->profiles = (struct halos_columns){0};
    run->n_halos = kept;
    well = collect_part(&a->profiles, run, NULL) && well;
    a->n_found += kept;
    a->left -= kept;
    return well;
}

/* Around the centers of a batch, with particles that the run has for so long. */
static bool measure_fitting(struct apart *a, const struct nearby_batch *batch) {
    struct halos_run *run = a->run;
    weft_device *device = run->device;
    struct snapshot_particles *particles = &run->particles;
    const int64_t n = batch->n;
    double *at = halos_allocate(run, 3 * n, sizeof *at);
    double *within = halos_allocate(run, n, sizeof *within);
    int64_t *count = halos_allocate(run, n, sizeof *count);
    for (int64_t k = 0; at && within && count && k < n; ++k) {
        const int64_t h = batch->center[k];
        memcpy(at + 3 * k, a->of.at + 3 * h, 3 * sizeof *at);
        within[k] = a->reach[h];
        count[k] = a->of.guess[h];
    }
    particles->n = batch->table.n;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        particles->field[f] = batch->table.column[f];
    if (batch->positions.type == 0)
        halos_forget_roomy(run);
    if (at && within && count) {
        halos_keep_left(run, batch->positions, batch->table.n);
        halos_lend_points(run);
        const weft_array reach = weft_borrow_const(device, WEFT_F64, within, n);
        halos_so_around(
            run, &(struct halos_so_centers){a->of.subhalos, n, at, count},
            &(weft_so_part){.within = reach, .least = a->mass[0], .greatest = a->mass[1]});
        weft_return(device, reach);
        halos_take_back(run, run->position);
        run->position = run->there = (weft_array){0};
    }
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        particles->field[f] = NULL;
    free(at), free(within), free(count);
    bool well = weft_check(device) == WEFT_OK;
    if (well && !keep(a, batch)) {
        io_fail(&run->comm.error, "out of memory: the columns of the catalogue");
        well = false;
    } else if (!well) {
        io_fail(&run->comm.error, "%s: %s", run->options.snapshot, progress_error(device));
    }
    return well || comm_fail(&run->comm, CLI_FAULT);
}

static bool measure(struct apart *a, const struct nearby_batch *batch) {
    struct halos_run *run = a->run;
    if (batch->needed == 0)
        return measure_fitting(a, batch);
    const bool well =
        spill_begin(run, batch->table.n, batch->needed) && measure_fitting(a, batch);
    spill_end(run);
    return well;
}

/* Whether what was found is in the order of all centers, as where it was found at once. */
static bool is_in_order(const struct apart *a) {
    bool is = true;
    for (int64_t k = 0; k < a->n_found; ++k)
        is = is && a->row[k] == k;
    return is;
}

/* The found columns of a collection, of all centers, in the order of these, into `columns`.
 */
static bool put(struct apart *a, struct halos_collection *from,
                struct halos_columns *columns) {
    struct comm *comm = &a->run->comm;
    uint32_t *place = comm_allocate(comm, a->of.n, sizeof *place, "the catalogue");
    const bool as_it_is = is_in_order(a);
    bool well = place != NULL;
    for (int64_t k = 0; well && k < a->n_found; ++k)
        place[a->row[k]] = (uint32_t)k;
    for (int c = 0; well && c < from->columns.n; ++c) {
        struct catalogue_column column = from->columns.column[c];
        const size_t bytes = (size_t)column.components * 8;
        if (as_it_is) {
            from->columns.column[c].data = NULL;
        } else {
            char *sorted = comm_allocate(comm, a->of.n, bytes, "the catalogue");
            if (sorted)
                table_gather(comm->threads, column.data, bytes, place, a->of.n, sorted);
            column.data = sorted;
        }
        well = column.data && halos_columns_add(columns, &column);
    }
    free(place);
    if (!well && comm->trouble == 0) {
        io_fail(&comm->error, "out of memory: the columns of the catalogue");
        comm_fail(comm, CLI_FAULT);
    }
    return well;
}

/* The range of masses. */
static bool weigh(struct apart *a, const struct table *table) {
    const struct halos_run *run = a->run;
    const void *mass = table->column[LINK_MASS];
    double least = INFINITY, greatest = -INFINITY;
    if (mass)
        io_extent(run->comm.threads, mass, run->particles.bytes[SNAPSHOT_MASSES], 1,
                  table->n, &least, &greatest);
    if (!comm_reduce_f64(&a->run->comm, &least, 1, COMM_MIN) ||
        !comm_reduce_f64(&a->run->comm, &greatest, 1, COMM_MAX))
        return false;
    a->mass[0] = least <= greatest ? least : run->particles.mass;
    a->mass[1] = least <= greatest ? greatest : run->particles.mass;
    return true;
}

/* How far to look at first. */
static void guess(struct apart *a, const double *mass) {
    const struct halos_run *run = a->run;
    double density = INFINITY;
    for (int t = 0; t < run->so.n; ++t)
        density = fmin(density, run->so.thresholds[t].density);
    for (int64_t h = 0; h < a->of.n; ++h)
        a->reach[h] = cbrt(larger * mass[h] * 3 / (4 * 3.14159265358979 * density));
}

/* Around all centers that are left, some at a time. Columns of no rows are columns, too. */
static bool measure_all(struct apart *a, struct nearby *nearby) {
    bool well = true;
    for (bool more = true; well && more;) {
        struct nearby_batch batch;
        well = nearby_next(nearby, a->of.at, a->reach, &batch);
        more = batch.n > 0;
        if (well && (more || a->found.columns.n == 0))
            well = measure(a, &batch);
        nearby_forget(&batch);
        if (a->run->options.memory_limit > 0)
            weft_memory_trim(a->run->device); /* batches differ in size */
    }
    return well;
}

/* Brings particles near the centers that are left, and measures around those, until none is
 * left on any rank. */
static bool search(struct apart *a, struct table *table, struct link_device *stay) {
    const bool inside = a->run->so.within >= 0 && !a->of.subhalos;
    struct nearby nearby;
    int64_t left = 1;
    bool well = nearby_settle(a->run, table, stay, inside, &nearby);
    while (well && left > 0) {
        if (nearby_bring(&nearby, a->of.n, a->of.at, a->reach))
            measure_all(a, &nearby);
        left = a->left;
        well = comm_reduce_i64(&a->run->comm, &left, 1, COMM_SUM);
    }
    nearby_free(&nearby);
    return well;
}

/* Spheres around centers in halos of these masses, to these columns and profiles. */
static int find(struct halos_run *run, struct table *table, struct link_device *stay,
                const struct halos_so_centers *of, const double *mass,
                struct halos_columns *columns, struct halos_columns *profiles) {
    struct apart a = {.run = run, .of = *of, .left = of->n};
    halos_show(run, of->subhalos ? "spherical overdensities of subhalos"
                                 : "spherical overdensities");
    a.reach = comm_allocate(&run->comm, a.of.n, sizeof *a.reach, "spheres");
    a.row = comm_allocate(&run->comm, a.of.n, sizeof *a.row, "spheres");
    if (a.reach && mass)
        guess(&a, mass);
    const bool well = weigh(&a, table) && search(&a, table, stay) &&
                      put(&a, &a.found, columns) && put(&a, &a.profiles, profiles);
    collect_free(&a.found);
    collect_free(&a.profiles);
    free(a.reach);
    free(a.row);
    timings_end(&run->timings, TIMINGS_SO, 0);
    return parallel_meet(&run->comm, well ? CLI_DONE : parallel_stop(&run->comm));
}

static int find_of_subhalos(struct halos_run *run, struct table *table,
                            struct link_device *stay, struct halos_collection *collection) {
    struct halos_subhalos *s = &collection->subhalos;
    struct halos_columns none = {0};
    int64_t *guess = halos_so_hosts(run, &collection->columns, s, "count");
    double *mass = halos_so_hosts(run, &collection->columns, s, "mass");
    if (!guess || !mass) {
        io_fail(&run->comm.error, "%s", progress_error(run->device));
        comm_fail(&run->comm, CLI_FAULT);
    }
    const struct halos_so_centers of = {true, s->n,
                                        halos_columns_find(&s->columns, "position"), guess};
    const int status = find(run, table, stay, &of, mass, &s->columns, &none);
    free(guess);
    free(mass);
    return status;
}

int apart_find(struct halos_run *run, struct table *table, struct link_device *stay,
               struct halos_collection *collection) {
    const struct halos_columns *columns = &collection->columns;
    if (run->so.n == 0)
        return CLI_DONE;
    const struct halos_so_centers of = {false, collection->n_halos,
                                        halos_columns_find(columns, "mbp_position"),
                                        halos_columns_find(columns, "count")};
    const int status = find(run, table, stay, &of, halos_columns_find(columns, "mass"),
                            &collection->columns, &collection->profiles);
    return status == CLI_DONE && run->options.subhalos
               ? find_of_subhalos(run, table, stay, collection)
               : status;
}
