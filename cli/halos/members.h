/* Members of halos that were found part by part and rank by rank: they stay where they are
 * until they are written, a piece at a time. */
#ifndef WEFT_CLI_HALOS_MEMBERS_H
#define WEFT_CLI_HALOS_MEMBERS_H

#include "distributed/ranks/comm.h"
#include "io/catalogue/catalogue.h"

/* Those of a rank's halos. */
struct halos_members {
    int64_t halos;
    int64_t *begin;        /* [halos + 1]: where each begins in these arrays */
    int64_t *place;        /* [halos]: and in the catalogue; NULL: it is in their order */
    int64_t *id, *friends; /* [begin[halos]]; NULL: not asked for */
    int64_t total;         /* of all ranks */
};
void halos_members_free(struct halos_members *members);

/* Brings members first .. first + n of the catalogue to rank 0, into its `out`. */
bool halos_members_bring(struct comm *comm, const struct halos_members *members,
                         enum catalogue_member_column column, int64_t first, int64_t n,
                         int64_t *out);

/* On other ranks: sends all, as rank 0 writes the catalogue. */
bool halos_members_send(struct comm *comm, const struct halos_members *members);

#endif
