#include "picture.h"
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/plot/halo.h"
#include "cli/progress.h"
#include "io/files/numbers.h"
#include "inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 200000 /* members that are drawn */, SHELLS = HALOS_PROFILE_BINS - 1 };

/* The row of the halo; -1: there is none. */
static int64_t row_of(const struct halos_run *run) {
    const int64_t *tag = halos_column(run, "tag");
    for (int64_t h = 0; h < run->n_halos; ++h) {
        if (tag[h] == run->options.plot_tag)
            return h;
    }
    return -1;
}

int picture_check(const struct halos_run *run) {
    if (row_of(run) >= 0)
        return CLI_DONE;
    return progress_fail(CLI_FAULT, "%s: --plot-halo: no halo has the tag %" PRId64,
                         run->options.snapshot, run->options.plot_tag);
}

/* Particle i from the center, the shorter way round the box. */
static double from_center(const struct halos_run *run, int64_t i, int axis,
                          const double center[3]) {
    const struct snapshot_particles *p = &run->particles;
    const double d = io_value(p->field[SNAPSHOT_COORDINATES],
                              p->bytes[SNAPSHOT_COORDINATES], 3 * i + axis) -
                     center[axis];
    return run->period[axis] > 0 ? remainder(d, run->period[axis]) : d;
}

/* Members, evenly among many, as [n][2], for free(); NULL where memory is out or the device
 * failed. */
static float *find_members(struct halos_run *run, int64_t row, const double center[3],
                           int64_t *n) {
    const int64_t count = run->offset[row + 1] - run->offset[row];
    uint32_t *member = halos_allocate(run, count, sizeof *member);
    *n = count < MOST ? count : MOST;
    float *at = halos_allocate(run, 2 * *n, sizeof *at);
    if (!member || !at ||
        weft_read(run->device,
                  weft_slice(run->device, run->halos.member, run->offset[row], count),
                  member) != WEFT_OK) {
        free(at);
        at = NULL;
    }
    for (int64_t k = 0; at && k < *n; ++k) {
        const int64_t i = member[(int64_t)((double)k * (double)count / (double)*n)];
        at[2 * k] = (float)from_center(run, i, 0, center);
        at[2 * k + 1] = (float)from_center(run, i, 1, center);
    }
    free(member);
    return at;
}

/* Adds all particles to the shells, whose edges are set. */
static void fill_shells(const struct halos_run *run, const double center[3],
                        struct plot_shell shell[SHELLS]) {
    const struct snapshot_particles *p = &run->particles;
    for (int64_t i = 0; i < p->n; ++i) {
        double r2 = 0;
        for (int axis = 0; axis < 3; ++axis)
            r2 += pow(from_center(run, i, axis, center), 2);
        const double r = sqrt(r2);
        for (int b = 0; r < shell[SHELLS - 1].to && b < SHELLS; ++b) {
            if (r < shell[b].from || r >= shell[b].to)
                continue;
            shell[b].count++;
            shell[b].mass +=
                p->field[SNAPSHOT_MASSES]
                    ? io_value(p->field[SNAPSHOT_MASSES], p->bytes[SNAPSHOT_MASSES], i)
                    : p->mass;
        }
    }
}

/* The spheres' radii, and the NFW profile inside that of the properties. */
static void find_spheres(const struct halos_run *run, int64_t row, struct plot_halo *halo) {
    for (int k = 0; k < run->so.n; ++k) {
        const struct halos_so_threshold *t = &run->so.thresholds[k];
        const double *radius = halos_column(run, t->columns[1]);
        if (radius[row] > 0)
            halo->ring[halo->rings++] = (struct plot_ring){t->name, radius[row]};
    }
    if (run->so.within < 0)
        return;
    const struct halos_so_threshold *t = &run->so.thresholds[run->so.within];
    const double *c = halos_column(run, "concentration_nfw");
    halo->mass = ((const double *)halos_column(run, t->columns[0]))[row];
    halo->radius = ((const double *)halos_column(run, t->columns[1]))[row];
    halo->concentration = c ? c[row] : 0;
}

int picture_draw(struct halos_run *run) {
    struct io_error error = {0};
    struct plot_shell shell[SHELLS];
    double edge[SHELLS + 1];
    const int64_t row = row_of(run);
    const double *place = halos_column(run, "mbp_position");
    const double *center =
        (place ? place : (const double *)halos_column(run, "center_of_mass")) + 3 * row;
    struct plot_halo halo = {.path = run->options.plot_halo,
                             .title = run->options.snapshot,
                             .tag = run->options.plot_tag,
                             .count = run->offset[row + 1] - run->offset[row],
                             .shells = SHELLS,
                             .shell = shell,
                             .length_unit = run->info.length_unit,
                             .mass_unit = run->info.mass_unit,
                             .redshift = run->info.redshift};
    halos_show(run, "drawing");
    find_spheres(run, row, &halo);
    const double unit = halo.radius > 0
                            ? halo.radius
                            : ((const double *)halos_column(run, "radius_max"))[row];
    inside_edges(edge);
    for (int b = 0; b < SHELLS; ++b)
        shell[b] = (struct plot_shell){.from = edge[b] * unit, .to = edge[b + 1] * unit};
    fill_shells(run, center, shell);
    float *member = find_members(run, row, center, &halo.n);
    halo.member = member;
    const bool done = member && plot_halo_write(&halo, &error);
    free(member);
    if (weft_check(run->device) != WEFT_OK)
        return progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                             progress_error(run->device));
    if (!done)
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_PLOT,
                run->info.n * 3 * run->particles.bytes[SNAPSHOT_COORDINATES]);
    return CLI_DONE;
}
