/* Kernel files for a device without f64: what uses it is left out, and so is what uses
 * that. C declares before use, so one pass finds all of it. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

int opencl_append_without_f64(opencl_text *text, const char *p, const char *name) {
    opencl_text gone = {0};
    opencl_append(
        &gone, " f64 double f64_bits bits_f64 philox_f64 philox_unit_f64 philox_normal_f64 "
               "philox_normal_of_f64 ");
    while (*p && !gone.failed) {
        const char *begin = p;
        p = opencl_skip_blank(p);
        if (p != begin) {
            opencl_append_bytes(text, begin, (size_t)(p - begin));
            continue;
        }
        const opencl_item it = opencl_read_item(p, &gone);
        p = it.end;
        if (!it.uses_f64) {
            opencl_append_bytes(text, begin, (size_t)(p - begin));
            continue;
        }
        opencl_append(&gone, "%.*s ", (int)it.length, it.name ? it.name : "");
        for (; begin < p; begin++) /* what follows keeps its place */
            if (*begin == '\n')
                opencl_append_bytes(text, begin, 1);
    }
    const int uses_f64 = opencl_is_among(&gone, name, strlen(name));
    text->failed |= gone.failed;
    free(gone.bytes);
    return uses_f64;
}
