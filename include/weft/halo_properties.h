/* The mass, position, velocity and size of halos. */
#ifndef WEFT_HALO_PROPERTIES_H
#define WEFT_HALO_PROPERTIES_H

#include "bodies.h"
#include "halos.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One row per halo, in the order of the halos. Vectors are x, y, z of each in turn. */
typedef struct weft_halo_properties {
    weft_array mass;           /* f64 [h] */
    weft_array center_of_mass; /* f64 [3 h], wrapped into the box: 0 <= x < box */
    weft_array radius_max;     /* f64 [h], from the center of mass to the farthest member */
    weft_array wraps;          /* u8 [h], 1 if it spans at least half of a periodic axis */
    weft_array velocity; /* f64 [3 h], of the center of mass; no array without velocities */
    weft_array dispersion; /* f64 [h], sqrt(sum m |v - mean v|^2 / (3 sum m)); likewise */
    weft_array reserved[8];
} weft_halo_properties;

/* Measures every halo.
 *   bodies   those that the halos were found among
 *   halos    of weft_halos_group: members of each ascend by id
 *   out      new arrays, for weft_halo_properties_free; {0} after an error
 * A halo is unwrapped from its first member, the one with the smallest id: each member is
 * taken at first + remainder(x - first, box). This is the true shape of the halo if `wraps`
 * is 0 and the linking length is at most a quarter of the box. Positions may lie outside
 * the box. Sums in f64 run over the members in their order, in blocks of 256 of each halo,
 * then over the blocks in their order. They are relative to the first member, so no digits
 * are lost far from the origin.
 * Cost: O(members); scratch of O(halos + members / 256) and of 32 bytes per member.
 * Repeats: bit for bit on every backend, whatever other halos there are.
 * Errors: WEFT_E_ARGUMENT (as weft_mbp), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_halos_measure(weft_device *device, const weft_bodies *bodies,
                                        const weft_halos *halos, weft_halo_properties *out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_halo_properties_free(weft_device *device,
                                        weft_halo_properties *properties);

#ifdef __cplusplus
}
#endif
#endif
