/* A grid that ranks share: each has some planes of it, and some rows of all planes of its
 * spectrum. Where there are more ranks than planes or rows, several share a slab, and each
 * of them has some columns of the rows: pencils. Then some ranks have no planes, but take
 * part in transforms: n[0] n[1] ranks can.
 *
 * The calls are made by all ranks, as those of comm.h. False after a failure: of a rank, as
 * there, or of this one's device, which keeps its error. */
#ifndef WEFT_DISTRIBUTED_SLABS_H
#define WEFT_DISTRIBUTED_SLABS_H

#include "distributed/ranks/comm.h"

#include <weft/fourier.h>

struct slabs {
    struct comm *comm;
    int64_t n[3];            /* as weft_fourier_transform takes them */
    int count;               /* slabs; those of ranks beyond count x each have nothing */
    int each;                /* neighbouring ranks that share one: 1, or pencils */
    int64_t piece;           /* planes of a slab that travel at a time: 1 or more */
    struct slabs_room *room; /* NULL: each transform takes its own */
    struct comm_shelves *shelves; /* NULL, or none: rows travel as messages */
    weft_device *beside; /* another queue, for rows on shelves while the device transforms
                            others; NULL: none */
};

/* What a transform takes of the host's memory, kept for the next: pages that nothing
 * touched yet cost more than the numbers that they hold. All 0 at first; free(memory). */
struct slabs_room {
    void *memory;
    size_t bytes;
};

/* Shelves by which rows go from device to device, where one of the ranks has one with
 * memory of its own: asked for once, as the device pins them until it is closed. `of` is
 * NULL where there are none. Those that comm_shelves gave already, to be there before the
 * device is, are pinned by slabs_pin, which a rank calls by itself. */
void slabs_pin(struct comm *comm, weft_device *device, const struct comm_shelves *shelves);
bool slabs_find_shelves(struct comm *comm, weft_device *device,
                        struct comm_shelves *shelves);

/* A slab for each rank where all get planes and rows. Else the slabs and ranks that leave
 * the fewest numbers, in all three passes, to the rank that has most; of several the most
 * slabs. Planes that travel at a time take an eighth of a rank's spectrum: 4 to 16 MiB. */
struct slabs slabs_of(struct comm *comm, const int64_t n[3], weft_type type);

struct slab {
    int64_t first, count;
};
struct slab slabs_planes(const struct slabs *slabs, int rank);
struct slab slabs_rows(const struct slabs *slabs, int rank);
struct slab slabs_columns(const struct slabs *slabs, int rank);

/* Whether the device is well; where it is not the other ranks learn of it. */
bool slabs_check(struct comm *comm, weft_device *device);

/* A route without rows, to be filled in round by round: free(route.to) frees it. NULL
 * there: out of memory, which the ranks are yet to agree on. */
struct route slabs_route(struct comm *comm);

/* weft_fourier_transform of the whole grid, to the bit.
 *   real      [planes][n[1]][n[2]] f32 or f64
 *   spectrum  [n[0]][rows][columns] complex
 * Memory beside both: as much as the spectrum on the device, three pieces
 * there, four with a queue beside it, and two on the host; of pencils two more of each. */
bool slabs_transform(const struct slabs *slabs, weft_device *device,
                     weft_fourier_direction direction, weft_array real,
                     weft_array spectrum);

/* Numbers that belong to the spectrum, one of 8 bytes each, back to planes.
 *   rows    [n[0]][rows][columns]
 *   planes  [planes][n[1]][n[2] / 2 + 1]
 * Memory beside both: three pieces on the host. */
bool slabs_to_planes(const struct slabs *slabs, weft_device *device, weft_array rows,
                     weft_array planes);

/* Planes around a rank's own, which lie before and behind them in its array. A rank without
 * planes has none around them. */
enum { SLABS_BELOW = 1, SLABS_ABOVE = 2, SLABS_AROUND = SLABS_BELOW + SLABS_ABOVE };

/* Adds those around to the own ones of the ranks whose they are.
 *   mesh  [SLABS_BELOW + planes + SLABS_ABOVE][n[1]][n[2]] i64 */
bool slabs_add(const struct slabs *slabs, weft_device *device, weft_array mesh);

/* Copies to those around what the ranks have whose they are; numbers of any type. */
bool slabs_fill(const struct slabs *slabs, weft_device *device, weft_array mesh);

#endif
