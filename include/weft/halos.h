/* Groups of particles with their members side by side, as center finders need them. */
#ifndef WEFT_HALOS_H
#define WEFT_HALOS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Halos by descending number of members, ties by ascending tag. */
typedef struct weft_halos {
    int64_t count, members;
    weft_array tag;    /* [count] i64: the smallest id of a halo's members */
    weft_array offset; /* [count + 1] i64: where the members of each halo begin */
    weft_array member; /* [members] u32: input indices, by ascending id in each halo */
} weft_halos;

/* Groups particles by their labels; keeps groups of at least min_members.
 *   label    [n] u32, from any halo finder: equal for the members of a group and below n;
 *            2^32 - 1 for a particle in no group
 *   id       [n] i64, unique; (weft_array){0}: the input indices
 *   halos    new arrays, for weft_halos_free; empty after an error
 * Cost: sorts of the kept particles. Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (min_members < 1), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_halos_group(weft_device *device, weft_array label, weft_array id,
                                      int64_t min_members, weft_halos *halos);

/* NULL does nothing. */
WEFT_API void weft_halos_free(weft_device *device, weft_halos *halos);

/* For each particle the tag of its halo, -1 outside halos.
 *   tag      [n] i64, one for each particle that was grouped (unchecked)
 * Cost: one pass over tag, and a search for each member. Errors: as weft_fill. */
WEFT_API weft_status weft_halos_labels(weft_device *device, const weft_halos *halos,
                                       weft_array tag);

#ifdef __cplusplus
}
#endif
#endif
