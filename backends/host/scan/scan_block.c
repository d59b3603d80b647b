/* Scans in blocks that stay in the cache: a block's rows are scanned side by side before
 * what precedes the block need be known; then it is put before them. Each element is read
 * from memory once and written once. */
#include "scan_sums.h"

#include <string.h>

enum { LEAST_ELEMENTS = WEFT_ROWS * WEFT_STEP, ROWS = WEFT_ROWS + 1, LINE = 64 };

/* What a block leaves for its end: its rows, what each has come to, and how many elements
 * of each come before its first head. */
typedef struct block {
    i64 begin, count, length; /* length: of a row but the last */
    i64 reach[ROWS];
    char *sums, *rows;
    u32 *heads;
} block;

scan_call scan_call_of(const weft_input *in, const weft_input *heads,
                       const weft_operator *op, int exclusive, weft_span out) {
    scan_lanes *lanes = scan_lanes_of(op);
    return (scan_call){in,
                       heads,
                       op,
                       exclusive,
                       out,
                       lanes,
                       lanes ? scan_sums_length(in, op->type) : scan_block_length(op->type),
                       0};
}

static size_t lines(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

size_t scan_block_memory(weft_type type) {
    const size_t count = (size_t)scan_block_length(type), size = WEFT_SIZE(type);
    return lines(sizeof(block)) + lines(ROWS * size) + lines(count * size) +
           lines(count * sizeof(u32));
}

static block *block_in(const scan_call *scan, i64 b, char *memory) {
    const size_t size = WEFT_SIZE(scan->op->type);
    const i64 most = scan->length, n = scan->in->span.length;
    block *m = (block *)(void *)memory;
    m->begin = b * most;
    m->count = n - m->begin < most ? n - m->begin : most;
    m->length = m->count / LEAST_ELEMENTS * WEFT_STEP;
    m->sums = memory + lines(sizeof *m);
    m->rows = m->sums + lines(ROWS * size);
    m->heads = (u32 *)(void *)(m->rows + lines((size_t)most * size));
    return m;
}

static i64 row_length(const block *m, int r) {
    return r < WEFT_ROWS ? m->length : m->count - WEFT_ROWS * m->length;
}

/* How many of n elements come before the first head. */
static i64 before_head(const u32 *heads, i64 n) {
    enum { STEP = 16 };
    i64 k = 0;
    for (u32 any = 0; k + STEP <= n; k += STEP) {
        for (i64 j = k; j < k + STEP; j++)
            any |= heads[j];
        if (any)
            break;
    }
    while (k < n && !heads[k])
        k++;
    return k;
}

/* Goes over row r: its last sum if it has a head, otherwise put behind what was before. */
static void pass_row(const scan_call *scan, const block *m, int r, void *sum) {
    const size_t size = WEFT_SIZE(scan->op->type);
    if (m->reach[r] < row_length(m, r))
        memcpy(sum, m->sums + (size_t)r * size, size);
    else
        scan->op->combine(sum, m->sums + (size_t)r * size, sum, 1);
}

int scan_block_within(const scan_call *scan, i64 b, void *memory, void *total) {
    if (scan->lanes)
        return scan_sums_within(scan, b, memory, total);
    block *m = block_in(scan, b, memory);
    const i64 end = m->begin + m->count;
    const void *elements = host_elements(scan->in, m->begin, end, m->rows);
    const u32 *heads =
        scan->heads ? host_elements(scan->heads, m->begin, end, m->heads) : NULL;
    scan->op->scan(elements, heads, scan->exclusive, m->rows, m->count, m->sums);
    memcpy(total, scan->op->identity, WEFT_SIZE(scan->op->type));
    int cut = 0;
    for (int r = 0; r < ROWS; r++) {
        const i64 length = row_length(m, r);
        m->reach[r] = heads ? before_head(heads + r * m->length, length) : length;
        cut |= m->reach[r] < length;
        pass_row(scan, m, r, total);
    }
    return cut;
}

void scan_block_finish(const scan_call *scan, i64 b, void *memory, const void *prefix,
                       i64 next) {
    if (scan->lanes) {
        scan_sums_finish(scan, b, memory, prefix, next);
        return;
    }
    const size_t size = WEFT_SIZE(scan->op->type);
    const int bypass = host_bypasses(scan->out);
    const block *m = memory;
    _Alignas(LINE) char sum[HOST_ELEMENT];
    memcpy(sum, prefix, size);
    for (int r = 0; r < ROWS; r++) {
        const size_t led = (size_t)m->reach[r] * size,
                     all = (size_t)row_length(m, r) * size;
        char *row = m->rows + (size_t)(r * m->length) * size,
             *out = host_at(scan->out, m->begin + r * m->length), *to = bypass ? row : out;
        scan->op->lead(sum, row, to, m->reach[r]);
        if (bypass)
            host_stream(out, row, all, 1);
        else
            memcpy(out + led, row + led, all - led);
        pass_row(scan, m, r, sum);
    }
    if (bypass)
        host_stream_end();
}

const void *scan_block_alone(const scan_call *scan, i64 b, void *memory, void *total) {
    scan_block_within(scan, b, memory, total);
    const size_t size = WEFT_SIZE(scan->op->type);
    const block *m = memory;
    _Alignas(LINE) char sum[HOST_ELEMENT];
    memcpy(sum, scan->op->identity, size);
    for (int r = 0; r < ROWS; r++) {
        char *row = m->rows + (size_t)(r * m->length) * size;
        scan->op->lead(sum, row, row, m->reach[r]);
        pass_row(scan, m, r, sum);
    }
    return m->rows;
}
