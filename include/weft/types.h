/* Element types, and the words that kernels and host share. */
#ifndef WEFT_TYPES_H
#define WEFT_TYPES_H

#include <stdint.h>

#if defined(_WIN32)
#define WEFT_API
#else
#define WEFT_API __attribute__((visibility("default")))
#endif

typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef float f32;
typedef double f64;

/* The number of a work-item or of an element. 64 bits wide on the host; on an OpenCL
 * device 32 where the launch and every array of it is shorter than 2^31. Never store it. */
typedef int64_t index_t;

/* The type of an array's elements: a kind in the top byte, the size in bytes below. */
typedef uint32_t weft_type;

enum {
    WEFT_I8 = 0x01000001,
    WEFT_U8 = 0x02000001,
    WEFT_I16 = 0x03000002,
    WEFT_U16 = 0x04000002,
    WEFT_I32 = 0x05000004,
    WEFT_U32 = 0x06000004,
    WEFT_I64 = 0x07000008,
    WEFT_U64 = 0x08000008,
    WEFT_F32 = 0x09000004,
    WEFT_F64 = 0x0a000008,
    WEFT_STRUCTS = 0x0b000000
};

/* The type of arrays of a struct of your own: fixed-width members, no pointers, below
 * 16 MiB, defined in a kernel file, once, under no condition of the preprocessor but
 * include guards, so that host and device read the same members. Such types are told apart
 * by size alone. */
#define WEFT_STRUCT(T) ((weft_type)(WEFT_STRUCTS | sizeof(T)))

/* The weft_type of a C type, at compile time. */
#define WEFT_TYPE(T)                                                                       \
    _Generic(*(T *)0, i8                                                                   \
             : WEFT_I8, u8                                                                 \
             : WEFT_U8, i16                                                                \
             : WEFT_I16, u16                                                               \
             : WEFT_U16, i32                                                               \
             : WEFT_I32, u32                                                               \
             : WEFT_U32, i64                                                               \
             : WEFT_I64, u64                                                               \
             : WEFT_U64, f32                                                               \
             : WEFT_F32, f64                                                               \
             : WEFT_F64, default                                                           \
             : WEFT_STRUCT(T))

/* Bytes of one element. */
#define WEFT_SIZE(type) ((size_t)((type)&0x00ffffffu))

#endif
