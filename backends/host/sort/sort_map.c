/* A key's first 16 bits are looked up in a table, which a sample was counted into: as the
 * splitters of samplesort, without their comparisons.
 * Source: Frazer and McKellar, "Samplesort: a sampling approach to minimal storage tree
 * sorting", Journal of the ACM 17, 1970. */
#include "sort_map.h"
#include "weft/array.h"

enum {
    FIRST_BITS = 1 << 16, /* the most values of a key's first bits, NaN's own included */
    SAMPLES = 1 << 12,    /* places that are sampled, */
    SAMPLE = 64           /* and keys at each */
};

static i64 count_sample(const sort_map *map, const sort_form *form, i64 n, u32 *counts) {
    const i64 samples = n / SAMPLE < SAMPLES ? n / SAMPLE : SAMPLES;
    u16 digits[SAMPLE];
    for (i64 s = 0; s < samples; s++) {
        const i64 begin = s * (n / samples);
        sort_form_digits(form, begin, begin + SAMPLE, map->shift, (u16)map->length, digits);
        for (i64 k = 0; k < SAMPLE; k++)
            counts[digits[k]]++;
    }
    return samples * SAMPLE;
}

/* How many keys of the sample lie in plain buckets that have over `most` of it. */
static i64 crowded(const sort_map *map, const u32 *counts, i32 shift, i64 most) {
    const i64 each = (i64)1 << (shift - map->shift);
    i64 sum = 0;
    for (i64 first = 0; first < map->length; first += each) {
        i64 bucket = 0;
        for (i64 k = first; k < first + each && k < map->length; k++)
            bucket += counts[k];
        sum += bucket > most ? bucket : 0;
    }
    return sum;
}

sort_map sort_map_new(weft_device *device, const sort_form *form, i64 n, i32 shift,
                      i64 buckets, i64 most) {
    sort_map map = {.shift = form->low};
    while (form->range >> map.shift > FIRST_BITS - 2)
        map.shift++;
    map.length = (i64)(form->range >> map.shift) + 1;
    if (map.shift >= shift)
        return map;
    const weft_array counts = weft_scratch(device, WEFT_U32, map.length + 1);
    const weft_array bucket = weft_scratch(device, WEFT_U16, map.length + 1);
    if (weft_check(device) != WEFT_OK)
        return map;
    u32 *count = weft_buffer_memory(counts.buffer);
    for (i64 k = 0; k <= map.length; k++)
        count[k] = 0;
    const i64 sampled = count_sample(&map, form, n, count);
    const i64 most_sampled = (i64)((f64)most * (f64)sampled / (f64)n);
    if (8 * crowded(&map, count, shift, most_sampled) < sampled)
        return map;
    map.bucket = weft_buffer_memory(bucket.buffer);
    i64 before = 0;
    for (i64 k = 0; k < map.length; k++) {
        map.bucket[k] = (u16)(before * buckets / (sampled + 1));
        before += count[k];
    }
    map.bucket[map.length] = (u16)buckets;
    return map;
}

void sort_map_digits(const sort_map *map, const sort_form *form, i64 begin, i64 end,
                     u16 *digits) {
    sort_form_digits(form, begin, end, map->shift, (u16)map->length, digits);
    for (i64 k = 0; k < end - begin; k++)
        digits[k] = map->bucket[digits[k]];
}
