/* Scans in blocks that stay in the cache: the rows of a block are scanned and their sums
 * chained before what precedes the block need be known; then it is put before all. Each
 * element is read from memory once and written once. */
#include "host.h"

#include <string.h>

enum {
    BLOCK_BYTES = 1 << 15,
    BLOCK_ROWS = 1 << 10,
    TILE_BYTES = 1 << 11,
    TILE_ROWS = 1 << 8
};

/* A block's memory: its scanned rows, what precedes each row within the block and in all,
 * what precedes the block once for each row of rows, a tile and its heads, and a bit for
 * each head. */
typedef struct block {
    char *rows, *sums, *prefixes, *before, *tile;
    u32 *heads;
    u8 *cut;
} block;

/* A piece of a block that stays in L1: rows [first, first + rows), the last one perhaps
 * not full. */
typedef struct piece {
    i64 first, rows, begin, count;
} piece;

static i64 rows_of(i64 bytes, size_t size, i64 most) {
    const i64 rows = bytes / (i64)(size * WEFT_ROW);
    return rows < 1 ? 1 : rows < most ? rows : most;
}

static i64 block_rows(size_t size) {
    return rows_of(BLOCK_BYTES, size, BLOCK_ROWS);
}

static i64 tile_rows(size_t size) {
    return rows_of(TILE_BYTES, size, TILE_ROWS);
}

i64 host_scan_block(weft_type type) {
    return block_rows(WEFT_SIZE(type)) * WEFT_ROW;
}

/* Where the parts of a block's memory begin; the last is its end. */
enum { PARTS = 7 };

static void measure(size_t size, size_t begin[PARTS + 1]) {
    const size_t rows = (size_t)block_rows(size), tile = (size_t)tile_rows(size) * WEFT_ROW;
    const size_t groups = (rows + WEFT_ROW - 1) / WEFT_ROW;
    const size_t bytes[PARTS] = {rows * WEFT_ROW * size,
                                 groups * WEFT_ROW * size,
                                 groups * WEFT_ROW * size,
                                 groups * size,
                                 (tile + 1) * size,
                                 tile * sizeof(u32),
                                 rows};
    begin[0] = 0;
    for (int k = 0; k < PARTS; k++)
        begin[k + 1] = begin[k] + (bytes[k] + 63) / 64 * 64;
}

size_t host_scan_memory(weft_type type) {
    size_t begin[PARTS + 1];
    measure(WEFT_SIZE(type), begin);
    return begin[PARTS];
}

static block block_in(char *memory, size_t size) {
    size_t begin[PARTS + 1];
    measure(size, begin);
    return (block){.rows = memory,
                   .sums = memory + begin[1],
                   .prefixes = memory + begin[2],
                   .before = memory + begin[3],
                   .tile = memory + begin[4],
                   .heads = (u32 *)(void *)(memory + begin[5]),
                   .cut = (u8 *)(memory + begin[6])};
}

static void repeat(char *out, const void *value, i64 count, size_t size) {
    for (i64 k = 0; k < count; k++)
        memcpy(out + (size_t)k * size, value, size);
}

/* The next piece of block b from row `first` on; 0 at the block's end. */
static int next_piece(const host_scan *scan, i64 b, i64 first, piece *p) {
    const size_t size = WEFT_SIZE(scan->op->type);
    const i64 rows = block_rows(size), n = scan->in->span.length;
    p->first = first;
    p->begin = (b * rows + first) * WEFT_ROW;
    if (first >= rows || p->begin >= n)
        return 0;
    p->rows = rows - first < tile_rows(size) ? rows - first : tile_rows(size);
    p->count = n - p->begin < p->rows * WEFT_ROW ? n - p->begin : p->rows * WEFT_ROW;
    p->rows = (p->count + WEFT_ROW - 1) / WEFT_ROW;
    return 1;
}

/* A piece's heads as u32, filled up with 0, and as bits; NULL without heads. */
static const u32 *piece_heads(const host_scan *scan, const block *m, const piece *p) {
    if (!scan->heads)
        return NULL;
    const u32 *heads = host_elements(scan->heads, p->begin, p->begin + p->count, m->heads);
    if (p->count < p->rows * WEFT_ROW) {
        if (heads != m->heads)
            memcpy(m->heads, heads, (size_t)p->count * sizeof *heads);
        heads = m->heads;
        memset(m->heads + p->count, 0,
               (size_t)(p->rows * WEFT_ROW - p->count) * sizeof *heads);
    }
    for (i64 r = 0; r < p->rows; r++) {
        u32 bits = 0;
        for (i64 k = 0; k < WEFT_ROW; k++)
            bits |= (u32)(heads[r * WEFT_ROW + k] != 0) << k;
        m->cut[p->first + r] = (u8)bits;
    }
    return heads;
}

/* A piece's elements, its last row filled up. */
static const void *piece_elements(const host_scan *scan, const block *m, const piece *p) {
    const size_t size = WEFT_SIZE(scan->op->type);
    const void *elements = host_elements(scan->in, p->begin, p->begin + p->count, m->tile);
    const i64 missing = p->rows * WEFT_ROW - p->count;
    if (missing == 0)
        return elements;
    if (elements != m->tile)
        memcpy(m->tile, elements, (size_t)p->count * size);
    repeat(m->tile + (size_t)p->count * size, scan->op->identity, missing, size);
    return m->tile;
}

int host_scan_within(const host_scan *scan, i64 b, void *memory, void *total) {
    const weft_operator *op = scan->op;
    const size_t size = WEFT_SIZE(op->type);
    const block m = block_in(memory, size);
    i64 rows = 0;
    for (piece p; next_piece(scan, b, rows, &p); rows += p.rows) {
        const u32 *heads = piece_heads(scan, &m, &p);
        op->rows(piece_elements(scan, &m, &p), heads,
                 m.rows + (size_t)(rows * WEFT_ROW) * size, p.rows * WEFT_ROW);
    }
    memcpy(total, op->identity, size);
    op->chain(m.rows, scan->heads ? m.cut : NULL, m.sums, rows, total);
    if (rows % WEFT_ROW)
        repeat(m.sums + (size_t)rows * size, op->identity, WEFT_ROW - rows % WEFT_ROW,
               size);
    int any = 0;
    for (i64 r = 0; r < rows && scan->heads; r++)
        any |= m.cut[r];
    return any != 0;
}

/* What precedes each row: `prefix` counts up to the first row with a head. */
static void precede(const host_scan *scan, const block *m, i64 rows, const void *prefix) {
    const weft_operator *op = scan->op;
    const size_t size = WEFT_SIZE(op->type);
    const i64 groups = (rows + WEFT_ROW - 1) / WEFT_ROW;
    repeat(m->before, prefix, groups, size);
    op->lead(m->before, m->sums, m->prefixes, groups);
    if (!scan->heads)
        return;
    i64 reach = 0;
    while (reach < rows && !m->cut[reach])
        reach++;
    if (reach + 1 < rows)
        memcpy(m->prefixes + (size_t)(reach + 1) * size,
               m->sums + (size_t)(reach + 1) * size, (size_t)(rows - reach - 1) * size);
}

/* Elements from a row's first head on have nothing before them. */
static void restore_heads(const block *m, const piece *p, char *out, size_t size) {
    for (i64 r = 0; r < p->rows; r++) {
        const u32 bits = m->cut[p->first + r];
        if (!bits)
            continue;
        const i64 head = __builtin_ctz(bits), at = r * WEFT_ROW + head;
        memcpy(out + (size_t)at * size, m->rows + (size_t)(p->first * WEFT_ROW + at) * size,
               (size_t)(WEFT_ROW - head) * size);
    }
}

static void begin_at_heads(const host_scan *scan, const block *m, const piece *p) {
    const size_t size = WEFT_SIZE(scan->op->type);
    for (i64 r = 0; r < p->rows; r++)
        for (u32 bits = m->cut[p->first + r]; bits; bits &= bits - 1)
            memcpy(m->tile + (size_t)(r * WEFT_ROW + __builtin_ctz(bits)) * size,
                   scan->op->identity, size);
}

void host_scan_finish(const host_scan *scan, i64 b, void *memory, const void *prefix) {
    const weft_operator *op = scan->op;
    const size_t size = WEFT_SIZE(op->type);
    const int bypass = host_bypasses(scan->out);
    const block m = block_in(memory, size);
    i64 rows = 0;
    for (piece p; next_piece(scan, b, rows, &p);)
        rows += p.rows;
    precede(scan, &m, rows, prefix);
    memcpy(m.tile, prefix, size);
    piece p;
    for (i64 first = 0; next_piece(scan, b, first, &p); first += p.rows) {
        const char *scanned = m.rows + (size_t)(first * WEFT_ROW) * size,
                   *before = m.prefixes + (size_t)first * size;
        char *out = host_at(scan->out, p.begin);
        const int direct = !scan->exclusive && !bypass && p.count == p.rows * WEFT_ROW;
        char *to = direct ? out : m.tile + size;
        op->lead(before, scanned, to, p.rows);
        if (scan->heads)
            restore_heads(&m, &p, to, size);
        if (direct)
            continue;
        char last[HOST_ELEMENT];
        memcpy(last, m.tile + (size_t)p.count * size, size);
        if (scan->exclusive && scan->heads)
            begin_at_heads(scan, &m, &p);
        host_stream(out, m.tile + (scan->exclusive ? 0 : size), (size_t)p.count * size,
                    bypass);
        memcpy(m.tile, last, size);
    }
    if (bypass)
        host_stream_end();
}
