/* A level: each part of the input is counted and then moved to its buckets by one thread; a
 * bucket that is still too large for the cache is another level. */
#include "radix.h"
#include "sort_level.h"
#include "sort_vectors.h"
#include "weft/array.h"

#include <stdatomic.h>

i32 sort_level_bits(const sort_form *form, i64 n, i32 item_size) {
    const int by_vectors = sort_any_order(form) && sort_has_vectors();
    const i64 goal = by_vectors ? HOST_SORT_VECTORS : HOST_SORT_GOAL;
    i32 bits = 3;
    while (bits < HOST_SORT_BITS && (n * item_size) >> bits > goal)
        bits++;
    return bits;
}

i64 sort_level_parts(const sorting *s, i64 n) {
    enum { EACH = 64 }; /* items of a part in a bucket: fewer seldom fill a line */
    const i64 threads = s->crew->threads, most = (n + HOST_SORT_FEW - 1) / HOST_SORT_FEW;
    const i64 full = n / EACH >> sort_level_bits(&s->form, n, s->form.item_size);
    if (threads == 1)
        return 1;
    const i64 turns = full < 4 * threads ? (full + threads - 1) / threads : 4;
    const i64 parts = (turns > 0 ? turns : 1) * threads;
    return parts < most ? parts : most;
}

static i64 smaller(i64 a, i64 b) {
    return a < b ? a : b;
}

/* Those of one turn of the threads are as long as each other, and longer than those of
 * later turns, in proportion to the turns that are left: so all threads end together. */
static i64 part_begin(const sort_level *l, i64 part) {
    const i64 threads = l->s->crew->threads, turns = (l->parts + threads - 1) / threads;
    const i64 turn = part / threads, left = turns - turn;
    const i64 last = l->parts - (turns - 1) * threads; /* parts of the last turn */
    const i64 all = threads * (turns * (turns + 1) / 2 - 1) + last;
    const i64 before =
        threads * (turns * (turns + 1) - left * (left + 1)) / 2 + part % threads * left;
    return part < l->parts ? (i64)((f64)l->n * (f64)before / (f64)all) : l->n;
}

static char *area(const sorting *s, i64 thread) {
    return s->areas + (size_t)thread * s->area;
}

/* Whether an item's key tells its bucket: it is whole, no NaN, and there is no map. */
static int items_tell(const sort_level *l) {
    const sort_form *form = &l->s->form;
    const i32 bits = 8 * (form->item_size < 8 ? form->item_size : 8);
    return l->from || (!l->map && form->nans == 0 && form->key_bit + form->high <= bits);
}

/* The buckets of keys [begin, end). */
static void key_digits(const sort_level *l, i64 begin, i64 end, u16 *digits) {
    const sort_form *form = &l->s->form;
    if (l->map)
        sort_map_digits(l->map, form, begin, end, digits);
    else
        sort_form_digits(form, begin, end, l->shift, (u16)(l->buckets - 1), digits);
}

static void count_tile(const sort_level *l, i64 begin, i64 end, u64 *counts) {
    const sort_form *form = &l->s->form;
    const i32 size = form->item_size;
    u16 digits[SORT_TILE];
    if (l->from) {
        radix_count_items(l->from + begin * size, end - begin, size,
                          form->key_bit + l->shift, l->mask, counts);
        return;
    }
    key_digits(l, begin, end, digits);
    radix_count(digits, end - begin, counts);
}

/* Fetches what comes some tiles after `i`: between tiles the processor loses sight of it.
 */
static void fetch_ahead(const sort_level *l, i64 i, int values) {
    enum { TILES = 4, LINE = 64 };
    const sort_form *form = &l->s->form;
    const i64 size = l->from ? form->item_size : sort_form_key_size(form);
    const char *keys = (l->from ? l->from : form->keys) + (i + TILES * SORT_TILE) * size;
    for (i64 k = 0; k < SORT_TILE * size; k += LINE)
        __builtin_prefetch(keys + k);
    const i64 more = values && !l->from ? form->value_size : 0;
    const char *value = form->values + (i + TILES * SORT_TILE) * more;
    for (i64 k = 0; k < SORT_TILE * more; k += LINE)
        __builtin_prefetch(value + k);
}

static void count_parts(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const sort_level *l = context;
    for (i64 part = begin; part < end; part++) {
        const i64 last = part_begin(l, part + 1);
        memset(l->counts + part * l->buckets, 0, (size_t)l->buckets * sizeof *l->counts);
        for (i64 i = part_begin(l, part); i < last; i += SORT_TILE) {
            fetch_ahead(l, i, 0);
            count_tile(l, i, smaller(i + SORT_TILE, last), l->counts + part * l->buckets);
        }
    }
}

radix_stream sort_level_stream(const sort_level *l, i64 thread) {
    const sorting *s = l->s;
    return (radix_stream){.to = l->to - l->skew * s->form.item_size,
                          .place = (u64 *)(void *)(area(s, thread) + s->places),
                          .next = (u32 *)(void *)area(s, thread),
                          .lines = area(s, thread) + s->lines,
                          .buckets = l->buckets,
                          .size = s->form.item_size,
                          .shift = s->form.key_bit + l->shift,
                          .mask = l->from ? l->mask : ~0u,
                          .bypass = l->n * s->form.item_size > 8 * HOST_SORT_BUCKET};
}

void sort_level_scatter(const sort_level *l, const radix_stream *stream, i64 begin,
                        i64 end) {
    const sort_form *form = &l->s->form;
    const int tell = items_tell(l);
    u16 digits[SORT_TILE];
    sort_item tile[SORT_TILE];
    for (i64 i = begin; i < end; i += SORT_TILE) {
        const i64 next = smaller(i + SORT_TILE, end);
        fetch_ahead(l, i, 1);
        if (!tell)
            key_digits(l, i, next, digits);
        if (!l->from)
            sort_form_load(form, i, next, tile);
        radix_scatter(stream, l->from ? l->from + i * form->item_size : (const char *)tile,
                      tell ? NULL : digits, next - i);
    }
}

static void scatter_parts(void *context, i64 begin, i64 end, i64 thread) {
    const sort_level *l = context;
    radix_stream stream = sort_level_stream(l, thread);
    for (i64 part = begin; part < end; part++) {
        stream.start = l->counts + part * l->buckets;
        radix_begin(&stream);
        sort_level_scatter(l, &stream, part_begin(l, part), part_begin(l, part + 1));
        radix_finish(&stream);
    }
}

/* How many items go to each bucket: `ends`. */
static void add_parts(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const sort_level *l = context;
    memset(l->ends + begin, 0, (size_t)(end - begin) * sizeof *l->ends);
    for (i64 part = 0; part < l->parts; part++)
        for (i64 b = begin; b < end; b++)
            l->ends[b] += l->counts[part * l->buckets + b];
}

/* Bucket after bucket: where each begins, in `ends` too. */
static void place_buckets(sort_level *l) {
    u64 sum = 0;
    for (i64 k = 0; k < l->buckets; k++) {
        const i64 b = !l->nan_first ? k : k == 0 ? l->buckets - 1 : k - 1;
        const u64 items = l->ends[b];
        l->begins[b] = l->ends[b] = sum;
        sum += items;
    }
}

/* Counts to places: within a bucket part after part, to where it ends. */
static void place_parts(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const sort_level *l = context;
    for (i64 part = 0; part < l->parts; part++)
        for (i64 b = begin; b < end; b++) {
            const u64 place = l->ends[b];
            l->ends[b] = place + l->counts[part * l->buckets + b];
            l->counts[part * l->buckets + b] = place + (u64)l->skew;
        }
}

/* What a bucket's items lack in their upper half. */
static u64 above_of(const sort_level *l, i64 bucket) {
    return l->from || l->map ? l->above : (u64)bucket << l->shift >> 32 << 32;
}

static int holds_nans(const sort_level *l, i64 bucket) {
    return !l->from && l->s->form.nans > 0 && bucket == l->buckets - 1;
}

static i32 bit_length(u64 x) {
    return x ? 64 - __builtin_clzll(x) : 0;
}

/* Sorts items that lie in the cache, and stores them where they belong. */
void sort_items_finish(const sorting *s, char *items, i64 first, i64 n, u64 above,
                       i64 thread) {
    const sort_form *form = &s->form;
    char *own = s->areas ? area(s, thread) : NULL; /* few items take none */
    if (sort_any_order(form) && own && sort_has_vectors()) {
        sort_by_vectors(items, own + s->spare, own + s->sorted, n, form->item_size);
        sort_form_store(form, first, first + n, own + s->sorted, above);
        return;
    }
    const u64 bits = radix_varying(items, n, form->item_size) >> form->key_bit;
    const i32 lowest = bits ? __builtin_ctzll(bits) : 0;
    const i32 low = form->low > lowest ? form->low : lowest, high = bit_length(bits);
    if (high > low)
        items = radix_sort(items, own ? own + s->spare : NULL, n, form->item_size,
                           form->key_bit + low, form->key_bit + high, (u32 *)(void *)own);
    sort_form_store(form, first, first + n, items, above);
}

static void finish_buckets(void *context, i64 begin, i64 end, i64 thread) {
    const sort_level *l = context;
    const sorting *s = l->s;
    for (i64 b = begin; b < end; b++) {
        const i64 first = (i64)l->begins[b], n = (i64)l->ends[b] - first;
        char *items = l->to + first * s->form.item_size;
        if (n == 0 || n > s->bucket_items)
            continue;
        if (holds_nans(l, b))
            sort_form_store(&s->form, l->first + first, l->first + first + n, items, 0);
        else
            sort_items_finish(s, items, l->first + first, n, above_of(l, b), thread);
    }
}

/* A bucket that the cache does not hold. */
typedef struct large {
    const sorting *s;
    char *items;
    i64 first;
    u64 above;
    _Atomic u64 varying;
} large;

static void store_part(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const large *b = context;
    const sort_form *form = &b->s->form;
    sort_form_store(form, b->first + begin, b->first + end,
                    b->items + begin * form->item_size, b->above);
}

static void vary_part(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    large *b = context;
    const i32 size = b->s->form.item_size;
    const char *items = b->items + begin * size;
    char ends[2 * sizeof(sort_item)];
    memcpy(ends, b->items, (size_t)size);
    memcpy(ends + size, items, (size_t)size);
    atomic_fetch_or(&b->varying,
                    radix_varying(items, end - begin, size) | radix_varying(ends, 2, size));
}

static void distribute(sort_level *l) {
    weft_device *device = l->s->device;
    const host_crew *crew = l->s->crew;
    const weft_array counts = weft_scratch(device, WEFT_U64, l->parts * l->buckets);
    const weft_array bounds = weft_scratch(device, WEFT_U64, 2 * l->buckets);
    if (weft_check(device) != WEFT_OK)
        return;
    l->counts = weft_buffer_memory(counts.buffer);
    l->begins = weft_buffer_memory(bounds.buffer);
    l->ends = l->begins + l->buckets;
    const i64 worth = HOST_SORT_PART / l->parts, least = worth > 64 ? worth : 64;
    crew->run(crew->team, l->parts, 1, 1, count_parts, l);
    crew->run(crew->team, l->buckets, least, l->buckets, add_parts, l);
    place_buckets(l);
    crew->run(crew->team, l->buckets, least, l->buckets, place_parts, l);
    crew->run(crew->team, l->parts, 1, 1, scatter_parts, l);
    crew->run(crew->team, l->buckets, 1, 64, finish_buckets, l);
}

void sort_level_again(const sorting *s, char *items, i64 first, i64 n, u64 above,
                      char *other) {
    const host_crew *crew = s->crew;
    const sort_form *form = &s->form;
    large b = {.s = s, .items = items, .first = first, .above = above};
    crew->run(crew->team, n, HOST_SORT_PART, HOST_PORTION_MOST, vary_part, &b);
    const i32 high = bit_length(atomic_load(&b.varying) >> form->key_bit);
    if (high <= form->low) {
        crew->run(crew->team, n, HOST_SORT_PART, HOST_PORTION_MOST, store_part, &b);
        return;
    }
    sort_level next = {.s = s,
                       .from = items,
                       .to = other,
                       .first = first,
                       .n = n,
                       .above = above,
                       .parts = sort_level_parts(s, n)};
    const i32 bits = sort_level_bits(form, n, form->item_size);
    next.shift = high - bits > form->low ? high - bits : form->low;
    next.mask = (1u << (high - next.shift)) - 1;
    next.buckets = (i64)next.mask + 1;
    sort_level_run(&next, items);
}

static void sort_large(const sort_level *l, i64 bucket, char *other) {
    const sorting *s = l->s;
    const host_crew *crew = s->crew;
    const i64 first = (i64)l->begins[bucket], n = (i64)l->ends[bucket] - first;
    large b = {
        .s = s, .items = l->to + first * s->form.item_size, .first = l->first + first};
    if (holds_nans(l, bucket))
        crew->run(crew->team, n, HOST_SORT_PART, HOST_PORTION_MOST, store_part, &b);
    else
        sort_level_again(s, b.items, b.first, n, above_of(l, bucket), other);
}

/* `other`: memory for the largest bucket, NULL: to be taken here. */
void sort_level_run(sort_level *l, char *other) {
    const sorting *s = l->s;
    weft_device *device = s->device;
    weft_scope_open(device);
    l->skew = (i64)((uintptr_t)l->to % RADIX_LINE) / s->form.item_size;
    distribute(l);
    i64 most = 0;
    for (i64 b = 0; b < l->buckets && weft_check(device) == WEFT_OK; b++)
        if ((i64)(l->ends[b] - l->begins[b]) > most)
            most = (i64)(l->ends[b] - l->begins[b]);
    if (most > s->bucket_items && !other) {
        const weft_array more = weft_scratch(device, WEFT_U8, most * s->form.item_size);
        if (weft_check(device) == WEFT_OK)
            other = weft_buffer_memory(more.buffer);
    }
    for (i64 b = 0; b < l->buckets && weft_check(device) == WEFT_OK; b++)
        if ((i64)(l->ends[b] - l->begins[b]) > s->bucket_items)
            sort_large(l, b, other);
    weft_scope_close(device);
}
