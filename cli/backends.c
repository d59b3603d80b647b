#include "backends.h"

#include <stdio.h>
#include <string.h>
#include <weft/device.h>

static const struct {
    const char *name;
    enum backend_takes takes;
} backends[] = {
    {"pthreads", BACKEND_TAKES_THREADS},
    {"opencl", BACKEND_TAKES_DEVICE},
};
enum { BACKENDS = sizeof backends / sizeof *backends };

enum backend_takes backend_takes(const char *backend) {
    for (int k = 0; k < BACKENDS; ++k) {
        if (strcmp(backends[k].name, backend) == 0)
            return backends[k].takes;
    }
    return BACKEND_TAKES_NOTHING;
}

const char *backend_that_takes(enum backend_takes what) {
    int k = 0;
    while (backends[k].takes != what)
        ++k;
    return backends[k].name;
}

bool backend_is_built_in(const char *backend) {
    const char *name;
    for (int64_t k = 0; (name = weft_backend_built_in(k)) != NULL; ++k) {
        if (strcmp(name, backend) == 0)
            return true;
    }
    return false;
}

char *backends_complete(const char *text) {
    char names[256] = "", whole[512];
    size_t length = 0;
    const char *name;
    for (int64_t k = 0; (name = weft_backend_built_in(k)) != NULL; ++k) {
        const char *before = k == 0 ? "" : weft_backend_built_in(k + 1) ? ", " : " or ";
        if (length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       before, name);
    }
    snprintf(whole, sizeof whole, text, names, weft_backend_built_in(0));
    return strdup(whole);
}

void backends_check(struct argp_state *state, const char *backend, const char *device,
                    int64_t threads) {
    const enum backend_takes takes = backend ? backend_takes(backend) : 0;
    if (threads && device)
        argp_error(state, "--threads and --device exclude each other");
    if (backend && threads && takes != BACKEND_TAKES_THREADS)
        argp_error(state, "--threads is for the backend %s",
                   backend_that_takes(BACKEND_TAKES_THREADS));
    if (backend && device && takes != BACKEND_TAKES_DEVICE)
        argp_error(state, "--device is for the backend %s",
                   backend_that_takes(BACKEND_TAKES_DEVICE));
}
