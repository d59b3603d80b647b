/* The most bound particles of short halos, from their bounds. */
#include "mbp.h"
#include "mbp_short.kernel.h"
#include "weft/register.h"

WEFT_KERNEL(mbp_short_choose, (value, i64, items), (value, i64, halos), (value, i64, width),
            (value, i32, wide), (value, f64, box_x), (value, f64, box_y),
            (value, f64, box_z), (value, i32, wide_mass), (value, i32, has_mass),
            (value, f64, particle_mass), (value, f64, soft2), (in, i64, offset, 0),
            (in, u32, member, 0), (in, u32, from_mass, 0), (in, u32, word_x, 0),
            (in, u32, word_y, 0), (in, u32, word_z, 0), (inout, f32, high, 0),
            (in, f32, best, 0), (inout, f64, x, 0), (inout, f64, y, 0), (inout, f64, z, 0),
            (inout, f64, mass, 0), (inout, u32, particle, 0), (inout, f64, potential, 0))

void mbp_choose_short(weft_device *device, const mbp_short *s, weft_array mass,
                      const weft_mbp_options *options, const weft_halos *halos,
                      weft_array particle, weft_array potential) {
    weft_for_each(device, s->items, mbp_short_choose, .items = s->items,
                  .halos = halos->count, .width = s->width, .wide = s->wide,
                  .box_x = options->box[0], .box_y = options->box[1],
                  .box_z = options->box[2], .wide_mass = mass.type == WEFT_F64,
                  .has_mass = mass.type != 0, .particle_mass = options->particle_mass,
                  .soft2 = options->softening * options->softening, .offset = halos->offset,
                  .member = halos->member,
                  .from_mass = mass.type ? weft_as(device, mass, WEFT_U32) : halos->member,
                  .word_x = s->word_x, .word_y = s->word_y, .word_z = s->word_z,
                  .high = s->high, .best = s->best, .x = s->x, .y = s->y, .z = s->z,
                  .mass = s->mass, .particle = particle, .potential = potential);
}
