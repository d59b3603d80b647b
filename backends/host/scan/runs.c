/* Sums over runs in one pass: a block is scanned from head to head in the cache, what its
 * runs end with is compacted, and then it learns where that goes, and what its first run
 * had before. */
#include "scan_block.h"

#include <string.h>

enum { LINE = 64 };

typedef struct summing {
    const weft_runs_call *call;
    i64 length;               /* of a block */
    size_t heads, keys, sums; /* bytes of a block's */
} summing;

/* What a block hands on: how many runs end in it, whether one begins in it, and what the
 * last has come to. */
typedef struct total {
    i64 runs, cut;
} total;

/* A block; its heads, the sums and the keys that are kept, its keys and the scan's memory
 * follow. */
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

/* A block's part of an array that it has for itself. */
static weft_input own(void *memory, weft_type type, i64 begin) {
    return (weft_input){.span = {memory, -begin, 0, type}};
}

/* heads[k] of [begin, end], for one more than the block has: where its last run ends. */
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

static void within(void *context, i64 b, void *memory, void *out) {
    summing *s = context;
    const weft_runs_call *call = s->call;
    const i64 n = call->in.span.length, begin = b * s->length,
              end = n - begin < s->length ? n : begin + s->length;
    block *m = memory;
    total *t = out;
    char *kept_sums = m->memory + s->heads, *kept_keys = kept_sums + s->sums,
         *keys = kept_keys + s->keys, *scan_memory = keys + s->keys;
    u32 *heads = find_heads(s, begin, end, (u32 *)(void *)m->memory);
    const weft_input own_heads = own(heads, WEFT_U32, begin);
    scan_call scan = scan_call_of(&call->in, &own_heads, call->op, 0, (weft_span){0});
    scan.length = s->length;
    int cut;
    const void *sums = scan_block_alone(&scan, b, scan_memory, fold_of(t), &cut);
    t->cut = cut;
    m->continues = !heads[0];
    const i64 count = end - begin;
    t->runs = m->runs =
        host_compact(sums, heads + 1, 1, count, WEFT_SIZE(call->out.type), kept_sums);
    host_compact(host_elements(&call->keys, begin, end, keys), heads + 1, 1, count,
                 WEFT_SIZE(call->keys_out.type), kept_keys);
}

static void join(void *context, void *sum, const void *next) {
    const weft_operator *op = ((const summing *)context)->call->op;
    total *s = sum, t = *(const total *)next;
    const void *fold = (const total *)next + 1;
    s->runs += t.runs;
    if (t.cut)
        memcpy(fold_of(s), fold, WEFT_SIZE(op->type));
    else
        op->combine(fold_of(s), fold, fold_of(s), 1);
}

static void finish(void *context, i64 b, void *memory, const void *sum) {
    const summing *s = context;
    const total *before = sum;
    block *m = memory;
    char *sums = m->memory + s->heads;
    (void)b;
    if (m->continues && m->runs > 0)
        s->call->op->combine(before + 1, sums, sums, 1);
    host_put(s->call->out, before->runs, sums, m->runs);
    host_put(s->call->keys_out, before->runs, sums + s->sums, m->runs);
}

weft_status host_reduce_runs(weft_device *device, const weft_runs_call *runs,
                             const host_crew *crew) {
    const weft_type type = runs->op->type;
    if (host_check_operator(device, runs->op) != WEFT_OK)
        return weft_check(device);
    summing s = {.call = runs, .length = scan_block_length(type)};
    const size_t length = (size_t)s.length;
    s.heads = lines((length + 1) * sizeof(u32));
    s.sums = lines(length * WEFT_SIZE(type) + LINE);
    s.keys = lines(length * WEFT_SIZE(runs->keys_out.type) + LINE);
    const host_chain chain = {(runs->in.span.length + s.length - 1) / s.length,
                              sizeof(block) + s.heads + s.sums + 2 * s.keys +
                                  scan_block_memory(type),
                              sizeof(total) + (WEFT_SIZE(type) + 7) / 8 * 8,
                              within,
                              join,
                              finish};
    union {
        total all;
        _Alignas(LINE) char bytes[sizeof(total) + HOST_ELEMENT];
    } sum = {{0}};
    memcpy(fold_of(&sum.all), runs->op->identity, WEFT_SIZE(type));
    if (host_run_chain(device, crew, &chain, &s, &sum) == WEFT_OK)
        *(i64 *)host_at(runs->count, 0) = sum.all.runs;
    return weft_check(device);
}
