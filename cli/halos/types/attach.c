/* Gas, stars and black holes, each to the halo of the nearest linked particle. */
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/inside.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "io/files/numbers.h"
#include "io/mixture.h"
#include "types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/nearest.h>

enum { ATTACHED = 1 << SNAPSHOT_COORDINATES | 1 << SNAPSHOT_MASSES };

int types_read_attached(struct halos_run *run) {
    const struct halos_types *types = &run->options.types;
    const char *path = run->options.snapshot;
    struct halos_attached *attached = &run->attached;
    struct snapshot_particles *p = &attached->particles;
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
        attached->count[k] = info->count[types->attached[k]];
    if ((info->n > 0 &&
         !mixture_go_together(&run->info, info, path, "particles of dark matter",
                              "what is attached to them", &error)) ||
        !mixture_read(mixture, ATTACHED, p, &error) ||
        !range_positions(path, p->field[SNAPSHOT_COORDINATES],
                         p->bytes[SNAPSHOT_COORDINATES], 3, 0, p->n, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    mixture_close(mixture);
    timings_end(&run->timings, TIMINGS_READ,
                p->n * (3 * p->bytes[SNAPSHOT_COORDINATES] + p->bytes[SNAPSHOT_MASSES]));
    return status;
}

void types_free(struct halos_run *run) {
    snapshot_free(&run->attached.particles);
}

/* Of linked and attached particles, one after the other: positions, which are targets, ids.
 */
struct all {
    int64_t n;
    int bytes; /* of a coordinate */
    void *position;
    uint32_t *target;
    int64_t *id; /* NULL: the input's order */
};

static void all_free(struct all *all) {
    free(all->position);
    free(all->target);
    free(all->id);
}

static bool gather(struct halos_run *run, struct all *all) {
    const struct snapshot_particles *const some[] = {&run->particles,
                                                     &run->attached.particles};
    const int64_t *ids = run->particles.field[SNAPSHOT_IDS];
    int64_t at = 0;
    *all = (struct all){.n = some[0]->n + some[1]->n};
    for (int k = 0; k < 2; ++k)
        all->bytes = some[k]->bytes[SNAPSHOT_COORDINATES] > all->bytes
                         ? some[k]->bytes[SNAPSHOT_COORDINATES]
                         : all->bytes;
    all->position = halos_allocate(run, 3 * all->n, (size_t)all->bytes);
    all->target = halos_allocate(run, all->n, sizeof *all->target);
    if (ids)
        all->id = halos_allocate(run, all->n, sizeof *all->id);
    if (weft_check(run->device) != WEFT_OK)
        return false;
    for (int k = 0; k < 2; ++k) {
        const void *from = some[k]->field[SNAPSHOT_COORDINATES];
        const int bytes = some[k]->bytes[SNAPSHOT_COORDINATES];
        if (bytes == all->bytes && from)
            memcpy((char *)all->position + 3 * at * bytes, from,
                   (size_t)(3 * some[k]->n * bytes));
        else
            for (int64_t i = 0; i < 3 * some[k]->n; ++i)
                ((double *)all->position)[3 * at + i] = io_value(from, bytes, i);
        for (int64_t i = 0; i < some[k]->n; ++i) {
            all->target[at + i] = k == 0;
            if (all->id)
                all->id[at + i] = k == 0 ? ids[i] : 0;
        }
        at += some[k]->n;
    }
    return true;
}

/* The nearest linked particle of each attached one; NULL where memory is out or the device
 * failed. */
static uint32_t *find_nearest(struct halos_run *run, const struct all *all) {
    weft_device *device = run->device;
    const weft_type type = all->bytes == 4 ? (weft_type)WEFT_F32 : (weft_type)WEFT_F64;
    const int64_t linked = run->particles.n, n = all->n - linked;
    uint32_t *found = halos_allocate(run, n, sizeof *found);
    weft_nearest_options options = {.length = run->linking_length};
    memcpy(options.box, run->period, sizeof options.box);
    weft_scope_open(device);
    const weft_array position = weft_borrow_const(device, type, all->position, 3 * all->n),
                     target = weft_borrow_const(device, WEFT_U32, all->target, all->n),
                     nearest = weft_scratch(device, WEFT_U32, all->n);
    if (all->id)
        options.id = weft_borrow_const(device, WEFT_I64, all->id, all->n);
    const weft_points points = weft_points_interleaved(device, position);
    weft_nearest(device, &points, &options, target, nearest);
    if (found)
        weft_read(device, weft_slice(device, nearest, linked, n), found);
    const weft_array lent[] = {options.id, target, position};
    weft_scope_close(device);
    for (int k = 0; k < 3; ++k)
        halos_take_back(run, lent[k]);
    if (weft_check(device) == WEFT_OK)
        return found;
    free(found);
    return NULL;
}

/* The halo of each linked particle, 2^32 - 1 for none; NULL where memory is out or the
 * device failed. */
static uint32_t *find_halos(struct halos_run *run) {
    const weft_array members = run->halos.member;
    uint32_t *halo = halos_allocate(run, run->particles.n, sizeof *halo);
    uint32_t *member = halos_allocate(run, run->halos.members, sizeof *member);
    const bool read = halo && member && weft_read(run->device, members, member) == WEFT_OK;
    for (int64_t i = 0; read && i < run->particles.n; ++i)
        halo[i] = UINT32_MAX;
    for (int64_t h = 0; read && h < run->n_halos; ++h) {
        for (int64_t k = run->offset[h]; k < run->offset[h + 1]; ++k)
            halo[member[k]] = (uint32_t)h;
    }
    free(member);
    if (read)
        return halo;
    free(halo);
    return NULL;
}

static const struct halos_column columns[TYPES_MOST][2] = {
    [0] = {{"count_gas", 1, HALOS_NO_UNIT,
            "particles of gas whose nearest one of dark matter, within the linking length, "
            "is in the halo",
            NULL},
           {"mass_gas", 1, HALOS_MASS, "sum of the masses of those of gas", NULL}},
    [4] =
        {{"count_stars", 1, HALOS_NO_UNIT,
          "particles of stars whose nearest one of dark matter, within the linking length, "
          "is in the halo",
          NULL},
         {"mass_stars", 1, HALOS_MASS, "sum of the masses of those of stars", NULL}},
    [5] = {{"count_black_holes", 1, HALOS_NO_UNIT,
            "black holes whose nearest particle of dark matter, within the linking length, "
            "is in the halo",
            NULL},
           {"mass_black_holes", 1, HALOS_MASS, "sum of the masses of those black holes",
            NULL}},
};

/* Counts and masses of one type, whose particles begin at `first` of those attached. */
static void add_columns(struct halos_run *run, int type, int64_t first, int64_t n,
                        const uint32_t *nearest, const uint32_t *halo) {
    const struct snapshot_particles *p = &run->attached.particles;
    const void *masses = p->field[SNAPSHOT_MASSES];
    int64_t *count = halos_allocate(run, run->n_halos, sizeof *count);
    double *mass = halos_allocate(run, run->n_halos, sizeof *mass);
    for (int64_t h = 0; count && mass && h < run->n_halos; ++h) {
        count[h] = 0;
        mass[h] = 0;
    }
    for (int64_t i = first; count && mass && i < first + n; ++i) {
        const uint32_t to = nearest[i] == UINT32_MAX ? UINT32_MAX : halo[nearest[i]];
        if (to == UINT32_MAX)
            continue;
        ++count[to];
        mass[to] += masses ? io_value(masses, p->bytes[SNAPSHOT_MASSES], i) : p->mass;
    }
    if (count)
        halos_keep_column(run, &columns[type][0], CATALOGUE_I64, count);
    if (mass)
        halos_keep_column(run, &columns[type][1], CATALOGUE_F64, mass);
}

void types_print(const struct halos_run *run) {
    static const char *const names[TYPES_MOST] = {
        [0] = "gas", [4] = "stars", [5] = "black holes"};
    const struct halos_types *types = &run->options.types;
    for (int k = 0; k < types->n_attached; ++k) {
        const int type = types->attached[k];
        const int64_t *count = halos_column(run, columns[type][0].name);
        int64_t inside = 0;
        for (int64_t h = 0; h < run->n_halos; ++h)
            inside += count[h];
        printf("%s%s: %" PRId64 " of %" PRId64 " in halos", k == 0 ? "" : ", ", names[type],
               inside, run->attached.count[k]);
    }
    printf("%s", types->n_attached > 0 ? "\n" : "");
}

int types_attach(struct halos_run *run) {
    const struct halos_types *types = &run->options.types;
    struct all all = {0};
    uint32_t *nearest = NULL, *halo = NULL;
    int64_t first = 0;
    if (types->n_attached == 0)
        return CLI_DONE;
    halos_show(run, "attaching gas and stars");
    if (gather(run, &all)) {
        nearest = find_nearest(run, &all);
        halo = find_halos(run);
    }
    for (int k = 0; nearest && halo && k < types->n_attached; ++k) {
        add_columns(run, types->attached[k], first, run->attached.count[k], nearest, halo);
        first += run->attached.count[k];
    }
    all_free(&all);
    free(nearest);
    free(halo);
    timings_end(&run->timings, TIMINGS_PROPERTIES, 0);
    return weft_check(run->device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                               weft_error(run->device));
}
