/* Types of particles of `weft halos`: dark matter that is linked, and what is attached to
 * its halos. */
#ifndef WEFT_CLI_HALOS_TYPES_H
#define WEFT_CLI_HALOS_TYPES_H

#include "distributed/table/table.h"
#include "io/snapshot.h"

struct halos_run;
struct mixture;

enum { TYPES_MOST = 6 };

struct halos_types {
    bool given;
    int n_linked, linked[TYPES_MOST];     /* 1, 2, 3 */
    int n_attached, attached[TYPES_MOST]; /* 0, 4, 5 */
};

/* Particles that are attached, type after type: their number is their place among all. */
struct halos_attached {
    struct snapshot_particles particles; /* of this rank, until they are found a halo */
    int64_t *place;                      /* of those in a region, their numbers; or NULL */
    int64_t count[TYPES_MOST];           /* of each in the order of the options */
    int64_t inside[TYPES_MOST];          /* of the region; without one all */
    int64_t in_halos[TYPES_MOST];        /* of all ranks */
    struct table found;                  /* what nearest_find found, with masses */
};

/* Those of a list of numbers, each once and at least one of them linked. False, and a
 * sentence for the user. */
bool types_parse(const char *list, struct halos_types *types, struct io_error *error);

/* Another number for other types. */
double types_number(const struct halos_types *types);

/* Says which types of the snapshot are left out, and which are asked for and not there. */
void types_tell(const struct halos_run *run);

/* Whether the linked particles are not all the dark matter of the box, so that their number
 * does not tell the mean separation. */
bool types_are_part(const struct halos_run *run);

/* For those the mean separation of particles as heavy as the lightest that are linked, were
 * they all of the dark matter, and from it the linking length; for several types that
 * lightest mass. Returns the exit status. After reading. */
int types_settle_length(struct halos_run *run);

/* Reads what is attached, each rank its share. Returns the exit status. */
int types_read_attached(struct halos_run *run);

/* Finds the nearest linked particle of each, while those are there. Returns the exit
 * status. */
int types_find_nearest(struct halos_run *run);

/* Which kind, in the order of the options, an attached particle is of, by its number. */
int types_kind(const struct halos_run *run, int64_t number);

/* From the labels of all linked particles: appends the columns. Returns the exit status. */
int types_attach(struct halos_run *run);

/* A line of the summary: how many of what is attached are in halos. */
void types_print(const struct halos_run *run);

void types_free(struct halos_run *run);

#endif
