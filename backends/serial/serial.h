/* The serial backend's functions, which others may put into their own tables. */
#ifndef WEFT_BACKENDS_SERIAL_SERIAL_H
#define WEFT_BACKENDS_SERIAL_SERIAL_H

#include "backends/host/host.h"

extern const weft_backend weft_backend_serial;

weft_status serial_for_each(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call);
weft_status serial_copy(weft_device *device, const weft_input *in, weft_span out);
weft_status serial_reduce(weft_device *device, const weft_input *in,
                          const weft_operator *op, weft_span out);
weft_status serial_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out);
weft_status serial_sort(weft_device *device, const weft_sort_call *sort);
weft_status serial_pairs(weft_device *device, const weft_pairs_function *pairs,
                         const weft_call *call, const i64 *offsets, i64 segments,
                         weft_span out);

#endif
