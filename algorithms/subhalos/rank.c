/* Members by their energies, of which those as defined are found where nearly known ones do
 * not tell. */
#include "rank.kernel.h"
#include "subhalos.h"
#include "weft/reduce.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_GENERATOR(rank_is_open, u32, (value, i64, members), (in, u32, of),
               (in, f64, spread, 0), (in, f64, energy))

/* The order of energies; flags those whose neighbours in it are too close, and lists where
 * they are. */
static weft_array flag(weft_device *device, const weft_halos *some, weft_array of,
                       weft_array spread, weft_array energy, weft_array place,
                       weft_array is_open) {
    const weft_array sorted = weft_scratch(device, WEFT_F64, some->members);
    const u32 zero = 0, one = 1;
    weft_copy(device, energy, sorted);
    weft_sequence(device, place, &zero, &one);
    weft_sort_segments(device, sorted, place, some->offset, WEFT_ASCENDING);
    const weft_array open = weft_lazy(some->members, rank_is_open, .members = some->members,
                                      .of = of, .spread = spread, .energy = sorted);
    const weft_array where = points_listed(device, open);
    if (where.length > 0)
        weft_scatter(device, open, place, is_open);
    return where;
}

/* Those flagged, by their energies as defined, in the places that they have together. */
static void mend(weft_device *device, const subhalos_task *task, const weft_halos *some,
                 weft_array of, const subhalos_measured *measured, weft_array is_open,
                 weft_array where, weft_array member) {
    const i64 count = where.length;
    const weft_array which = weft_scratch(device, WEFT_U32, count);
    const weft_array group = weft_scratch(device, WEFT_U32, count);
    const weft_array who = weft_scratch(device, WEFT_U32, count);
    const weft_array exact = weft_scratch(device, WEFT_F64, count);
    const weft_array offset = weft_scratch(device, WEFT_I64, some->count + 1);
    points_list(device, is_open, which, NULL);
    subhalos_energies_of(device, task, some, of, measured, which, exact);
    weft_gather(device, of, which, group);
    weft_gather(device, some->member, which, who);
    subhalos_offsets(device, group, offset);
    weft_sort_segments(device, exact, who, offset, WEFT_ASCENDING);
    weft_scatter(device, who, where, member);
}

void subhalos_rank(weft_device *device, const subhalos_task *task, const weft_halos *some,
                   weft_array of, weft_array spread, weft_array energy, weft_array member) {
    const int is_near = weft_device_style(device) == WEFT_SIMT;
    weft_scope_open(device);
    subhalos_measured measured = {.kinetic = {0}};
    if (is_near) {
        measured = subhalos_measure(device, task, some, of);
        subhalos_energies_near(device, task, &measured, energy, spread);
    }
    const weft_array place = weft_scratch(device, WEFT_U32, some->members);
    const weft_array is_open = weft_scratch(device, WEFT_U32, some->members);
    const weft_array where = flag(device, some, of, spread, energy, place, is_open);
    weft_gather(device, some->member, place, member);
    if (where.length > 0) {
        if (!is_near)
            measured = subhalos_measure(device, task, some, of);
        mend(device, task, some, of, &measured, is_open, where, member);
    }
    weft_scope_close(device);
}
