#include "knn.h"
#include "algorithms/pyramid/lengths.h"
#include "algorithms/pyramid/pyramid.h"
#include "knn_answer.kernel.h"
#include "knn_each.kernel.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(knn_tree_strange, u32, (value, i64, points), (in, u32, member))
WEFT_KERNEL(knn_tree_stretch, (value, i64, halos), (bundle, points_coordinates, at),
            (in, i64, offset, 0), (optional, u32, member, 0), (out, knn_box, box))
WEFT_KERNEL(knn_tree_frame, (value, points_period, period), (in, i64, offset, n + 1),
            (in, knn_box, stretch, 0), (out, knn_box, frame), (out, u32, wraps))
WEFT_KERNEL(knn_tree_key, (value, i64, halos), (value, i32, bits),
            (bundle, points_coordinates, at), (in, i64, offset, 0),
            (optional, u32, member, 0), (in, knn_box, frame, 0), (out, u64, key))
WEFT_KERNEL(knn_tree_place, (value, i64, members), (bundle, points_coordinates, at),
            (optional, u32, member, 0), (in, u32, order, 0), (out, f64, x), (out, f64, y),
            (out, f64, z))
WEFT_KERNEL(knn_tree_leaf, (value, i64, halos), (in, i64, offset, 0), (in, u32, order, 0),
            (in, f64, x, 0), (in, f64, y, 0), (in, f64, z, 0), (out, knn_box, box))
WEFT_KERNEL(knn_tree_level, (value, i64, halos), (value, i64, bits), (in, i64, offset, 0),
            (in, knn_box, below, 0), (out, knn_box, box))
WEFT_BUNDLE(knn_tree, (value, i64, halos), (value, points_period, period),
            (in, i64, offset, 0), (in, i64, begin, 0), (in, u32, wraps, 0),
            (in, u32, order, 0), (in, f64, x, 0), (in, f64, y, 0), (in, f64, z, 0),
            (in, knn_box, box, 0))
WEFT_BUNDLE(knn_found, (value, u32, k), (value, u32, listed), (value, u32, distances),
            (inout, u32, neighbour, 0), (inout, f64, distance2, 0))
WEFT_KERNEL(knn_answer_leaf, (bundle, knn_tree, t), (bundle, knn_found, to))
WEFT_KERNEL(knn_each, (bundle, knn_tree, t), (bundle, knn_found, to))

/* Bits of each axis: cells in which few members lie, as far as they fit beside the halo. */
static i32 axis_bits(i64 halos, i64 longest) {
    const i32 fit = (64 - lengths_bits(halos)) / 3, wish = (lengths_bits(longest) + 17) / 3;
    return fit > 21 ? (wish > 21 ? 21 : wish) : wish > fit ? fit : wish;
}

/* The members in the order of the curves. */
static void sort_members(weft_device *device, const points_words *words,
                         const weft_halos *halos, i64 longest, const knn_tree_arrays *t,
                         weft_array frame) {
    const i32 bits = axis_bits(halos->count, longest);
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, halos->members);
    const u32 zero = 0, one = 1;
    weft_for_each(device, halos->members, knn_tree_key, .halos = halos->count, .bits = bits,
                  .at = *words, .offset = halos->offset, .member = halos->member,
                  .frame = frame, .key = key);
    weft_sequence(device, t->order, &zero, &one);
    weft_sort_bits(device, key, t->order, WEFT_ASCENDING, 0,
                   3 * bits + lengths_bits(halos->count));
    weft_scope_close(device);
    weft_for_each(device, t->x.length, knn_tree_place, .members = halos->members,
                  .at = *words, .member = halos->member, .order = t->order, .x = t->x,
                  .y = t->y, .z = t->z);
}

/* The boxes of all levels. */
static void build(weft_device *device, const weft_halos *halos, const pyramid *p,
                  const knn_tree_arrays *t) {
    weft_for_each(device, pyramid_size(p, 0), knn_tree_leaf, .halos = halos->count,
                  .offset = halos->offset, .order = t->order, .x = t->x, .y = t->y,
                  .z = t->z, .box = pyramid_level(device, p, t->box, 0));
    for (i64 level = 1; level < p->levels; level++)
        weft_for_each(device, pyramid_size(p, level), knn_tree_level, .halos = halos->count,
                      .bits = KNN_LEAF_BITS + KNN_FAN_BITS * (level - 1),
                      .offset = halos->offset,
                      .below = pyramid_level(device, p, t->box, level - 1),
                      .box = pyramid_level(device, p, t->box, level));
}

/* The frames of halos, and whether they wrap. */
static void enclose(weft_device *device, const points_words *words, const weft_halos *halos,
                    const knn_tree_arrays *t, weft_array frame) {
    const i64 stretches = pyramid_blocks(halos->members, halos->count, KNN_STRETCH);
    weft_scope_open(device);
    const weft_array stretch = weft_scratch(device, WEFT_STRUCT(knn_box), stretches);
    weft_for_each(device, stretches, knn_tree_stretch, .halos = halos->count, .at = *words,
                  .offset = halos->offset, .member = halos->member, .box = stretch);
    weft_for_each(device, halos->count, knn_tree_frame, .period = t->period,
                  .offset = halos->offset, .stretch = stretch, .frame = frame,
                  .wraps = t->wraps);
    weft_scope_close(device);
}

/* The length of the longest halo, where all members are points. */
static i64 look(weft_device *device, const weft_halos *halos, i64 points) {
    i64 strange = 0;
    if (halos->member.type != 0)
        weft_count_if(device,
                      weft_lazy(halos->members, knn_tree_strange, .points = points,
                                .member = halos->member),
                      &strange);
    if (strange > 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "weft_neighbours: %lld members of halos are none of the %lld points",
                  (long long)strange, (long long)points);
    return lengths_most(device, halos->count, halos->offset);
}

void knn_find(weft_device *device, const points_words *words, i64 points, const f64 box[3],
              const weft_halos *halos, const knn_wish *wish, weft_array neighbour,
              weft_array distance2) {
    const i64 members = halos->members, longest = look(device, halos, points);
    if (weft_check(device) != WEFT_OK)
        return;
    weft_task_begin(device, "knn_find");
    weft_task_until(device, 0.2);
    const pyramid p =
        pyramid_over(members, halos->count, longest, KNN_LEAF_BITS, KNN_FAN_BITS, 1);
    weft_scope_open(device);
    const knn_tree_arrays t = {
        .halos = halos->count,
        .period = {{box[0], box[1], box[2]}},
        .offset = halos->offset,
        .begin = pyramid_begins(device, &p),
        .wraps = weft_scratch(device, WEFT_U32, halos->count),
        .order = weft_scratch(device, WEFT_U32, members),
        .x = weft_scratch(device, WEFT_F64, members + KNN_LEAF),
        .y = weft_scratch(device, WEFT_F64, members + KNN_LEAF),
        .z = weft_scratch(device, WEFT_F64, members + KNN_LEAF),
        .box = weft_scratch(device, WEFT_STRUCT(knn_box), pyramid_total(&p)),
    };
    const weft_array frame = weft_scratch(device, WEFT_STRUCT(knn_box), halos->count);
    const knn_found_arrays to = {.k = wish->k,
                                 .listed = wish->listed,
                                 .distances = wish->distances,
                                 .neighbour = neighbour,
                                 .distance2 = distance2};
    enclose(device, words, halos, &t, frame);
    sort_members(device, words, halos, longest, &t, frame);
    build(device, halos, &p, &t);
    weft_task_until(device, 1);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_for_each(device, members, knn_each, .t = t, .to = to);
    else
        weft_for_each(device, pyramid_size(&p, 0), knn_answer_leaf, .t = t, .to = to);
    weft_scope_close(device);
    weft_task_end(device);
}
