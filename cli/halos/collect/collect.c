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

/* A halo's place in what came. */
struct place {
    int64_t count, tag, row;
};

static int by_size(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* The halos in the order of the catalogue; the run's offsets. */
static struct place *order_halos(struct halos_run *run) {
    struct comm *comm = &run->comm;
    const int64_t n = run->n_halos;
    struct place *order = comm_allocate(comm, n, sizeof *order, "the order of halos");
    run->offset = comm_allocate(comm, n + 1, sizeof *run->offset, "the order of halos");
    if (order == NULL || run->offset == NULL)
        return order;
    const int64_t *count = n > 0 ? halos_column(run, "count") : NULL;
    const int64_t *tag = n > 0 ? halos_column(run, "tag") : NULL;
    for (int64_t h = 0; h < n; ++h)
        order[h] = (struct place){count[h], tag[h], h};
    qsort(order, (size_t)n, sizeof *order, by_size);
    run->offset[0] = 0;
    for (int64_t h = 0; h < n; ++h)
        run->offset[h + 1] = run->offset[h] + order[h].count;
    run->n_members = run->offset[n];
    return order;
}

static void sort_columns(struct halos_run *run, const struct halos_columns *columns,
                         const struct place *order) {
    for (int c = 0; c < columns->n; ++c) {
        struct catalogue_column *column = &columns->column[c];
        const size_t bytes = collect_width(column);
        char *sorted = comm_allocate(&run->comm, run->n_halos, bytes, "the catalogue");
        for (int64_t h = 0; sorted && h < run->n_halos; ++h)
            memcpy(sorted + (size_t)h * bytes,
                   (const char *)column->data + (size_t)order[h].row * bytes, bytes);
        free((void *)(uintptr_t)column->data);
        column->data = sorted;
    }
}

/* Leaves the members where they are, and tells each rank which places its halos have. */
static bool keep_members(struct halos_collection *all, struct halos_run *run,
                         const struct mailing *mailing, const struct place *order) {
    struct comm *comm = &run->comm;
    struct halos_members *members = &run->members;
    const int64_t *count = halos_columns_find(&all->columns, "count");
    const int64_t came = mailing->route.n_from;
    int64_t *place = comm_allocate(comm, came, sizeof *place, "the order of halos");
    *members = (struct halos_members){.halos = all->n_halos, .total = all->n_members};
    members->begin =
        comm_allocate(comm, all->n_halos + 1, sizeof *members->begin, "members of halos");
    members->place =
        comm_allocate(comm, all->n_halos, sizeof *members->place, "members of halos");
    members->id = all->member_id;
    members->friends = all->member_friends;
    all->member_id = all->member_friends = NULL;
    if (members->begin) {
        members->begin[0] = 0;
        for (int64_t h = 0; h < all->n_halos; ++h)
            members->begin[h + 1] = members->begin[h] + count[h];
    }
    for (int64_t h = 0; place && order && h < came; ++h)
        place[order[h].row] = run->offset[h];
    const bool well =
        comm_reduce_i64(comm, &members->total, 1, COMM_SUM) &&
        route_send_back(comm, &mailing->route, sizeof *place, place, members->place);
    free(place);
    return well;
}

/* Brings the columns of all ranks to rank 0 and puts them in order. */
static bool bring_columns(struct halos_collection *all, struct halos_run *run) {
    struct comm *comm = &run->comm;
    struct mailing mailing;
    bool well = mailing_plan(comm, all->n_halos, collect_to_first, NULL, &mailing);
    run->n_halos = well ? mailing.route.n_from : 0;
    well = well && collect_bring(comm, &mailing, &all->columns, &run->columns) &&
           collect_bring(comm, &mailing, &all->profiles, &run->profiles);
    struct place *order = well ? order_halos(run) : NULL;
    if (order && run->offset) {
        sort_columns(run, &run->columns, order);
        sort_columns(run, &run->profiles, order);
    }
    if (well && run->options.members)
        keep_members(all, run, &mailing, order);
    mailing_free(&mailing);
    int64_t *row = comm_allocate(comm, run->n_halos, sizeof *row, "the order of halos");
    for (int64_t h = 0; row && order && h < run->n_halos; ++h)
        row[h] = order[h].row;
    free(order);
    const bool agreed = comm_agree(comm) && (!run->options.subhalos ||
                                             collect_subhalos_of_ranks(all, run, row));
    free(row);
    return agreed;
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
