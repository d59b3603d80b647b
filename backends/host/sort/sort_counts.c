/* Keys alone that take few values: how often each comes is counted, and they are written
 * anew. Source: Knuth, The art of computer programming 3, 5.2, algorithm D. */
#include "sort_counts.h"
#include "backends/host/tuning.h"
#include "weft/array.h"

#include <string.h>

typedef struct counting {
    const sort_form *form;
    i64 n, values, parts;
    u32 *counts; /* [parts][values] */
    i64 *begins; /* [values + 1]: where each begins */
} counting;

int sort_counts_suffice(const sort_form *form, i64 n) {
    return sort_any_order(form) && form->nans == 0 && form->range < HOST_SORT_COUNTS &&
           (i64)form->range < n / HOST_SORT_OFTEN;
}

static i64 smaller(i64 a, i64 b) {
    return a < b ? a : b;
}

static void count_parts(void *context, i64 begin, i64 end, i64 thread) {
    const counting *c = context;
    u16 digits[SORT_TILE];
    (void)thread;
    for (i64 part = begin; part < end; part++) {
        u32 *counts = c->counts + part * c->values;
        const i64 length = (c->n + c->parts - 1) / c->parts,
                  last = smaller((part + 1) * length, c->n);
        memset(counts, 0, (size_t)c->values * sizeof *counts);
        for (i64 i = part * length; i < last; i += SORT_TILE) {
            const i64 next = smaller(i + SORT_TILE, last);
            sort_form_digits(c->form, i, next, 0, 0, digits);
            for (i64 k = 0; k < next - i; k++)
                counts[digits[k]]++;
        }
    }
}

static void place_values(const counting *c) {
    i64 sum = 0;
    for (i64 v = 0; v < c->values; v++) {
        c->begins[v] = sum;
        for (i64 part = 0; part < c->parts; part++)
            sum += c->counts[part * c->values + v];
    }
    c->begins[c->values] = sum;
}

/* The last value that begins at an element or before. */
static i64 value_at(const counting *c, i64 element) {
    i64 low = 0, high = c->values - 1;
    while (low < high) {
        const i64 middle = high - (high - low) / 2;
        if (c->begins[middle] <= element)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void write_part(void *context, i64 begin, i64 end, i64 thread) {
    enum { TILE = 1 << 12 };
    const counting *c = context;
    u32 items[TILE];
    i64 value = value_at(c, begin);
    (void)thread;
    for (i64 i = begin, next; i < end; i = next) {
        next = smaller(i + TILE, end);
        for (i64 k = i; k < next;) {
            const i64 last = smaller(c->begins[value + 1], next);
            while (k < last)
                items[k++ - i] = (u32)value;
            value += last == c->begins[value + 1];
        }
        sort_form_store(c->form, i, next, items, 0);
    }
}

void sort_by_counts(weft_device *device, const host_crew *crew, sort_form *form, i64 n) {
    const i64 values = (i64)form->range + 1, most = n / HOST_SORT_OFTEN / values + 1,
              least = n >> 31, parts = smaller(crew->threads, most) + least;
    const weft_array counts = weft_scratch(device, WEFT_U32, parts * values);
    const weft_array begins = weft_scratch(device, WEFT_I64, values + 1);
    if (weft_check(device) != WEFT_OK)
        return;
    form->item_size = sizeof(u32);
    counting c = {form,
                  n,
                  values,
                  parts,
                  weft_buffer_memory(counts.buffer),
                  weft_buffer_memory(begins.buffer)};
    crew->run(crew->team, parts, 1, 1, count_parts, &c);
    place_values(&c);
    crew->run(crew->team, n, HOST_SORT_PART, HOST_PORTION_MOST, write_part, &c);
}
