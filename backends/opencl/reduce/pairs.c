/* All pairs of the points of each segment: a launch over tiles of points. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

#include <stdlib.h>

extern const weft_source weft_text_pairs_chunks, weft_text_pairs_groups;

static i64 tile_of(const opencl_state *state, const weft_pairs_function *pairs) {
    if (state->path == OPENCL_CHUNKS)
        return OPENCL_CPU_PAIRS_TILE;
    const size_t size = WEFT_SIZE(pairs->function.parameters[0].type);
    const i64 group = opencl_group_for(state, size);
    return group < OPENCL_GPU_PAIRS_TILE ? group : OPENCL_GPU_PAIRS_TILE;
}

static const opencl_program *pairs_of(weft_device *device, const weft_pairs_function *pairs,
                                      i64 tile) {
    const opencl_key key = {OPENCL_PAIRS, OPENCL_WIDE, {pairs}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_pairs"};
    const weft_source *pasted = opencl_of(device)->path == OPENCL_CHUNKS
                                    ? &weft_text_pairs_chunks
                                    : &weft_text_pairs_groups;
    opencl_text text = {0};
    const opencl_called called = opencl_calls(&pairs->function);
    opencl_begin_text(opencl_of(device), &text, &called, 1);
    opencl_append_pairs(&text, pairs);
    opencl_append(&text, "#define TILE %d\n", (int)tile);
    opencl_append_bytes(&text, pasted->text, pasted->length);
    return opencl_build(device, &key, pairs->function.name, &text, names);
}

/* Where segments start in points, and in tiles, as arrays on the device. */
static i64 write_segments(weft_device *device, const i64 *offsets, i64 segments, i64 tile,
                          weft_array *where, weft_array *starts) {
    i64 *host = malloc((size_t)(segments + 1) * sizeof *host);
    if (!host) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: the tiles of %lld segments",
                  (long long)segments);
        return 0;
    }
    host[0] = 0;
    for (i64 s = 0; s < segments; s++)
        host[s + 1] = host[s] + (offsets[s + 1] - offsets[s] + tile - 1) / tile;
    *where = weft_scratch(device, WEFT_I64, segments + 1);
    *starts = weft_scratch(device, WEFT_I64, segments + 1);
    weft_write(device, *where, offsets);
    weft_write(device, *starts, host);
    const i64 tiles = host[segments];
    free(host);
    return tiles;
}

weft_status opencl_pairs(weft_device *device, const weft_pairs_function *pairs,
                         const weft_call *call, const i64 *offsets, i64 segments,
                         weft_span out) {
    const opencl_state *state = opencl_of(device);
    const i64 tile = tile_of(state, pairs);
    const opencl_program *program = pairs_of(device, pairs, tile);
    if (program && !program->program)
        return opencl_pairs_on_host(device, pairs, call, offsets, segments, out);
    weft_array where = {0}, starts = {0};
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    const i64 tiles = write_segments(device, offsets, segments, tile, &where, &starts);
    if (weft_check(device) != WEFT_OK || tiles == 0)
        return weft_check(device);
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give(&launch, &segments, sizeof segments);
    opencl_give_memory(&launch, weft_buffer_memory(where.buffer));
    opencl_give_memory(&launch, weft_buffer_memory(starts.buffer));
    opencl_give(&launch, pairs->initial, WEFT_SIZE(pairs->type));
    opencl_give_span(&launch, out);
    opencl_give_call(&launch, call);
    return opencl_run(&launch, tiles, state->path == OPENCL_CHUNKS ? 1 : tile);
}
