/* Histograms on GPUs, of so few bins that they fit local memory: see histogram_groups.cl.
 */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_histogram_groups;

enum { TABLE = OPENCL_GPU_HISTOGRAM_TABLE };

static const opencl_program *histogram_of(weft_device *device, const weft_input *bins) {
    const int wide = opencl_is_wide_input(bins) || bins->span.length > INT32_MAX - TABLE;
    const opencl_key key = {OPENCL_HISTOGRAM, wide ? OPENCL_WIDE : 0, {bins->generator}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_histogram"};
    const weft_generator *g = bins->generator;
    opencl_called called = {0};
    if (g)
        called = opencl_calls(&g->function);
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, &called, g != NULL);
    opencl_append_bits(&text, "weft_bins", bins);
    opencl_append(&text, "#define GROUP %d\n#define TABLE %d\n",
                  (int)opencl_of(device)->group, (int)TABLE);
    opencl_append_bytes(&text, weft_text_histogram_groups.text,
                        weft_text_histogram_groups.length);
    return opencl_build(device, &key, g ? g->function.name : "weft_histogram", &text,
                        names);
}

int opencl_histogram(weft_device *device, const weft_input *bins, weft_span counts) {
    const opencl_state *state = opencl_of(device);
    const i64 n = bins->span.length, most = OPENCL_GPU_HISTOGRAM_UNIT * device->concurrency;
    if (state->path == OPENCL_CHUNKS)
        return opencl_histogram_chunks(device, bins, counts);
    if (counts.length > TABLE || state->local_memory < 2 * TABLE * sizeof(u32))
        return 0;
    const opencl_program *program = histogram_of(device, bins);
    if (program && !program->program)
        return 0; /* it takes f64 */
    if (!program || opencl_zero(device, counts) != WEFT_OK)
        return 1;
    const i64 even = (n + most - 1) / most;
    const i64 block = even < OPENCL_GPU_HISTOGRAM_LEAST ? OPENCL_GPU_HISTOGRAM_LEAST : even;
    const i64 fit = TABLE / counts.length;
    opencl_launch launch = opencl_begin(device, program, 0);
    opencl_give_index(&launch, n);
    opencl_give_index(&launch, block);
    opencl_give_i32(&launch, (i32)counts.length);
    opencl_give_i32(
        &launch,
        (i32)(fit < OPENCL_GPU_HISTOGRAM_COPIES ? fit : OPENCL_GPU_HISTOGRAM_COPIES));
    opencl_give_span(&launch, counts);
    opencl_give_input(&launch, bins);
    opencl_run(&launch, (n + block - 1) / block, state->group);
    return 1;
}
