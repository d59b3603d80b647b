/* Means of halos alone, for those who look at the same bodies again and again. */
#ifndef WEFT_ALGORITHMS_HALO_PROPERTIES_H
#define WEFT_ALGORITHMS_HALO_PROPERTIES_H

#include "weft/bodies.h"
#include "weft/halos.h"

/* The mean place and velocity of each, [3 count] f64, to the bit as weft_halos_measure has
 * them, which has checked these bodies and numbers of members; count is above 0.
 *   of   [members] u32   the halo of each member */
void halo_means(weft_device *device, const weft_bodies *bodies, const weft_halos *halos,
                weft_array of, weft_array center, weft_array velocity);

#endif
