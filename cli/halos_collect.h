/* Columns of halos that were found part by part and rank by rank, as one catalogue. */
#ifndef WEFT_CLI_HALOS_COLLECT_H
#define WEFT_CLI_HALOS_COLLECT_H

#include "halos.h"

struct halos_collection {
    struct catalogue_column columns[HALOS_COLUMNS]; /* each owns its data */
    int n_columns;
    int64_t n_halos, n_members, n_labels;
    int64_t *member_id, *member_friends; /* [n_members], or NULL */
    int64_t *labelled, *label;           /* [n_labels]: input index, tag */
};

/* Adds what the run has of one part, and takes it from the run. False where memory is out.
 */
bool collect_part(struct halos_collection *all, struct halos_run *run);

/* Brings the parts of all ranks to rank 0, in the order of the catalogue, and the labels
 * each to the rank whose share of the input it is in: all of it back into the run. */
bool collect_ranks(struct halos_collection *all, struct halos_run *run);

void collect_free(struct halos_collection *all);

#endif
