/* What OpenCL would refuse: where such a device is, what runs is compiled for it, too. */
#include "checking.h"

#include <stdlib.h>
#include <string.h>

/* The first backend that compiles, opened; NULL: there is none, or none is wanted. */
static weft_device *open_compiler(void) {
    const char *wanted = getenv("WEFT_CHECKING_OPENCL");
    i64 k = 0;
    while (k < weft_backend_count && !weft_backends[k]->compile)
        k++;
    if (k == weft_backend_count || (wanted && strcmp(wanted, "no") == 0))
        return NULL;
    weft_device *compiler = weft_open(weft_backends[k]->name);
    if (weft_check(compiler) == WEFT_OK)
        return compiler;
    weft_close(compiler);
    return NULL;
}

weft_status checking_compile(weft_device *device, const weft_used *used) {
    checking_state *state = device->state;
    if (!state->has_compiler) {
        state->compiler = open_compiler();
        state->has_compiler = 1;
        checking_watch_faults(0);
    }
    weft_device *compiler = state->compiler;
    if (!compiler || compiler->backend->compile(compiler, used) == WEFT_OK)
        return WEFT_OK;
    const char *said = weft_error(compiler);
    if (weft_check(compiler) == WEFT_E_BUILD) /* its first line is a sentence */
        weft_fail(device, WEFT_E_BUILD, "%.*s", (int)strcspn(said, "\n"), said);
    weft_clear(compiler);
    return weft_check(device);
}

void checking_close_compiler(checking_state *state) {
    weft_close(state->compiler);
}
