#include "blosc.h"

#include <blosc.h>

const char *genericio_blosc(const void *packed, uint64_t packed_size, void *plain,
                            uint64_t size) {
    size_t held = 0;
    if (packed_size < BLOSC_MIN_HEADER_LENGTH ||
        blosc_cbuffer_validate(packed, (size_t)packed_size, &held) < 0 || held != size)
        return "Blosc's header does not fit it";
    if (size > 0 && blosc_decompress_ctx(packed, plain, (size_t)size, 1) != (int)size)
        return "Blosc cannot unpack it";
    return NULL;
}
