/* Gas, stars and black holes: read, and each with the linked particle that is nearest. */
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "distributed/nearest.h"
#include "io/files/numbers.h"
#include "io/mixture.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

enum { ATTACHED = 1 << SNAPSHOT_COORDINATES | 1 << SNAPSHOT_MASSES };

/* This rank's share of them. */
static bool read_share(struct halos_run *run, struct mixture *mixture,
                       struct io_error *error) {
    const char *path = run->options.snapshot;
    struct snapshot_particles *p = &run->attached.particles;
    const int64_t n = mixture_info(mixture)->n;
    const int64_t first = io_share(n, run->comm.rank, run->comm.size),
                  end = io_share(n, run->comm.rank + 1, run->comm.size);
    return mixture_read_slice(mixture, first, end - first, ATTACHED, p, error) &&
           range_positions(path, p->field[SNAPSHOT_COORDINATES],
                           p->bytes[SNAPSHOT_COORDINATES], 3, first, p->n, p->low, p->high,
                           error);
}

int types_read_attached(struct halos_run *run) {
    const struct halos_types *types = &run->options.types;
    const char *path = run->options.snapshot;
    struct halos_attached *attached = &run->attached;
    struct io_error error;
    int status = CLI_DONE;
    if (types->n_attached == 0)
        return CLI_DONE;
    struct mixture *mixture =
        mixture_open(path, types->n_attached, types->attached, ATTACHED, &error);
    if (mixture == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    const struct snapshot_info *info = mixture_info(mixture);
    mixture_set_threads(mixture, run->comm.threads);
    mixture_tell(mixture, progress_part);
    for (int k = 0; k < types->n_attached; ++k)
        attached->count[k] = attached->inside[k] = info->count[types->attached[k]];
    if ((info->n > 0 &&
         !mixture_go_together(&run->info, info, path, "particles of dark matter",
                              "what is attached to them", &error)) ||
        !read_share(run, mixture, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    const struct snapshot_particles *p = &attached->particles;
    mixture_close(mixture);
    timings_end(&run->timings, TIMINGS_READ,
                p->n * (3 * p->bytes[SNAPSHOT_COORDINATES] + p->bytes[SNAPSHOT_MASSES]));
    return status;
}

void types_free(struct halos_run *run) {
    snapshot_free(&run->attached.particles);
    free(run->attached.place);
    table_free(&run->attached.found);
}

int types_kind(const struct halos_run *run, int64_t number) {
    int k = 0;
    for (int64_t end = run->attached.count[0]; number >= end;)
        end += run->attached.count[++k];
    return k;
}

/* Where the particles of one kind begin in the table of linked and attached ones. */
static void copy_positions(const struct snapshot_particles *p, struct table *all,
                           int64_t at) {
    const int64_t bytes = (int64_t)all->bytes[LINK_POSITION] / 3;
    const int own = p->bytes[SNAPSHOT_COORDINATES];
    const void *from = p->field[SNAPSHOT_COORDINATES];
    char *to = (char *)all->column[LINK_POSITION] + 3 * at * bytes;
    if (p->n == 0)
        return;
    if (own == bytes)
        memcpy(to, from, (size_t)(3 * p->n * bytes));
    else
        for (int64_t i = 0; i < 3 * p->n; ++i)
            ((double *)(void *)to)[i] = io_value(from, own, i);
}

static int64_t number_of(const int64_t *place, const struct snapshot_particles *p,
                         int64_t i) {
    return place ? place[i] : p->first + i;
}

/* Linked and attached particles of this rank, as nearest_find takes them. */
static bool gather(struct halos_run *run, struct table *all) {
    const struct snapshot_particles *linked = &run->particles,
                                    *attached = &run->attached.particles;
    const int64_t *ids = linked->field[SNAPSHOT_IDS];
    const void *masses = attached->field[SNAPSHOT_MASSES];
    struct comm *comm = &run->comm;
    int64_t bytes = 4;
    for (int k = 0; k < 2; ++k) {
        const struct snapshot_particles *p = k == 0 ? linked : attached;
        bytes = p->n > 0 && p->bytes[SNAPSHOT_COORDINATES] == 8 ? 8 : bytes;
    }
    *all = (struct table){.n = linked->n + attached->n};
    if (!comm_reduce_i64(comm, &bytes, 1, COMM_MAX))
        return false;
    all->bytes[LINK_POSITION] = 3 * (size_t)bytes;
    all->bytes[LINK_ID] = all->bytes[LINK_INDEX] = sizeof(int64_t);
    all->bytes[LINK_MASS] = sizeof(double);
    for (int c = 0; c < TABLE_COLUMNS; ++c)
        if (all->bytes[c] > 0)
            all->column[c] =
                comm_allocate(comm, all->n, all->bytes[c], "what is attached to halos");
    if (comm->trouble)
        return false;
    int64_t *id = all->column[LINK_ID], *index = all->column[LINK_INDEX];
    double *mass = all->column[LINK_MASS];
    copy_positions(linked, all, 0);
    copy_positions(attached, all, linked->n);
    for (int64_t i = 0; i < linked->n; ++i) {
        index[i] = number_of(run->place, linked, i);
        id[i] = ids ? ids[i] : index[i];
        mass[i] = 0;
    }
    for (int64_t i = 0; i < attached->n; ++i) {
        const int64_t row = linked->n + i;
        index[row] = -1 - number_of(run->attached.place, attached, i);
        id[row] = 0;
        mass[row] =
            masses ? io_value(masses, attached->bytes[SNAPSHOT_MASSES], i) : attached->mass;
    }
    return true;
}

int types_find_nearest(struct halos_run *run) {
    struct table *found = &run->attached.found;
    weft_nearest_options options = {.length = run->linking_length};
    memcpy(options.box, run->period, sizeof options.box);
    if (run->options.types.n_attached == 0)
        return CLI_DONE;
    halos_show(run, "attaching gas and stars");
    run->comm.told = progress_part;
    const bool well =
        gather(run, found) &&
        nearest_find(&run->comm, run->device, found, &options, run->options.memory_limit);
    snapshot_free(&run->attached.particles);
    timings_end(&run->timings, TIMINGS_PROPERTIES, 0);
    return well ? CLI_DONE : parallel_stop(&run->comm);
}
