#include "algorithms/pyramid/pyramid.h"
#include "inside.h"

WEFT_BUNDLE(so_energy_found, (inout, f64, potential, 0), (in, f64, kinetic, 0),
            (in, f64, angular_momentum, 0), (inout, f64, bound, 0), (inout, f64, spin, 0))
WEFT_KERNEL(so_energy_pull, (value, so_search, s), (bundle, so_properties_members, of),
            (value, f64, softening), (in, f64, place, 0), (inout, f64, pull, 0))
WEFT_KERNEL(so_energy_pull_one, (value, so_search, s), (bundle, so_properties_members, of),
            (value, f64, softening), (in, f64, place, 0), (inout, f64, pull, 0))
WEFT_KERNEL(so_energy_share, (value, i64, each), (value, so_search, s),
            (bundle, so_properties_members, of), (bundle, so_properties_spheres, by),
            (bundle, so_properties_lists, lists), (in, so_properties_sums, total, 0),
            (in, f64, pull, 0), (inout, f64, share, 0))
WEFT_KERNEL(so_energy_finish, (bundle, so_properties_members, of),
            (bundle, so_properties_spheres, by), (in, f64, share, 0),
            (bundle, so_energy_found, found))

void so_inside_energies(weft_device *device, const so_inside *in, weft_array potential,
                        weft_array kinetic, weft_array angular_momentum, weft_array bound,
                        weft_array spin) {
    const so_members *members = in->members;
    const i64 blocks =
        pyramid_blocks(members->members, members->spheres, SO_PROPERTIES_BITS);
    const weft_array none = weft_scratch(device, WEFT_F64, 0);
    const so_properties_members_arrays of = in->of;
    const so_properties_spheres_arrays by = in->by;
    const so_energy_found_arrays found = {
        .potential = potential,
        .kinetic = in->of.moves ? kinetic : none,
        .angular_momentum = in->of.moves ? angular_momentum : none,
        .bound = in->of.moves ? bound : none,
        .spin = in->of.moves ? spin : none,
    };
    weft_scope_open(device);
    const weft_array pull = weft_scratch(device, WEFT_F64, members->members);
    const weft_array share = weft_scratch(device, WEFT_F64, 2 * members->members);
    i64 each = SO_ENERGY_MOST; /* shares a work-item */
    if (weft_device_style(device) == WEFT_SIMT) {
        each = 1;
        weft_for_each(device, blocks * SO_ENERGY_MOST, so_energy_pull_one,
                      .s = in->task->search, .of = of, .softening = in->by.softening,
                      .place = in->lists.place, .pull = pull);
    } else {
        weft_for_each(device, blocks, so_energy_pull, .s = in->task->search, .of = of,
                      .softening = in->by.softening, .place = in->lists.place,
                      .pull = pull);
    }
    weft_for_each(device, members->spheres * (SO_ENERGY_MOST / each), so_energy_share,
                  .each = each, .s = in->task->search, .of = of, .by = by,
                  .lists = in->lists, .total = in->total, .pull = pull, .share = share);
    weft_for_each(device, members->spheres, so_energy_finish, .of = of, .by = by,
                  .share = share, .found = found);
    weft_scope_close(device);
}
