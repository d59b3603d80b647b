/* Sums over runs in one pass. A block goes through registers, or tile by tile through the
 * nearest cache, where it is scanned from head to head; the sums and keys with which its
 * runs end are kept side by side. Then the block learns where these go, and what its first
 * run had before. */
#include "run_lanes.h"
#include "scan_block.h"

#include <string.h>

enum {
    LINE = 64,
    NEAR = 1024,           /* elements of a tile that is scanned in registers */
    BLOCK_BYTES = 1 << 16, /* of a block's sums, or of its keys, where these are larger */
    MANY = 256,            /* blocks that there are before they become longer */
    AHEAD = 4 << 10        /* bytes, of values: heads and keys are read in between */
};

typedef struct summing {
    const weft_runs_call *call;
    run_lanes *registers;                     /* by blocks, or */
    scan_lanes *lanes;                        /* by tiles, or NULL and NULL */
    i64 tile, length;                         /* elements of a tile and of a block */
    size_t kept_sums, kept_keys, heads, keys; /* bytes: of a block's, and of a tile's */
    int plainly;                              /* with ordinary stores always */
} summing;

/* What a block hands on: how many runs end in it, whether one begins in it, and what the
 * last has come to. */
typedef struct total {
    i64 runs, cut;
} total;

/* A block; the sums and keys that it keeps follow, and of a tile its heads, its keys and
 * the scan's memory. */
typedef struct block {
    _Alignas(LINE) i64 runs;
    int continues; /* does not begin with a head */
    _Alignas(LINE) char memory[];
} block;

static void *fold_of(total *t) {
    return t + 1;
}

static size_t lines(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

static i64 smaller(i64 a, i64 b) {
    return a < b ? a : b;
}

/* heads[k] of [begin, end], for one more than the tile has: where its last run ends. */
static u32 *find_heads(const summing *s, i64 begin, i64 end, u32 *heads) {
    const weft_input *in = &s->call->heads;
    const i64 n = in->span.length, known = end < n ? end + 1 : n;
    const u32 *found = host_elements(in, begin, known, heads);
    if (found != heads)
        memcpy(heads, found, (size_t)(known - begin) * sizeof *heads);
    if (begin == 0)
        heads[0] = 1;
    if (end == n)
        heads[n - begin] = 1;
    return heads;
}

/* Whether one of `count` elements begins a run, of which `ended` end. */
static int is_cut(const u32 *heads, i64 count, i64 ended) {
    return heads[0] || ended > (heads[count] != 0);
}

static void join_folds(const weft_operator *op, void *sum, const void *next, int cut) {
    if (cut)
        memcpy(sum, next, WEFT_SIZE(op->type));
    else
        op->combine(sum, next, sum, 1);
}

/* A block's sums and keys, and a tile's heads, keys and memory for its scan. */
static char *kept_keys(const summing *s, block *m) {
    return m->memory + s->kept_sums;
}

static char *tile_memory(const summing *s, block *m) {
    return kept_keys(s, m) + s->kept_keys;
}

/* Keeps the sums and keys with which the tile's runs end; returns how many. */
static i64 keep(const summing *s, i64 begin, i64 end, block *m, const u32 *heads,
                const void *sums, i64 runs) {
    const weft_runs_call *call = s->call;
    const size_t size = WEFT_SIZE(call->op->type), key = WEFT_SIZE(call->keys_out.type);
    const void *keys = host_elements(&call->keys, begin, end, tile_memory(s, m) + s->heads);
    host_compact(keys, heads + 1, 1, end - begin, key, kept_keys(s, m) + (size_t)runs * key,
                 NULL);
    return host_compact(sums, heads + 1, 1, end - begin, size,
                        m->memory + (size_t)runs * size, NULL);
}

/* A tile that goes on from the tiles before. */
static i64 add_by_lanes(const summing *s, i64 begin, i64 end, block *m, const u32 *heads,
                        total *t) {
    char *sums = tile_memory(s, m) + s->heads + s->keys;
    const void *in = host_elements(&s->call->in, begin, end, sums);
    s->lanes(in, heads, 0, end - begin, fold_of(t), sums, 0, (const char *)in + AHEAD);
    return keep(s, begin, end, m, heads, sums, t->runs);
}

/* A tile by itself, which what the tiles before came to is put before. */
static i64 add_by_rows(const summing *s, i64 begin, i64 end, block *m, const u32 *heads,
                       total *t) {
    const weft_operator *op = s->call->op;
    const size_t size = WEFT_SIZE(op->type);
    const weft_input own = {.span = {(void *)(uintptr_t)heads, -begin, 0, WEFT_U32}};
    const scan_call scan = {.in = &s->call->in, .heads = &own, .op = op, .length = s->tile};
    _Alignas(LINE) char fold[HOST_ELEMENT];
    const void *sums = scan_block_alone(&scan, begin / s->tile,
                                        tile_memory(s, m) + s->heads + s->keys, fold);
    const i64 ended = keep(s, begin, end, m, heads, sums, t->runs);
    char *first = m->memory + (size_t)t->runs * size;
    if (begin % s->length != 0 && !heads[0] && ended > 0)
        op->combine(fold_of(t), first, first, 1);
    join_folds(op, fold_of(t), fold, is_cut(heads, end - begin, ended));
    return ended;
}

static void within_tiles(const summing *s, i64 begin, i64 last, block *m, total *t) {
    u32 *memory = (u32 *)(void *)tile_memory(s, m);
    for (i64 i = begin; i < last; i += s->tile) {
        const i64 end = smaller(i + s->tile, last);
        const u32 *heads = find_heads(s, i, end, memory);
        const i64 ended = s->lanes ? add_by_lanes(s, i, end, m, heads, t)
                                   : add_by_rows(s, i, end, m, heads, t);
        if (i == begin)
            m->continues = !heads[0];
        t->runs += ended;
        t->cut |= is_cut(heads, end - i, ended);
    }
}

/* The same in one go. */
static void within_registers(const summing *s, i64 begin, i64 last, block *m, total *t) {
    const weft_runs_call *call = s->call;
    const i64 n = call->in.span.length;
    const size_t key = (size_t)call->key_bytes;
    const char *keys = host_at(call->keys.span, begin),
               *end = host_at(call->keys.span, last);
    const int begins = begin == 0 || memcmp(keys - key, keys, key) != 0,
              ends = last == n || memcmp(end - key, end, key) != 0;
    const run_part part = {keys, host_at(call->in.span, begin), last - begin, begins,
                           last == n};
    t->runs = s->registers(&part, kept_keys(s, m), m->memory, fold_of(t));
    t->cut = begins || t->runs > ends;
    m->continues = !begins;
}

static void within(void *context, i64 b, void *memory, void *out) {
    const summing *s = context;
    const weft_runs_call *call = s->call;
    const i64 begin = b * s->length,
              last = smaller(begin + s->length, call->in.span.length);
    block *m = memory;
    total *t = out;
    *t = (total){0, 0};
    memcpy(fold_of(t), call->op->identity, WEFT_SIZE(call->op->type));
    if (s->registers)
        within_registers(s, begin, last, m, t);
    else
        within_tiles(s, begin, last, m, t);
    m->runs = t->runs;
}

static void join(void *context, void *sum, const void *next) {
    total *s = sum;
    const total *t = next;
    s->runs += t->runs;
    join_folds(((const summing *)context)->call->op, fold_of(s), t + 1, t->cut != 0);
}

static void put(const summing *s, weft_span out, i64 place, const void *elements,
                i64 count) {
    host_put(out, place, elements, count, !s->plainly && host_bypasses(out));
}

static void finish(void *context, i64 b, void *memory, const void *sum, i64 next) {
    const summing *s = context;
    const total *before = sum;
    block *m = memory;
    (void)b, (void)next;
    if (m->continues && m->runs > 0)
        s->call->op->combine(before + 1, m->memory, m->memory, 1);
    put(s, s->call->out, before->runs, m->memory, m->runs);
    put(s, s->call->keys_out, before->runs, m->memory + s->kept_sums, m->runs);
}

/* Tiles and blocks for these types, and for as many elements as there are. */
static summing plan(const weft_runs_call *runs) {
    const weft_type type = runs->op->type;
    const size_t size = WEFT_SIZE(type), key = WEFT_SIZE(runs->keys_out.type);
    const i64 n = runs->in.span.length, widest = (i64)(size > key ? size : key);
    summing s = {.call = runs, .length = scan_block_length(type)};
    s.lanes = scan_lanes_of(runs->op);
    s.tile = s.lanes ? NEAR : s.length;
    if (!runs->keys.generator && !runs->in.generator)
        s.registers = run_lanes_of(runs->op, runs->key_bytes);
    while (2 * s.length * widest <= BLOCK_BYTES && n / MANY >= 2 * s.length)
        s.length *= 2;
    s.kept_sums = lines((size_t)s.length * size + LINE);
    s.kept_keys = lines((size_t)s.length * key + LINE);
    s.heads = lines((size_t)(s.tile + 1) * sizeof(u32));
    s.keys = runs->keys.generator ? lines((size_t)s.tile * key) : 0;
    return s;
}

weft_status host_reduce_runs(weft_device *device, const weft_runs_call *runs,
                             const host_crew *crew) {
    const weft_type type = runs->op->type;
    if (host_check_operator(device, runs->op) != WEFT_OK)
        return weft_check(device);
    summing s = plan(runs);
    const host_chain chain = {.blocks = (runs->in.span.length + s.length - 1) / s.length,
                              .memory = sizeof(block) + s.kept_sums + s.kept_keys +
                                        s.heads + s.keys + scan_block_memory(type),
                              .total = sizeof(total) + (WEFT_SIZE(type) + 7) / 8 * 8,
                              .within = within,
                              .join = join,
                              .finish = finish};
    union {
        total all;
        _Alignas(LINE) char bytes[sizeof(total) + HOST_ELEMENT];
    } sum = {{0}};
    memcpy(fold_of(&sum.all), runs->op->identity, WEFT_SIZE(type));
    const u64 bytes = (u64)runs->in.span.length * WEFT_SIZE(type);
    host_choice *choice =
        crew->choices ? host_choice_for(crew->choices->runs, bytes) : NULL;
    if (host_run_chain_either(device, crew, &chain, &s, &sum, choice, bytes, &s.plainly) ==
        WEFT_OK)
        *(i64 *)host_at(runs->count, 0) = sum.all.runs;
    return weft_check(device);
}
