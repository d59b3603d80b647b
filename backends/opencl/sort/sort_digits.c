/* What all sorts say of their keys. */
#include "backends/opencl/program/program.h"

extern const weft_source weft_text_sort_digit;

u64 opencl_flip(weft_type keys, int descending) {
    const int is_signed =
        keys == WEFT_I8 || keys == WEFT_I16 || keys == WEFT_I32 || keys == WEFT_I64;
    const u64 sign = is_signed ? (u64)1 << (8 * WEFT_SIZE(keys) - 1) : 0;
    return descending ? ~sign : sign;
}

u32 opencl_key_kind(weft_type keys) {
    return (u32)WEFT_SIZE(keys) | (opencl_is_float(keys) ? 16u : 0u);
}

void opencl_append_digits(opencl_text *text, weft_type keys) {
    const size_t size = WEFT_SIZE(keys);
    opencl_append(text,
                  "typedef %s KEY;\n#define SIGN ((KEY)((KEY)1 << %d))\n"
                  "#define IS_FLOAT %d\n#define INFINITE ((KEY)%s)\n",
                  opencl_unsigned(size), (int)size * 8 - 1, opencl_is_float(keys),
                  keys == WEFT_F64 ? "0x7ff0000000000000ul" : "0x7f800000u");
    opencl_append_bytes(text, weft_text_sort_digit.text, weft_text_sort_digit.length);
}

void opencl_append_image(opencl_text *text, weft_type keys) {
    opencl_append_digits(text, keys);
    opencl_append(text,
                  "static inline KEY weft_image(const KEY key)\n{\n"
                  "    return (KEY)(weft_bits(key) ^ (KEY)0x%llxul);\n}\n",
                  (unsigned long long)opencl_flip(keys, 0));
}

void opencl_append_values(opencl_text *text, weft_type values) {
    if (values)
        opencl_append(text,
                      "#define VALUE %s\n"
                      "#define VALUE_PARAMETERS , __global VALUE *values, "
                      "const long first_value, __global VALUE *values_out, "
                      "const long first_value_out\n",
                      opencl_unsigned(WEFT_SIZE(values)));
    else
        opencl_append(text, "#define VALUE_PARAMETERS\n");
}
