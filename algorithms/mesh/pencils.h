/* Sums on a mesh without atomics: each pencil is one thread's, every other one at once. */
#ifndef WEFT_ALGORITHMS_PENCILS_H
#define WEFT_ALGORITHMS_PENCILS_H

#include "weft/array.h"
#include "weft/short_names.h"

/* x by y pencils, none where atomic sums are faster, and their particles: those of pencil p
 * are order[start[p]], ..., order[start[p + 1] - 1]. */
typedef struct mesh_pencils {
    i64 x, y;
    weft_array order; /* [particles] u32 */
    weft_array start; /* [x y + 1] i64 */
} mesh_pencils;

/* Of a mesh of so many planes, of so many lines each. */
mesh_pencils mesh_pencils_of(const weft_device *device, i64 planes, i64 lines);

/* Sorts particles by the pencils that they are in, `key` [particles] u32, which is lost.
 * Scratch of the scope that is open. */
void mesh_pencils_sort(weft_device *device, weft_array key, mesh_pencils *pencils);

#endif
