/* What launches that look back have in common: texts, and memory. */
#include "backends/opencl/program/program.h"

#include <stdio.h>

/* NEAR, ROUND: as in look_back.cl; TICKETS: words before the states. */
enum { NEAR = 32, ROUND = 4, TICKETS = 2 };

extern const weft_source weft_text_warp, weft_text_look_back;

/* How elements become bits that a warp can move, and back. */
static void append_conversions(opencl_text *text, weft_type type) {
    const char *to = WEFT_SIZE(type) == 8 ? "(u64)" : "(u32)", *from = "(weft_element)";
    if (type == WEFT_F32) {
        to = "as_uint";
        from = "as_float";
    } else if (type == WEFT_F64) {
        to = "as_ulong";
        from = "as_double";
    }
    opencl_append(text, "#define BITS(x) %s(x)\n#define FROM_BITS(x) %s(x)\n", to, from);
}

void opencl_append_look_back(opencl_text *text, weft_type element, int counted) {
    append_conversions(text, element);
    opencl_append(text, "#define WIDE_ELEMENT %d\n#define COUNTED %d\n#define FIXED %d\n",
                  WEFT_SIZE(element) == 8, counted, opencl_is_float(element));
    opencl_append_bytes(text, weft_text_warp.text, weft_text_warp.length);
    opencl_append_bytes(text, weft_text_look_back.text, weft_text_look_back.length);
}

int opencl_is_float(weft_type type) {
    return type == WEFT_F32 || type == WEFT_F64;
}

i64 opencl_look_back_words(weft_type element, int counted) {
    return (WEFT_SIZE(element) == 8 ? 2 : 1) + counted;
}

void opencl_free_look_back(weft_device *device) {
    opencl_look_back *l = &opencl_of(device)->look_back;
    if (l->memory)
        opencl_release(device, l->memory, (size_t)l->words * sizeof(u64));
    *l = (opencl_look_back){0};
}

/* Memory for so many words that were told in no round to come. */
static weft_status renew(weft_device *device, i64 words) {
    opencl_look_back *l = &opencl_of(device)->look_back;
    opencl_free_look_back(device);
    const size_t bytes = (size_t)words * sizeof(u64);
    void *memory = opencl_allocate_kept(device, bytes);
    if (!memory)
        return weft_check(device);
    *l = (opencl_look_back){.memory = memory, .words = words};
    return opencl_zero(device, (weft_span){memory, 0, words, WEFT_U64});
}

void opencl_give_look_back(opencl_launch *launch, i64 tiles, i64 words) {
    weft_device *device = launch->device;
    opencl_look_back *l = &opencl_of(device)->look_back;
    const i64 blocks = tiles / NEAR, states = tiles + blocks + blocks / NEAR;
    const i64 needed = TICKETS + states * words;
    l->round += ROUND;
    if ((needed > l->words || l->round == 0) && renew(device, needed) != WEFT_OK)
        return;
    opencl_give_memory(launch, l->memory);
    opencl_give(launch, &l->round, sizeof l->round);
    opencl_give(launch, &l->taken, sizeof l->taken);
}

weft_status opencl_run_look_back(opencl_launch *launch, i64 tiles, i64 group) {
    weft_device *device = launch->device;
    if (weft_check(device) == WEFT_OK && opencl_run(launch, tiles, group) == WEFT_OK)
        opencl_of(device)->look_back.taken += (u32)tiles;
    else
        opencl_free_look_back(device);
    return weft_check(device);
}

void opencl_append_bits(opencl_text *text, const char *name, const weft_input *in) {
    const weft_generator *g = in->generator;
    const size_t size = WEFT_SIZE(in->span.type);
    char element[64];
    snprintf(element, sizeof element, "%s_element", name);
    if (g)
        opencl_append_type(text, element, g->type_name, g->type, g->function.source);
    else
        opencl_append(text, "typedef %s %s;\n", opencl_unsigned(size), element);
    opencl_append_input(text, name, in);
}
