#include "collect.h"
#include "cli/command.h"
#include "io/files/numbers.h"

#include <stdlib.h>
#include <string.h>

/* One rank alone has the groups of all: it notes one member of each halo. */
static bool is_noted(const struct halos_run *run, const uint32_t *label, int64_t i) {
    return run->labels[i] >= 0 && (run->comm.size > 1 || label[i] == i);
}

static bool append_labels(struct halos_collection *all, const struct halos_run *run,
                          const uint32_t *group) {
    int64_t more = 0, n = all->n_labels;
    for (int64_t i = 0; i < run->n_labels; ++i)
        more += is_noted(run, group, i);
    int64_t *labelled = realloc(all->labelled, (size_t)(n + more + 1) * sizeof *labelled);
    all->labelled = labelled ? labelled : all->labelled;
    int64_t *label = realloc(all->label, (size_t)(n + more + 1) * sizeof *label);
    all->label = label ? label : all->label;
    for (int64_t i = 0; labelled && label && i < run->n_labels; ++i) {
        if (is_noted(run, group, i)) {
            labelled[n] = run->index[i];
            label[n++] = run->labels[i];
        }
    }
    all->n_labels = n;
    return labelled && label;
}

static void forget_part(struct halos_run *run) {
    halos_columns_free(&run->columns);
    free(run->offset);
    free(run->member_id);
    free(run->member_friends);
    free(run->labels);
    run->offset = run->member_id = run->member_friends = run->labels = NULL;
    run->n_halos = run->n_members = run->n_labels = 0;
}

bool collect_part(struct halos_collection *all, struct halos_run *run,
                  const uint32_t *label) {
    const bool done =
        collect_rows(&all->columns, all->n_halos, &run->columns, run->n_halos) &&
        collect_i64(&all->member_id, all->n_members, run->member_id, run->n_members) &&
        collect_i64(&all->member_friends, all->n_members, run->member_friends,
                    run->n_members) &&
        append_labels(all, run, label) && collect_subhalos_of_part(all, run);
    all->n_halos += run->n_halos;
    all->n_members += run->n_members;
    forget_part(run);
    return done;
}

void collect_free(struct halos_collection *all) {
    halos_columns_free(&all->columns);
    halos_columns_free(&all->profiles);
    halos_columns_free(&all->subhalos.columns);
    free(all->subhalos.member_id);
    free(all->member_id);
    free(all->member_friends);
    free(all->labelled);
    free(all->label);
    *all = (struct halos_collection){0};
}

static int to_share(const void *context, int64_t row, int *ranks) {
    const struct halos_run *run = context;
    ranks[0] = halos_rank_of(run, run->index[row]);
    return 1;
}

/* Members of all ranks, by the places of their halos, which mailing sent off. */
static bool keep_members(struct halos_collection *all, struct halos_run *run,
                         const struct mailing *mailing, const struct collect_key *order) {
    struct comm *comm = &run->comm;
    struct halos_members *members = &run->members;
    const int64_t *count = halos_columns_find(&all->columns, "count");
    int64_t *place = collect_send_back(comm, mailing, order, run->n_halos, run->offset);
    *members = (struct halos_members){.halos = all->n_halos,
                                      .place = place,
                                      .id = all->member_id,
                                      .friends = all->member_friends};
    all->member_id = all->member_friends = NULL;
    members->begin =
        comm_allocate(comm, all->n_halos + 1, sizeof *members->begin, "members of halos");
    if (members->begin) {
        members->begin[0] = 0;
        for (int64_t h = 0; h < all->n_halos; ++h)
            members->begin[h + 1] = members->begin[h] + count[h];
    }
    return halos_members_settle(comm, members, run->n_members);
}

/* Where the members of each row begin among all. */
static bool count_members(struct halos_run *run, const struct collect_key *order) {
    struct comm *comm = &run->comm;
    const int64_t n = run->n_halos;
    int64_t members = 0;
    for (int64_t h = 0; order && h < n; ++h)
        members += order[h].count;
    run->n_members = members;
    run->offset = comm_allocate(comm, n + 1, sizeof *run->offset, "the order of halos");
    if (!collect_rest(comm, n, &run->rest) ||
        !collect_rest(comm, members, &run->members_rest))
        return false;
    run->offset[0] = run->members_rest.before;
    for (int64_t h = 0; h < n; ++h)
        run->offset[h + 1] = run->offset[h] + order[h].count;
    return true;
}

/* Brings each rank its rows of the catalogue, and puts them in order. */
static bool bring_columns(struct halos_collection *all, struct halos_run *run) {
    struct comm *comm = &run->comm;
    struct mailing mailing;
    bool well = collect_plan(run, &all->columns, all->n_halos, &mailing);
    run->n_halos = well ? mailing.route.n_from : 0;
    well = well && collect_bring(comm, &mailing, &all->columns, &run->columns) &&
           collect_bring(comm, &mailing, &all->profiles, &run->profiles);
    struct collect_key *order =
        well ? collect_keys(comm, &run->columns, run->n_halos) : NULL;
    well = count_members(run, order) &&
           collect_sort(comm, &run->columns, order, run->n_halos) &&
           collect_sort(comm, &run->profiles, order, run->n_halos);
    if (well && run->options.members)
        well = keep_members(all, run, &mailing, order);
    if (well && run->options.subhalos)
        well = collect_subhalos_of_ranks(all, run, &mailing, order);
    mailing_free(&mailing);
    free(order);
    return comm_agree(comm) && well;
}

static bool bring_labels(struct halos_collection *all, struct halos_run *run) {
    struct comm *comm = &run->comm;
    const int64_t first = halos_share(run, comm->rank);
    struct mailing mailing;
    int64_t *labelled = NULL, *label = NULL;
    run->index = all->labelled;
    run->n_labels = halos_share(run, comm->rank + 1) - first;
    run->labels = comm_allocate(comm, run->n_labels, sizeof *run->labels, "labels");
    if (mailing_plan(comm, all->n_labels, to_share, run, &mailing)) {
        labelled = mailing_send(comm, &mailing, sizeof *labelled, all->labelled);
        label = mailing_send(comm, &mailing, sizeof *label, all->label);
    }
    if (label) {
        for (int64_t i = 0; i < run->n_labels; ++i)
            run->labels[i] = -1;
        for (int64_t k = 0; k < mailing.route.n_from; ++k)
            run->labels[labelled[k] - first] = label[k];
    }
    run->index = NULL;
    free(labelled);
    free(label);
    mailing_free(&mailing);
    return comm_agree(comm);
}

bool collect_labels(struct halos_collection *all, struct halos_run *run, int64_t n,
                    const uint32_t *label, const int64_t *index) {
    int64_t *labels = comm_allocate(&run->comm, run->info.n, sizeof *labels, "labels");
    if (labels == NULL)
        return false;
    for (int64_t i = 0; i < run->info.n; ++i)
        labels[i] = -1;
    for (int64_t k = 0; k < all->n_labels; ++k)
        labels[all->labelled[k]] = all->label[k];
    for (int64_t i = 0; i < n; ++i)
        labels[index ? index[i] : i] = labels[index ? index[label[i]] : label[i]];
    run->labels = labels;
    run->n_labels = run->info.n;
    return true;
}

bool collect_ranks(struct halos_collection *all, struct halos_run *run) {
    return bring_columns(all, run) &&
           (!halos_needs_labels(run) || run->comm.size == 1 || bring_labels(all, run));
}
