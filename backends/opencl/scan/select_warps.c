/* Selections on NVIDIA GPUs: see select_warps.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_select_warps;

enum { GROUP = 256, MOST = INT32_MAX };
enum { PARTITIONED = 2, COUNTED = 4, SHORT_TILES = 8 }; /* in keys */

/* Numbers of elements are told as u32. */
static int applies(weft_device *device, i64 n) {
    const opencl_state *state = opencl_of(device);
    return state->path == OPENCL_WARPS && state->group == GROUP && n <= MOST &&
           state->has_f64;
}

/* Elements are moved as they are generated, or, in memory, as bits. */
static int moves(const weft_input *in) {
    const size_t size = WEFT_SIZE(in->span.type);
    return in->generator ? size <= 8 : size == 1 || size == 2 || size == 4 || size == 8;
}

static i64 items_of(weft_type type) {
    return WEFT_SIZE(type) > 4 ? OPENCL_WARPS_SCAN_WIDE : OPENCL_WARPS_SCAN_ITEMS;
}

static const opencl_program *select_of(weft_device *device, const weft_select_call *call,
                                       int counts, i64 items) {
    const weft_generator *in = call->in.generator, *flags = call->flags.generator;
    const int wide = opencl_is_wide_input(&call->flags) ||
                     (!counts && opencl_is_wide_input(&call->in)) ||
                     call->flags.span.length > INT32_MAX - GROUP * items;
    const opencl_key key = {
        OPENCL_SELECT,
        (u32)(wide ? OPENCL_WIDE : 0) |
            (counts            ? COUNTED
             : call->partition ? PARTITIONED
                               : 0) |
            (u32)(items < OPENCL_WARPS_SCAN_ITEMS ? SHORT_TILES : 0) |
            (counts || in ? 0 : (u32)WEFT_SIZE(call->in.span.type) << 4),
        {counts ? NULL : in, flags}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[][OPENCL_KERNELS] = {{"weft_select"}, {"weft_count"}};
    opencl_called called[2];
    int count = 0;
    if (!counts && in)
        called[count++] = opencl_calls(&in->function);
    if (flags)
        called[count++] = opencl_calls(&flags->function);
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, called, count);
    opencl_append_bits(&text, "weft_flags", &call->flags);
    if (!counts)
        opencl_append_bits(&text, "weft_in", &call->in);
    opencl_append(&text,
                  "typedef u32 weft_element;\n"
                  "#define weft_combine(a, b) ((a) + (b))\n"
                  "#define GROUP %d\n#define ITEMS %d\n#define COUNT %d\n"
                  "#define MOVE_ELEMENTS %d\n#define PARTITION %d\n",
                  (int)GROUP, (int)items, counts, !counts, call->partition);
    opencl_append(&text, "#define BATCH 8\n");
    opencl_append_look_back(&text, WEFT_U32, 0);
    opencl_append_bytes(&text, weft_text_select_warps.text, weft_text_select_warps.length);
    return opencl_build(device, &key, flags ? flags->function.name : "weft_select", &text,
                        names[counts]);
}

/* counts: [tiles + 1] u32, how many are selected of each tile, and 0; call->count gets the
 * sum where nothing else is asked for. */
static weft_status count(weft_device *device, const weft_select_call *call, i64 items,
                         weft_span counts) {
    const u32 sums = !call->in.span.type;
    const opencl_program *program = select_of(device, call, 1, items);
    if (!program || (sums && opencl_zero(device, call->count) != WEFT_OK))
        return weft_check(device);
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, call->flags.span.length);
    opencl_give(&launch, &call->keep, sizeof call->keep);
    opencl_give(&launch, &sums, sizeof sums);
    opencl_give_memory(&launch, counts.memory);
    opencl_give_span(&launch, call->count);
    opencl_give_input(&launch, &call->flags);
    return opencl_run(&launch, counts.length - 1, GROUP);
}

static weft_status move(weft_device *device, const weft_select_call *call, i64 items,
                        weft_span places) {
    const opencl_program *program = select_of(device, call, 0, items);
    if (!program)
        return weft_check(device);
    const i64 n = call->flags.span.length, tile = GROUP * items;
    const i64 tiles = (n + tile - 1) / tile;
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, &call->keep, sizeof call->keep);
    opencl_give(&launch, &call->out.length, sizeof call->out.length);
    if (call->partition)
        opencl_give_memory(&launch, places.memory);
    else
        opencl_give_look_back(&launch, tiles, opencl_look_back_words(WEFT_U32, 0));
    opencl_give_span(&launch, call->count);
    opencl_give_span(&launch, call->out);
    opencl_give_input(&launch, &call->in);
    opencl_give_input(&launch, &call->flags);
    return call->partition ? opencl_run(&launch, tiles, GROUP)
                           : opencl_run_look_back(&launch, tiles, GROUP);
}

int opencl_select(weft_device *device, const weft_select_call *call) {
    const i64 n = call->flags.span.length;
    const int counts_alone = !call->in.span.type;
    if (!counts_alone && !moves(&call->in))
        return 0;
    if (opencl_of(device)->path == OPENCL_CHUNKS)
        return !weft_select_is_in_place(call) && opencl_select_chunks(device, call);
    if (!applies(device, n))
        return 0;
    const i64 items = items_of(call->in.span.type);
    const i64 tile = GROUP * items, tiles = (n + tile - 1) / tile;
    weft_span places = {0};
    if (counts_alone || call->partition) {
        places = opencl_span(weft_scratch(device, WEFT_U32, tiles + 1));
        if (weft_check(device) == WEFT_OK)
            count(device, call, items, places);
    }
    if (!counts_alone && call->partition && weft_check(device) == WEFT_OK) {
        const weft_input in = {.span = places};
        opencl_scan(device, &in, NULL, opencl_count(), 1, places);
    }
    if (!counts_alone && weft_check(device) == WEFT_OK)
        move(device, call, items, places);
    return 1;
}
