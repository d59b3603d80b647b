/* Members by their energies, of which those as defined are found where nearly known ones do
 * not tell. */
#include "rank.kernel.h"
#include "subhalos.h"
#include "weft/reduce.h"
#include "weft/segments.h"
#include "weft/transform.h"

WEFT_GENERATOR(rank_is_open, u32, (value, i64, members), (in, u32, of),
               (in, f64, spread, 0), (in, f64, energy))

/* Flags those whose neighbours in the order are too close; place: the order. */
static i64 flag(weft_device *device, const weft_halos *some, weft_array of,
                weft_array spread, weft_array energy, weft_array place,
                weft_array is_open) {
    i64 count = 0;
    weft_scope_open(device);
    const weft_array sorted = weft_scratch(device, WEFT_F64, some->members);
    const u32 zero = 0, one = 1;
    weft_copy(device, energy, sorted);
    weft_sequence(device, place, &zero, &one);
    weft_sort_segments(device, sorted, place, some->offset, WEFT_ASCENDING);
    const weft_array open = weft_lazy(some->members, rank_is_open, .members = some->members,
                                      .of = of, .spread = spread, .energy = sorted);
    weft_count_if(device, open, &count);
    if (count > 0)
        weft_scatter(device, open, place, is_open);
    weft_scope_close(device);
    return count;
}

void subhalos_rank(weft_device *device, const subhalos_task *task, const weft_halos *some,
                   weft_array of, weft_array spread, weft_array energy, weft_array member) {
    weft_scope_open(device);
    const weft_array place = weft_scratch(device, WEFT_U32, some->members);
    const weft_array is_open = weft_scratch(device, WEFT_U32, some->members);
    const i64 count = flag(device, some, of, spread, energy, place, is_open);
    if (count == 0) {
        weft_gather(device, some->member, place, member);
    } else {
        const weft_array which = weft_scratch(device, WEFT_U32, count);
        points_list(device, is_open, which, NULL);
        subhalos_energies_of(device, task, some, of, which, energy);
        weft_copy(device, some->member, member);
        weft_sort_segments(device, energy, member, some->offset, WEFT_ASCENDING);
    }
    weft_scope_close(device);
}
