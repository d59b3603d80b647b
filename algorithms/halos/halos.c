#include "halos.kernel.h"
#include "algorithms/points/arguments.h"
#include "algorithms/points/points.h"
#include "algorithms/pyramid/lengths.h"
#include "weft/halos.h"
#include "weft/operators.h"
#include "weft/register.h"
#include "weft/scan.h"
#include "weft/search.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(halos_named, u32, (in, u32, label))
WEFT_KERNEL(halos_tally, (value, u32, groups), (value, u32, least), (in, u32, label),
            (shared, u32, tally, 0))
WEFT_GENERATOR(halos_keeps, u32, (value, u32, groups), (value, u32, least),
               (in, u32, label), (in, u32, tally, 0))
WEFT_GENERATOR(points_begins, u32, (in, u32, key))
WEFT_GENERATOR(points_number, i64, (value, i64, first))
WEFT_KERNEL(halos_measure, (in, u32, start, n + 1), (in, u32, member, 0),
            (optional, i64, id, 0), (out, i64, tag), (out, u32, size))
WEFT_GENERATOR(halos_size, i64, (in, u32, size))
WEFT_KERNEL(halos_move, (in, u32, ordinal), (in, u32, start, 0), (in, u32, rank, 0),
            (in, i64, offset, 0), (in, u32, from), (inout, u32, to))
WEFT_KERNEL(halos_spread, (in, u32, halo), (in, i64, tag, 0), (in, u32, member),
            (inout, i64, label, 0))

static const char name[] = "weft_halos_group";

/* Sorts the members' indices by id, and then by label, which come too; ids may be missing.
 */
static weft_array sort_members(weft_device *device, weft_array label, weft_array id,
                               weft_array member) {
    if (id.type != 0) {
        weft_scope_open(device);
        const weft_array key = weft_scratch(device, WEFT_I64, member.length);
        weft_gather(device, id, member, key);
        weft_sort_by_key(device, key, member, WEFT_ASCENDING);
        weft_scope_close(device);
    }
    const weft_array member_label = weft_scratch(device, WEFT_U32, member.length);
    weft_gather(device, label, member, member_label);
    weft_sort_bits(device, member_label, member, WEFT_ASCENDING, 0,
                   lengths_bits(label.length));
    return member_label;
}

/* Which halo each member is of, counted from 1. Returns how many there are. */
static i64 number(weft_device *device, weft_array begins, weft_array ordinal) {
    const i64 n = ordinal.length;
    u32 last = 0;
    weft_scan(device, begins, weft_plus(WEFT_U32), WEFT_INCLUSIVE, ordinal);
    if (n > 0)
        weft_read(device, weft_slice(device, ordinal, n - 1, 1), &last);
    return (i64)last;
}

/* The halos of members sorted by label and id, in the order of the catalogue. */
static void order_halos(weft_device *device, weft_array id, weft_array member,
                        weft_array member_label, i32 tag_bits, weft_halos *halos) {
    const weft_array begins = weft_lazy(member.length, points_begins, .key = member_label);
    const i64 zero = 0;
    const u32 end = (u32)member.length;
    weft_scope_open(device);
    const weft_array ordinal = weft_scratch(device, WEFT_U32, member.length);
    const i64 count = number(device, begins, ordinal);
    halos->count = count;
    halos->tag = weft_array_new(device, WEFT_I64, count);
    halos->offset = weft_array_new(device, WEFT_I64, count + 1);
    const weft_array start = weft_scratch(device, WEFT_U32, count + 1);
    const weft_array tag = weft_scratch(device, WEFT_I64, count);
    const weft_array size = weft_scratch(device, WEFT_U32, count);
    const weft_array order = points_numbers(device, count);
    const weft_array rank = weft_scratch(device, WEFT_U32, count);
    points_list(device, begins, start, NULL);
    weft_write(device, weft_slice(device, start, count, 1), &end);
    weft_for_each(device, count, halos_measure, .start = start, .member = member, .id = id,
                  .tag = tag, .size = size);
    weft_copy(device, tag, halos->tag);
    weft_sort_bits(device, halos->tag, order, WEFT_ASCENDING, 0, tag_bits);
    const weft_array sorted_size = weft_scratch(device, WEFT_U32, count);
    weft_gather(device, size, order, sorted_size);
    weft_sort_by_key(device, sorted_size, order, WEFT_DESCENDING);
    weft_gather(device, tag, order, halos->tag);
    weft_write(device, weft_slice(device, halos->offset, 0, 1), &zero);
    weft_scan(device, weft_lazy(count, halos_size, .size = sorted_size),
              weft_plus(WEFT_I64), WEFT_INCLUSIVE,
              weft_slice(device, halos->offset, 1, count));
    weft_scatter(device, points_numbers(device, count), order, rank);
    weft_for_each(device, member.length, halos_move, .ordinal = ordinal, .start = start,
                  .rank = rank, .offset = halos->offset, .from = member,
                  .to = halos->member);
    weft_scope_close(device);
    halos->members = member.length;
}

/* The particles of groups that are large enough, as an array. What they are found with is
 * given back first: it is more than all that comes after takes. */
static weft_array find_members(weft_device *device, weft_array label, u32 least) {
    const i64 n = label.length;
    i64 members = 0;
    weft_scope_open(device);
    const weft_array tally = weft_scratch(device, WEFT_U32, n);
    weft_transform(device, n, tally, halos_named, .label = label);
    weft_for_each(device, n, halos_tally, .groups = (u32)n, .least = least, .label = label,
                  .tally = tally);
    const weft_array keeps = weft_lazy(n, halos_keeps, .groups = (u32)n, .least = least,
                                       .label = label, .tally = tally);
    const weft_array all = weft_scratch(device, WEFT_U32, n);
    points_list(device, keeps, all, &members);
    const weft_array member = weft_array_new(device, WEFT_U32, members);
    weft_copy(device, weft_slice(device, all, 0, members), member);
    weft_scope_close(device);
    return member;
}

weft_status weft_halos_group(weft_device *device, weft_array label, weft_array id,
                             i64 min_members, weft_halos *halos) {
    const i64 n = label.length;
    if (halos)
        *halos = (weft_halos){0};
    if (!arguments_given(device, name, "halos", halos))
        return weft_check(device);
    if (min_members < 1)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: min_members is %lld, not at least 1",
                         name, (long long)min_members);
    if (n >= (i64)UINT32_MAX || (id.type != 0 && id.length < n))
        return weft_fail(device, WEFT_E_SHAPE, "%s: there are %lld labels, but %lld ids",
                         name, (long long)n, (long long)id.length);
    const u32 least = min_members < (i64)UINT32_MAX ? (u32)min_members : UINT32_MAX;
    weft_scope_open(device);
    const weft_array member = find_members(device, label, least);
    /* What stays comes first, so that what is free after it is one piece. */
    halos->member = weft_array_new(device, WEFT_U32, member.length);
    const weft_array member_label = sort_members(device, label, id, member);
    order_halos(device, id, member, member_label, id.type ? 64 : lengths_bits(n), halos);
    weft_scope_close(device);
    weft_array_free(device, member);
    if (weft_check(device) != WEFT_OK)
        weft_halos_free(device, halos);
    return weft_check(device);
}

void weft_halos_free(weft_device *device, weft_halos *halos) {
    if (!halos)
        return;
    weft_array_free(device, halos->tag);
    weft_array_free(device, halos->offset);
    weft_array_free(device, halos->member);
    *halos = (weft_halos){0};
}

weft_status weft_halos_labels(weft_device *device, const weft_halos *halos,
                              weft_array tag) {
    const i64 none = -1;
    if (!arguments_given(device, "weft_halos_labels", "halos", halos))
        return weft_check(device);
    weft_fill(device, tag, &none);
    if (weft_check(device) != WEFT_OK || halos->count == 0)
        return weft_check(device);
    weft_scope_open(device);
    const weft_array halo = weft_scratch(device, WEFT_U32, halos->members);
    weft_upper_bound(device, weft_slice(device, halos->offset, 0, halos->count),
                     weft_lazy(halos->members, points_number, .first = 0), halo);
    weft_for_each(device, halos->members, halos_spread, .halo = halo, .tag = halos->tag,
                  .member = halos->member, .label = tag);
    weft_scope_close(device);
    return weft_check(device);
}
