/* What outputs hold before each run, so that a kernel that reads them shows. */
#include "checking.h"

#include <string.h>

/* By run. Whatever is done with what was read, one pair or another gives it away: numbers
 * about 1 and NaN, to which any float is added to some effect; the least and the greatest
 * number, unsigned and signed; and numbers that nobody means. */
static const unsigned char pairs[4][2] = {
    {0x3f, 0xff}, {0x00, 0xff}, {0x80, 0x7f}, {0x5a, 0xa5}};
enum { PAIRS = 4, VARIED = 64 };

/* The first elements take turns; the others, and the very first, have the pair that suits
 * the type best. */
static unsigned char byte_of(const checking_region *r, size_t element, int run) {
    size_t pair = 0; /* floats, and structs, whose members are unknown */
    if (r->type == WEFT_U8 || r->type == WEFT_U16 || r->type == WEFT_U32 ||
        r->type == WEFT_U64)
        pair = 1;
    else if (r->type < WEFT_F32)
        pair = 2;
    return pairs[(pair + (element < VARIED ? element : 0)) % PAIRS][run];
}

void checking_fill(const checking_region *r, int run) {
    const size_t size = WEFT_SIZE(r->type), n = (size_t)(r->end - r->begin) / size;
    const size_t varied = n < VARIED ? n : VARIED;
    for (size_t e = 0; e < varied; e++)
        memset(r->begin + e * size, byte_of(r, e, run), size);
    memset(r->begin + varied * size, byte_of(r, VARIED, run), (n - varied) * size);
}

unsigned char checking_filled(const checking_region *r, const char *byte, int run) {
    return byte_of(r, (size_t)(byte - r->begin) / WEFT_SIZE(r->type), run);
}
