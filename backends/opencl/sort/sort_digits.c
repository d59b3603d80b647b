/* What all sorts say of their keys. */
#include "backends/opencl/program/program.h"

extern const weft_source weft_text_sort_digit;

void opencl_append_digits(opencl_text *text, const weft_sort_call *sort) {
    const u32 kind = sort->keys.type;
    const size_t size = WEFT_SIZE(kind);
    const int is_float = opencl_is_float(kind);
    const int is_signed =
        kind == WEFT_I8 || kind == WEFT_I16 || kind == WEFT_I32 || kind == WEFT_I64;
    opencl_append(text,
                  "typedef %s KEY;\n#define SIGN ((KEY)((KEY)1 << %d))\n"
                  "#define IS_FLOAT %d\n#define IS_SIGNED %d\n#define DESCENDING %d\n"
                  "#define INFINITE ((KEY)%s)\n",
                  opencl_unsigned(size), (int)size * 8 - 1, is_float, is_signed,
                  sort->descending != 0,
                  kind == WEFT_F64 ? "0x7ff0000000000000ul" : "0x7f800000u");
    if (sort->values.type)
        opencl_append(text,
                      "#define VALUE %s\n"
                      "#define VALUE_PARAMETERS , __global VALUE *values, "
                      "const long first_value, __global VALUE *values_out, "
                      "const long first_value_out\n",
                      opencl_unsigned(WEFT_SIZE(sort->values.type)));
    else
        opencl_append(text, "#define VALUE_PARAMETERS\n");
    opencl_append_bytes(text, weft_text_sort_digit.text, weft_text_sort_digit.length);
}
