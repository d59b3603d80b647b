/* The columns of TreeHalos, under GADGET-4's names. */
#include "cli/command.h"
#include "cli/progress.h"
#include "link.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum unit { NO_UNIT, LENGTH, MASS, VELOCITY };

/* Columns of catalogues: of /halos and of /subhalos, the first that all have. */
static const struct source {
    const char *name, *of_halos[2], *of_subhalos;
    int components;
    bool whole, needed;
    enum unit unit;
    const char *description;
} sources[] = {
    {"SubhaloLen", {"count"}, "count", 1, true, true, NO_UNIT, "members"},
    {"SubhaloMass", {"mass"}, "mass", 1, false, true, MASS, "mass of the members"},
    {"SubhaloPos",
     {"mbp_position", "center_of_mass"},
     "position",
     3,
     false,
     true,
     LENGTH,
     "center: the most bound particle, of halos without one the center of mass"},
    {"SubhaloIDMostbound",
     {"mbp_id"},
     "tag",
     1,
     true,
     false,
     NO_UNIT,
     "id of the most bound particle"},
    {"SubhaloVel",
     {"velocity"},
     "velocity",
     3,
     false,
     false,
     VELOCITY,
     "mean velocity of the members, peculiar"},
    {"SubhaloVelDisp",
     {"velocity_dispersion"},
     "velocity_dispersion",
     1,
     false,
     false,
     VELOCITY,
     "one-dimensional dispersion of velocities"},
    {"SubhaloVmax",
     {"vmax"},
     "vmax",
     1,
     false,
     false,
     VELOCITY,
     "largest circular velocity"},
    {"SubhaloVmaxRad", {"rmax"}, "rmax", 1, false, false, LENGTH, "where it is"},
    {"SubhaloHalfmassRad",
     {"half_mass_radius"},
     "half_mass_radius",
     1,
     false,
     false,
     LENGTH,
     "radius of half the mass"},
};

/* A new column, to be filled, of n numbers; NULL: no memory. */
static void *add(struct link_run *run, const char *name, const char *unit,
                 const char *description, int components, bool whole,
                 struct io_error *error) {
    void *data = io_allocate(run->groups * components, 8, name, error);
    if (data)
        run->columns[run->n_columns++] = (struct trees_column){
            .name = name,
            .unit = unit,
            .description = description,
            .components = components,
            .whole = whole,
            .data = data,
        };
    return data;
}

static bool all_have(const struct link_run *run, const char *group, const char *name) {
    int table;
    for (int s = 0; s < run->n; ++s)
        if (link_find(run->catalogue[s].file, group, name, &table) < 0)
            return false;
    return true;
}

/* That numbers of groups are finite; else names the first that is not, by its row. */
static bool are_finite(const double *numbers, int64_t n, int components,
                       const struct link_catalogue *c, const char *group, const char *name,
                       struct io_error *error) {
    for (int64_t k = 0; k < n * components; ++k)
        if (!isfinite(numbers[k]))
            return io_fail(error, "row %" PRId64 " of %s/%s in %s is %g: it must be finite",
                           k / components, group, name, c->path, numbers[k]);
    return true;
}

/* Reads some numbers of each group of a snapshot, and puts them where they belong. */
static bool read_rows(struct link_run *run, const struct link_catalogue *c,
                      const char *group, const char *name, int components, bool whole,
                      void *to, struct io_error *error) {
    char whole_name[COLUMNS_NAME];
    void *numbers = io_allocate(c->n * components, 8, "a column", error);
    bool done = numbers != NULL;
    for (int k = 0; k < components && done; ++k) {
        snprintf(whole_name, sizeof whole_name, components == 3 ? "%s_%c" : "%s", name,
                 "xyz"[k]);
        done = link_read(c->file, group, whole_name, whole, c->n, (char *)numbers + 8 * k,
                         components, error);
    }
    if (!whole && done)
        done = are_finite(numbers, c->n, components, c, group, name, error);
    for (int64_t g = 0; g < c->n && done; ++g)
        memcpy((char *)to + 8 * components * run->row[c->first + g],
               (const char *)numbers + 8 * components * g, 8 * (size_t)components);
    free(numbers);
    return done;
}

static bool take(struct link_run *run, const struct source *source,
                 struct io_error *error) {
    const char *group = run->subhalos ? "subhalos" : "halos";
    const char *names[2] = {run->subhalos ? source->of_subhalos : source->of_halos[0],
                            run->subhalos ? NULL : source->of_halos[1]};
    const char *const units[] = {"1", run->length_unit, run->mass_unit, "km/s"};
    const double factor = source->unit == LENGTH ? run->length_factor
                          : source->unit == MASS ? run->mass_factor
                                                 : 1;
    char first[COLUMNS_NAME];
    const char *name = NULL;
    for (int k = 1; k >= 0; --k) {
        snprintf(first, sizeof first, source->components == 3 ? "%s_x" : "%s",
                 names[k] ? names[k] : "");
        name = names[k] && all_have(run, group, first) ? names[k] : name;
    }
    if (name == NULL && !source->needed)
        return true;
    double *data = add(run, source->name, units[source->unit], source->description,
                       source->components, source->whole, error);
    bool done = data != NULL;
    for (int s = 0; s < run->n && done; ++s)
        done = read_rows(run, &run->catalogue[s], group, name ? name : names[0],
                         source->components, source->whole, data, error);
    for (int64_t k = 0; !source->whole && done && k < run->groups * source->components; ++k)
        data[k] *= factor;
    return done;
}

/* Rows of halos, and their masses within 200 critical densities where all tell them. */
static bool take_hosts(struct link_run *run, struct io_error *error) {
    const bool massive = all_have(run, "halos", "mass_200c");
    int64_t *host =
        add(run, "GroupNr", "1", "row of the halo in its catalogue", 1, true, error);
    double *mass =
        massive ? add(run, "Group_M_Crit200", run->mass_unit,
                      "mass of the halo within 200 critical densities", 1, false, error)
                : NULL;
    bool done = host && (mass || !massive);
    for (int s = 0; s < run->n && done; ++s) {
        const struct link_catalogue *c = &run->catalogue[s];
        const int halos = columns_find(c->file, "halos");
        const int64_t n = halos < 0 ? 0 : c->file->tables[halos].n;
        double *of_halo = io_allocate(n, sizeof *of_halo, "masses of halos", error);
        done = of_halo &&
               (!massive ||
                (link_read(c->file, "halos", "mass_200c", false, n, of_halo, 1, error) &&
                 are_finite(of_halo, n, 1, c, "halos", "mass_200c", error)));
        if (done && run->subhalos)
            done = read_rows(run, c, "subhalos", "halo", 1, true, host, error);
        for (int64_t g = 0; g < c->n && done; ++g) {
            const int64_t row = run->row[c->first + g];
            host[row] = run->subhalos ? host[row] : g;
            done =
                (host[row] >= 0 && host[row] < n) ||
                io_fail(error, "row %" PRId64 " of subhalos/halo in %s is no row of halos",
                        g, c->path);
            if (done && mass)
                mass[row] = of_halo[host[row]] * run->mass_factor;
        }
        free(of_halo);
    }
    return done;
}

/* A group as a row of the file, and in its tree if it is in tree t. */
static int64_t row_of(const struct link_run *run, int64_t group) {
    return group < 0 ? -1 : run->row[group];
}

static int64_t index_in(const struct link_run *run, int64_t t, int64_t group) {
    return group < 0 || run->tree[group] != t ? -1 : run->row[group] - run->start[t];
}

static bool put_links(struct link_run *run, struct io_error *error) {
    static const struct {
        const char *name, *description;
    } names[] = {
        {"SnapNum", "number of the snapshot, from 0"},
        {"SubhaloNr", "row in its catalogue"},
        {"TreeID", "number of the tree"},
        {"TreeIndex", "place in the tree; the root is 0"},
        {"TreeDescendant", "place of the descendant in the tree; -1: none"},
        {"TreeFirstProgenitor", "place of the first progenitor in the tree; -1: none"},
        {"TreeNextProgenitor", "place of the next one of the same descendant; -1: none"},
        {"TreeMainProgenitor",
         "place of the main progenitor in the tree; -1: none, or in another tree"},
        {"MainProgenitor", "row of TreeHalos of the main progenitor; -1: none"},
        {"DescendantShared", "particles that are in the descendant, too"},
    };
    enum { NUMBERS = sizeof names / sizeof *names };
    int64_t *to[NUMBERS];
    for (int k = 0; k < NUMBERS; ++k) {
        to[k] = add(run, names[k].name, "1", names[k].description, 1, true, error);
        if (to[k] == NULL)
            return false;
    }
    for (int64_t g = 0; g < run->groups; ++g) {
        const int64_t row = run->row[g], t = run->tree[g];
        const int s = link_snapshot(run, g);
        const int64_t numbers[NUMBERS] = {s,
                                          g - run->catalogue[s].first,
                                          t,
                                          index_in(run, t, g),
                                          index_in(run, t, run->descendant[g]),
                                          index_in(run, t, run->first_of[g]),
                                          index_in(run, t, run->next_of[g]),
                                          index_in(run, t, run->progenitor[g]),
                                          row_of(run, run->progenitor[g]),
                                          run->shared[g]};
        for (int k = 0; k < NUMBERS; ++k)
            to[k][row] = numbers[k];
    }
    return true;
}

const double *link_numbers(const struct link_run *run, const char *name) {
    for (int k = 0; k < run->n_columns; ++k)
        if (strcmp(run->columns[k].name, name) == 0)
            return run->columns[k].data;
    return NULL;
}

int link_fill(struct link_run *run) {
    struct io_error error;
    bool done = put_links(run, &error) && take_hosts(run, &error);
    for (size_t k = 0; k < sizeof sources / sizeof *sources && done; ++k)
        done = take(run, &sources[k], &error);
    timings_end(&run->timings, TIMINGS_READ, 8 * run->n_columns * run->groups);
    return done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}
