/* Set operations on NVIDIA GPUs: see set_warps.cl and set_cuts.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_set_cuts, weft_text_set_warps;

enum { GROUP = 256 };
/* Cuts are told as twice a number of elements. */
enum { MOST = INT32_MAX / 2 - GROUP * OPENCL_WARPS_SETS_ITEMS, SOURCES = 4 };
enum { LANES = 4 }; /* that look for a cut together */

static i64 items_of(const weft_set_call *call) {
    return WEFT_SIZE(call->a.type) == 8 || call->sources ? OPENCL_WARPS_SETS_WIDE
                                                         : OPENCL_WARPS_SETS_ITEMS;
}

static const opencl_program *set_of(weft_device *device, const weft_set_call *call) {
    const opencl_key key = {
        OPENCL_SET, (u32)(call->sources ? SOURCES : 0) | call->a.type >> 24 << 8, {NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_set_cuts", "weft_set"};
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, NULL, 0);
    opencl_append_image(&text, call->a.type);
    opencl_append(&text,
                  "typedef u32 weft_element;\n"
                  "#define weft_combine(a, b) ((a) + (b))\n"
                  "#define RESULT %s\n#define SOURCES %d\n#define GROUP %d\n"
                  "#define ITEMS %d\n#define LANES %d\n",
                  call->sources ? "long" : "KEY", call->sources, (int)GROUP,
                  (int)items_of(call), (int)LANES);
    opencl_append_look_back(&text, WEFT_U32, 0);
    opencl_append_bytes(&text, weft_text_set_cuts.text, weft_text_set_cuts.length);
    opencl_append_bytes(&text, weft_text_set_warps.text, weft_text_set_warps.length);
    return opencl_build(device, &key, "weft_set", &text, names);
}

static void give_lengths(opencl_launch *launch, const weft_set_call *call) {
    opencl_give_index(launch, call->a.length);
    opencl_give_index(launch, call->b.length);
}

static void give_keys(opencl_launch *launch, const weft_set_call *call) {
    opencl_give_span(launch, call->a);
    opencl_give_span(launch, call->b);
}

int opencl_set(weft_device *device, const weft_set_call *call) {
    const opencl_state *state = opencl_of(device);
    const i64 n = call->a.length + call->b.length, tile = GROUP * items_of(call),
              tiles = (n + tile - 1) / tile;
    if (state->path != OPENCL_WARPS || state->group != GROUP || n > MOST)
        return 0;
    const opencl_program *program = set_of(device, call);
    const weft_span cuts = opencl_span(weft_scratch(device, WEFT_I32, tiles + 1));
    if (weft_check(device) != WEFT_OK)
        return 1;
    opencl_launch cut = opencl_begin(device, program, 0);
    give_lengths(&cut, call);
    opencl_give_index(&cut, tiles);
    opencl_give_memory(&cut, cuts.memory);
    give_keys(&cut, call);
    if (opencl_run(&cut, tiles * LANES / GROUP + 1, GROUP) != WEFT_OK)
        return 1;
    opencl_launch set = opencl_begin(device, program, 1);
    give_lengths(&set, call);
    opencl_give(&set, &call->kept, sizeof call->kept);
    opencl_give_memory(&set, cuts.memory);
    opencl_give_look_back(&set, tiles, opencl_look_back_words(WEFT_U32, 0));
    give_keys(&set, call);
    opencl_give_span(&set, call->count);
    opencl_give_span(&set, call->out);
    opencl_run_look_back(&set, tiles, GROUP);
    return 1;
}
