/* Everything but the dialect of kernel files, <weft/kernel.h>. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include "array.h"
#include "device.h"
#include "register.h"
#include "types.h"

#endif
