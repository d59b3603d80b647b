/* Particles that visit other ranks, which find something out about them, while all stay in
 * the arrays of the ranks that have them. A rank has most of what it is asked for already:
 * that does not leave its device; the others' places are sent, and what was found of them
 * comes back. */
#ifndef WEFT_DISTRIBUTED_VISITS_H
#define WEFT_DISTRIBUTED_VISITS_H

#include "carry.h"

/* The cells around one: itself not among them, and some more than once in few. */
enum { VISITS_AROUND = 26 };

/* Cells of a periodic cube, numbered with the last axis fastest; places in it are u32,
 * fractions of its side times 2^32. Whose rank finds out what is in each, and which others
 * need what is in it, too. */
struct visits_cells {
    int32_t n[3];
    int *owner;          /* [cells] */
    int *others, *count; /* [cells][VISITS_AROUND], [cells]; NULL: none does */
    double *cost;        /* [cells]: of visits_cut, else NULL */
};

int64_t visits_count(const struct visits_cells *cells);
int64_t visits_number(const struct visits_cells *cells, const int64_t at[3]);
void visits_list_around(const struct visits_cells *cells, const int64_t at[3],
                        int64_t around[VISITS_AROUND]);

/* `others` become the ranks that own cells around each. False after comm_fail. */
bool visits_find_others(struct comm *comm, struct visits_cells *cells);
void visits_free_cells(struct visits_cells *cells);

/* How many particles of all ranks are in each cell. */
bool visits_weigh(struct comm *comm, weft_device *device, const struct visits_cells *cells,
                  const weft_array x[3], int64_t *particles);

/* Cells for what pairs do, and their `others`: each rank's have about as many pairs. Space
 * has 2^bits cubes along each axis, which are as wide as pairs reach, or wider, and cells
 * are made of whole ones. What `cells` had is freed; but cells that took a rank more
 * seconds than the mean since they were cut count for more from now on.
 *   seconds  of this rank; 0 on any: not known */
bool visits_cut(struct comm *comm, weft_device *device, int bits, const weft_array x[3],
                double seconds, struct visits_cells *cells);

struct visits {
    struct comm *comm;
    weft_device *device;
    int64_t n;        /* particles in this rank's cells */
    weft_array at[3]; /* [n and copies] u32, in the order of ranks and their rows */
    weft_array stay;  /* rows that are in this rank's own cells */
    weft_array row;   /* those that are sent, as `carry` has them */
    int64_t before;   /* of the n, visitors of ranks before this one */
    struct carry carry;
};

/* Brings what is in this rank's cells, and copies of what is around them, into scratch of
 * the scope that the caller has open; by shelves, where there are some. */
bool visits_go(struct visits *visits, struct comm *comm, struct comm_shelves *shelves,
               weft_device *device, const struct visits_cells *cells,
               const weft_array x[3]);

/* What was `found` of all n, f64, into `out`, where the particles are: one to three arrays
 * of each. */
bool visits_return(struct visits *visits, int components, const weft_array *found,
                   const weft_array *out);

void visits_free(struct visits *visits);

#endif
