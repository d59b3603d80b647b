/* Types of elements. Comments call them as kernels do: u32 is an array's WEFT_U32, C's
 * uint32_t; <weft/short_names.h>, which kernel files have from <weft/kernel.h>, defines
 * these words for programs that ask for them. All else that these headers define begins
 * with weft_ or WEFT_. */
#ifndef WEFT_TYPES_H
#define WEFT_TYPES_H

#include <stdint.h>

#if defined(_WIN32)
#define WEFT_API
#else
#define WEFT_API __attribute__((visibility("default")))
#endif

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
    _Generic(*(T *)0, int8_t                                                               \
             : WEFT_I8, uint8_t                                                            \
             : WEFT_U8, int16_t                                                            \
             : WEFT_I16, uint16_t                                                          \
             : WEFT_U16, int32_t                                                           \
             : WEFT_I32, uint32_t                                                          \
             : WEFT_U32, int64_t                                                           \
             : WEFT_I64, uint64_t                                                          \
             : WEFT_U64, float                                                             \
             : WEFT_F32, double                                                            \
             : WEFT_F64, default                                                           \
             : WEFT_STRUCT(T))

/* Bytes of one element. */
#define WEFT_SIZE(type) ((size_t)((type)&0x00ffffffu))

#endif
