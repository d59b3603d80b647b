/* Columns of gas, stars and black holes: how many of each are in a halo, and their mass. */
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "distributed/link.h"
#include "io/files/numbers.h"
#include "tags.h"
#include "types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A particle in a halo, and what there is of one kind or several in a halo. */
struct inside {
    int64_t tag, number;
    double mass;
};
struct sum {
    int64_t tag, count[TYPES_MOST];
    double mass[TYPES_MOST];
};

/* What a rule for rows needs to know. */
struct rows {
    const struct halos_run *run;
    const int64_t *index;        /* of the nearest particle of each */
    const struct inside *inside; /* or what is in halos */
    const int64_t *tag;          /* or halos themselves */
};

/* The rank that has the label of the nearest particle. */
static int rank_of_label(const void *context, int64_t row, int *ranks) {
    const struct rows *rows = context;
    ranks[0] = halos_rank_of(rows->run, rows->index[row]);
    return 1;
}

static int rank_of_tag(const void *context, int64_t row, int *ranks) {
    const struct rows *rows = context;
    const int64_t tag = rows->tag ? rows->tag[row] : rows->inside[row].tag;
    const uint64_t mixed = (uint64_t)tag * 0x9e3779b97f4a7c15u;
    ranks[0] = (int)((mixed >> 32) % (uint64_t)rows->run->comm.size);
    return 1;
}

/* The halos of what found a particle: *n of them, by number on one rank alone. NULL after
 * comm_fail. */
static struct inside *find_halos(struct halos_run *run, int64_t *n) {
    const struct table *found = &run->attached.found;
    const int64_t *number = found->column[LINK_INDEX];
    const double *mass = found->column[LINK_MASS];
    const struct rows rows = {run, found->column[LINK_ID], NULL, NULL};
    struct comm *comm = &run->comm;
    const int64_t first = io_share(run->info.n, comm->rank, comm->size);
    struct mailing mailing;
    int64_t *asked = NULL, *tag = NULL;
    struct inside *inside = NULL;
    *n = 0;
    if (mailing_plan(comm, found->n, rank_of_label, &rows, &mailing)) {
        asked = mailing_send(comm, &mailing, sizeof *asked, rows.index);
        tag = comm_allocate(comm, mailing.route.n_to, sizeof *tag, "halos of gas");
        inside = comm_allocate(comm, mailing.route.n_to, sizeof *inside, "halos of gas");
    }
    for (int64_t k = 0; asked && k < mailing.route.n_from; ++k)
        asked[k] = run->labels[asked[k] - first];
    const bool well = route_send_back(comm, &mailing.route, sizeof *tag, asked, tag);
    for (int64_t k = 0; well && k < mailing.route.n_to; ++k) {
        const uint32_t row = mailing.row[k];
        if (tag[k] >= 0)
            inside[(*n)++] = (struct inside){tag[k], -1 - number[row], mass[row]};
    }
    free(asked);
    free(tag);
    mailing_free(&mailing);
    return inside;
}

static int by_number(const void *a, const void *b) {
    const struct inside *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Sums of masses have one order. */
static void order(struct inside *inside, int64_t n) {
    int64_t k = 1;
    while (k < n && inside[k - 1].number < inside[k].number)
        ++k;
    if (k < n)
        qsort(inside, (size_t)n, sizeof *inside, by_number);
}

/* The sums of each halo; NULL after comm_fail. */
static struct sum *add_up(struct halos_run *run, struct inside *inside, int64_t n,
                          int64_t *halos) {
    struct tags tags;
    struct sum *sums = comm_allocate(&run->comm, n, sizeof *sums, "sums of gas");
    if (!tags_new(&tags, n)) {
        io_fail(&run->comm.error, "out of memory: halos of gas");
        comm_fail(&run->comm, CLI_FAULT);
    }
    order(inside, n);
    for (int64_t k = 0; run->comm.trouble == 0 && k < n; ++k) {
        const int64_t before = tags.n, h = tags_place(&tags, inside[k].tag);
        const int kind = types_kind(run, inside[k].number);
        if (h == before)
            sums[h] = (struct sum){.tag = inside[k].tag};
        ++sums[h].count[kind];
        sums[h].mass[kind] += inside[k].mass;
    }
    *halos = tags.n;
    tags_free(&tags);
    return sums;
}

/* What there is in each of the halos that others ask for, of n sums; NULL after
 * comm_fail. */
static struct sum *look_up(struct halos_run *run, const struct sum *sums, int64_t n,
                           const int64_t *asked, int64_t n_asked) {
    struct tags tags;
    struct sum *answer = comm_allocate(&run->comm, n_asked, sizeof *answer, "sums of gas");
    if (!tags_new(&tags, n + n_asked)) {
        io_fail(&run->comm.error, "out of memory: halos of gas");
        comm_fail(&run->comm, CLI_FAULT);
    }
    for (int64_t s = 0; run->comm.trouble == 0 && s < n; ++s)
        tags_place(&tags, sums[s].tag);
    for (int64_t k = 0; run->comm.trouble == 0 && k < n_asked; ++k) {
        const int64_t place = tags_place(&tags, asked[k]);
        answer[k] = place < n ? sums[place] : (struct sum){.tag = asked[k]};
    }
    tags_free(&tags);
    return answer;
}

/* The sums of the halos whose rows are here, in their order; NULL after comm_fail. */
static struct sum *ask(struct halos_run *run, const struct sum *sums, int64_t n) {
    struct comm *comm = &run->comm;
    const int64_t *tag = run->n_halos > 0 ? halos_column(run, "tag") : NULL;
    const struct rows rows = {run, NULL, NULL, tag};
    struct mailing mailing;
    int64_t *asked = NULL;
    struct sum *answer = NULL, *came = NULL, *of = NULL;
    if (mailing_plan(comm, run->n_halos, rank_of_tag, &rows, &mailing))
        asked = mailing_send(comm, &mailing, sizeof *asked, tag);
    if (asked)
        answer = look_up(run, sums, n, asked, mailing.route.n_from);
    came = comm_allocate(comm, run->n_halos, sizeof *came, "sums of gas");
    of = comm_allocate(comm, run->n_halos, sizeof *of, "sums of gas");
    const bool well = route_send_back(comm, &mailing.route, sizeof *came, answer, came);
    for (int64_t k = 0; well && k < mailing.route.n_to; ++k)
        of[mailing.row[k]] = came[k];
    free(asked);
    free(answer);
    free(came);
    mailing_free(&mailing);
    return of;
}

static void add_columns(struct halos_run *run, const struct sum *sums) {
    const struct halos_types *types = &run->options.types;
    for (int k = 0; k < types->n_attached; ++k) {
        const struct halos_column *column = columns[types->attached[k]];
        int64_t *count = halos_allocate(run, run->n_halos, sizeof *count);
        double *mass = halos_allocate(run, run->n_halos, sizeof *mass);
        for (int64_t h = 0; count && mass && h < run->n_halos; ++h) {
            count[h] = sums[h].count[k];
            mass[h] = sums[h].mass[k];
        }
        halos_keep_column(run, &column[0], CATALOGUE_I64, count);
        halos_keep_column(run, &column[1], CATALOGUE_F64, mass);
    }
}

void types_print(const struct halos_run *run) {
    static const char *const names[TYPES_MOST] = {
        [0] = "gas", [4] = "stars", [5] = "black holes"};
    const struct halos_types *types = &run->options.types;
    for (int k = 0; k < types->n_attached; ++k) {
        const int type = types->attached[k];
        printf("%s%s: %" PRId64 " of %" PRId64 " in halos", k == 0 ? "" : ", ", names[type],
               run->attached.in_halos[k], run->attached.inside[k]);
    }
    printf("%s", types->n_attached > 0 ? "\n" : "");
}

/* Rows of `bytes` that go where the rule says; *n of them came, for free(). */
static void *pass(struct halos_run *run, const void *all, int64_t *n, size_t bytes,
                  parts_rule *rule, const struct rows *rows) {
    struct mailing mailing;
    void *came = NULL;
    if (mailing_plan(&run->comm, *n, rule, rows, &mailing))
        came = mailing_send(&run->comm, &mailing, bytes, all);
    *n = came ? mailing.route.n_from : 0;
    mailing_free(&mailing);
    return came;
}

int types_attach(struct halos_run *run) {
    int64_t n = 0, *in_halos = run->attached.in_halos;
    if (run->options.types.n_attached == 0)
        return CLI_DONE;
    struct inside *inside = find_halos(run, &n), *own = NULL;
    struct sum *sums = NULL, *all = NULL;
    const struct rows rows = {run, NULL, inside, NULL};
    own = pass(run, inside, &n, sizeof *own, rank_of_tag, &rows);
    sums = add_up(run, own, n, &n);
    all = ask(run, sums, n);
    for (int64_t h = 0; all && h < run->n_halos; ++h)
        for (int k = 0; k < run->options.types.n_attached; ++k)
            in_halos[k] += all[h].count[k];
    const bool well =
        comm_reduce_i64(&run->comm, in_halos, run->options.types.n_attached, COMM_SUM);
    if (well)
        add_columns(run, all);
    free(inside);
    free(own);
    free(sums);
    free(all);
    timings_end(&run->timings, TIMINGS_PROPERTIES, 0);
    if (!well)
        return parallel_stop(&run->comm);
    return weft_check(run->device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                               progress_error(run->device));
}
