/* Members of halos that were found part by part and rank by rank: they stay where they are
 * until they are written, a piece at a time, each by the rank that has the halo's row. */
#ifndef WEFT_CLI_HALOS_MEMBERS_H
#define WEFT_CLI_HALOS_MEMBERS_H

#include "distributed/ranks/comm.h"
#include "io/catalogue/catalogue.h"

/* Those of a rank's halos. */
struct halos_members {
    int64_t halos;
    int64_t *begin;        /* [halos + 1]: where each begins in these arrays */
    int64_t *place;        /* [halos]: and in the catalogue; NULL: it is in their order */
    int64_t *order;        /* [halos]: by their places */
    int64_t *id, *friends; /* [begin[halos]]; NULL: not asked for */
    int64_t rounds;        /* in which all ranks bring a column, of them so many were: */
    int64_t done[2];
};
void halos_members_free(struct halos_members *members);

/* Finds the order, and the rounds where each rank writes so many. */
bool halos_members_settle(struct comm *comm, struct halos_members *members,
                          int64_t written);

/* A round: brings members first .. first + n of the catalogue, which may be none, to this
 * rank, and to others what they ask for. Columns come one after the other. */
bool halos_members_bring(struct comm *comm, struct halos_members *members,
                         enum catalogue_member_column column, int64_t first, int64_t n,
                         int64_t *out);

/* The rounds that are left. */
bool halos_members_finish(struct comm *comm, struct halos_members *members);

#endif
