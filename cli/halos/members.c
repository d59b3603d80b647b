#include "members.h"

#include <stdlib.h>

struct sent {
    int64_t place, value;
};

void halos_members_free(struct halos_members *members) {
    free(members->begin);
    free(members->place);
    free(members->id);
    free(members->friends);
    *members = (struct halos_members){0};
}

/* The members of halo h that lie in first .. first + n of the catalogue. */
struct range {
    int64_t begin, end; /* places there */
    const int64_t *value;
};

static struct range overlap(const struct halos_members *members, const int64_t *values,
                            int64_t h, int64_t first, int64_t n) {
    const int64_t place = members->place[h];
    const int64_t end = place + members->begin[h + 1] - members->begin[h];
    struct range range = {place > first ? place : first, end < first + n ? end : first + n,
                          NULL};
    if (range.begin < range.end)
        range.value = values + members->begin[h] + (range.begin - place);
    return range;
}

/* Those of this rank; NULL after comm_fail. */
static struct sent *list(struct comm *comm, const struct halos_members *members,
                         const int64_t *values, int64_t first, int64_t n, int64_t *listed) {
    *listed = 0;
    for (int64_t h = 0; h < members->halos; ++h) {
        const struct range range = overlap(members, values, h, first, n);
        *listed += range.value ? range.end - range.begin : 0;
    }
    struct sent *sent = comm_allocate(comm, *listed, sizeof *sent, "members of halos"),
                *next = sent;
    for (int64_t h = 0; sent && h < members->halos; ++h) {
        const struct range range = overlap(members, values, h, first, n);
        for (int64_t k = range.begin; range.value && k < range.end; ++k)
            *next++ = (struct sent){k, range.value[k - range.begin]};
    }
    return sent;
}

bool halos_members_bring(struct comm *comm, const struct halos_members *members,
                         enum catalogue_member_column column, int64_t first, int64_t n,
                         int64_t *out) {
    const int64_t *values = column == CATALOGUE_MEMBER_IDS ? members->id : members->friends;
    int64_t listed;
    struct sent *sent = list(comm, members, values, first, n, &listed), *came = NULL;
    struct route route;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    for (int r = 0; to && r < comm->size; ++r)
        to[r] = r == 0 ? listed : 0;
    if (route_find(comm, to, &route))
        came = comm_allocate(comm, route.n_from, sizeof *came, "members of halos");
    const bool well = route_send(comm, &route, sizeof *sent, sent, came);
    for (int64_t k = 0; well && k < route.n_from; ++k)
        out[came[k].place - first] = came[k].value;
    free(sent);
    free(came);
    route_free(&route);
    return well;
}

static bool send_column(struct comm *comm, const struct halos_members *members,
                        enum catalogue_member_column column) {
    bool well = true;
    for (int64_t first = 0; well && first < members->total; first += CATALOGUE_PIECE) {
        const int64_t left = members->total - first;
        well = halos_members_bring(comm, members, column, first,
                                   left < CATALOGUE_PIECE ? left : CATALOGUE_PIECE, NULL);
    }
    return well;
}

bool halos_members_send(struct comm *comm, const struct halos_members *members) {
    return send_column(comm, members, CATALOGUE_MEMBER_IDS) &&
           (members->friends == NULL ||
            send_column(comm, members, CATALOGUE_MEMBER_FRIENDS));
}
