/* The order of sorts and searches, as unsigned numbers of the keys' width: numbers rise,
 * -0 is below +0, and every NaN is the last, as one. */
#ifndef WEFT_ORDER_KERNEL_H
#define WEFT_ORDER_KERNEL_H

#include <weft/kernel.h>

/* The bits of f32 and of f64. */
typedef u32 bits32;
typedef u64 bits64;

enum order_kind { ORDER_UNSIGNED, ORDER_SIGNED, ORDER_FLOAT };

static inline u8 order_u8(u8 bits, u32 kind) {
    return kind == ORDER_SIGNED ? (u8)(bits ^ 0x80) : bits;
}
static inline u16 order_u16(u16 bits, u32 kind) {
    return kind == ORDER_SIGNED ? (u16)(bits ^ 0x8000) : bits;
}
/* Floats without branches: negative ones turn round, others gain the top bit, and NaN all.
 */
static inline u32 order_u32(u32 bits, u32 kind) {
    const u32 sign = 0x80000000u;
    if (kind == ORDER_UNSIGNED)
        return bits;
    if (kind == ORDER_SIGNED)
        return bits ^ sign;
    const u32 is_nan = (bits & ~sign) > 0x7f800000u;
    return (bits ^ ((0 - (bits >> 31)) | sign)) | (0 - is_nan);
}
static inline u64 order_u64(u64 bits, u32 kind) {
    const u64 one = 1, sign = one << 63;
    if (kind == ORDER_UNSIGNED)
        return bits;
    if (kind == ORDER_SIGNED)
        return bits ^ sign;
    const u64 is_nan = (bits & ~sign) > (u64)0x7ff0000000000000;
    return (bits ^ ((0 - (bits >> 63)) | sign)) | (0 - is_nan);
}

#endif
