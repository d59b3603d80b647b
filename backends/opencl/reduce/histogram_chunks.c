/* Histograms of few bins on CPUs: see histogram_chunks.cl. */
#include "backends/opencl/entries.h"
#include "backends/opencl/program/program.h"
#include "backends/opencl/tuning.h"

extern const weft_source weft_text_histogram_chunks;

static const opencl_program *histogram_of(weft_device *device, const weft_input *bins) {
    const weft_generator *g = bins->generator;
    const opencl_key key = {
        OPENCL_HISTOGRAM, opencl_is_wide_input(bins) ? OPENCL_WIDE : 0, {g}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_histogram",
                                                      "weft_histogram_sum"};
    opencl_called called = {0};
    if (g)
        called = opencl_calls(&g->function);
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, &called, g != NULL);
    opencl_append_bits(&text, "weft_bins", bins);
    opencl_append(&text, "#define TABLE %d\n", (int)OPENCL_CPU_HISTOGRAM_TABLE);
    opencl_append_bytes(&text, weft_text_histogram_chunks.text,
                        weft_text_histogram_chunks.length);
    return opencl_build(device, &key, g ? g->function.name : "weft_histogram", &text,
                        names);
}

static i64 larger(i64 a, i64 b) {
    return a > b ? a : b;
}

int opencl_histogram_chunks(weft_device *device, const weft_input *bins, weft_span counts) {
    const i64 n = bins->span.length;
    if (counts.length > OPENCL_CPU_HISTOGRAM_TABLE)
        return 0;
    const opencl_program *program = histogram_of(device, bins);
    if (program && !program->program)
        return 0; /* it takes f64 */
    const i64 chunk = larger(
        larger(OPENCL_CPU_HISTOGRAM_LEAST, OPENCL_CPU_HISTOGRAM_EACH * counts.length),
        (n + OPENCL_CPU_HISTOGRAM_MOST - 1) / OPENCL_CPU_HISTOGRAM_MOST);
    const i64 chunks = (n + chunk - 1) / chunk;
    const weft_span rows =
        opencl_span(weft_scratch(device, WEFT_U32, chunks * counts.length));
    if (weft_check(device) != WEFT_OK)
        return 1;
    opencl_launch count = opencl_begin(device, program, 0);
    opencl_give_index(&count, n);
    opencl_give_index(&count, chunk);
    opencl_give_i32(&count, (i32)counts.length);
    opencl_give_memory(&count, rows.memory);
    opencl_give_input(&count, bins);
    if (opencl_run(&count, chunks, 1) != WEFT_OK)
        return 1;
    opencl_launch sum = opencl_begin(device, program, 1);
    opencl_give_i32(&sum, (i32)chunks);
    opencl_give_i32(&sum, (i32)counts.length);
    opencl_give_memory(&sum, rows.memory);
    opencl_give_span(&sum, counts);
    opencl_run(&sum, 1, 1);
    return 1;
}
