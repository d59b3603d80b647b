/* The most bound particles of short halos, from their bounds. */
#include "mbp.h"

WEFT_KERNEL(mbp_short_choose, (bundle, mbp_particles, p), (bundle, mbp_shorts, s),
            (inout, u32, particle, 0), (inout, f64, potential, 0))

void mbp_choose_short(weft_device *device, mbp_particles_arrays particles,
                      mbp_shorts_arrays s, weft_array particle, weft_array potential) {
    weft_for_each(device, s.items, mbp_short_choose, .p = particles, .s = s,
                  .particle = particle, .potential = potential);
}
