/* Lazy arrays, and whether their arguments are still what they were. */
#include "core.h"
#include "weft/register.h"

#include <string.h>

static u64 digest_bytes(u64 digest, const char *bytes, size_t size) {
    for (size_t k = 0; k < size; k += 8) {
        u64 word = 0;
        memcpy(&word, bytes + k, size - k < 8 ? size - k : 8);
        digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
        digest ^= digest >> 32;
    }
    return digest;
}

/* Of arrays and numbers; structs may hold bytes that nobody set. */
static u64 digest_of(u64 digest, const weft_parameter *p, i32 count, const char *given) {
    for (const weft_parameter *end = p + count; p < end; p++)
        if (p->bundle)
            digest =
                digest_of(digest, p->bundle->fields, p->bundle->count, given + p->offset);
        else if (p->role != WEFT_VALUE)
            digest = digest_bytes(digest, given + p->offset, sizeof(weft_array));
        else if (p->type < WEFT_STRUCTS)
            digest = digest_bytes(digest, given + p->offset, WEFT_SIZE(p->type));
    return digest;
}

u32 weft_lazy_turn(weft_array array) {
    const weft_function *f = &array.generator->function;
    return (u32)(digest_of(1, f->parameters, f->count, array.arguments) >> 33) | 1;
}

weft_array weft_lazy_array(i64 n, const weft_generator *generator, const void *arguments) {
    if (!generator || !arguments)
        return (weft_array){0};
    weft_array array = {.length = n,
                        .type = generator->type,
                        .read_only = 1,
                        .generator = generator,
                        .arguments = arguments};
    array.turn = weft_lazy_turn(array) & 0x7fffffff;
    return array;
}
