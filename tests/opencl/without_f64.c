/* What is left of a kernel file for a device without f64. */
#include "backends/opencl/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "#line 1 \"x.kernel.h\"\n"
    "/* f64 in a comment */\n"
    "#ifndef X\n"
    "#define X\n"
    "enum { x_many = 0x1e5 };\n"
    "typedef struct __attribute__((aligned(16))) x_pair {\n"
    "    f32 a, b;\n"
    "} x_pair;\n"
    "typedef struct x_wide {\n"
    "    f64 a[3]; /* 1 */\n"
    "} x_wide;\n"
    "CONSTANT u32 x_table[2] = {1, 2};\n"
    "CONSTANT f32 x_scale = 1e-3f, x_half = .5f;\n"
    "static inline f32 x_certain(x_pair p) {\n"
    "    return p.a * 0.5f + (f32)x_table[1]; // f64\n"
    "}\n"
    "#ifdef WEFT_ATOMIC_U64\n"
    "static inline u32 x_typed(x_wide w) {\n"
    "    return w.a[0] > 0;\n"
    "}\n"
    "#endif\n"
    "/* Doubles. */\n"
    "static inline f32 x_literal(f32 a) {\n"
    "    return a * 1e-3;\n"
    "}\n"
    "static inline u32 x_calls(u32 a) { return x_bits(a); }\n"
    "static inline u32 x_bits(u64 a) { return bits_f64(a) > 0; }\n"
    "static inline u32 x_calls_bits(u64 a) { return a && x_bits(a); }\n"
    "static inline f32 x_last(u32 x_bit) { return 0x1p-3f * x_bit; }\n"
    "#endif\n";

static const char left[] =
    "#line 1 \"x.kernel.h\"\n"
    "/* f64 in a comment */\n"
    "#ifndef X\n"
    "#define X\n"
    "enum { x_many = 0x1e5 };\n"
    "typedef struct __attribute__((aligned(16))) x_pair {\n"
    "    f32 a, b;\n"
    "} x_pair;\n"
    "\n"
    "\n"
    "\n"
    "CONSTANT u32 x_table[2] = {1, 2};\n"
    "CONSTANT f32 x_scale = 1e-3f, x_half = .5f;\n"
    "static inline f32 x_certain(x_pair p) {\n"
    "    return p.a * 0.5f + (f32)x_table[1]; // f64\n"
    "}\n"
    "#ifdef WEFT_ATOMIC_U64\n"
    "\n"
    "\n"
    "\n"
    "#endif\n"
    "/* Doubles. */\n"
    "\n"
    "\n"
    "\n"
    "static inline u32 x_calls(u32 a) { return x_bits(a); }\n"
    "\n"
    "\n"
    "static inline f32 x_last(u32 x_bit) { return 0x1p-3f * x_bit; }\n"
    "#endif\n";

static int differs(const char *name, int uses_f64) {
    opencl_text out = {0};
    const int found = opencl_append_without_f64(&out, text, name);
    const int wrong = found != uses_f64 || out.failed || strcmp(out.bytes, left) != 0;
    if (wrong)
        fprintf(stderr, "%s: %d\n%s", name, found, out.bytes);
    free(out.bytes);
    return wrong;
}

int main(void) {
    return differs("x_certain", 0) + differs("x_typed", 1) + differs("x_literal", 1) +
           differs("x_bits", 1) + differs("x_calls_bits", 1) + differs("x_last", 0) +
           differs("x_wide", 1) + differs("x", 0);
}
