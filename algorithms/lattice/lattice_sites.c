/* Slabs of a lattice: who is where, how far neighbours are from each other. */
#include "weft/find.h"
#include "weft/reduce.h"
#include "weft/transform.h"
#include "lattice_parts.h"
#include "algorithms/sheet/sheet_frame.h"

WEFT_KERNEL(lattice_claim, (value, lattice_ids, ids), (value, lattice_shape, s),
            (in, i64, id), (shared, u32, particle, 0))
WEFT_GENERATOR(lattice_is_free, u32, (in, u32, particle))
WEFT_GENERATOR(lattice_step, lattice_steps, (value, lattice_shape, s),
               (bundle, points_coordinates, at), (in, u32, particle))
WEFT_OPERATOR(lattice_add, lattice_steps, {{0}})
WEFT_KERNEL(lattice_place, (value, lattice_shape, s), (bundle, points_coordinates, at),
            (in, u32, by_id), (out, u32, particle), (out, f64, position, 3 * n))
WEFT_GENERATOR(lattice_is_wide, u32, (value, lattice_shape, s), (in, f64, position, 3 * n))

struct lattice_part lattice_part_of(const char *call, const weft_lattice_slab *of) {
    struct lattice_part part = {.call = call, .slab = of, .ids.least = of->least};
    lattice_shape *shape = &part.shape;
    const int slow = of->digit;
    const i64 planes = of->count < of->n[slow] ? of->count + 1 : of->n[slow];
    i64 plane = 1, stride = 1;
    for (int k = 2; k >= 0; k--) {
        shape->n[k] = shape->whole[k] = of->n[k];
        shape->box[k] = of->box[k];
        part.ids.stride[k] = stride;
        stride *= of->n[k];
        shape->stride[k] = plane;
        plane *= k == slow ? 1 : of->n[k];
    }
    shape->n[slow] = planes;
    shape->stride[slow] = plane;
    part.ids.first[slow] = of->first;
    part.ids.sites = stride;
    part.ids.all = slow == 0 && of->first == 0 && planes == of->n[0];
    part.sites = planes * plane;
    part.cubes = of->count * plane;
    return part;
}

/* The id of a site, in the order of digits. */
static i64 id_of(const struct lattice_part *part, i64 site) {
    const lattice_shape *s = &part->shape;
    i64 place = 0;
    for (int k = 0; k < 3; k++) {
        const i64 digit = site / s->stride[k] % s->n[k] + part->ids.first[k];
        place += digit % s->whole[k] * part->ids.stride[k];
    }
    return part->slab->least + place;
}

weft_array lattice_claims(weft_device *device, const struct lattice_part *part,
                          weft_array id) {
    i64 unused = -1;
    const weft_array particle = weft_scratch(device, WEFT_U32, part->sites);
    weft_fill(device, particle, &lattice_nobody);
    weft_for_each(device, id.length, lattice_claim, .ids = part->ids, .s = part->shape,
                  .id = id, .particle = particle);
    weft_find_if(device, weft_lazy(part->sites, lattice_is_free, .particle = particle),
                 &unused);
    if (weft_check(device) == WEFT_OK && unused >= 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: no particle has the id %lld, so another id is there twice",
                  part->call, (long long)id_of(part, unused));
    return particle;
}

lattice_steps lattice_sum(weft_device *device, const struct lattice_part *part,
                          const points_words *words, weft_array by_id) {
    lattice_steps steps = {{0}};
    weft_reduce(device,
                weft_lazy(part->cubes, lattice_step, .s = part->shape, .at = *words,
                          .particle = by_id),
                weft_op(lattice_add), &steps);
    return steps;
}

void lattice_put(weft_device *device, const struct lattice_part *part,
                 const points_words *words, weft_array id, weft_array by_id,
                 const int digit[3], weft_lattice *out) {
    lattice_shape shape = part->shape;
    i64 wide = -1;
    for (int k = 0; k < 3; k++) {
        out->n[k] = shape.n[k] = part->shape.n[digit[k]];
        out->box[k] = shape.box[k];
        shape.stride[k] = part->shape.stride[digit[k]];
    }
    out->particle = weft_array_new(device, WEFT_U32, part->sites);
    out->position = weft_array_new(device, WEFT_F64, 3 * part->sites);
    weft_for_each(device, part->sites, lattice_place, .s = shape, .at = *words,
                  .by_id = by_id, .particle = out->particle, .position = out->position);
    out->boxes = weft_array_new(device, WEFT_F64, 6 * sheet_blocks(out->n));
    sheet_bound(device, out->n, out->box, out->position, part->cubes, out->boxes);
    shape.stride[0] = shape.n[1] * shape.n[2];
    shape.stride[1] = shape.n[2];
    shape.stride[2] = 1;
    weft_find_if(
        device,
        weft_lazy(part->cubes, lattice_is_wide, .s = shape, .position = out->position),
        &wide);
    if (weft_check(device) != WEFT_OK || wide < 0)
        return;
    u32 who = 0;
    i64 whose = 0;
    weft_read(device, weft_slice(device, out->particle, wide, 1), &who);
    weft_read(device, weft_slice(device, id, who, 1), &whose);
    weft_fail(device, WEFT_E_ARGUMENT,
              "%s: the cube of the lattice at the particle with id %lld is wider than half "
              "the box, so it cannot be told how it lies",
              part->call, (long long)whose);
}
