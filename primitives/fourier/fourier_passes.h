/* What calls are made of that have checked their arguments; a scope must be open. */
#ifndef WEFT_PRIMITIVES_FOURIER_PASSES_H
#define WEFT_PRIMITIVES_FOURIER_PASSES_H

#include "primitives/primitives.h"

/* Whether n has no other factors than 2, 3, 5 and 7. */
int fourier_is_side(i64 n);

/* cos, -sin and sin of 2 pi k / n for all k, in scratch. */
weft_array fourier_roots(weft_device *device, weft_type type, i64 n);

/* A grid; the first axis takes part where it is `whole`. */
void fourier_grid(weft_device *device, const i64 n[3], int whole, int back, weft_array real,
                  weft_array spectrum);

/* Lines side by side. */
void fourier_in_place(weft_device *device, i64 n, i64 lines, int back, weft_array numbers);

/* The same where a work-item is a thread's: all passes while lines are in its cache, which
 * pays while they fit in one. Blocks of lines lie one after the other. */
int fourier_lanes_pay(const weft_device *device, weft_type type, i64 longest);
void fourier_lanes_grid(weft_device *device, const i64 n[3], int whole, int back,
                        weft_array real, weft_array spectrum);
void fourier_lanes_in_place(weft_device *device, i64 n, i64 blocks, i64 lines, int back,
                            weft_array numbers);

#endif
