/* The rows as Thrust does them, for any execution policy. */
#ifndef WEFT_BENCH_THRUST_ROWS_H
#define WEFT_BENCH_THRUST_ROWS_H

#include "peer.h"

#include <cstring>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

namespace {

using std::uint32_t;
using std::uint64_t;

struct odd {
    __host__ __device__ bool operator()(uint32_t x) const {
        return x & 1;
    }
};

/* Which row a task is, found out once. */
enum class row {
    none,
    copy,
    fill,
    transform,
    gather,
    scatter,
    reduce,
    min_element,
    count_if,
    inclusive_scan_u32,
    inclusive_scan_u64,
    inclusive_scan_f32,
    inclusive_scan_f64,
    exclusive_scan_u32,
    exclusive_scan_u64,
    exclusive_scan_f32,
    exclusive_scan_f64,
    inclusive_scan_by_key,
    copy_if,
    partition,
    unique,
    reduce_by_key,
    sort_u32,
    sort_u64,
    sort_f32,
    sort_by_key_u32,
    sort_by_key_u64,
    sort_by_key_f32,
    lower_bound,
    upper_bound,
    merge,
    set_union,
    set_intersection,
    set_difference,
    set_symmetric_difference,
    expand,
    reduce_segments,
    find,
    find_if,
    is_sorted,
    remove_if,
    unique_in_place,
    partition_in_place,
    replace_if,
    reverse,
    exclusive_scan_from,
};

inline row thrust_row(const task *t) {
    static const struct {
        const char *name, *types;
        row is;
    } rows[] = {
        {"copy", "u32", row::copy},
        {"fill", "u32", row::fill},
        {"transform", "u32", row::transform},
        {"gather:sorted", "u32", row::gather},
        {"gather:random", "u32", row::gather},
        {"scatter", "u32", row::scatter},
        {"reduce", "u32", row::reduce},
        {"min_element", "u32", row::min_element},
        {"count_if", "u32", row::count_if},
        {"inclusive_scan", "u32", row::inclusive_scan_u32},
        {"inclusive_scan", "u64", row::inclusive_scan_u64},
        {"inclusive_scan", "f32", row::inclusive_scan_f32},
        {"inclusive_scan", "f64", row::inclusive_scan_f64},
        {"exclusive_scan", "u32", row::exclusive_scan_u32},
        {"exclusive_scan", "u64", row::exclusive_scan_u64},
        {"exclusive_scan", "f32", row::exclusive_scan_f32},
        {"exclusive_scan", "f64", row::exclusive_scan_f64},
        {"inclusive_scan_by_key:1", "u32/u32", row::inclusive_scan_by_key},
        {"inclusive_scan_by_key:64", "u32/u32", row::inclusive_scan_by_key},
        {"inclusive_scan_by_key:1000000", "u32/u32", row::inclusive_scan_by_key},
        {"copy_if:half", "u32", row::copy_if},
        {"partition", "u32", row::partition},
        {"unique", "u32", row::unique},
        {"reduce_by_key", "u32/u32", row::reduce_by_key},
        {"reduce_by_key:1", "u32/u32", row::reduce_by_key},
        {"reduce_by_key:1000000", "u32/u32", row::reduce_by_key},
        {"sort", "u32", row::sort_u32},
        {"sort", "u64", row::sort_u64},
        {"sort", "f32", row::sort_f32},
        {"sort:narrow", "u32", row::sort_u32},
        {"sort_by_key", "u32/u32", row::sort_by_key_u32},
        {"sort_by_key", "u64/u32", row::sort_by_key_u64},
        {"sort_by_key", "f32/u32", row::sort_by_key_f32},
        {"lower_bound:random", "u32", row::lower_bound},
        {"lower_bound:sorted", "u32", row::lower_bound},
        {"upper_bound:random", "u32", row::upper_bound},
        {"upper_bound:sorted", "u32", row::upper_bound},
        {"merge", "u32", row::merge},
        {"set_union", "u32", row::set_union},
        {"set_intersection", "u32", row::set_intersection},
        {"set_difference", "u32", row::set_difference},
        {"set_symmetric_difference", "u32", row::set_symmetric_difference},
        {"expand", "u32", row::expand},
        {"reduce_segments:16", "u32", row::reduce_segments},
        {"reduce_segments:1000", "u32", row::reduce_segments},
        {"find:front", "u32", row::find},
        {"find:middle", "u32", row::find},
        {"find:last", "u32", row::find},
        {"find_if:last", "u32", row::find_if},
        {"is_sorted", "u32", row::is_sorted},
        {"remove_if:in_place", "u32", row::remove_if},
        {"unique:in_place", "u32", row::unique_in_place},
        {"partition:in_place", "u32", row::partition_in_place},
        {"replace_if", "u32", row::replace_if},
        {"reverse", "u32", row::reverse},
        {"exclusive_scan_from", "u32", row::exclusive_scan_from},
    };
    for (const auto &known : rows)
        if (std::strcmp(known.name, t->name) == 0 &&
            std::strcmp(known.types, t->types) == 0)
            return known.is;
    return row::none;
}

inline std::size_t rest_bytes(row is, const task *t) {
    const std::size_t elements = is == row::partition ? t->n
                                 : is == row::expand  ? t->n + t->in[0].length
                                                      : 0;
    return elements * sizeof(uint32_t);
}

template <class T, class Policy>
void thrust_scan(const Policy &policy, const task *t, bool exclusive) {
    const auto in = static_cast<const T *>(t->in[0].data);
    const auto out = static_cast<T *>(t->out[0].data);
    if (exclusive)
        thrust::exclusive_scan(policy, in, in + t->n, out);
    else
        thrust::inclusive_scan(policy, in, in + t->n, out);
}

template <class T, class Policy> void thrust_sort(const Policy &policy, const task *t) {
    const auto keys = static_cast<T *>(t->out[0].data);
    thrust::sort(policy, keys, keys + t->n);
}

/* `rest` is room for the elements that a partition puts last, and for what expansion takes
 * (rest_bytes). */
template <class Policy>
void thrust_run(const Policy &policy, row is, task *t, uint32_t *rest) {
    const auto n = t->n;
    const auto in0 = static_cast<uint32_t *>(t->in[0].data);
    const auto in1 = static_cast<uint32_t *>(t->in[1].data);
    const auto out0 = static_cast<uint32_t *>(t->out[0].data);
    const auto out1 = static_cast<uint32_t *>(t->out[1].data);
    switch (is) {
    case row::copy:
        thrust::copy(policy, in0, in0 + n, out0);
        break;
    case row::fill:
        thrust::fill(policy, out0, out0 + n, 0x12345678u);
        break;
    case row::transform:
        thrust::transform(policy, in0, in0 + n, in1, out0, thrust::plus<uint32_t>());
        break;
    case row::gather:
        thrust::gather(policy, in1, in1 + n, in0, out0);
        break;
    case row::scatter:
        thrust::scatter(policy, in0, in0 + n, in1, out0);
        break;
    case row::reduce:
        t->value = thrust::reduce(policy, in0, in0 + n, 0u);
        break;
    case row::min_element:
        t->count = thrust::min_element(policy, in0, in0 + n) - in0;
        break;
    case row::count_if:
        t->count = thrust::count_if(policy, in0, in0 + n, odd());
        break;
    case row::inclusive_scan_u32:
        thrust_scan<uint32_t>(policy, t, false);
        break;
    case row::inclusive_scan_u64:
        thrust_scan<uint64_t>(policy, t, false);
        break;
    case row::inclusive_scan_f32:
        thrust_scan<float>(policy, t, false);
        break;
    case row::inclusive_scan_f64:
        thrust_scan<double>(policy, t, false);
        break;
    case row::exclusive_scan_u32:
        thrust_scan<uint32_t>(policy, t, true);
        break;
    case row::exclusive_scan_u64:
        thrust_scan<uint64_t>(policy, t, true);
        break;
    case row::exclusive_scan_f32:
        thrust_scan<float>(policy, t, true);
        break;
    case row::exclusive_scan_f64:
        thrust_scan<double>(policy, t, true);
        break;
    case row::inclusive_scan_by_key:
        thrust::inclusive_scan_by_key(policy, in1, in1 + n, in0, out0);
        break;
    case row::copy_if:
        t->count = thrust::copy_if(policy, in0, in0 + n, out0, odd()) - out0;
        break;
    case row::partition:
        t->count =
            thrust::stable_partition_copy(policy, in0, in0 + n, out0, rest, odd()).first -
            out0;
        break;
    case row::unique:
        t->count = thrust::unique_copy(policy, in0, in0 + n, out0) - out0;
        break;
    case row::reduce_by_key:
        t->count =
            thrust::reduce_by_key(policy, in0, in0 + n, in1, out0, out1).first - out0;
        break;
    case row::sort_u32:
        thrust_sort<uint32_t>(policy, t);
        break;
    case row::sort_u64:
        thrust_sort<uint64_t>(policy, t);
        break;
    case row::sort_f32:
        thrust_sort<float>(policy, t);
        break;
    case row::sort_by_key_u32:
        thrust::sort_by_key(policy, out0, out0 + n, out1);
        break;
    case row::sort_by_key_u64: {
        const auto keys = static_cast<uint64_t *>(t->out[0].data);
        thrust::sort_by_key(policy, keys, keys + n, out1);
        break;
    }
    case row::sort_by_key_f32: {
        const auto keys = static_cast<float *>(t->out[0].data);
        thrust::sort_by_key(policy, keys, keys + n, out1);
        break;
    }
    case row::lower_bound:
        thrust::lower_bound(policy, in0, in0 + n, in1, in1 + n, out0);
        break;
    case row::upper_bound:
        thrust::upper_bound(policy, in0, in0 + n, in1, in1 + n, out0);
        break;
    case row::merge:
        thrust::merge(policy, in0, in0 + t->in[0].length, in1, in1 + t->in[1].length, out0);
        break;
    case row::set_union:
        t->count = thrust::set_union(policy, in0, in0 + t->in[0].length, in1,
                                     in1 + t->in[1].length, out0) -
                   out0;
        break;
    case row::set_intersection:
        t->count = thrust::set_intersection(policy, in0, in0 + t->in[0].length, in1,
                                            in1 + t->in[1].length, out0) -
                   out0;
        break;
    case row::set_difference:
        t->count = thrust::set_difference(policy, in0, in0 + t->in[0].length, in1,
                                          in1 + t->in[1].length, out0) -
                   out0;
        break;
    case row::set_symmetric_difference:
        t->count = thrust::set_symmetric_difference(policy, in0, in0 + t->in[0].length, in1,
                                                    in1 + t->in[1].length, out0) -
                   out0;
        break;
    case row::expand: { /* as its example does, with room for offsets in `rest` */
        const auto sources = t->in[0].length;
        const auto count = thrust::counting_iterator<uint32_t>(0);
        const auto offsets = rest, from = rest + sources;
        thrust::exclusive_scan(policy, in1, in1 + sources, offsets);
        thrust::fill(policy, from, from + n, 0u);
        thrust::scatter_if(policy, count, count + sources, offsets, in1, from);
        thrust::inclusive_scan(policy, from, from + n, from, thrust::maximum<uint32_t>());
        thrust::gather(policy, from, from + n, in0, out0);
        t->count = n;
        break;
    }
    case row::reduce_segments: {
        const auto keys = static_cast<uint32_t *>(t->in[2].data);
        t->count = thrust::reduce_by_key(policy, keys, keys + n, in0,
                                         thrust::make_discard_iterator(), out0)
                       .second -
                   out0;
        break;
    }
    case row::find:
        t->count = thrust::find(policy, in0, in0 + n, 3u) - in0 + 1;
        break;
    case row::find_if:
        t->count = thrust::find_if(policy, in0, in0 + n, odd()) - in0 + 1;
        break;
    case row::is_sorted:
        t->count = thrust::is_sorted(policy, in0, in0 + n);
        break;
    case row::remove_if:
        t->count = thrust::remove_if(policy, out0, out0 + n, odd()) - out0;
        break;
    case row::unique_in_place:
        t->count = thrust::unique(policy, out0, out0 + n) - out0;
        break;
    case row::partition_in_place:
        t->count = thrust::stable_partition(policy, out0, out0 + n, odd()) - out0;
        break;
    case row::replace_if:
        thrust::replace_if(policy, out0, out0 + n, odd(), 8u);
        break;
    case row::reverse:
        thrust::reverse(policy, out0, out0 + n);
        break;
    case row::exclusive_scan_from:
        thrust::exclusive_scan(policy, in0, in0 + n, out0, 1000u);
        break;
    case row::none:
        break;
    }
}

} // namespace

#endif
