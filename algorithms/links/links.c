#include "weft/links.h"
#include "algorithms/points/arguments.h"
#include "algorithms/pyramid/lengths.h"
#include "links.kernel.h"
#include "weft/each.h"
#include "weft/find.h"
#include "weft/listener.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/runs.h"
#include "weft/search.h"
#include "weft/select.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(links_repeats, u32, (in, i64, id))
WEFT_GENERATOR(links_meet, u32, (value, i64, members), (in, i64, id), (in, i64, at),
               (in, i64, sorted, 0), (in, u32, group, 0))
WEFT_KERNEL(links_enter, (value, i64, least), (in, i64, id), (shared, u32, table, 0))
WEFT_GENERATOR(links_is_second, u32, (value, i64, least), (in, i64, id),
               (in, u32, table, 0))
WEFT_GENERATOR(links_look_up, u32, (value, i64, least), (value, i64, most), (in, i64, id),
               (in, u32, table, 0), (in, u32, group, 0))
WEFT_GENERATOR(links_is_met, u32, (in, u32, met))
WEFT_GENERATOR(links_pair, u64, (in, u32, of), (in, u32, met))
WEFT_GENERATOR(links_weigh, links_sum, (in, u32, rank))
WEFT_GENERATOR(links_part, links_sum, (in, u32, place), (in, links_sum, part, 0))
WEFT_OPERATOR(links_add, links_sum, {0, 0})
WEFT_GENERATOR(links_from, u32, (in, u64, pair))
WEFT_GENERATOR(links_offer, links_choice, (in, u64, pair), (in, links_sum, sum),
               (optional, i64, tag, 0))
WEFT_OPERATOR(links_better, links_choice, {0, 0, INT64_MAX, UINT64_MAX})
WEFT_KERNEL(links_spread, (value, i64, count), (in, u32, group, 0),
            (in, links_choice, choice, 0), (out, u32, target), (out, u64, weight),
            (out, u32, shared))

static const char name[] = "weft_links";

static weft_array numbers(weft_device *device, i64 n) {
    return weft_scratch(device, WEFT_U32, n);
}

static void check(weft_device *device, const weft_links_groups *g) {
    if (weft_check(device) == WEFT_OK &&
        (g->count < 0 || g->members < 0 || g->count >= (i64)UINT32_MAX ||
         g->members >= (i64)UINT32_MAX))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: %lld groups of %lld members, not each below 2^32 - 1", name,
                  (long long)g->count, (long long)g->members);
    arguments_array(device, name, "offset", g->offset, WEFT_I64, g->count + 1);
    arguments_array(device, name, "id", g->id, WEFT_I64, g->members);
    if (g->tag.type)
        arguments_array(device, name, "tag", g->tag, WEFT_I64, g->count);
    if (g->rank.type)
        arguments_array(device, name, "rank", g->rank, WEFT_U32, g->members);
}

/* The ids of all members in order, and the group of each. */
static void sort_ids(weft_device *device, const weft_links_groups *g, weft_array id,
                     weft_array group) {
    i64 twice = -1, value = 0;
    weft_copy(device, weft_slice(device, g->id, 0, g->members), id);
    lengths_expand(device, g->count, g->offset, group, (weft_array){0});
    weft_sort_by_key(device, id, group, WEFT_ASCENDING);
    weft_find_if(device, weft_lazy(g->members, links_repeats, .id = id), &twice);
    if (weft_check(device) == WEFT_OK && twice >= 0 &&
        weft_read(device, weft_slice(device, id, twice, 1), &value) == WEFT_OK)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: id %lld is twice in 'to'", name,
                  (long long)value);
}

/* Of each of `ids` the group that it is in, by a search among those that are sorted. */
static void meet_by_search(weft_device *device, const weft_links_groups *to, weft_array ids,
                           weft_array met) {
    weft_scope_open(device);
    const weft_array id = weft_scratch(device, WEFT_I64, to->members);
    const weft_array at = weft_scratch(device, WEFT_I64, ids.length);
    const weft_array group = numbers(device, to->members);
    sort_ids(device, to, id, group);
    weft_lower_bound(device, id, ids, at);
    weft_transform(device, ids.length, met, links_meet, .members = to->members, .id = ids,
                   .at = at, .sorted = id, .group = group);
    weft_scope_close(device);
}

/* The same by a table, where ids lie close together. Returns 0, and does nothing, where
 * they do not, or one is there twice. */
static int meet_by_table(weft_device *device, const weft_links_groups *to, weft_array ids,
                         weft_array met) {
    enum { APART = 16 };
    const weft_array id = weft_slice(device, to->id, 0, to->members);
    i64 least = 0, most = 0, twice = 0;
    weft_reduce(device, id, weft_minimum(WEFT_I64), &least);
    weft_reduce(device, id, weft_maximum(WEFT_I64), &most);
    const u64 range = (u64)most - (u64)least;
    if (to->members == 0 || range >= APART * (u64)to->members)
        return 0;
    weft_scope_open(device);
    const weft_array table = numbers(device, (i64)range + 1);
    const weft_array group = numbers(device, to->members);
    weft_fill(device, table, &(u32){UINT32_MAX});
    weft_for_each(device, to->members, links_enter, .least = least, .id = id,
                  .table = table);
    weft_count_if(
        device,
        weft_lazy(to->members, links_is_second, .least = least, .id = id, .table = table),
        &twice);
    if (twice == 0) {
        lengths_expand(device, to->count, to->offset, group, (weft_array){0});
        weft_transform(device, ids.length, met, links_look_up, .least = least, .most = most,
                       .id = ids, .table = table, .group = group);
    }
    weft_scope_close(device);
    return twice == 0;
}

/* Of each member that is in groups of both: the pair of groups, and its place in the first.
 * Returns how many there are. */
static i64 find_pairs(weft_device *device, const weft_links_groups *from,
                      const weft_links_groups *to, weft_array pair, weft_array rank) {
    const i64 n = from->members;
    const weft_array ids = weft_slice(device, from->id, 0, n);
    i64 count = 0;
    weft_scope_open(device);
    const weft_array of = numbers(device, n), met = numbers(device, n);
    lengths_expand(device, from->count, from->offset, of, rank);
    if (from->rank.type)
        weft_copy(device, weft_slice(device, from->rank, 0, n), rank);
    if (!meet_by_table(device, to, ids, met))
        meet_by_search(device, to, ids, met);
    weft_transform(device, n, pair, links_pair, .of = of, .met = met);
    const weft_array both[] = {pair, rank};
    weft_copy_if_each(device, 2, both, weft_lazy(n, links_is_met, .met = met), both,
                      &count);
    weft_scope_close(device);
    return count;
}

/* Adds up what each two groups share. Members of one mostly lie in one of the other side by
 * side, so that few runs are left to be sorted. */
static i64 add_up(weft_device *device, weft_array pair, weft_array rank,
                  const weft_links_groups *from, const weft_links_groups *to,
                  weft_array each, weft_array sum) {
    const i64 n = pair.length;
    i64 runs = 0, pairs = 0;
    weft_scope_open(device);
    const weft_array run = weft_scratch(device, WEFT_U64, n);
    const weft_array part = weft_scratch(device, WEFT_STRUCT(links_sum), n);
    weft_reduce_by_key(device, pair, weft_lazy(n, links_weigh, .rank = rank),
                       weft_op(links_add), run, part, &runs);
    const weft_array keys = weft_slice(device, run, 0, runs), place = numbers(device, runs);
    weft_sequence(device, place, &(u32){0}, &(u32){1});
    weft_sort_bits(device, keys, place, WEFT_ASCENDING, 0, lengths_bits(to->count));
    weft_sort_bits(device, keys, place, WEFT_ASCENDING, 32, 32 + lengths_bits(from->count));
    weft_reduce_by_key(device, keys,
                       weft_lazy(runs, links_part, .place = place, .part = part),
                       weft_op(links_add), each, sum, &pairs);
    weft_scope_close(device);
    return pairs;
}

static void choose(weft_device *device, weft_array pair, weft_array rank,
                   const weft_links_groups *from, const weft_links_groups *to,
                   const weft_array out[3]) {
    const i64 n = pair.length;
    i64 some = 0;
    const weft_array sum = weft_scratch(device, WEFT_STRUCT(links_sum), n);
    const weft_array choice = weft_scratch(device, WEFT_STRUCT(links_choice), n);
    const weft_array each = weft_scratch(device, WEFT_U64, n), group = numbers(device, n);
    const i64 pairs = add_up(device, pair, rank, from, to, each, sum);
    weft_reduce_by_key(
        device, weft_lazy(pairs, links_from, .pair = each),
        weft_lazy(pairs, links_offer, .pair = each, .sum = sum, .tag = to->tag),
        weft_op(links_better), group, choice, &some);
    weft_for_each(device, from->count, links_spread, .count = some, .group = group,
                  .choice = choice, .target = out[0], .weight = out[1], .shared = out[2]);
}

weft_status weft_links(weft_device *device, const weft_links_groups *from,
                       const weft_links_groups *to, weft_array target, weft_array weight,
                       weft_array shared) {
    if (!arguments_given(device, name, "from", from) ||
        !arguments_given(device, name, "to", to) ||
        !arguments_known(device, name, "from", from->reserved, sizeof from->reserved) ||
        !arguments_known(device, name, "to", to->reserved, sizeof to->reserved))
        return weft_check(device);
    weft_task_begin(device, name);
    weft_scope_open(device);
    check(device, from);
    check(device, to);
    arguments_array(device, name, "target", target, WEFT_U32, from->count);
    if (weft_check(device) == WEFT_OK) {
        const weft_array out[] = {
            target, weight.type ? weight : weft_scratch(device, WEFT_U64, from->count),
            shared.type ? shared : numbers(device, from->count)};
        const weft_array pair = weft_scratch(device, WEFT_U64, from->members);
        const weft_array rank = numbers(device, from->members);
        weft_task_until(device, 0.6);
        const i64 n = find_pairs(device, from, to, pair, rank);
        weft_task_until(device, 1);
        choose(device, weft_slice(device, pair, 0, n), weft_slice(device, rank, 0, n), from,
               to, out);
    }
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
