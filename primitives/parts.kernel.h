/* Structs are moved in parts of these types: words where their size allows, or bytes. */
#ifndef WEFT_PARTS_KERNEL_H
#define WEFT_PARTS_KERNEL_H

#include <weft/kernel.h>

typedef u32 words;
typedef u8 bytes;

#endif
