/* Which halos lie inside of larger ones: centers in cells as wide as the widest sphere. */
#include "cli/command.h"
#include "cli/halos/collect/collect.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "io/crew/crew.h"
#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hosts {
    int64_t n, cells[3];
    double period[3], low[3], width[3];
    const double *at; /* [n][3] */
    const double *mass, *radius;
    int64_t *start, *row; /* [cells + 1], and the rows in each */
};

static int64_t cell_of(const struct hosts *s, int axis, double x) {
    const double from = x - s->low[axis], period = s->period[axis];
    const double in = period > 0 ? from - floor(from / period) * period : from;
    const int64_t cell = s->width[axis] > 0 ? (int64_t)(in / s->width[axis]) : 0;
    return cell < s->cells[axis] ? cell : s->cells[axis] - 1;
}

static int64_t flat(const struct hosts *s, const int64_t *cell) {
    return (cell[0] * s->cells[1] + cell[1]) * s->cells[2] + cell[2];
}

static int64_t cell_of_row(const struct hosts *s, int64_t row) {
    int64_t cell[3];
    for (int k = 0; k < 3; ++k)
        cell[k] = cell_of(s, k, s->at[3 * row + k]);
    return flat(s, cell);
}

/* Cells no narrower than the widest sphere, and no more of them than halos. */
static void divide(struct hosts *s) {
    const int64_t most = (int64_t)cbrt((double)s->n) + 1;
    double widest = 0;
    for (int64_t h = 0; h < s->n; ++h)
        widest = fmax(widest, s->radius[h]);
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t h = 0; h < s->n; ++h) {
            low = fmin(low, s->at[3 * h + k]);
            high = fmax(high, s->at[3 * h + k]);
        }
        const double extent = s->period[k] > 0 ? s->period[k] : high - low;
        const double fit = widest > 0 ? floor(extent / widest * (1 - 1e-12)) : 1;
        s->low[k] = s->period[k] > 0 ? 0 : low;
        s->cells[k] = fit >= (double)most ? most : fit > 1 ? (int64_t)fit : 1;
        s->width[k] = extent / (double)s->cells[k];
    }
}

/* The rows of each cell, in ascending order. */
static bool sort(struct halos_run *run, struct hosts *s) {
    const int64_t cells = s->cells[0] * s->cells[1] * s->cells[2];
    s->start = halos_allocate(run, cells + 1, sizeof *s->start);
    s->row = halos_allocate(run, s->n, sizeof *s->row);
    if (!s->start || !s->row)
        return false;
    for (int64_t c = 0; c <= cells; ++c)
        s->start[c] = 0;
    for (int64_t h = 0; h < s->n; ++h)
        ++s->start[cell_of_row(s, h)];
    for (int64_t c = 1; c <= cells; ++c)
        s->start[c] += s->start[c - 1];
    for (int64_t h = s->n; h-- > 0;)
        s->row[--s->start[cell_of_row(s, h)]] = h;
    return true;
}

/* The larger of two halos, by mass and then by row; -1 is none. */
static bool is_larger(const struct hosts *s, int64_t a, int64_t b) {
    return b < 0 || s->mass[a] > s->mass[b] || (s->mass[a] == s->mass[b] && a < b);
}

static bool holds(const struct hosts *s, int64_t host, int64_t row) {
    const double reach2 = s->radius[host] * s->radius[host];
    double r2 = 0;
    for (int k = 0; k < 3 && (k == 0 || r2 < reach2); ++k) {
        const double d = s->at[3 * row + k] - s->at[3 * host + k], period = s->period[k];
        const double x = period > 0 && fabs(d) > period / 2 ? remainder(d, period) : d;
        r2 += x * x;
    }
    return r2 < reach2;
}

/* The largest so far of the larger halos that lie in a cell and whose sphere holds the
 * row's center; -1: none. */
static int64_t host_in(const struct hosts *s, int64_t cell, int64_t row, int64_t host) {
    for (int64_t k = s->start[cell]; k < s->start[cell + 1]; ++k) {
        const int64_t other = s->row[k];
        if (other != row && is_larger(s, other, row) && is_larger(s, other, host) &&
            holds(s, other, row))
            host = other;
    }
    return host;
}

/* Those cells on an axis that are around a place: the one it lies in and both beside it, if
 * there are such. */
static int around(const struct hosts *s, int axis, double x, int64_t cell[3]) {
    const int64_t n = s->cells[axis], home = cell_of(s, axis, x);
    const int64_t first = n < 3 ? 0 : home - 1, last = n < 3 ? n - 1 : home + 1;
    int count = 0;
    for (int64_t k = first; k <= last; ++k) {
        const int64_t wrapped = k < 0 ? k + n : k < n ? k : k - n;
        if (wrapped == k || s->period[axis] > 0)
            cell[count++] = wrapped;
    }
    return count;
}

/* The same of all cells around. */
static int64_t host_of(const struct hosts *s, int64_t row) {
    int64_t cell[3][3], host = -1;
    int count[3];
    for (int k = 0; k < 3; ++k)
        count[k] = around(s, k, s->at[3 * row + k], cell[k]);
    for (int i = 0; i < count[0]; ++i)
        for (int j = 0; j < count[1]; ++j)
            for (int k = 0; k < count[2]; ++k) {
                const int64_t at[3] = {cell[0][i], cell[1][j], cell[2][k]};
                host = host_in(s, flat(s, at), row, host);
            }
    return host;
}

struct finding {
    const struct hosts *hosts;
    const int64_t *tag;
    int64_t *inside;
};

static void find_hosts(void *context, int64_t begin, int64_t end, int part) {
    const struct finding *f = context;
    (void)part;
    for (int64_t h = begin; h < end; ++h) {
        const int64_t host = host_of(f->hosts, h);
        f->inside[h] = host < 0 ? -1 : f->tag[host];
    }
}

int64_t *inside_find_hosts(struct halos_run *run, const struct halos_columns *columns,
                           int64_t n) {
    const struct halos_so_threshold *within = &run->so.thresholds[run->so.within];
    const int64_t *tag = halos_columns_find(columns, "tag");
    int64_t *inside = halos_allocate(run, n, sizeof *inside);
    struct hosts s = {.n = n,
                      .at = halos_columns_find(columns, "mbp_position"),
                      .mass = halos_columns_find(columns, within->columns[0]),
                      .radius = halos_columns_find(columns, within->columns[1])};
    for (int k = 0; k < 3; ++k)
        s.period[k] = run->period[k];
    divide(&s);
    if (inside && sort(run, &s)) {
        struct finding finding = {&s, tag, inside};
        crew_run(run->comm.threads, n, find_hosts, &finding);
    } else {
        free(inside);
        inside = NULL;
    }
    free(s.start);
    free(s.row);
    return inside;
}

void inside_keep_hosts(struct halos_run *run, int64_t *inside) {
    static const struct halos_column column = {
        "inside", 1, HALOS_NO_UNIT,
        "tag of the largest halo of more mass whose sphere holds the center; -1: none",
        NULL};
    if (inside)
        halos_keep_column(run, &column, CATALOGUE_I64, inside);
}

int inside_settle_hosts(struct halos_run *run) {
    struct comm *comm = &run->comm;
    if (run->so.n == 0 || run->so.within < 0)
        return CLI_DONE;
    const struct halos_so_threshold *of = &run->so.thresholds[run->so.within];
    const char *const names[] = {"tag", "mbp_position", of->columns[0], of->columns[1]};
    struct halos_columns here = {0}, all = {0};
    struct mailing mailing;
    int64_t *hosts = NULL, *mine = NULL;
    bool well = true;
    here.column = comm_allocate(comm, 4, sizeof *here.column, "hosts of halos");
    for (int k = 0; here.column && k < run->columns.n; ++k)
        for (int i = 0; i < 4; ++i)
            if (strcmp(run->columns.column[k].name, names[i]) == 0)
                here.column[here.n++] = run->columns.column[k];
    well = mailing_plan(comm, run->n_halos, collect_to_first, NULL, &mailing) &&
           collect_bring(comm, &mailing, &here, &all);
    if (well && comm->rank == 0)
        hosts = inside_find_hosts(run, &all, mailing.route.n_from);
    if (well && comm->rank == 0 && hosts == NULL)
        comm_fail(comm, progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                                      progress_error(run->device)));
    mine = comm_allocate(comm, run->n_halos, sizeof *mine, "hosts of halos");
    well = well && route_send_back(comm, &mailing.route, sizeof *mine, hosts, mine);
    if (well)
        inside_keep_hosts(run, mine);
    else
        free(mine);
    mailing_free(&mailing);
    halos_columns_free(&all);
    free(here.column);
    free(hosts);
    return well ? CLI_DONE : parallel_stop(comm);
}
