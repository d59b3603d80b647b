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

/* Brings the columns of all ranks to rank 0, in the order of the catalogue, and with
 * several the labels each to the rank whose share of the input it is in: all of it back
 * into the run. Members become run->members. */
bool collect_ranks(struct halos_collection *all, struct halos_run *run);

/* The same of subhalos, if any were looked for: of a part whose halos come after those that
 * there are; and of ranks, where halo row[k] of all that came is halo k. */
bool collect_subhalos_of_part(struct halos_collection *all, struct halos_run *run);
bool collect_subhalos_of_ranks(struct halos_collection *all, struct halos_run *run,
                               const int64_t *row);

/* Columns: the bytes of a row; rows after the n that there are; those of all ranks, to rank
 * 0, of rows that go there. And numbers after n others. False where memory is out. */
size_t collect_width(const struct catalogue_column *column);
bool collect_rows(struct halos_columns *all, int64_t n, const struct halos_columns *more,
                  int64_t rows);
bool collect_bring(struct comm *comm, const struct mailing *mailing,
                   const struct halos_columns *from, struct halos_columns *to);
int collect_to_first(const void *context, int64_t row, int *ranks);
bool collect_i64(int64_t **array, int64_t n, const int64_t *rows, int64_t more);

void collect_free(struct halos_collection *all);

#endif
