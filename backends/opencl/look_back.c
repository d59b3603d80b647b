/* Texts that what looks back has in common. */
#include "opencl.h"

#include <stdio.h>

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
    opencl_append(text, "#define WIDE_ELEMENT %d\n#define COUNTED %d\n",
                  WEFT_SIZE(element) == 8, counted);
    opencl_append_bytes(text, weft_text_warp.text, weft_text_warp.length);
    opencl_append_bytes(text, weft_text_look_back.text, weft_text_look_back.length);
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
