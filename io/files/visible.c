#include "visible.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the character that begins here; 0 where none does, or a control character. */
static size_t length_of(const unsigned char *at) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = at[0] < 0x80   ? 1
                     : at[0] < 0xc2 ? 0
                     : at[0] < 0xe0 ? 2
                     : at[0] < 0xf0 ? 3
                     : at[0] < 0xf5 ? 4
                                    : 0;
    uint32_t code = n == 1 ? at[0] : at[0] & (0x7fu >> n);
    for (size_t k = 1; k < n; ++k) {
        if ((at[k] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[k] & 0x3f);
    }
    const int is_control = code < 0x20 || (code >= 0x7f && code < 0xa0),
              is_surrogate = code >= 0xd800 && code < 0xe000;
    return n == 0 || is_control || is_surrogate || code > 0x10ffff || code < least[n] ? 0
                                                                                      : n;
}

char *visible(const char *text, char *out, size_t room) {
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0;
    while (*at != '\0') {
        const size_t n = length_of(at), needed = n > 0 ? n : 4;
        if (used + needed >= room)
            break;
        if (n > 0)
            memcpy(out + used, at, n);
        else
            snprintf(out + used, room - used, "\\x%02x", *at);
        used += needed;
        at += n > 0 ? n : 1;
    }
    out[used] = '\0';
    return out;
}
