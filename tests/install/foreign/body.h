/* A struct that host and kernels share. */
#ifndef BODY_H
#define BODY_H

#include <weft/kernel.h>

typedef struct body {
    f32 position, velocity;
    u64 mass;
} body;

#endif
