/* The catalogues, and whether they are of one simulation. */
#include "cli/command.h"
#include "cli/halos/types/units.h"
#include "cli/outputs/outputs.h"
#include "cli/plot/plot.h"
#include "cli/progress.h"
#include "io/files/path.h"
#include "io/snapshot.h"
#include "link.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_note(void *context, const char *name, const char *value) {
    struct link_catalogue *c = context;
    const struct {
        const char *name;
        double *number;
    } numbers[] = {{"redshift", &c->redshift},
                   {"scale_factor", &c->scale_factor},
                   {"h", &c->h},
                   {"omega_matter", &c->omega_matter},
                   {"omega_lambda", &c->omega_lambda},
                   {"box", &c->box[0]}};
    const struct {
        const char *name;
        char *text;
        size_t room;
    } texts[] = {{"length_unit", c->length_unit, sizeof c->length_unit},
                 {"mass_unit", c->mass_unit, sizeof c->mass_unit},
                 {"ids", c->ids, sizeof c->ids}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        if (strcmp(name, numbers[k].name) == 0)
            *numbers[k].number = strtod(value, NULL);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
        if (strcmp(name, texts[k].name) == 0)
            snprintf(texts[k].text, texts[k].room, "%s", value);
    if (strcmp(name, "box") == 0)
        sscanf(value, "%lf %lf %lf", &c->box[0], &c->box[1], &c->box[2]);
}

/* What the header tells must be numbers of a universe, where it tells them. */
static bool check_notes(const struct link_catalogue *c, struct io_error *error) {
    const struct {
        const char *name;
        double value, above;
    } numbers[] = {{"redshift", c->redshift, -1}, {"scale factor", c->scale_factor, 0}};
    const struct {
        const char *name;
        double value;
    } others[] = {{"h", c->h},
                  {"omega_matter", c->omega_matter},
                  {"omega_lambda", c->omega_lambda},
                  {"box along x", c->box[0]},
                  {"box along y", c->box[1]},
                  {"box along z", c->box[2]}};
    if (isnan(c->redshift))
        return io_fail(error, "%s does not tell its redshift", c->path);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        if (!(numbers[k].value > numbers[k].above && isfinite(numbers[k].value)))
            return io_fail(error, "%s: the %s is %g, not above %g", c->path,
                           numbers[k].name, numbers[k].value, numbers[k].above);
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        if (!isfinite(others[k].value))
            return io_fail(error, "%s: the %s is %g", c->path, others[k].name,
                           others[k].value);
    return true;
}

static bool open_one(struct link_catalogue *c, const char *path, bool halos,
                     struct io_error *error) {
    int members, table;
    *c = (struct link_catalogue){.path = path, .redshift = NAN, .scale_factor = NAN};
    c->file = columns_open(path, error);
    if (c->file == NULL || (snapshot_verifies_all() && !columns_verify(c->file, error)) ||
        !columns_notes(c->file, take_note, c, error))
        return false;
    c->subhalos = !halos && link_find(c->file, "subhalos", "particle_id", &members) >= 0;
    if (!c->subhalos && link_find(c->file, "members", "particle_id", &members) < 0)
        return io_fail(error, "%s has no members of halos: write it with --members", path);
    table = columns_find(c->file, c->subhalos ? "subhalos" : "halos");
    if (table < 0)
        return io_fail(error, "%s has members and no halos", path);
    if (isnan(c->scale_factor)) /* it does not tell it */
        c->scale_factor = 1 / (1 + c->redshift);
    if (!check_notes(c, error))
        return false;
    c->n = c->file->tables[table].n;
    c->members = c->file->tables[members].n;
    return true;
}

static bool is_like(double a, double b) {
    return fabs(a - b) <= 1e-6 * fabs(a);
}

static const char *told(const char *unit) {
    return unit[0] ? unit : "(not told)";
}

/* That none tells of the universe what the other does not. */
static bool check_told(const struct link_catalogue *a, const struct link_catalogue *b,
                       struct io_error *error) {
    const struct {
        const char *name;
        double of_a, of_b;
    } notes[] = {{"box", a->box[0], b->box[0]},
                 {"h", a->h, b->h},
                 {"omega_matter", a->omega_matter, b->omega_matter},
                 {"omega_lambda", a->omega_lambda, b->omega_lambda}};
    for (size_t k = 0; k < sizeof notes / sizeof *notes; ++k)
        if ((notes[k].of_a == 0) != (notes[k].of_b == 0))
            return io_fail(error, "%s does not tell %s, which %s does",
                           notes[k].of_a == 0 ? a->path : b->path, notes[k].name,
                           notes[k].of_a == 0 ? b->path : a->path);
    return true;
}

/* Whether b can follow a. */
static bool fit(const struct link_catalogue *a, const struct link_catalogue *b,
                struct io_error *error) {
    if (a->subhalos != b->subhalos)
        return io_fail(error,
                       "%s has subhalos with members and %s has none: link halos alone by "
                       "--halos, or catalogues of one kind",
                       a->subhalos ? a->path : b->path, a->subhalos ? b->path : a->path);
    if (b->redshift >= a->redshift)
        return io_fail(error,
                       "%s is of redshift %g and follows %s of redshift %g: catalogues are "
                       "named in order of time",
                       b->path, b->redshift, a->path, a->redshift);
    if (strcmp(a->length_unit, b->length_unit) != 0 ||
        strcmp(a->mass_unit, b->mass_unit) != 0)
        return io_fail(error, "%s has the units %s and %s, %s has %s and %s", b->path,
                       told(b->length_unit), told(b->mass_unit), a->path,
                       told(a->length_unit), told(a->mass_unit));
    if (!check_told(a, b, error))
        return false;
    if (!is_like(a->box[0], b->box[0]) || !is_like(a->box[1], b->box[1]) ||
        !is_like(a->box[2], b->box[2]) || !is_like(a->h, b->h))
        return io_fail(
            error,
            "%s has a box of %.9g x %.9g x %.9g and h %.9g, %s one of %.9g x %.9g "
            "x %.9g and h %.9g: they are not of one simulation",
            b->path, b->box[0], b->box[1], b->box[2], b->h, a->path, a->box[0], a->box[1],
            a->box[2], a->h);
    if (!is_like(a->omega_matter, b->omega_matter) ||
        !is_like(a->omega_lambda, b->omega_lambda))
        return io_fail(error,
                       "%s has Omega_m %.9g and Omega_Lambda %.9g, %s has %.9g and %.9g: "
                       "they are not of one simulation",
                       b->path, b->omega_matter, b->omega_lambda, a->path, a->omega_matter,
                       a->omega_lambda);
    return true;
}

/* The file's units: GADGET-4's where the catalogues tell theirs. */
static int settle_units(struct link_run *run) {
    const struct link_catalogue *c = &run->catalogue[0];
    const double length = c->h > 0 ? units_length_in_mpc(c->length_unit, c->h) * c->h : 0;
    const double mass = c->h > 0 ? units_mass_in_msun(c->mass_unit, c->h) * c->h / 1e10 : 0;
    const bool known = length > 0 && mass > 0 && isfinite(length) && isfinite(mass);
    const bool same =
        strcmp(c->length_unit, "Mpc/h") == 0 && strcmp(c->mass_unit, "1e10 Msun/h") == 0;
    run->length_factor = known && !same ? length : 1;
    run->mass_factor = known && !same ? mass : 1;
    run->length_unit = known ? "Mpc/h" : c->length_unit;
    run->mass_unit = known ? "1e10 Msun/h" : c->mass_unit;
    if (!known && run->options.lists)
        return progress_fail(
            CLI_FAULT,
            "--format rockstar: %s does not tell h and units: lists are in "
            "Mpc/h and Msun/h",
            c->path);
    if (!known)
        progress_note("%s does not tell h and units: lengths and masses stay as they are, "
                      "and programs that read trees take them for Mpc/h and 1e10 Msun/h",
                      c->path);
    return CLI_DONE;
}

static int check_outputs(const struct link_run *run) {
    struct io_error error;
    const char *const outputs[] = {run->options.lists ? NULL : run->options.output,
                                   run->options.shared.timings, run->options.plot};
    for (int k = 0; k < 3; ++k)
        for (int c = 0; outputs[k] && c < run->options.count; ++c)
            if (io_same_output(run->options.paths[c], outputs[k]))
                return outputs_refuse_input(outputs[k]);
    const int status = outputs_check(outputs, 3);
    if (status == CLI_DONE && run->options.plot && !plot_ready(&error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    return status;
}

static bool open_all(struct link_run *run, struct io_error *error) {
    const int n = run->options.count;
    run->catalogue = calloc((size_t)n, sizeof *run->catalogue);
    if (run->catalogue == NULL)
        return io_fail(error, "out of memory: the catalogues");
    for (run->n = 0; run->n < n; ++run->n) {
        struct link_catalogue *c = &run->catalogue[run->n];
        progress_show("opening %s", run->options.paths[run->n]);
        const bool done =
            open_one(c, run->options.paths[run->n], run->options.halos, error) &&
            (run->n == 0 || fit(c - 1, c, error));
        c->first = run->groups;
        run->groups += c->n;
        run->members += c->members;
        if (!done) {
            ++run->n;
            return false;
        }
        if (strcmp(c->ids, "index") == 0)
            progress_note("%s: particles have no ids of their own: they are linked by "
                          "their places in the snapshot's file",
                          c->path);
    }
    run->subhalos = run->catalogue[0].subhalos;
    run->tag = io_allocate(run->groups, sizeof *run->tag, "tags", error);
    bool done = run->tag != NULL;
    for (int s = 0; s < n && done; ++s)
        done = link_read(run->catalogue[s].file, run->subhalos ? "subhalos" : "halos",
                         "tag", true, run->catalogue[s].n,
                         run->tag + run->catalogue[s].first, 1, error);
    return done;
}

int link_snapshot(const struct link_run *run, int64_t group) {
    int low = 0, high = run->n;
    while (low + 1 < high) {
        const int middle = low + (high - low) / 2;
        if (run->catalogue[middle].first <= group)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int link_open(struct link_run *run) {
    struct io_error error;
    int status = check_outputs(run);
    if (status == CLI_DONE && !open_all(run, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    return status == CLI_DONE ? settle_units(run) : status;
}
