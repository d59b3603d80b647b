/* What primitives need of the core beyond the public headers. */
#ifndef WEFT_CORE_CORE_H
#define WEFT_CORE_CORE_H

#include "backend.h"

/* The device's scratch, arrays and their high-water mark. NULL: out of memory. */
weft_pool *weft_pool_new(void);
void weft_pool_free(weft_device *device);

/* Checks an argument of a primitive, named `what` in messages: that it is an array of
 * elements of `type` (0: of any), of at least `least` elements. Each returns the status. */
weft_status weft_need_input(weft_device *device, const char *what, weft_array array,
                            weft_type type, i64 least, weft_input *input);
weft_status weft_need_output(weft_device *device, const char *what, weft_array array,
                             weft_type type, i64 least, weft_span *span);

/* Why the memory of an array cannot be used ("was freed ..."); NULL: it can. */
const char *weft_lost_memory(const weft_device *device, weft_array array);

/* A digest of a lazy array's arguments as they are now, which weft_lazy keeps as its turn.
 */
u32 weft_lazy_turn(weft_array array);

/* What an array is after an error: no memory, but as long as was asked for, so that
 * weft_read knows how much to clear. */
weft_array weft_lost_array(weft_type type, i64 length);

/* Checks the arguments of a launch over n. */
weft_status weft_need_call(weft_device *device, i64 n, const weft_function *function,
                           const void *arguments, weft_call *call);

/* Ends all of weft_pin that is left. */
void weft_unpin_all(weft_device *device);

/* That it is the type of a number, or of a struct. */
weft_status weft_need_type(weft_device *device, weft_type type);

/* "u32", or "a struct of 24 bytes" in a buffer of the caller's. */
const char *weft_type_name(weft_type type, char buffer[32]);

#endif
