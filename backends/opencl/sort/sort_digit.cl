/* Digits of keys, for every way to sort. KEY is an unsigned type of the key's size, SIGN
 * its top bit, and INFINITE, for floats, the bits of infinity. Kernels are told which bits
 * to flip: the sign of signed integers, and all to sort downwards; so keys of one size, but
 * for floats, share a program. */
/* Bits that ascend as keys do, once flipped. */
static inline KEY weft_bits(const KEY key)
{
#if IS_FLOAT
    return (KEY)(key & (KEY)~SIGN) > INFINITE ? (KEY)~(KEY)0
           : key & SIGN                       ? (KEY)~key
                                              : (KEY)(key ^ SIGN);
#else
    return key;
#endif
}

/* `flip`: its bits of this digit. */
static inline u32 weft_digit(const KEY key, const int shift, const u32 mask, const u32 flip)
{
    return ((u32)(weft_bits(key) >> shift) ^ flip) & mask;
}
