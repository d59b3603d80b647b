/* Items go to chunks that their buckets take as they come, so that no pass counts them; a
 * bucket's first split then reads them from its chunks. Any order within a bucket will do,
 * so threads take chunks of the same memory. */
#include "sort_unsized.h"
#include "radix.h"
#include "sort_vectors.h"
#include "weft/array.h"

typedef struct unsized {
    const sort_level *level;
    radix_chunks chunks;
    radix_stream *stream; /* [threads]; `supply` NULL: nothing came by yet */
    radix_supply *supply; /* [threads] */
    u32 *chunk;           /* all of them, bucket after bucket, */
    u64 *first, *begin;   /* [buckets + 1]: where in that, and in the order, one begins */
    i64 capacity;         /* chunks at most */
} unsized;

int sort_unsized_serves(const sort_form *form) {
    return sort_any_order(form) && sort_has_vectors() &&
           form->item_size == sort_form_key_size(form);
}

static void scatter_some(void *context, i64 begin, i64 end, i64 thread) {
    const unsized *u = context;
    radix_stream *stream = &u->stream[thread];
    if (!stream->supply) {
        *stream = sort_level_stream(u->level, thread);
        stream->supply = &u->supply[thread];
        radix_begin(stream);
    }
    sort_level_scatter(u->level, stream, begin, end);
}

static void finish_streams(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const unsized *u = context;
    for (i64 k = begin; k < end; k++)
        if (u->stream[k].supply)
            radix_finish(&u->stream[k]);
}

/* Sorts the chunks by their buckets, and counts these. */
static void list_chunks(unsized *u) {
    const i64 buckets = u->level->buckets, taken = atomic_load(&u->chunks.taken);
    memset(u->first, 0, (size_t)(buckets + 1) * sizeof *u->first);
    memset(u->begin, 0, (size_t)(buckets + 1) * sizeof *u->begin);
    for (i64 c = 0; c < taken; c++) {
        u->first[u->chunks.bucket[c] + 1] += u->chunks.items[c] > 0;
        u->begin[u->chunks.bucket[c] + 1] += u->chunks.items[c];
    }
    for (i64 b = 0; b < buckets; b++) {
        u->first[b + 1] += u->first[b];
        u->begin[b + 1] += u->begin[b];
    }
    for (i64 c = 0; c < taken; c++)
        if (u->chunks.items[c] > 0)
            u->chunk[u->first[u->chunks.bucket[c]]++] = (u32)c;
    for (i64 b = buckets; b > 0; b--)
        u->first[b] = u->first[b - 1];
    u->first[0] = 0;
}

static i64 bucket_length(const unsized *u, i64 bucket) {
    return (i64)(u->begin[bucket + 1] - u->begin[bucket]);
}

static int is_large(const unsized *u, i64 bucket) {
    return bucket_length(u, bucket) > u->level->s->bucket_items;
}

static sort_chunks chunks_of(const unsized *u, i64 bucket) {
    const sort_level *l = u->level;
    sort_chunks c = {.memory = l->to,
                     .length = RADIX_CHUNK,
                     .items = u->chunks.items,
                     .chunk = u->chunk + u->first[bucket],
                     .chunks = (i64)(u->first[bucket + 1] - u->first[bucket]),
                     .end = u->chunk + u->first[l->buckets],
                     .least = 1};
    if (!l->map) {
        c.least = (u64)bucket << l->shift;
        c.most = c.least | (((u64)1 << l->shift) - 1);
    }
    return c;
}

static void finish_buckets(void *context, i64 begin, i64 end, i64 thread) {
    const unsized *u = context;
    const sorting *s = u->level->s;
    char *own = s->areas + (size_t)thread * s->area;
    for (i64 b = begin; b < end; b++) {
        const i64 first = (i64)u->begin[b], n = bucket_length(u, b);
        const sort_chunks chunks = chunks_of(u, b);
        if (n == 0 || is_large(u, b))
            continue;
        sort_chunks_by_vectors(&chunks, own + s->spare, own + s->split, own + s->sorted, n,
                               s->form.item_size);
        sort_form_store(&s->form, first, first + n, own + s->sorted, 0);
    }
}

static char *gather(const unsized *u, i64 bucket, char *to) {
    const sort_chunks c = chunks_of(u, bucket);
    for (i64 k = 0; k < c.chunks; k++) {
        const size_t bytes = (size_t)(c.items[c.chunk[k]] * u->level->s->form.item_size);
        memcpy(to, c.memory + c.chunk[k] * c.length, bytes);
        to += bytes;
    }
    return to;
}

/* Buckets that the cache does not hold: all are gathered, and the chunks' memory then
 * serves levels of their own. */
static void finish_large(const unsized *u) {
    const sort_level *l = u->level;
    const sorting *s = l->s;
    const i64 size = s->form.item_size;
    i64 sum = 0;
    for (i64 b = 0; b < l->buckets; b++)
        sum += is_large(u, b) ? bucket_length(u, b) : 0;
    if (sum == 0)
        return;
    const weft_array gathered = weft_scratch(s->device, WEFT_U8, sum * size);
    if (weft_check(s->device) != WEFT_OK)
        return;
    char *items = weft_buffer_memory(gathered.buffer), *end = items;
    for (i64 b = 0; b < l->buckets; b++)
        if (is_large(u, b))
            end = gather(u, b, end);
    for (i64 b = 0; b < l->buckets && weft_check(s->device) == WEFT_OK; b++)
        if (is_large(u, b)) {
            sort_level_again(s, items, (i64)u->begin[b], bucket_length(u, b), 0, l->to);
            items += bucket_length(u, b) * size;
        }
}

/* Memory for the items and for what is told of them. */
static int take_memory(unsized *u, sort_level *l) {
    weft_device *device = l->s->device;
    const i64 threads = l->s->crew->threads, each = RADIX_CHUNK / l->s->form.item_size;
    u->capacity = l->n / each + 1 + threads * (l->buckets + RADIX_CHUNKS);
    const weft_array items =
        weft_scratch(device, WEFT_U8, u->capacity * RADIX_CHUNK + RADIX_LINE);
    const weft_array told = weft_scratch(device, WEFT_U16, 2 * u->capacity);
    const weft_array list = weft_scratch(device, WEFT_U32, u->capacity);
    const weft_array bounds = weft_scratch(device, WEFT_U64, 2 * (l->buckets + 1));
    const weft_array streams = weft_scratch(device, WEFT_STRUCT(radix_stream), threads);
    const weft_array supplies = weft_scratch(device, WEFT_STRUCT(radix_supply), threads);
    if (weft_check(device) != WEFT_OK)
        return 0;
    char *memory = weft_buffer_memory(items.buffer);
    l->to = memory + (-(uintptr_t)memory & (RADIX_LINE - 1));
    u->chunks.bucket = weft_buffer_memory(told.buffer);
    u->chunks.items = u->chunks.bucket + u->capacity;
    memset(u->chunks.bucket, 0, 2 * (size_t)u->capacity * sizeof(u16));
    u->chunk = weft_buffer_memory(list.buffer);
    u->first = weft_buffer_memory(bounds.buffer);
    u->begin = u->first + l->buckets + 1;
    u->stream = weft_buffer_memory(streams.buffer);
    u->supply = weft_buffer_memory(supplies.buffer);
    for (i64 k = 0; k < threads; k++) {
        u->stream[k] = (radix_stream){.supply = NULL};
        u->supply[k] = (radix_supply){.chunks = &u->chunks};
    }
    return 1;
}

int sort_unsized(sort_level *l) {
    const sorting *s = l->s;
    const host_crew *crew = s->crew;
    unsized u = {.level = l};
    int done = 1;
    weft_scope_open(s->device);
    if (take_memory(&u, l)) {
        crew->run(crew->team, l->n, HOST_SORT_PART, HOST_PORTION_MOST, scatter_some, &u);
        crew->run(crew->team, crew->threads, 1, 1, finish_streams, &u);
        list_chunks(&u);
        done = s->form.nans == 0 || u.begin[l->buckets] == u.begin[l->buckets - 1];
        if (done) {
            crew->run(crew->team, l->buckets, 1, 64, finish_buckets, &u);
            finish_large(&u);
        }
    }
    weft_scope_close(s->device);
    return done;
}
