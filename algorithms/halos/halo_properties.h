/* Means by the steps of weft_halos_measure. */
#ifndef WEFT_ALGORITHMS_HALO_PROPERTIES_H
#define WEFT_ALGORITHMS_HALO_PROPERTIES_H

#include "weft/bodies.h"
#include "weft/halos.h"

/* As halo_means has them; fewer work-items, with vectors. */
void halo_properties_means(weft_device *device, const weft_bodies *bodies,
                           const weft_halos *halos, weft_array center, weft_array velocity);

#endif
