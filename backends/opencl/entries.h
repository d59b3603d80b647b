/* What fills the table of the backend, by file: each way to do it and whether it applies.
 */
#ifndef WEFT_BACKENDS_OPENCL_ENTRIES_H
#define WEFT_BACKENDS_OPENCL_ENTRIES_H

#include "opencl.h"

/* select_chunks.c, runs_chunks.c, histogram_chunks.c: what these do on CPUs. */
int opencl_select_chunks(weft_device *device, const weft_select_call *select);
int opencl_reduce_runs_chunks(weft_device *device, const weft_runs_call *runs);
int opencl_histogram_chunks(weft_device *device, const weft_input *bins, weft_span counts);

/* scan_warps.c, sort_sweep.c: faster ways on NVIDIA GPUs, and whether they apply. The
 * sweep sorts from `from` by way of `to` (keys, values), and leaves the result in `to`
 * where the number of passes is odd. */
int opencl_can_scan_warps(weft_device *device, i64 n, weft_type type);
weft_status opencl_scan_warps(weft_device *device, const weft_input *in,
                              const weft_input *heads, const weft_operator *op,
                              int exclusive, const void *start, weft_span out);
int opencl_scan_from(weft_device *device, const weft_input *in, const weft_operator *op,
                     int exclusive, const void *start, weft_span out);
/* histogram.c, merge.c: entries of the table that GPUs take. */
int opencl_histogram(weft_device *device, const weft_input *bins, weft_span counts);
int opencl_merge(weft_device *device, const weft_merge_call *merge);
/* select_warps.c, runs_warps.c, segments_warps.c, set_warps.c: entries of the table that
 * take what warps can do. */
int opencl_set(weft_device *device, const weft_set_call *set);
int opencl_select(weft_device *device, const weft_select_call *select);
int opencl_reduce_runs(weft_device *device, const weft_runs_call *runs);
int opencl_reduce_segments(weft_device *device, const weft_segments_call *segments);
int opencl_can_sweep(weft_device *device, i64 n);
weft_status opencl_sort_sweep(weft_device *device, const weft_sort_call *sort,
                              const weft_span from[2], const weft_span to[2]);
void opencl_free_sort_counts(weft_device *device);

/* on_host.c: the same as the entries of the table, on the host. */
weft_status opencl_for_each_on_host(weft_device *device, i64 n, const weft_kernel *kernel,
                                    const weft_call *call);
weft_status opencl_copy_on_host(weft_device *device, const weft_input *in, weft_span out);
weft_status opencl_reduce_on_host(weft_device *device, const weft_input *in,
                                  const weft_operator *op, weft_span out);
weft_status opencl_scan_on_host(weft_device *device, const weft_input *in,
                                const weft_input *heads, const weft_operator *op,
                                int exclusive, weft_span out);
weft_status opencl_pairs_on_host(weft_device *device, const weft_pairs_function *pairs,
                                 const weft_call *call, const i64 *offsets, i64 segments,
                                 weft_span out);

/* program/ahead.c: an entry of the table. */
weft_status opencl_load_ahead(weft_device *device, const char *task);

/* replace.c: an entry of the table. */
int opencl_replace(weft_device *device, const weft_replace_call *replace);

/* for_each.c, reduce.c, scan.c, sort.c, pairs.c: entries of the table. */
weft_status opencl_for_each(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call);
weft_status opencl_copy(weft_device *device, const weft_input *in, weft_span out);
weft_status opencl_reduce(weft_device *device, const weft_input *in,
                          const weft_operator *op, weft_span out);
weft_status opencl_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out);
weft_status opencl_sort(weft_device *device, const weft_sort_call *sort);
weft_status opencl_pairs(weft_device *device, const weft_pairs_function *pairs,
                         const weft_call *call, const i64 *offsets, i64 segments,
                         weft_span out);

/* queues.c */
weft_status opencl_open_beside(weft_device *device, weft_device *other);
void *opencl_mark(weft_device *device);
weft_status opencl_wait_behind(weft_device *device, void *mark);
weft_status opencl_wait_here(weft_device *device, void *mark);
int opencl_is_past(void *mark);
void opencl_forget(void *mark);

/* program/compile.c */
weft_status opencl_compile(weft_device *device, const weft_used *used);

/* sine_clfft.c, or sine_none.c, which takes no call. */
int opencl_sine_transform(weft_device *device, i64 n, weft_span cubes);
void opencl_free_transforms(opencl_state *state);

#endif
