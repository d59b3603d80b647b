/* Stable sort: distribution by the highest digit to buckets that fit the cache, by all
 * threads; then each bucket for itself. Source: Polychroniou and Ross, "A comprehensive
 * study of main-memory partitioning and its application to large-scale comparison- and
 * radix-sort", SIGMOD 2014, sections 3 and 4. */
#include "radix.h"
#include "sort_counts.h"
#include "sort_level.h"
#include "sort_unsized.h"
#include "weft/array.h"

typedef struct extents {
    const sort_form *form;
    i64 n, parts;
    sort_extent *part;
} extents;

static void find_extents(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const extents *e = context;
    for (i64 k = begin; k < end; k++)
        e->part[k] =
            sort_form_extent(e->form, e->n * k / e->parts, e->n * (k + 1) / e->parts);
}

/* Whether a few of the keys, which are no floats, already take all bits that count. Where
 * others do not count, keys are rotated: with values and in 4 bytes that costs nothing. */
static int spans_all(const sort_form *form, i64 n, i32 end_bit) {
    enum { SAMPLES = 64, SAMPLE = 16 };
    const int rotates = form->kind == SORT_U32 && form->value_size > 0;
    if (form->kind == SORT_F32 || form->kind == SORT_F64 || n < HOST_SORT_PART ||
        (end_bit < form->width && !rotates))
        return 0;
    sort_extent sample = sort_form_extent(form, 0, SAMPLE);
    for (i64 s = 1; s < SAMPLES; s++) {
        const i64 begin = s * (n / SAMPLES);
        sample = sort_extent_join(sample, sort_form_extent(form, begin, begin + SAMPLE));
    }
    return (sample.most - sample.least) >> (end_bit - 1) > 0;
}

static sort_extent find_extent(const sort_form *form, i64 n, i32 end_bit,
                               const host_crew *crew) {
    enum { MOST_PARTS = 256 };
    if (spans_all(form, n, end_bit))
        return (sort_extent){0, form->width == 64 ? ~0ull : ~0u, 0};
    sort_extent part[MOST_PARTS];
    extents e = {form, n,
                 n / HOST_SORT_PART < MOST_PARTS ? n / HOST_SORT_PART + 1 : MOST_PARTS,
                 part};
    crew->run(crew->team, e.parts, 1, 1, find_extents, &e);
    for (i64 k = 1; k < e.parts; k++)
        part[0] = sort_extent_join(part[0], part[k]);
    return part[0];
}

/* Bits of the first level's digit: more where that leaves no more than 32 to an item, or
 * where a bucket that keys crowd into would be what all threads wait for. */
static i32 first_bits(const sorting *s, i64 n, i32 item_size) {
    const sort_form *form = &s->form;
    const i64 enough = s->crew->threads > 1 ? HOST_SORT_EACH * s->crew->threads : 0;
    const i32 more = form->high - 32;
    i32 bits = sort_level_bits(form, n, item_size);
    while (form->value_size > 0 && bits < HOST_SORT_BITS && (i64)1 << bits < enough &&
           n >> bits > HOST_SORT_LEAST)
        bits++;
    return item_size == 8 && more > bits && more <= HOST_SORT_BITS ? more : bits;
}

static i32 first_shift(const sorting *s, i64 n, i32 item_size) {
    const i32 shift = s->form.high - first_bits(s, n, item_size);
    return shift > s->form.low ? shift : s->form.low;
}

/* Chooses the smallest items that hold what the keys' buckets do not tell: `rest` bits. */
static void choose_items(sort_form *form, i32 rest, int direct) {
    const int small = form->width == 32 || (rest <= 32 && form->nans == 0);
    if (form->value_size == 0)
        form->item_size = form->width == 32 || (small && direct) ? 4 : 8;
    else
        form->item_size = form->value_size == 4 && small ? 8 : 16;
    form->key_bit = form->value_size == 4 && form->item_size == 8 ? 32 : 0;
}

static size_t whole_lines(size_t bytes) {
    return (bytes + RADIX_LINE - 1) / RADIX_LINE * RADIX_LINE;
}

/* Takes each thread's memory: for the lines of `buckets` buckets, and n spare items. */
static void take_areas(sorting *s, i64 buckets, i64 n) {
    const size_t spare = (size_t)(n < s->bucket_items ? n : s->bucket_items);
    s->lines = RADIX_COUNTS * sizeof(u32);
    s->places = s->lines + (size_t)buckets * RADIX_LINE;
    s->spare = whole_lines(s->places + (size_t)buckets * sizeof(u64));
    const size_t items = whole_lines(spare * (size_t)s->form.item_size) + RADIX_LINE;
    s->sorted = s->spare + items;
    s->split = s->sorted + items;
    s->area = sort_any_order(&s->form) ? s->split + items : s->sorted;
    const weft_array areas =
        weft_scratch(s->device, WEFT_U8, (i64)s->area * s->crew->threads);
    if (weft_check(s->device) == WEFT_OK)
        s->areas = weft_buffer_memory(areas.buffer);
}

/* All items fit the cache. */
static void sort_directly(sorting *s, i64 n) {
    choose_items(&s->form, s->form.high, 1);
    s->bucket_items = HOST_SORT_BUCKET / s->form.item_size;
    sort_item few[RADIX_FEW];
    char *items = (char *)few;
    if (n > RADIX_FEW) {
        take_areas(s, 0, n);
        const weft_array memory = weft_scratch(s->device, WEFT_U8, n * s->form.item_size);
        if (weft_check(s->device) != WEFT_OK)
            return;
        items = weft_buffer_memory(memory.buffer);
    }
    sort_form_load(&s->form, 0, n, items);
    sort_items_finish(s, items, 0, n, 0, 0);
}

/* The most items that a bucket of a map should hold. */
static i64 crowd(i64 n, i64 buckets, i32 size) {
    const i64 even = 4 * n / buckets;
    return HOST_SORT_CROWD / size > even ? HOST_SORT_CROWD / size : even;
}

/* A map where the keys crowd together in a plain level's buckets. Items are then whole,
 * since a bucket does not tell the first bits. */
static sort_map find_map(sorting *s, i64 n) {
    sort_form *form = &s->form;
    const i32 size = form->item_size;
    const i64 buckets = (i64)1 << sort_level_bits(form, n, size);
    const sort_map map = sort_map_new(s->device, form, n, first_shift(s, n, size), buckets,
                                      crowd(n, buckets, size));
    if (map.buckets)
        choose_items(form, form->high, 0);
    return map;
}

static void sort_by_levels(sorting *s, i64 n, int nan_first) {
    const sort_form *form = &s->form;
    sort_level l = {.s = s, .n = n, .nan_first = nan_first};
    choose_items(&s->form, first_shift(s, n, 8), 0);
    const sort_map map = find_map(s, n);
    s->bucket_items = HOST_SORT_BUCKET / form->item_size;
    l.shift = first_shift(s, n, form->item_size);
    l.buckets = (i64)(form->range >> l.shift) + 1 + (form->nans > 0);
    if (map.buckets) {
        l.map = &map;
        l.buckets = map.buckets + (form->nans > 0);
    } else if (sort_form_is_plain(form)) {
        l.from = form->keys;
        l.mask = ~0u;
    }
    l.parts = sort_level_parts(s, n);
    take_areas(s, ((i64)1 << first_bits(s, n, form->item_size)) + 1, n);
    if (form->nans == 0 && sort_unsized_serves(form)) {
        sort_unsized(&l);
        return;
    }
    const weft_array memory = weft_scratch(s->device, WEFT_U8, n * form->item_size);
    if (weft_check(s->device) != WEFT_OK)
        return;
    l.to = weft_buffer_memory(memory.buffer);
    sort_level_run(&l, NULL);
}

/* Floats that are spread evenly, as a sample says: nobody looks for their extent. Returns
 * whether they are sorted; where there are NaNs after all they are not. */
static int sort_evenly(sorting *s, const weft_sort_call *sort) {
    sort_form *form = &s->form;
    const i64 n = sort->keys.length;
    if (form->kind != SORT_F32 || sort->begin_bit > 0 || sort->end_bit < 32 ||
        n <= HOST_SORT_BUCKET / (i64)sizeof(f32))
        return 0;
    sort_form_range(form, sort, (sort_extent){.most = ~0u, .nans = 1});
    form->item_size = 4;
    const i64 buckets = (i64)1 << sort_level_bits(form, n, 4);
    int done = 0;
    weft_scope_open(s->device);
    const sort_map map =
        sort_unsized_serves(form)
            ? sort_map_even(s->device, form, n, buckets, crowd(n, buckets, 4))
            : (sort_map){.buckets = 0};
    if (map.buckets > 0) {
        sort_level l = {.s = s, .n = n, .map = &map, .buckets = buckets + 1};
        s->bucket_items = HOST_SORT_BUCKET / form->item_size;
        take_areas(s, l.buckets, n);
        done = sort_unsized(&l);
    }
    weft_scope_close(s->device);
    return done;
}

weft_status host_sort(weft_device *device, const weft_sort_call *sort,
                      const host_crew *crew) {
    sorting s = {.device = device, .crew = crew};
    sort_form *form = &s.form;
    const i64 n = sort->keys.length;
    sort_form_begin(form, sort);
    if (sort_evenly(&s, sort))
        return weft_check(device);
    s.areas = NULL;
    sort_form_begin(form, sort);
    sort_form_range(form, sort, find_extent(form, n, sort->end_bit, crew));
    const i32 bits = 8 * (i32)WEFT_SIZE(sort->keys.type);
    if (form->nans > 0 && (sort->begin_bit > 0 || sort->end_bit < bits))
        return host_sort_plainly(device, sort);
    if (form->nans == n || (form->high <= form->low && form->nans == 0))
        return WEFT_OK;
    const i64 cached = crew->threads > 1 ? HOST_SORT_ALONE : HOST_SORT_BUCKET;
    const int direct = form->nans == 0 && n <= cached / (i64)sizeof(sort_item);
    if (direct)
        sort_directly(&s, n);
    else if (sort_counts_suffice(form, n))
        sort_by_counts(device, crew, form, n);
    else
        sort_by_levels(&s, n, form->nans > 0 && sort->descending);
    return weft_check(device);
}
