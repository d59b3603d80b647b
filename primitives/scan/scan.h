/* What the scans share. */
#ifndef WEFT_PRIMITIVES_SCAN_H
#define WEFT_PRIMITIVES_SCAN_H

#include "primitives/primitives.h"

/* The arguments of every scan, named `call` in messages. */
weft_status weft_scan_check(weft_device *device, const char *call, weft_array in,
                            const weft_operator *op, u32 flags, weft_array out);

#endif
