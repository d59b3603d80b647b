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
    static const char *const names[][OPENCL_KERNELS] = {
        {"weft_select", "weft_place_tiles", "weft_count_tiles"},
        {"weft_select"},
        {"weft_count"}};
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
                        names[counts ? 2 : !call->partition]);
}

static void give_look_back(opencl_launch *launch, i64 tiles) {
    opencl_give_look_back(launch, tiles, opencl_look_back_words(WEFT_U32, 0));
}

/* Counts alone. */
static weft_status count(weft_device *device, const weft_select_call *call, i64 items) {
    const i64 n = call->flags.span.length, tile = GROUP * items;
    const opencl_program *program = select_of(device, call, 1, items);
    if (!program)
        return weft_check(device);
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, &call->keep, sizeof call->keep);
    give_look_back(&launch, 0);
    opencl_give_span(&launch, call->count);
    opencl_give_input(&launch, &call->flags);
    if (weft_check(device) != WEFT_OK ||
        opencl_run(&launch, (n + tile - 1) / tile, GROUP) != WEFT_OK)
        opencl_free_look_back(device); /* the next one finds zeros */
    return weft_check(device);
}

/* places: [tiles + 1] u32, how many are selected before each tile, and in all. */
static weft_status place(weft_device *device, const weft_select_call *call,
                         const opencl_program *program, weft_span places) {
    const i64 tiles = places.length - 1;
    const int many = tiles > OPENCL_WARPS_PLACED;
    opencl_launch launch = opencl_begin(device, program, many ? 2 : 1);
    opencl_give_index(&launch, call->flags.span.length);
    opencl_give(&launch, &call->keep, sizeof call->keep);
    if (!many)
        give_look_back(&launch, tiles);
    opencl_give_memory(&launch, places.memory);
    opencl_give_input(&launch, &call->flags);
    if (!many)
        return opencl_run_look_back(&launch, tiles, GROUP);
    const weft_input counts = {.span = places};
    if (opencl_run(&launch, tiles, GROUP) == WEFT_OK)
        opencl_scan(device, &counts, NULL, opencl_count(), 1, places);
    return weft_check(device);
}

static weft_status move(weft_device *device, const weft_select_call *call, i64 items) {
    const i64 n = call->flags.span.length, tile = GROUP * items;
    const i64 tiles = (n + tile - 1) / tile;
    const opencl_program *program = select_of(device, call, 0, items);
    weft_span places = {0};
    if (program && call->partition) {
        places = opencl_span(weft_scratch(device, WEFT_U32, tiles + 1));
        if (weft_check(device) == WEFT_OK)
            place(device, call, program, places);
    }
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give(&launch, &call->keep, sizeof call->keep);
    opencl_give(&launch, &call->out.length, sizeof call->out.length);
    if (call->partition)
        opencl_give_memory(&launch, places.memory);
    else
        give_look_back(&launch, tiles);
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
    if (counts_alone)
        count(device, call, items);
    else
        move(device, call, items);
    return 1;
}
