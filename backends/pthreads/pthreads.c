/* Each primitive cut into pieces that do not depend on how many threads there are. */
#include "pthreads.h"
#include "backends/host/host.h"
#include "backends/serial/serial.h"
#include "weft/array.h"

#include <stdatomic.h>
#include <string.h>

enum {
    LEAST_ELEMENTS = 64, /* a vector's width and more: no cache line is shared twice */
    MOST_ELEMENTS = 1 << 22,
    LEAST_BLOCK = 1 << 13, /* elements of a fold, */
    BLOCKS_EACH = 4,       /*   and blocks of it for each thread, */
    MOST_BLOCKS = 4        /*   so many at a time: each reads on where it was */
};

static thread_team *team_of(const weft_device *device) {
    return ((const pthreads_state *)device->state)->team;
}

static weft_status synchronize(weft_device *device) {
    (void)device;
    return WEFT_OK;
}

/* Small chunks where few elements may be much work each. */
static i64 least_chunk(const weft_device *device, i64 n) {
    const i64 share = n / (16 * device->concurrency);
    return share < 1 ? 1 : share < LEAST_ELEMENTS ? share : LEAST_ELEMENTS;
}

typedef struct launch {
    const weft_kernel *kernel;
    void *arguments[WEFT_MAX_PARAMETERS];
} launch;

static void launch_chunk(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const launch *l = context;
    l->kernel->loop(l->arguments, begin, end);
}

/* A launch of which somebody hears. */
typedef struct heard_launch {
    launch launch;
    weft_device *device;
    i64 n, next; /* when to tell again */
    _Atomic i64 done;
    _Atomic int ended;
} heard_launch;

static void heard_chunk(void *context, i64 begin, i64 end, i64 thread) {
    enum { TIMES = 128 };
    heard_launch *l = context;
    if (atomic_load_explicit(&l->ended, memory_order_relaxed))
        return;
    launch_chunk(&l->launch, begin, end, thread);
    const i64 done =
        atomic_fetch_add_explicit(&l->done, end - begin, memory_order_relaxed) + end -
        begin;
    if (thread != 0 || done < l->next)
        return;
    l->next = done + l->n / TIMES;
    if (!weft_tell_launch(l->device, (f64)done / (f64)l->n))
        atomic_store_explicit(&l->ended, 1, memory_order_relaxed);
}

static weft_status for_each(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call) {
    const i64 least = least_chunk(device, n);
    if (device->concurrency == 1)
        return weft_backend_serial.for_each(device, n, kernel, call);
    if (weft_hears_launch(device)) {
        heard_launch h = {.launch.kernel = kernel, .device = device, .n = n};
        host_arguments(call, h.launch.arguments);
        team_run_each(team_of(device), n, least, MOST_ELEMENTS, heard_chunk, &h);
        return weft_check(device);
    }
    launch l = {.kernel = kernel};
    host_arguments(call, l.arguments);
    team_run_each(team_of(device), n, least, MOST_ELEMENTS, launch_chunk, &l);
    return WEFT_OK;
}

typedef struct copying {
    const weft_input *in;
    weft_span out;
} copying;

static void copy_chunk(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const copying *c = context;
    host_copy(c->in, c->out, begin, end);
}

/* By pages in turn. */
static void copy_pages(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const copying *c = context;
    host_stream_pages(host_at(c->out, begin), host_at(c->in->span, begin),
                      (size_t)(end - begin) * WEFT_SIZE(c->out.type));
    host_stream_end();
}

/* By ordinary stores. */
static void generate_chunk(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const copying *c = context;
    host_generate(c->in, c->out, begin, end);
}

static host_choice *choice_of(const weft_device *device, const weft_input *in,
                              weft_span out, u64 bytes) {
    host_choices *choices = &((pthreads_state *)device->state)->choices;
    if (!in->generator)
        return host_choice_for(choices->copy, bytes);
    return host_generates_around(in, out) ? host_choice_of(choices, in->generator, bytes)
                                          : NULL;
}

static weft_status copy(weft_device *device, const weft_input *in, weft_span out) {
    copying c = {in, out};
    const i64 n = in->span.length;
    const u64 bytes = (u64)n * WEFT_SIZE(out.type);
    host_choice *choice = choice_of(device, in, out, bytes);
    team_work *const other = in->generator ? generate_chunk : copy_pages;
    const int way = choice ? host_choose(choice) : 0;
    const f64 begin = choice ? host_seconds() : 0;
    team_run(team_of(device), n, least_chunk(device, n), MOST_ELEMENTS,
             way ? other : copy_chunk, &c);
    if (choice)
        host_learn(choice, (host_seconds() - begin) / (f64)bytes);
    return WEFT_OK;
}

static void replace_chunk(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    host_replace(context, begin, end);
}

static int replace(weft_device *device, const weft_replace_call *call) {
    weft_replace_call own = *call;
    const i64 n = call->flags.span.length;
    if (call->x.type >= WEFT_STRUCTS)
        return 0;
    team_run(team_of(device), n, least_chunk(device, n), MOST_ELEMENTS, replace_chunk,
             &own);
    return 1;
}

typedef struct folding {
    const weft_input *in;
    const weft_operator *op;
    char *parts;
    i64 block;
} folding;

/* Elements of a block. Integers come to the same in any: those that are few in smaller
 * ones, so that each thread has some. */
static i64 fold_block(const weft_device *device, weft_type type, i64 n) {
    const i64 threads = device->concurrency, each = n / (BLOCKS_EACH * threads);
    if (type == WEFT_F32 || type == WEFT_F64 || type >= WEFT_STRUCTS || threads == 1 ||
        each > HOST_FOLD_BLOCK)
        return HOST_FOLD_BLOCK;
    return each > LEAST_BLOCK ? each / LEAST_ELEMENTS * LEAST_ELEMENTS : LEAST_BLOCK;
}

static void fold_blocks(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const folding *f = context;
    const i64 n = f->in->span.length;
    for (i64 b = begin; b < end; b++) {
        const i64 first = b * f->block;
        host_fold(f->in, f->op, first, n - first < f->block ? n : first + f->block,
                  f->parts + (size_t)b * WEFT_SIZE(f->op->type));
    }
}

static weft_status reduce(weft_device *device, const weft_input *in,
                          const weft_operator *op, weft_span out) {
    const i64 n = in->span.length, block = fold_block(device, op->type, n);
    const i64 blocks = (n + block - 1) / block;
    if (n <= HOST_FOLD_BLOCK || host_check_operator(device, op) != WEFT_OK)
        return serial_reduce(device, in, op, out);
    const weft_array parts = weft_scratch(device, op->type, blocks);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    folding f = {in, op, weft_buffer_memory(parts.buffer), block};
    team_run(team_of(device), blocks, 1, MOST_BLOCKS, fold_blocks, &f);
    const size_t size = WEFT_SIZE(op->type);
    char *sum = host_at(out, 0);
    memcpy(sum, op->identity, size);
    for (i64 b = 0; b < blocks; b++)
        op->combine(sum, f.parts + (size_t)b * size, sum, 1);
    return WEFT_OK;
}

static void run(void *team, i64 n, i64 least, i64 most, host_work *work, void *context) {
    team_run(team, n, least, most, work, context);
}

static host_crew crew_of(const weft_device *device) {
    pthreads_state *state = device->state;
    return (host_crew){device->concurrency, state->team, run, &state->choices};
}

static weft_status scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out) {
    const host_crew crew = crew_of(device);
    return host_scan(device, in, heads, op, exclusive, out, &crew);
}

static int scan_from(weft_device *device, const weft_input *in, const weft_operator *op,
                     int exclusive, const void *start, weft_span out) {
    const host_crew crew = crew_of(device);
    return host_scan_from(device, in, op, exclusive, start, out, &crew) == WEFT_OK;
}

static weft_status sort(weft_device *device, const weft_sort_call *call) {
    const host_crew crew = crew_of(device);
    return host_sort(device, call, &crew);
}

static int sine_transform(weft_device *device, i64 n, weft_span cubes) {
    const host_crew crew = crew_of(device);
    return host_sine_transform(device, n, cubes, &crew);
}

static int select(weft_device *device, const weft_select_call *call) {
    const host_crew crew = crew_of(device);
    return host_select(device, call, &crew) == WEFT_OK;
}

static int find(weft_device *device, const weft_input *flags, int wanted, i64 *index) {
    const host_crew crew = crew_of(device);
    *index = host_find(flags, wanted, &crew);
    return 1;
}

static int histogram(weft_device *device, const weft_input *bins, weft_span counts) {
    const host_crew crew = crew_of(device);
    return host_histogram(device, bins, counts, &crew);
}

static int parts(weft_device *device, const weft_parts_call *call) {
    const host_crew crew = crew_of(device);
    return host_parts(device, call, &crew) == WEFT_OK;
}

static int reduce_segments(weft_device *device, const weft_segments_call *call) {
    const host_crew crew = crew_of(device);
    return host_reduce_segments(device, call, &crew);
}

static int reduce_runs(weft_device *device, const weft_runs_call *call) {
    const host_crew crew = crew_of(device);
    return host_reduce_runs(device, call, &crew) == WEFT_OK;
}

typedef struct pairing {
    const weft_pairs_function *pairs;
    void *arguments[WEFT_MAX_PARAMETERS];
    const i64 *offsets;
    i64 segments;
    weft_span out;
} pairing;

/* The last segment that starts at or before a point. */
static i64 segment_of(const pairing *p, i64 point) {
    i64 low = 0, high = p->segments;
    while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        if (p->offsets[middle] <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void pair_points(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const pairing *p = context;
    i64 i = begin + p->offsets[0];
    const i64 last = end + p->offsets[0];
    for (i64 s = segment_of(p, i); i < last; s++) {
        const i64 stop = last < p->offsets[s + 1] ? last : p->offsets[s + 1];
        if (i < stop)
            host_pairs(p->pairs, p->arguments, i, stop, p->offsets[s], p->offsets[s + 1],
                       p->out);
        i = i < stop ? stop : i;
    }
}

static weft_status pairs(weft_device *device, const weft_pairs_function *function,
                         const weft_call *call, const i64 *offsets, i64 segments,
                         weft_span out) {
    pairing p = {.pairs = function, .offsets = offsets, .segments = segments, .out = out};
    host_arguments(call, p.arguments);
    const i64 points = offsets[segments] - offsets[0];
    if (points > 0)
        team_run(team_of(device), points, LEAST_ELEMENTS, MOST_ELEMENTS, pair_points, &p);
    return WEFT_OK;
}

const weft_backend weft_backend_pthreads = {
    .name = "pthreads",
    .in_host_memory = 1,
    .in_parts = 1,
    .devices = pthreads_devices,
    .open = pthreads_open,
    .close = pthreads_close,
    .open_beside = pthreads_open_beside,
    .allocate = host_allocate,
    .release = host_release,
    .borrow = host_borrow,
    .give_back = host_give_back,
    .write = pthreads_write,
    .read = pthreads_read,
    .synchronize = synchronize,
    .for_each = for_each,
    .copy = copy,
    .reduce = reduce,
    .scan = scan,
    .sort = sort,
    .pairs = pairs,
    .sine_transform = sine_transform,
    .select = select,
    .selects_in_place = 1,
    .replace = replace,
    .find = find,
    .scan_from = scan_from,
    .reduce_runs = reduce_runs,
    .reduce_segments = reduce_segments,
    .histogram = histogram,
    .parts = parts,
};
