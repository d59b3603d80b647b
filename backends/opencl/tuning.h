/* Numbers that were measured, a table a style. What a kernel's compiler must know stands in
 * its text (.cl). Numbers are of elements unless they say something else. */
#ifndef WEFT_BACKENDS_OPENCL_TUNING_H
#define WEFT_BACKENDS_OPENCL_TUNING_H

/* All, so that sums of floats are the same for any number of compute units. */
enum {
    OPENCL_SCAN_MOST = 1 << 10, /* blocks */
    OPENCL_REDUCE_LEAST = 1 << 10
};

/* CPUs, of which a work-item takes a chunk: two cores of a Xeon with AVX-512, by PoCL, on
 * 2026-11-21. */
enum {
    OPENCL_CPU_SCAN_LEAST = 1 << 14, /* of a chunk */
    OPENCL_CPU_SORT_LEAST = 1 << 14,
    OPENCL_CPU_SORT_UNIT = 16,   /* chunks for each compute unit, */
    OPENCL_CPU_SORT_MOST = 1024, /*   and of all */
    OPENCL_CPU_SELECT_LEAST = 1 << 13,
    OPENCL_CPU_SELECT_MOST = 1 << 10, /* chunks */
    OPENCL_CPU_RUNS_LEAST = 1 << 13,
    OPENCL_CPU_RUNS_MOST = 1 << 10,       /* chunks */
    OPENCL_CPU_REDUCE_MOST = 1 << 10,     /* chunks */
    OPENCL_CPU_HISTOGRAM_TABLE = 1 << 10, /* bins, at most */
    OPENCL_CPU_HISTOGRAM_LEAST = 1 << 14,
    OPENCL_CPU_HISTOGRAM_EACH = 16,  /* and so many for each bin */
    OPENCL_CPU_HISTOGRAM_MOST = 256, /* chunks */
    OPENCL_CPU_PAIRS_TILE = 64       /* points */
};

/* GPUs: an H200, of 132 compute units, on 2026-11-21; sets, small sorts and selections on
 * 2026-11-23. `items`: of a work-item; of 8 bytes where `wide`, else of up to 4. Odd ones
 * let neighbours meet other banks of local memory. */
enum {
    OPENCL_STAGE_LEAST = 1 << 23,   /* bytes of a transfer that threads share, at least; */
    OPENCL_STAGE_PIECE = 1 << 22,   /*   of what one copies, */
    OPENCL_STAGE_THREADS = 4,       /*   and so many of them: on four H100, 2026-11-26 */
    OPENCL_SMALL_BYTES = 1 << 15,   /* of a write that nobody waits for, at most, */
    OPENCL_SMALL_SLOTS = 32,        /*   and so many of them at a time */
    OPENCL_GPU_COPY_MOST = 1 << 24, /* bytes that a kernel copies, not the driver */
    OPENCL_GPU_SCAN_TILE = 1 << 14, /* bytes of local memory that hold a tile, about */
    OPENCL_GPU_SCAN_ITEMS = 16,     /* at most */
    OPENCL_GPU_REDUCE_MOST = 1 << 12, /* blocks */
    OPENCL_GPU_SORT_ITEMS = 8,
    OPENCL_GPU_HISTOGRAM_TABLE = 1 << 12, /* bins of one in local memory, */
    OPENCL_GPU_HISTOGRAM_COPIES = 8,      /*   where few bins have several */
    OPENCL_GPU_HISTOGRAM_UNIT = 8,        /* groups for each compute unit */
    OPENCL_GPU_HISTOGRAM_LEAST = 1 << 13,
    OPENCL_GPU_PAIRS_TILE = 128, /* points, at most */
    OPENCL_GPU_MERGE_ITEMS = 31,
    OPENCL_GPU_MERGE_WIDE = 13,
    OPENCL_GPU_MERGE_FEW = 1 << 10, /* tiles, at most, that split the inputs themselves */
    OPENCL_GPU_SINE_LEAST = 65      /* points of a line that clFFT transforms */
};

/* Those that run warps (NVIDIA's), on the same one. */
enum {
    OPENCL_WARPS_SCAN_LEAST = 1 << 9,
    OPENCL_WARPS_SCAN_ITEMS = 32, /* and of sums over runs and selections; */
    OPENCL_WARPS_SCAN_WIDE = 16,  /*   large, since each tile costs a look back, */
    OPENCL_WARPS_SCAN_F64 = 22,   /*   that of floats more: all that local memory holds */
    OPENCL_WARPS_PLACED = 256,    /* tiles of a partition that look back, at most */
    OPENCL_WARPS_SORT_GROUP = 384,
    OPENCL_WARPS_SORT_ITEMS = 20,
    OPENCL_WARPS_SORT_WIDE = 14,
    OPENCL_WARPS_SORT_WIDE_VALUES = 12,
    OPENCL_WARPS_SORT_FEW = 4,   /* items where one group sorts all, */
    OPENCL_WARPS_SORT_SOME = 11, /*   or these where there are more */
    OPENCL_WARPS_SORT_UNIT = 4,  /* groups that count, for each compute unit */
    OPENCL_WARPS_SETS_ITEMS = 27,
    OPENCL_WARPS_SETS_WIDE = 13
};

#endif
