/* Columns of halos that were found part by part and rank by rank, as one catalogue. */
#ifndef WEFT_CLI_HALOS_COLLECT_H
#define WEFT_CLI_HALOS_COLLECT_H

#include "cli/halos/halos.h"
#include "distributed/table/table.h"

struct halos_collection {
    struct halos_columns columns, profiles;
    int64_t n_halos, n_members, n_labels;
    int64_t *member_id, *member_friends; /* [n_members], or NULL */
    int64_t *labelled, *label;           /* [n_labels]: input index, tag; of the first
                                            member of each halo where there is one rank */
    struct halos_subhalos subhalos;      /* rows of halos are those of this collection */
    int64_t n_subhalo_members;
};

/* Adds what the run has of one part, whose rows are in the groups `label`, and takes it
 * from the run. False where memory is out. */
bool collect_part(struct halos_collection *all, struct halos_run *run,
                  const uint32_t *label);

/* With one rank: the labels of all n particles, back into the run.
 *   label   [n] the group of each, by its first row
 *   index   [n] their places in the input, ascending; NULL: the same */
bool collect_labels(struct halos_collection *all, struct halos_run *run, int64_t n,
                    const uint32_t *label, const int64_t *index);

/* Brings each rank its rows of the catalogue, or all to rank 0 where the file is written by
 * one alone, and with several the labels each to the rank whose share of the input it is
 * in: all of it back into the run. Members become run->members. */
bool collect_ranks(struct halos_collection *all, struct halos_run *run);

/* A halo's place in the catalogue: larger ones first, then smaller tags. */
struct collect_key {
    int64_t count, tag, row;
};

/* The rows in their order, for free(); NULL after comm_fail. */
struct collect_key *collect_keys(struct comm *comm, const struct halos_columns *columns,
                                 int64_t n);

/* Which rows go to which rank, for all ranks to have about as many; free it in each case.
 * Then: rows that came into their order; and values of rows in order, back to the ranks
 * that they are from, in the order of the rows there. */
bool collect_plan(struct halos_run *run, const struct halos_columns *columns, int64_t n,
                  struct mailing *mailing);
bool collect_sort(struct comm *comm, const struct halos_columns *columns,
                  const struct collect_key *order, int64_t n);
int64_t *collect_send_back(struct comm *comm, const struct mailing *mailing,
                           const struct collect_key *order, int64_t n,
                           const int64_t *values);

/* What other ranks have beside n here. */
bool collect_rest(struct comm *comm, int64_t n, struct catalogue_rest *rest);

/* The same of subhalos, if any were looked for: of a part whose halos come after those that
 * there are; and of ranks, whose halos were sent so and are in this order. */
bool collect_subhalos_of_part(struct halos_collection *all, struct halos_run *run);
bool collect_subhalos_of_ranks(struct halos_collection *all, struct halos_run *run,
                               const struct mailing *mailing,
                               const struct collect_key *order);

/* Columns: the bytes of a row; rows after the n that there are, which may be taken over;
 * those that a mailing brings. And numbers after n others. False where memory is out. */
size_t collect_width(const struct catalogue_column *column);
bool collect_rows(struct halos_columns *all, int64_t n, struct halos_columns *more,
                  int64_t rows);
bool collect_bring(struct comm *comm, const struct mailing *mailing,
                   const struct halos_columns *from, struct halos_columns *to);
int collect_to_first(const void *context, int64_t row, int *ranks);
bool collect_i64(int64_t **array, int64_t n, const int64_t *rows, int64_t more);

void collect_free(struct halos_collection *all);

#endif
