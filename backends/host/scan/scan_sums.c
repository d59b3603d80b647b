/* Scans of sums by blocks. A block is folded first, which brings it into the cache, and is
 * scanned once what precedes it is known: nothing is kept in between. Of a block with heads
 * only what follows the last is read early. */
#include "scan_sums.h"
#include "scan_lanes.h"
#include "weft/register_macros.h"

#include <string.h>

enum {
    STEP = 512, /* elements at a time: they and their heads stay near */
    LINE = 64,
    AHEAD = 4 << 10 /* bytes, of values where heads are read in between */
};

/* A block's place, and what memory it has for elements and heads, and for whether it has a
 * head, which one half finds out for the other. */
typedef struct block {
    i64 begin, end;
    int *cut;
    char *elements;
    u32 *heads;
} block;

static block block_in(const scan_call *scan, i64 b, char *memory) {
    const weft_type type = scan->op->type;
    const i64 n = scan->in->span.length, begin = b * scan->length;
    char *elements = memory + LINE;
    char *heads = elements + (size_t)scan_block_length(type) * WEFT_SIZE(type);
    return (block){begin, n - begin < scan->length ? n : begin + scan->length,
                   (int *)(void *)memory, elements, (u32 *)(void *)heads};
}

static void fold(const scan_call *scan, const char *elements, i64 n, void *total) {
    const weft_input in = {.span = {(void *)(uintptr_t)elements, 0, n, scan->op->type}};
    host_fold(&in, scan->op, 0, n, total);
}

WEFT_CLONES static u32 any_head(const u32 *heads, i64 n) {
    u32 any = 0;
    for (i64 k = 0; k < n; k++)
        any |= heads[k];
    return any;
}

/* The last head of [begin, end), or begin - 1; read forward, as memory likes to be. */
static i64 last_between(const scan_call *scan, const block *m, i64 begin, i64 end) {
    i64 last = begin - 1;
    for (i64 i = begin, next; i < end; i = next) {
        next = end - i < STEP ? end : i + STEP;
        const u32 *heads = host_elements(scan->heads, i, next, m->heads);
        if (!any_head(heads, next - i))
            continue;
        last = next - 1;
        while (!heads[last - i])
            last--;
    }
    return last;
}

/* The last head of a block, or one before its begin: most have one near their end, and few
 * of the others have any. */
static i64 last_head(const scan_call *scan, const block *m) {
    i64 end = m->end;
    for (i64 length = STEP; end > m->begin; length *= 8) {
        const i64 begin = end - m->begin < length ? m->begin : end - length,
                  last = last_between(scan, m, begin, end);
        if (last >= begin)
            return last;
        end = begin;
    }
    return m->begin - 1;
}

int scan_sums_within(const scan_call *scan, i64 b, void *memory, void *total) {
    const block m = block_in(scan, b, memory);
    const size_t size = WEFT_SIZE(scan->op->type);
    const char *elements = host_elements(scan->in, m.begin, m.end, m.elements);
    const i64 head = scan->heads ? last_head(scan, &m) : m.begin - 1;
    const int cut = head >= m.begin;
    const i64 from = cut ? head - m.begin : 0;
    fold(scan, elements + (size_t)from * size, m.end - m.begin - from, total);
    *m.cut = cut;
    return cut;
}

/* Sums of floats are in another order where there may be heads. */
static int asks_heads(const scan_call *scan, const block *m) {
    const weft_type type = scan->op->type;
    return scan->heads && (*m->cut || type == WEFT_F32 || type == WEFT_F64);
}

/* Scans [begin, end) into `to`. fetch: what is read next, as many bytes, or NULL. */
static void step(const scan_call *scan, const block *m, i64 begin, i64 end,
                 const char *elements, void *sum, char *to, int bypass, const char *fetch) {
    const u32 *heads =
        asks_heads(scan, m) ? host_elements(scan->heads, begin, end, m->heads) : NULL;
    scan->lanes(elements + (size_t)(begin - m->begin) * WEFT_SIZE(scan->op->type), heads,
                scan->exclusive, end - begin, sum, to, bypass, fetch);
}

void scan_sums_finish(const scan_call *scan, i64 b, void *memory, const void *prefix,
                      i64 next) {
    const block m = block_in(scan, b, memory);
    const size_t size = WEFT_SIZE(scan->op->type);
    const char *elements =
        scan->in->generator ? m.elements : host_at(scan->in->span, m.begin);
    const int bypass = !scan->plainly && host_bypasses(scan->out),
              aligned = (uintptr_t)host_at(scan->out, m.begin) % LINE == 0;
    const i64 length =
        asks_heads(scan, &m) || (bypass && !aligned) ? STEP : m.end - m.begin;
    const char *fetch = next < 0 || scan->heads || scan->plainly
                            ? NULL
                            : host_at(scan->in->span, next * scan->length);
    _Alignas(LINE) char sum[sizeof(u64)], tile[STEP * sizeof(u64)];
    memcpy(sum, prefix, size);
    for (i64 i = m.begin; i < m.end; i += length) {
        const i64 end = m.end - i < length ? m.end : i + length;
        const char *now = elements + (size_t)(i - m.begin) * size,
                   *soon = asks_heads(scan, &m) ? now + AHEAD
                           : fetch              ? fetch + (size_t)(i - m.begin) * size
                                                : NULL;
        char *out = host_at(scan->out, i);
        if (!bypass || aligned) {
            step(scan, &m, i, end, elements, sum, out, bypass, soon);
            continue;
        }
        step(scan, &m, i, end, elements, sum, tile, 0, soon);
        host_stream(out, tile, (size_t)(end - i) * size, 1);
    }
    if (bypass)
        host_stream_end();
}
