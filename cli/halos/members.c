#include "members.h"

#include <stdlib.h>

struct sent {
    int64_t place, value;
};

void halos_members_free(struct halos_members *members) {
    free(members->begin);
    free(members->place);
    free(members->order);
    free(members->id);
    free(members->friends);
    *members = (struct halos_members){0};
}

struct placed {
    int64_t place, halo;
};

static int by_place(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

bool halos_members_settle(struct comm *comm, struct halos_members *members,
                          int64_t written) {
    const int64_t n = members->halos;
    struct placed *placed = comm_allocate(comm, n, sizeof *placed, "members of halos");
    members->order = comm_allocate(comm, n, sizeof *members->order, "members of halos");
    if (placed && members->order && members->place) {
        for (int64_t h = 0; h < n; ++h)
            placed[h] = (struct placed){members->place[h], h};
        qsort(placed, (size_t)n, sizeof *placed, by_place);
        for (int64_t k = 0; k < n; ++k)
            members->order[k] = placed[k].halo;
    }
    free(placed);
    members->rounds = (written + CATALOGUE_PIECE - 1) / CATALOGUE_PIECE;
    return comm_reduce_i64(comm, &members->rounds, 1, COMM_MAX);
}

static int64_t size_of(const struct halos_members *members, int64_t h) {
    return members->begin[h + 1] - members->begin[h];
}

/* The first halo, by its place, that ends behind this one. */
static int64_t first_behind(const struct halos_members *members, int64_t place) {
    int64_t low = 0, high = members->halos;
    while (low < high) {
        const int64_t middle = (low + high) / 2, h = members->order[middle];
        if (members->place[h] + size_of(members, h) > place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct range {
    int64_t first, n;
};

/* Those in the range, into `sent` unless it is NULL; returns how many. */
static int64_t list(const struct halos_members *members, const int64_t *values,
                    struct range range, struct sent *sent) {
    const int64_t end = range.first + range.n;
    int64_t listed = 0;
    for (int64_t k = range.n > 0 ? first_behind(members, range.first) : members->halos;
         k < members->halos && members->place[members->order[k]] < end; ++k) {
        const int64_t h = members->order[k], place = members->place[h];
        const int64_t *value = values + members->begin[h] - place;
        const int64_t last =
            place + size_of(members, h) < end ? place + size_of(members, h) : end;
        for (int64_t p = place > range.first ? place : range.first; p < last; ++p) {
            if (sent)
                sent[listed] = (struct sent){p, value[p]};
            ++listed;
        }
    }
    return listed;
}

/* What each rank asks for, side by side, and how much it is. */
static struct sent *list_all(struct comm *comm, const struct halos_members *members,
                             const int64_t *values, const struct range *asked,
                             int64_t *to) {
    int64_t all = 0, at = 0;
    for (int r = 0; r < comm->size; ++r)
        all += to[r] = list(members, values, asked[r], NULL);
    struct sent *sent = comm_allocate(comm, all, sizeof *sent, "members of halos");
    for (int r = 0; sent && r < comm->size; ++r)
        at += list(members, values, asked[r], sent + at);
    return sent;
}

static bool bring(struct comm *comm, const struct halos_members *members,
                  const int64_t *values, struct range mine, int64_t *out) {
    struct range *asked = comm_allocate(comm, comm->size, sizeof *asked, "ranks");
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    struct sent *sent = NULL, *came = NULL;
    struct route route;
    if (comm_share(comm, &mine, sizeof mine, asked))
        sent = list_all(comm, members, values, asked, to);
    if (route_find(comm, to, &route))
        came = comm_allocate(comm, route.n_from, sizeof *came, "members of halos");
    const bool well = route_send(comm, &route, sizeof *sent, sent, came);
    for (int64_t k = 0; well && k < route.n_from; ++k)
        out[came[k].place - mine.first] = came[k].value;
    free(asked);
    free(sent);
    free(came);
    route_free(&route);
    return well;
}

/* Up to `rounds` of a column, in which this rank asks for nothing. */
static bool serve(struct comm *comm, struct halos_members *members, int column) {
    const int64_t *values = column == CATALOGUE_MEMBER_IDS ? members->id : members->friends;
    bool well = true;
    for (; values && well && members->done[column] < members->rounds;
         ++members->done[column])
        well = bring(comm, members, values, (struct range){0, 0}, NULL);
    return well;
}

bool halos_members_bring(struct comm *comm, struct halos_members *members,
                         enum catalogue_member_column column, int64_t first, int64_t n,
                         int64_t *out) {
    const int64_t *values = column == CATALOGUE_MEMBER_IDS ? members->id : members->friends;
    if (column == CATALOGUE_MEMBER_FRIENDS && !serve(comm, members, CATALOGUE_MEMBER_IDS))
        return false;
    ++members->done[column];
    return bring(comm, members, values, (struct range){first, n}, out);
}

bool halos_members_finish(struct comm *comm, struct halos_members *members) {
    return serve(comm, members, CATALOGUE_MEMBER_IDS) &&
           serve(comm, members, CATALOGUE_MEMBER_FRIENDS);
}
