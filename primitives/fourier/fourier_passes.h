/* What calls are made of that have checked their arguments; a scope must be open. */
#ifndef WEFT_PRIMITIVES_FOURIER_PASSES_H
#define WEFT_PRIMITIVES_FOURIER_PASSES_H

#include "primitives/primitives.h"

/* How many passes n takes, or -1 where it has another factor than 2, 3, 5 and 7. */
i64 fourier_passes_of(i64 n);

/* A grid; the first axis takes part where it is `whole`. */
void fourier_grid(weft_device *device, const i64 n[3], int whole, int back, weft_array real,
                  weft_array spectrum);

/* Lines side by side. */
void fourier_in_place(weft_device *device, i64 n, i64 lines, int back, weft_array numbers);

#endif
