/* What the calls on lattices are made of; `call` is the one that sentences name. */
#ifndef WEFT_ALGORITHMS_LATTICE_PARTS_H
#define WEFT_ALGORITHMS_LATTICE_PARTS_H

#include "algorithms/points/points.h"
#include "weft/lattice.h"
#include "lattice.kernel.h"

/* As weft_lattice_whole, but for the ids, and these; false after an error. */
int lattice_whole(weft_device *device, const char *call, i64 count, const i64 n[3],
                  const double box[3], weft_lattice_slab *out);
int lattice_check_ids(weft_device *device, const char *call, i64 count, i64 least,
                      i64 most);

/* As weft_lattice_order. */
void lattice_order(weft_device *device, const char *call, const weft_lattice_slab *slab,
                   const u64 steps[9], int digit[3], double *separation);

/* A slab's particles as they are worked on. */
struct lattice_part {
    const char *call;
    const weft_lattice_slab *slab;
    lattice_shape shape; /* along digits; the slab's own is the slowest */
    lattice_ids ids;
    i64 sites, cubes; /* the cubes are those of the first sites */
};

struct lattice_part lattice_part_of(const char *call, const weft_lattice_slab *of);

/* Who is where, in the order of digits; each site has one. Scratch of the open scope. */
weft_array lattice_claims(weft_device *device, const struct lattice_part *part,
                          weft_array id);

lattice_steps lattice_sum(weft_device *device, const struct lattice_part *part,
                          const points_words *words, weft_array by_id);

/* Into `out`, digit[k] along axis k; refuses cubes that are wide. */
void lattice_put(weft_device *device, const struct lattice_part *part,
                 const points_words *words, weft_array id, weft_array by_id,
                 const int digit[3], weft_lattice *out);

#endif
