/* The words for types that kernels and host share. Kernel files have them by
 * <weft/kernel.h>; a host file that wants them asks for them. */
#ifndef WEFT_SHORT_NAMES_H
#define WEFT_SHORT_NAMES_H

#include <stdint.h>

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

#endif
