/* The usual operators on integers. Sums and products wrap around: they are taken without a
 * sign, as overflow of signed numbers is undefined in C. */
#ifndef OPERATORS_KERNEL_H
#define OPERATORS_KERNEL_H

#include <weft/kernel.h>

static inline i8 operators_plus_i8(i8 a, i8 b) {
    return (i8)(a + b);
}
static inline u8 operators_plus_u8(u8 a, u8 b) {
    return (u8)(a + b);
}
static inline i16 operators_plus_i16(i16 a, i16 b) {
    return (i16)(a + b);
}
static inline u16 operators_plus_u16(u16 a, u16 b) {
    return (u16)(a + b);
}
static inline i32 operators_plus_i32(i32 a, i32 b) {
    return (i32)((u32)a + (u32)b);
}
static inline u32 operators_plus_u32(u32 a, u32 b) {
    return a + b;
}
static inline i64 operators_plus_i64(i64 a, i64 b) {
    return (i64)((u64)a + (u64)b);
}
static inline u64 operators_plus_u64(u64 a, u64 b) {
    return a + b;
}

static inline i8 operators_times_i8(i8 a, i8 b) {
    return (i8)(a * b);
}
static inline u8 operators_times_u8(u8 a, u8 b) {
    return (u8)(a * b);
}
static inline i16 operators_times_i16(i16 a, i16 b) {
    return (i16)(a * b);
}
static inline u16 operators_times_u16(u16 a, u16 b) {
    return (u16)((u32)a * (u32)b);
}
static inline i32 operators_times_i32(i32 a, i32 b) {
    return (i32)((u32)a * (u32)b);
}
static inline u32 operators_times_u32(u32 a, u32 b) {
    return a * b;
}
static inline i64 operators_times_i64(i64 a, i64 b) {
    return (i64)((u64)a * (u64)b);
}
static inline u64 operators_times_u64(u64 a, u64 b) {
    return a * b;
}

static inline i8 operators_minimum_i8(i8 a, i8 b) {
    return b < a ? b : a;
}
static inline u8 operators_minimum_u8(u8 a, u8 b) {
    return b < a ? b : a;
}
static inline i16 operators_minimum_i16(i16 a, i16 b) {
    return b < a ? b : a;
}
static inline u16 operators_minimum_u16(u16 a, u16 b) {
    return b < a ? b : a;
}
static inline i32 operators_minimum_i32(i32 a, i32 b) {
    return b < a ? b : a;
}
static inline u32 operators_minimum_u32(u32 a, u32 b) {
    return b < a ? b : a;
}
static inline i64 operators_minimum_i64(i64 a, i64 b) {
    return b < a ? b : a;
}
static inline u64 operators_minimum_u64(u64 a, u64 b) {
    return b < a ? b : a;
}

static inline i8 operators_maximum_i8(i8 a, i8 b) {
    return a < b ? b : a;
}
static inline u8 operators_maximum_u8(u8 a, u8 b) {
    return a < b ? b : a;
}
static inline i16 operators_maximum_i16(i16 a, i16 b) {
    return a < b ? b : a;
}
static inline u16 operators_maximum_u16(u16 a, u16 b) {
    return a < b ? b : a;
}
static inline i32 operators_maximum_i32(i32 a, i32 b) {
    return a < b ? b : a;
}
static inline u32 operators_maximum_u32(u32 a, u32 b) {
    return a < b ? b : a;
}
static inline i64 operators_maximum_i64(i64 a, i64 b) {
    return a < b ? b : a;
}
static inline u64 operators_maximum_u64(u64 a, u64 b) {
    return a < b ? b : a;
}

static inline i8 operators_bit_or_i8(i8 a, i8 b) {
    return (i8)(a | b);
}
static inline u8 operators_bit_or_u8(u8 a, u8 b) {
    return (u8)(a | b);
}
static inline i16 operators_bit_or_i16(i16 a, i16 b) {
    return (i16)(a | b);
}
static inline u16 operators_bit_or_u16(u16 a, u16 b) {
    return (u16)(a | b);
}
static inline i32 operators_bit_or_i32(i32 a, i32 b) {
    return a | b;
}
static inline u32 operators_bit_or_u32(u32 a, u32 b) {
    return a | b;
}
static inline i64 operators_bit_or_i64(i64 a, i64 b) {
    return a | b;
}
static inline u64 operators_bit_or_u64(u64 a, u64 b) {
    return a | b;
}

static inline i8 operators_bit_and_i8(i8 a, i8 b) {
    return (i8)(a & b);
}
static inline u8 operators_bit_and_u8(u8 a, u8 b) {
    return (u8)(a & b);
}
static inline i16 operators_bit_and_i16(i16 a, i16 b) {
    return (i16)(a & b);
}
static inline u16 operators_bit_and_u16(u16 a, u16 b) {
    return (u16)(a & b);
}
static inline i32 operators_bit_and_i32(i32 a, i32 b) {
    return a & b;
}
static inline u32 operators_bit_and_u32(u32 a, u32 b) {
    return a & b;
}
static inline i64 operators_bit_and_i64(i64 a, i64 b) {
    return a & b;
}
static inline u64 operators_bit_and_u64(u64 a, u64 b) {
    return a & b;
}

#endif
