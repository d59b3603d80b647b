/* Digits of keys, for every way to sort. KEY is an unsigned type of the key's size, SIGN
 * its top bit, and INFINITE, for floats, the bits of infinity. */
static inline KEY weft_image(const KEY key)
{
#if IS_FLOAT
    const KEY image = (KEY)(key & (KEY)~SIGN) > INFINITE ? (KEY)~(KEY)0
                      : key & SIGN                       ? (KEY)~key
                                                         : (KEY)(key ^ SIGN);
#elif IS_SIGNED
    const KEY image = key ^ SIGN;
#else
    const KEY image = key;
#endif
    return DESCENDING ? (KEY)~image : image;
}

static inline u32 weft_digit(const KEY key, const int shift, const u32 mask)
{
    return (u32)(weft_image(key) >> shift) & mask;
}
