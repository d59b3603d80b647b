/* Pointers to elements in host memory: in C, calls that take one see what it points to, and
 * refuse what is not the elements' type (WEFT_E_TYPE). A void pointer is taken as it is,
 * and so is all else in C++. Structs are told apart by their size alone; many elements may
 * also lie in bytes (u8) or in structs. To call the function itself write its name in
 * brackets: (weft_fill)(...). These calls are macros, so a compound literal with a comma in
 * it stands last or in brackets: weft_find(device, x, (&(point){1, 2}), &index). */
#ifndef WEFT_TYPED_H
#define WEFT_TYPED_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a pointer to `pointed` serves for `length` elements of a type, or for one where
 * length is -1; an error where not, and then `result` (if not NULL) is cleared as far as it
 * goes. `argument` is "call: 'name'". */
WEFT_API int weft_typed(weft_device *device, const char *argument, weft_type pointed,
                        weft_type type, int64_t length, void *result);

#ifndef __cplusplus
/* What a pointer points to; 0: unknown. */
#define WEFT_POINTED(...)                                                                  \
    _Generic((__VA_ARGS__), WEFT_POINTED_CASE(int8_t, WEFT_I8),                            \
             WEFT_POINTED_CASE(uint8_t, WEFT_U8), WEFT_POINTED_CASE(int16_t, WEFT_I16),    \
             WEFT_POINTED_CASE(uint16_t, WEFT_U16), WEFT_POINTED_CASE(int32_t, WEFT_I32),  \
             WEFT_POINTED_CASE(uint32_t, WEFT_U32), WEFT_POINTED_CASE(int64_t, WEFT_I64),  \
             WEFT_POINTED_CASE(uint64_t, WEFT_U64), WEFT_POINTED_CASE(float, WEFT_F32),    \
             WEFT_POINTED_CASE(double, WEFT_F64), WEFT_POINTED_CASE(void, 0),              \
             WEFT_POINTED_CASE(char, 0), default                                           \
             : (weft_type)(WEFT_STRUCTS |                                                  \
                           sizeof(*_Generic((__VA_ARGS__),                                 \
                                            WEFT_POINTED_CASE(void, (uint8_t *)0), default \
                                            : (__VA_ARGS__)))))
#define WEFT_POINTED_CASE(T, VALUE) T * : VALUE, const T * : VALUE
#endif

#ifdef __cplusplus
}
#endif
#endif
