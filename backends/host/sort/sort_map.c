/* A key's first 16 bits are looked up in a table, which a sample was counted into: as the
 * splitters of samplesort, without their comparisons. Floats that are spread evenly crowd
 * together by their bits alone, and need no table.
 * Source: Frazer and McKellar, "Samplesort: a sampling approach to minimal storage tree
 * sorting", Journal of the ACM 17, 1970. */
#include "sort_map.h"
#include "sort_image.h"
#include "weft/array.h"
#include "weft/register_macros.h"

#include <float.h>

enum {
    FIRST_BITS = 1 << 16, /* the most values of a key's first bits, NaN's own included */
    SAMPLES = 1 << 12,    /* places that are sampled, at most, */
    SAMPLE = 16,          /* and keys at each, */
    OF = 16,              /* one key of so many at most: nobody else works meanwhile */
    EACH = 4,             /* keys for each value of their first bits, at least, */
    FEWEST = 4,           /*   but for so many values */
    AHEAD = 8             /* places that are fetched before they are looked at */
};

static i64 samples_of(i64 n) {
    return n / SAMPLE / OF < SAMPLES ? n / SAMPLE / OF : SAMPLES;
}

/* Where sample s begins; asks for a later one. */
static i64 sample_begin(const sort_form *form, i64 n, i64 samples, i64 s) {
    const i64 step = n / samples, later = s + AHEAD < samples ? s + AHEAD : samples - 1;
    __builtin_prefetch(form->keys + later * step * sort_form_key_size(form));
    return s * step;
}

/* Rising, like the keys, whatever is rounded. */
WEFT_CLONES static void even_digits(const sort_map *map, const char *keys, i64 n,
                                    u16 *digits) {
    const f32 first = map->first, scale = map->scale, last = (f32)(map->buckets - 1);
    for (i64 k = 0; k < n; k++) {
        f32 key;
        memcpy(&key, keys + 4 * k, 4);
        const f32 distance = (key - first) * scale;
        const f32 inside = distance > 0 ? distance : 0;
        const i32 digit = (i32)(inside < last ? inside : last);
        digits[k] = (u16)(key != key ? (i32)map->buckets : digit);
    }
}

/* Digits by distance for keys of which all bits count, from y = least to most; scale 0 for
 * others. */
static sort_map even_map(const sort_form *form, i64 buckets, u64 least, u64 most) {
    sort_map map = {.buckets = buckets};
    if (form->kind != SORT_F32 || form->low > 0 || form->rotate > 0)
        return map;
    const u32 ends[2] = {key32(SORT_F32, (u32)least, turn32_of(form)),
                         key32(SORT_F32, (u32)most, turn32_of(form))};
    f32 end[2];
    memcpy(end, ends, sizeof end);
    const f64 width = (f64)end[1] - (f64)end[0], scale = (f64)buckets / width;
    if (!(width > -FLT_MAX && width < FLT_MAX && scale > -FLT_MAX && scale < FLT_MAX))
        return map;
    map.first = end[0];
    map.scale = (f32)scale;
    return map;
}

/* The digits of a sample; returns how many. */
static i64 count_sample(const sort_map *map, const sort_form *form, i64 n, u32 *counts) {
    const i64 samples = samples_of(n);
    u16 digits[SAMPLE];
    for (i64 s = 0; s < samples; s++) {
        const i64 begin = sample_begin(form, n, samples, s);
        if (map->scale != 0)
            sort_map_digits(map, form, begin, begin + SAMPLE, digits);
        else
            sort_form_digits(form, begin, begin + SAMPLE, map->shift, (u16)map->length,
                             digits);
        for (i64 k = 0; k < SAMPLE; k++)
            counts[digits[k]]++;
    }
    return samples * SAMPLE;
}

/* How many keys of the sample lie in buckets of `each` digits that have over `most` of it.
 */
static i64 crowded(const u32 *counts, i64 length, i64 each, i64 most) {
    i64 sum = 0;
    for (i64 first = 0; first < length; first += each) {
        i64 bucket = 0;
        for (i64 k = first; k < first + each && k < length; k++)
            bucket += counts[k];
        sum += bucket > most ? bucket : 0;
    }
    return sum;
}

sort_map sort_map_new(weft_device *device, const sort_form *form, i64 n, i32 shift,
                      i64 buckets, i64 most) {
    sort_map map = {.shift = form->low};
    const i64 some = n / EACH < FIRST_BITS ? n / EACH : FIRST_BITS;
    const u64 values = some > FEWEST ? (u64)some : FEWEST;
    while (form->range >> map.shift > values - 2)
        map.shift++;
    map.length = (i64)(form->range >> map.shift) + 1;
    if (map.shift >= shift)
        return map;
    const weft_array counts = weft_scratch(device, WEFT_U32, map.length + 1);
    const weft_array evens = weft_scratch(device, WEFT_U32, buckets + 1);
    const weft_array bucket = weft_scratch(device, WEFT_U16, map.length + 1);
    if (weft_check(device) != WEFT_OK)
        return map;
    u32 *count = weft_buffer_memory(counts.buffer);
    memset(count, 0, (size_t)(map.length + 1) * sizeof *count);
    const i64 sampled = count_sample(&map, form, n, count);
    const i64 most_sampled = (i64)((f64)most * (f64)sampled / (f64)n);
    if (8 * crowded(count, map.length, (i64)1 << (shift - map.shift), most_sampled) <
        sampled)
        return map;
    const sort_map even = even_map(form, buckets, 0, form->range);
    if (even.scale != 0) {
        u32 *evenly = weft_buffer_memory(evens.buffer);
        memset(evenly, 0, (size_t)(buckets + 1) * sizeof *evenly);
        count_sample(&even, form, n, evenly);
        if (8 * crowded(evenly, buckets, 1, most_sampled) < sampled)
            return even;
    }
    map.buckets = buckets;
    map.bucket = weft_buffer_memory(bucket.buffer);
    i64 before = 0;
    for (i64 k = 0; k < map.length; k++) {
        map.bucket[k] = (u16)(before * buckets / (sampled + 1));
        before += count[k];
    }
    map.bucket[map.length] = (u16)buckets;
    return map;
}

sort_map sort_map_even(weft_device *device, const sort_form *form, i64 n, i64 buckets,
                       i64 most) {
    const i64 samples = samples_of(n);
    sort_extent all = sort_form_extent(form, 0, SAMPLE);
    for (i64 s = 1; s < samples; s++) {
        const i64 begin = sample_begin(form, n, samples, s);
        all = sort_extent_join(all, sort_form_extent(form, begin, begin + SAMPLE));
    }
    const sort_map none = {.buckets = 0};
    if (all.nans > 0 || all.most - all.least < FIRST_BITS)
        return none;
    const sort_map even = even_map(form, buckets, all.least, all.most);
    const weft_array counts = weft_scratch(device, WEFT_U32, buckets + 1);
    if (even.scale == 0 || weft_check(device) != WEFT_OK)
        return none;
    u32 *count = weft_buffer_memory(counts.buffer);
    memset(count, 0, (size_t)(buckets + 1) * sizeof *count);
    const i64 sampled = count_sample(&even, form, n, count);
    const i64 most_sampled = (i64)((f64)most * (f64)sampled / (f64)n);
    return 8 * crowded(count, buckets, 1, most_sampled) < sampled ? even : none;
}

void sort_map_digits(const sort_map *map, const sort_form *form, i64 begin, i64 end,
                     u16 *digits) {
    if (map->scale != 0) {
        even_digits(map, form->keys + 4 * begin, end - begin, digits);
        return;
    }
    sort_form_digits(form, begin, end, map->shift, (u16)map->length, digits);
    for (i64 k = 0; k < end - begin; k++)
        digits[k] = map->bucket[digits[k]];
}
