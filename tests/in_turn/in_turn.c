#include "in_turn.h"
#include "in_turn.kernel.h"

#include <string.h>

WEFT_GENERATOR(in_turn_key, u32, (value, u32, bits))
WEFT_GENERATOR(in_turn_odd, u32, (in, u32, x))
WEFT_GENERATOR(in_turn_turned, u32, (value, u32, ny), (value, u32, nx))
WEFT_COMPARISON(in_turn_falling, u32)

enum { N = 1500, LARGE = 40000 };
static const weft_array none;

static i64 sum_of(weft_device *d, weft_array x) {
    u32 sum = 0;
    weft_reduce(d, x, weft_plus(WEFT_U32), &sum);
    return sum;
}

static weft_array new_numbers(weft_device *d, i64 n, u32 bits) {
    const weft_array x = weft_scratch(d, WEFT_U32, n);
    weft_transform(d, n, x, in_turn_key, .bits = bits);
    return x;
}

static weft_array new_sorted(weft_device *d, i64 n, u32 bits) {
    const weft_array x = new_numbers(d, n, bits);
    weft_sort(d, x, WEFT_ASCENDING);
    return x;
}

static void expand(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12), y = weft_scratch(d, WEFT_U32, 3 * N);
    weft_expand(d, x, weft_lazy(N, in_turn_key, .bits = 2), y, &number[0]);
    number[1] = sum_of(d, weft_slice(d, y, 0, N));
    weft_expand_sources(d, weft_constant(N, 2u), none, y, &number[2]);
    number[3] = sum_of(d, weft_slice(d, y, 0, N));
}
static void segments(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12), y = new_numbers(d, N, 9),
                     offsets = weft_scratch(d, WEFT_I64, 101);
    weft_sequence(d, offsets, &(i64){0}, &(i64){N / 100});
    weft_reduce_segments(d, x, offsets, weft_plus(WEFT_U32), weft_slice(d, y, 0, 100));
    number[0] = sum_of(d, weft_slice(d, y, 0, 50));
    weft_sort_segments(d, x, y, offsets, WEFT_DESCENDING);
    number[1] = sum_of(d, weft_slice(d, y, 0, N / 2));
}
static void find(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12);
    int sorted = 0;
    weft_find(d, x, &(u32){1234567}, &number[0]);
    weft_find_if(d, weft_lazy(N, in_turn_odd, .x = x), &number[1]);
    weft_adjacent_find(d, x, &number[2]);
    weft_is_sorted(d, x, &sorted);
    weft_partition_point(d, weft_lazy(N, in_turn_odd, .x = x), &number[3]);
    number[4] = sorted;
}
static void questions(weft_device *d, i64 *number) {
    const weft_array x = new_sorted(d, N, 12), y = new_sorted(d, N, 11),
                     odd = weft_lazy(N, in_turn_odd, .x = x);
    int equal = 0, parted = 0;
    u32 last = 0;
    weft_put(d, y, 0, &(u32){7});
    weft_get(d, y, N - 1, &last);
    weft_find_if_not(d, odd, &number[0]);
    weft_mismatch(d, x, y, &number[1]);
    weft_is_sorted_until(d, y, &number[2]);
    weft_equal(d, x, y, &equal);
    weft_is_partitioned(d, odd, &parted);
    number[3] = (i64)last + 2 * equal + parted;
    weft_binary_search(d, x, x, y);
    number[4] = sum_of(d, y);
}
static void each(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12), y = new_numbers(d, N, 3),
                     v = weft_scratch(d, WEFT_U32, N), w = weft_scratch(d, WEFT_U32, N);
    const weft_array in[] = {x, y}, out[] = {v, w};
    weft_gather_each(d, 2, in, weft_constant(N, 7u), out);
    weft_copy_if_each(d, 2, in, weft_lazy(N, in_turn_odd, .x = x), out, &number[0]);
    weft_partition_each(d, 2, in, weft_lazy(N, in_turn_odd, .x = x), out, &number[1]);
    number[2] = sum_of(d, weft_slice(d, w, 0, N / 3));
    weft_scatter_each(d, 2, in, weft_counting(N, 0u), out);
    number[3] = sum_of(d, v);
}
static void sets(weft_device *d, i64 *number) {
    const weft_array a = new_sorted(d, N, 10), b = new_sorted(d, N / 2, 10),
                     out = weft_scratch(d, WEFT_U32, 2 * N);
    weft_set_union(d, a, b, out, &number[0]);
    weft_set_intersection(d, a, b, out, &number[1]);
    weft_set_difference_by_key(d, a, a, b, none, out, &number[2]);
    number[3] = sum_of(d, weft_slice(d, out, 0, number[2]));
}
static void other_sets(weft_device *d, i64 *number) {
    const weft_array a = new_sorted(d, N, 10), b = new_sorted(d, N / 2, 10),
                     out = weft_scratch(d, WEFT_U32, 2 * N),
                     values = weft_scratch(d, WEFT_U32, 2 * N);
    weft_set_difference(d, a, b, out, &number[0]);
    weft_set_symmetric_difference(d, a, b, out, &number[1]);
    weft_set_intersection_by_key(d, a, a, b, out, values, &number[2]);
    weft_set_union_by_key(d, a, a, b, b, out, values, &number[3]);
    weft_set_symmetric_difference_by_key(d, a, a, b, b, none, values, &number[4]);
    number[5] = sum_of(d, weft_slice(d, values, 0, number[4]));
}
static void orders(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12), y = new_numbers(d, N, 10),
                     index = weft_scratch(d, WEFT_U32, N), keys[] = {y, x};
    weft_sort_index(d, keys, NULL, 2, index);
    number[0] = sum_of(d, weft_slice(d, index, 0, N / 2));
    weft_sort_by_key_with(d, x, y, weft_comparison_of(in_turn_falling));
    number[1] = sum_of(d, weft_slice(d, y, 0, N / 2));
    weft_lower_bound_with(d, x, y, weft_comparison_of(in_turn_falling), index);
    number[2] = sum_of(d, index);
    weft_sort_by(d, x, y, WEFT_DESCENDING);
    number[3] = sum_of(d, weft_slice(d, x, 0, N / 2));
}
static void order_sets(weft_device *d, i64 *number) {
    const weft_comparison *order = weft_comparison_of(in_turn_falling);
    const weft_array a = new_numbers(d, N, 10), b = new_numbers(d, N / 2, 10),
                     out = weft_scratch(d, WEFT_U32, 2 * N),
                     values = weft_scratch(d, WEFT_U32, 2 * N);
    weft_sort_with(d, a, order);
    weft_sort_with(d, b, order);
    weft_set_union_by_key_with(d, a, a, b, b, order, out, values, &number[0]);
    number[1] = sum_of(d, weft_slice(d, values, 0, number[0]));
    weft_merge_by_key_with(d, a, a, b, b, order, none, values);
    number[2] = sum_of(d, weft_slice(d, values, 0, N));
    weft_unique_by_key_with(d, a, a, order, out, none, &number[3]);
    const weft_array merged = weft_slice(d, out, 0, N + N / 2);
    weft_merge_with(d, a, b, order, merged);
    weft_upper_bound_with(d, merged, a, order, values);
    number[4] = sum_of(d, weft_slice(d, values, 0, N));
    weft_unique_with(d, merged, order, values, &number[5]);
}
static void draw(weft_device *d, i64 *number) {
    const weft_array x = weft_scratch(d, WEFT_U32, N);
    weft_copy(d, weft_random(N, WEFT_UNIFORM_U32, .seed = 1), x);
    weft_shuffle(d, x, 2);
    number[0] = sum_of(d, weft_slice(d, x, 0, N / 2));
}
static void in_place(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12), y = new_numbers(d, N, 3);
    weft_rotate(d, x, 100);
    weft_reverse(d, x);
    weft_swap(d, x, y);
    weft_replace_if(d, y, weft_lazy(N, in_turn_odd, .x = x), &(u32){3});
    weft_partition(d, y, weft_lazy(N, in_turn_odd, .x = y), y, &number[0]);
    weft_remove_if(d, x, weft_lazy(N, in_turn_odd, .x = x), x, &number[1]);
    weft_unique(d, y, y, &number[2]);
    number[3] = sum_of(d, y);
}
static void ranks(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, LARGE, 30), top = weft_scratch(d, WEFT_U32, 50);
    weft_nth_element(d, x, LARGE / 3, WEFT_ASCENDING, &number[0]);
    weft_top_k(d, x, weft_counting(LARGE, 0u), 50, WEFT_DESCENDING, none, top);
    number[1] = sum_of(d, top);
    weft_nth_element(d, weft_constant(LARGE, 5u), 99, WEFT_DESCENDING, &number[2]);
}
static void histograms(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12), counts = weft_scratch(d, WEFT_U32, 10);
    weft_histogram_even(d, x, &(u32){100}, &(u32){3000}, counts);
    number[0] = sum_of(d, weft_slice(d, counts, 0, 5));
    weft_histogram_ranges(d, x, weft_counting(11, 77u), counts);
    number[1] = sum_of(d, counts);
    weft_gather(d, x, weft_lazy(N, in_turn_turned, .ny = N / 10, .nx = 10),
                weft_scratch(d, WEFT_U32, N));
}
static void discarded(weft_device *d, i64 *number) {
    const weft_array a = new_sorted(d, N, 6), out = weft_scratch(d, WEFT_U32, 2 * N);
    weft_reduce_by_key(d, a, a, weft_plus(WEFT_U32), none, out, &number[0]);
    number[1] = sum_of(d, weft_slice(d, out, 0, number[0]));
    weft_run_length_encode(d, a, none, out, &number[2]);
    weft_unique_by_key(d, a, a, none, none, &number[3]);
    weft_merge_by_key(d, a, a, a, a, out, none);
    number[4] = sum_of(d, weft_slice(d, out, 0, N));
}
static void scans(weft_device *d, i64 *number) {
    const weft_array x = new_numbers(d, N, 12), y = weft_scratch(d, WEFT_U32, N);
    const weft_operator *plus = weft_plus(WEFT_U32);
    weft_scan_from(d, x, plus, &(u32){9}, WEFT_EXCLUSIVE, y);
    weft_scan_by_key_from(d, x, y, plus, &(u32){5}, WEFT_EXCLUSIVE | WEFT_REVERSE, y);
    number[0] = sum_of(d, y);
}

static const struct {
    const char *name;
    void (*work)(weft_device *d, i64 *number);
} works[IN_TURN_WORKS] = {
    {"expand", expand},         {"segments", segments},   {"find", find},
    {"questions", questions},   {"each", each},           {"sets", sets},
    {"other_sets", other_sets}, {"orders", orders},       {"order_sets", order_sets},
    {"random", draw},           {"in_place", in_place},   {"ranks", ranks},
    {"histograms", histograms}, {"discarded", discarded}, {"scans", scans}};

in_turn_result in_turn_work(weft_device *device, int which) {
    in_turn_result result;
    memset(&result, 0, sizeof result); /* they are compared as bytes */
    weft_scope_open(device);
    works[which].work(device, result.number);
    weft_scope_close(device);
    result.used = (i64)weft_memory_use(device).used;
    result.status = weft_check(device);
    return result;
}

const char *in_turn_name(int which) {
    return works[which].name;
}
