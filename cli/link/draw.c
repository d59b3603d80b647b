/* The picture of the largest groups' histories. */
#include "cli/command.h"
#include "cli/plot/histories.h"
#include "cli/progress.h"
#include "link.h"

#include <stdlib.h>

/* What merges is drawn if it is at least this part of what it merges with. */
static const double least = 0.1;

/* The largest of the last snapshot, of equal ones the first. Returns how many. */
static int choose(const struct link_run *run, const double *mass,
                  int64_t largest[PLOT_HISTORIES]) {
    const struct link_catalogue *last = &run->catalogue[run->n - 1];
    int n = 0;
    for (int64_t g = last->first; g < last->first + last->n; ++g) {
        int at = n;
        for (; at > 0 && mass[run->row[g]] > mass[run->row[largest[at - 1]]]; --at)
            if (at < PLOT_HISTORIES)
                largest[at] = largest[at - 1];
        if (at < PLOT_HISTORIES)
            largest[at] = g;
        n += n < PLOT_HISTORIES;
    }
    return n;
}

static struct plot_moment moment_of(const struct link_run *run, const double *mass,
                                    int64_t g) {
    const struct link_catalogue *c = &run->catalogue[link_snapshot(run, g)];
    return (struct plot_moment){1 + c->redshift, mass[run->row[g]]};
}

/* A group and its main progenitors, and what merged with them; `moment` and `merger`, where
 * there are any, are filled. */
static void follow(const struct link_run *run, const double *mass, int64_t g,
                   struct plot_history *history, struct plot_moment *moment,
                   struct plot_moment *merger) {
    *history =
        (struct plot_history){.tag = run->tag[g], .moment = moment, .merger = merger};
    for (; g >= 0; g = run->progenitor[g]) {
        if (moment)
            moment[history->moments] = moment_of(run, mass, g);
        ++history->moments;
        for (int64_t p = run->first_of[g]; p >= 0; p = run->next_of[p]) {
            if (p == run->progenitor[g] || mass[run->row[p]] < least * mass[run->row[g]])
                continue;
            if (merger) {
                merger[2 * history->mergers] = moment_of(run, mass, p);
                merger[2 * history->mergers + 1] = moment_of(run, mass, g);
            }
            ++history->mergers;
        }
    }
}

/* Follows all, first to see how many moments there are. */
static struct plot_moment *follow_all(const struct link_run *run, const double *mass,
                                      struct plot_histories *h, struct io_error *error) {
    int64_t largest[PLOT_HISTORIES], moments = 0;
    h->n = choose(run, mass, largest);
    for (int k = 0; k < h->n; ++k) {
        follow(run, mass, largest[k], &h->history[k], NULL, NULL);
        moments += h->history[k].moments + 2 * h->history[k].mergers;
    }
    struct plot_moment *all = io_allocate(moments, sizeof *all, "histories", error);
    struct plot_moment *at = all;
    for (int k = 0; all && k < h->n; ++k) {
        follow(run, mass, largest[k], &h->history[k], at, at + h->history[k].moments);
        at += h->history[k].moments + 2 * h->history[k].mergers;
    }
    return all;
}

int link_draw(struct link_run *run) {
    struct io_error error;
    const double *mass = link_numbers(run, "SubhaloMass");
    struct plot_histories histories = {
        .path = run->options.plot,
        .title = run->catalogue[run->n - 1].path,
        .kind = run->subhalos ? "subhalos" : "halos",
        .mass_unit = run->mass_unit,
        .snapshots = run->n,
        .n_halos = run->catalogue[run->n - 1].n,
    };
    progress_show("drawing %s", run->options.plot);
    double *stretch = io_allocate(run->n, sizeof *stretch, "redshifts", &error);
    struct plot_moment *moments =
        stretch ? follow_all(run, mass, &histories, &error) : NULL;
    for (int s = 0; stretch && s < run->n; ++s)
        stretch[s] = 1 + run->catalogue[s].redshift;
    histories.stretch = stretch;
    const bool done = moments && plot_histories_write(&histories, &error);
    free(stretch), free(moments);
    timings_end(&run->timings, TIMINGS_PLOT, 8 * run->groups);
    return done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}
