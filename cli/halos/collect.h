/* Columns of halos that were found part by part and rank by rank, as one catalogue. */
#ifndef WEFT_CLI_HALOS_COLLECT_H
#define WEFT_CLI_HALOS_COLLECT_H

#include "halos.h"

struct halos_collection {
    struct halos_columns columns, profiles;
    int64_t n_halos, n_members, n_labels;
    int64_t *member_id, *member_friends; /* [n_members], or NULL */
    int64_t *labelled, *label;           /* [n_labels]: input index, tag; of the first
                                            member of each halo where there is one rank */
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

void collect_free(struct halos_collection *all);

#endif
