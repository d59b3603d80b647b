/* What halos cost before: older ways of finding the same groups, as peers of the row `fof`
 * (f32, not periodic), and the same centers, of `mbp:bounded`, so that the table shows what
 * each idea is worth. */
#ifndef WEFT_BENCH_BASELINES_H
#define WEFT_BENCH_BASELINES_H

#include "../peers/peer.h"

/* The data-parallel iteration of Sewell et al. 2015 (PISTON, later VTK-m), on our own
 * primitives, on whatever device ours runs: cells as wide as the linking length, sorted;
 * the nine rows of three cells around each particle by searches; then every star hooks its
 * root under the smallest that its members' friends name, and pointers jump until all are
 * stars again. */
extern const struct peer baseline_paper;

/* The loop over all pairs, in the manner of Solorzano et al. 2020: each member of a
 * growing group is held against every particle that has no group. Up to 250,000 particles.
 */
extern const struct peer baseline_pairs;

/* The same loop in chunks, all threads at once, and a pass afterwards that joins groups of
 * different chunks. Chunks are slabs, so that the pass looks near their faces alone. */
extern const struct peer baseline_chunks;

/* The A* search of HACC for the most bound particle, of one halo after the other, in f64.
 */
extern const struct peer baseline_astar;

#endif
