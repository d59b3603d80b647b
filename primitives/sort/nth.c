/* The element at a rank, without a sort: a sample brackets it, and one pass fetches what is
 * in the bracket, a few elements of a hundred; and so on among these. */
#include "nth.h"
#include "nth.kernels.h"
#include "primitives/select/select.h"
#include "weft/lazy.h"
#include "weft/nth.h"
#include "weft/reduce.h"
#include "weft/search.h"
#include "weft/select.h"
#include "weft/transform.h"

#include <math.h>
#include <stdio.h>

enum {
    SAMPLES = 1 << 13, /* at most, and a 64th of all, */
    SAMPLES_LEAST = 1 << 10,
    FEW = 1 << 15, /* so many are sorted at once, */
    FEW_SIMD = 1 << 11,
    FIRST = 300, /* brackets of the first 1 / FIRST begin at the lowest */
    SHARE = 4    /* what is in a bracket is at most 1 / SHARE of all, or all are sorted */
};

WEFT_GENERATORS(nth_sampled, (u8, u16, u32, u64, bits32, bits64), u64, (value, i64, length),
                (value, i64, count), (in, T, x, 0), (value, u64, flip))
WEFT_GENERATORS(nth_within, (u8, u16, u32, u64, bits32, bits64), u32, (value, u64, low),
                (value, u64, high), (in, T, x), (value, u64, flip))

/* Elements in memory, one of which, at `rank` among them, is looked for. */
typedef struct nth_search {
    weft_array x, places; /* and where they are in the array that was given; none: here */
    i64 rank;
    weft_order order;
} nth_search;

/* Images, from the lowest to the highest. */
typedef struct nth_bracket {
    u64 low, high;
} nth_bracket;

u64 weft_nth_flip(weft_type type, weft_order order) {
    const u64 bits = 8 * WEFT_SIZE(type), sign = (u64)1 << (bits - 1);
    const u64 flip = weft_order_kind(type) == ORDER_SIGNED ? sign : 0;
    return order == WEFT_DESCENDING ? ~flip : flip;
}

static i64 few(const weft_device *device) {
    return weft_device_style(device) == WEFT_SIMT ? FEW : FEW_SIMD;
}

static u64 highest_image(weft_array x) {
    return ~(u64)0 >> (64 - 8 * WEFT_SIZE(x.type));
}

static weft_type index_type(weft_array x) {
    return x.length > UINT32_MAX ? WEFT_I64 : WEFT_U32;
}

static i64 read_index(weft_device *device, weft_array index, i64 at) {
    i64 value = 0; /* the low half is u32's */
    if (weft_check(device) == WEFT_OK)
        weft_read(device, weft_part(index, at, 1), (void *)&value);
    return value;
}

/* The place of the one at an index of those that are left. */
static i64 place_of(weft_device *device, const nth_search *s, i64 index) {
    return s->places.type ? read_index(device, s->places, index) : index;
}

static i64 sorted_place(weft_device *device, const nth_search *s) {
    const u64 start = 0, step = 1;
    const weft_array keys = weft_scratch(device, s->x.type, s->x.length),
                     index = weft_scratch(device, index_type(s->x), s->x.length);
    weft_copy(device, s->x, keys);
    weft_sequence(device, index, (const void *)&start, (const void *)&step);
    weft_sort_by_key(device, keys, index, s->order);
    return place_of(device, s, read_index(device, index, s->rank));
}

/* Four standard deviations of a sample's rank to either side, and some more: bounds that a
 * sample does not give are those of all images, unless all samples there are alike. */
static nth_bracket bracket(weft_device *device, const nth_search *s) {
    const i64 part = s->x.length / 64;
    const i64 samples = part > SAMPLES         ? SAMPLES
                        : part > SAMPLES_LEAST ? part
                                               : SAMPLES_LEAST;
    const struct nth_sampled_u32_arguments arguments = {
        .length = s->x.length,
        .count = samples,
        .x = weft_as(device, s->x, weft_mover_of(s->x.type).type),
        .flip = weft_nth_flip(s->x.type, s->order)};
    const i32 kind = weft_numbers_of(s->x.type).kind;
    const f64 share = ((f64)s->rank + 0.5) / (f64)s->x.length;
    const i64 middle = (i64)(share * (f64)samples);
    const i64 away = (i64)(4 * sqrt((f64)samples * share * (1 - share))) + 8;
    const i64 first = middle - away, last = middle + away;
    const weft_array sample = weft_scratch(device, WEFT_U64, samples);
    u64 low = 0, high = 0;
    weft_copy(device, weft_lazy_array(samples, nth_sampled_generators[kind], &arguments),
              sample);
    weft_sort(device, sample, WEFT_ASCENDING);
    weft_read(device, weft_part(sample, first > 0 ? first : 0, 1), &low);
    weft_read(device, weft_part(sample, last < samples ? last : samples - 1, 1), &high);
    if (low == high)
        return (nth_bracket){low, high};
    return (nth_bracket){first > 0 ? low : 0, last < samples ? high : highest_image(s->x)};
}

/* Whose images are in a bracket. */
static struct nth_within_u32_arguments within(weft_device *device, const nth_search *s,
                                              nth_bracket b) {
    return (struct nth_within_u32_arguments){
        .low = b.low,
        .high = b.high,
        .x = weft_as(device, s->x, weft_mover_of(s->x.type).type),
        .flip = weft_nth_flip(s->x.type, s->order)};
}

static weft_array flags_of(const nth_search *s,
                           const struct nth_within_u32_arguments *arguments) {
    return weft_lazy_array(
        s->x.length, nth_within_generators[weft_numbers_of(s->x.type).kind], arguments);
}

/* The index of the one that has `before` others with flags before it, or -1; *count is how
 * many have flags. */
static i64 flagged(weft_device *device, weft_array flags, i64 before, i64 *count) {
    const weft_selection selection = weft_selection_of(device, flags, 1);
    const weft_array found = weft_scratch(device, WEFT_I64, 1),
                     index = weft_scratch(device, WEFT_I64, selection.block);
    weft_selection_count(device, &selection, count);
    if (before >= *count)
        return -1;
    weft_upper_bound(device, selection.places, weft_constant(1, before), found);
    const i64 block = read_index(device, found, 0) - 1;
    if (weft_check(device) != WEFT_OK)
        return -1;
    const i64 first = block * selection.block, left = flags.length - first,
              length = left < selection.block ? left : selection.block;
    weft_copy_if(device, weft_counting(length, first),
                 weft_part(selection.flags, first, length), index, NULL);
    return read_index(device, index, before - read_index(device, selection.places, block));
}

/* Keeps those in the bracket, if they are few and the one looked for is among them. */
static int keep(weft_device *device, nth_search *s, nth_bracket b, i64 below) {
    const struct nth_within_u32_arguments arguments = within(device, s, b);
    const weft_type type = index_type(s->x);
    const u64 zero = 0;
    const weft_array index = weft_scratch(device, type, s->x.length / SHARE);
    i64 count = 0;
    weft_copy_if(device, weft_lazy_array(s->x.length, weft_counting_generator(type), &zero),
                 flags_of(s, &arguments), index, &count);
    if (weft_check(device) != WEFT_OK || s->rank - below >= count || count > index.length)
        return 0;
    const weft_array kept = weft_part(index, 0, count),
                     x = weft_scratch(device, s->x.type, count);
    weft_gather(device, s->x, kept, x);
    if (s->places.type) {
        const weft_array places = weft_scratch(device, s->places.type, count);
        weft_gather(device, s->places, kept, places);
        s->places = places;
    } else {
        s->places = kept;
    }
    s->x = x;
    s->rank -= below;
    return 1;
}

static i64 below_of(weft_device *device, const nth_search *s, u64 image) {
    i64 count = 0;
    if (image == 0)
        return 0;
    const struct nth_within_u32_arguments below =
        within(device, s, (nth_bracket){0, image - 1});
    weft_count_if(device, flags_of(s, &below), &count);
    return count;
}

weft_nth_first weft_nth_first_of(weft_device *device, weft_array x, i64 k,
                                 weft_order order) {
    nth_search s = {.x = x, .rank = k - 1, .order = order};
    if (x.length <= few(device) || k > x.length / FIRST || weft_check(device) != WEFT_OK)
        return (weft_nth_first){0};
    const nth_bracket b = bracket(device, &s);
    if (b.low > 0 || !keep(device, &s, b, 0))
        return (weft_nth_first){0};
    return (weft_nth_first){s.x, s.places};
}

i64 weft_nth_place(weft_device *device, weft_array x, i64 rank, weft_order order) {
    nth_search s = {.x = x, .rank = rank, .order = order};
    while (s.x.length > few(device) && weft_check(device) == WEFT_OK) {
        nth_bracket b = bracket(device, &s);
        i64 below = below_of(device, &s, b.low), equal = 0;
        if (s.rank < below) {
            b = (nth_bracket){0, b.low - 1};
            below = 0;
        } else if (b.low == b.high) {
            const struct nth_within_u32_arguments same = within(device, &s, b);
            const i64 index = flagged(device, flags_of(&s, &same), s.rank - below, &equal);
            if (index >= 0)
                return place_of(device, &s, index);
            b = (nth_bracket){b.low + 1, highest_image(s.x)};
            below += equal;
        }
        if (!keep(device, &s, b, below))
            break;
    }
    return sorted_place(device, &s);
}

weft_status weft_nth_element(weft_device *device, weft_array in, i64 nth, weft_order order,
                             i64 *index) {
    if (index)
        *index = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_numbers(device, "weft_nth_element.in", in, 0) != WEFT_OK)
        return weft_check(device);
    if (!index)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_nth_element: 'index' is NULL");
    if (order != WEFT_ASCENDING && order != WEFT_DESCENDING)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_nth_element: order is %d",
                         (int)order);
    if (nth < 0 || nth >= in.length)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_nth_element: nth is %lld, but 'in' has %lld elements",
                         (long long)nth, (long long)in.length);
    weft_scope_open(device);
    const i64 place = weft_nth_place(device, weft_settled(device, in), nth, order);
    weft_scope_close(device);
    if (weft_check(device) == WEFT_OK)
        *index = place;
    return weft_check(device);
}
