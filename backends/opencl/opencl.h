/* The OpenCL backend: what its files share.
 *
 * A program is text: the dialect, the kernel files of the functions that it calls, wrappers
 * made from their tables of parameters, and a template (*.cl). It is built once for a
 * device, found again by the addresses of what it was made from, and kept on disk. */
#ifndef WEFT_BACKENDS_OPENCL_OPENCL_H
#define WEFT_BACKENDS_OPENCL_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include "weft/opencl.h"

#include "core/backend.h"

/* How templates are written. Later ones are faster where they run. */
typedef enum opencl_path {
    OPENCL_CHUNKS, /* CPUs: a work-item a chunk, no barriers, no local memory */
    OPENCL_GROUPS, /* GPUs: work-groups that share local memory */
    OPENCL_WARPS   /* NVIDIA GPUs: also warps, and work-groups that wait for others */
} opencl_path;

enum {
    OPENCL_BUCKETS = 256,
    OPENCL_KERNELS = 4, /* in a program, at most */
    OPENCL_GROUP = 256, /* work-items of a group, at most, */
    /* and of a for_each: a group of a GPU keeps its registers until the last of its
     * work-items is done, so small ones leave fewer of them idle; PoCL has the private
     * arrays of all of a group on the stack of a thread, 8 MiB. */
    OPENCL_LAUNCH = 128
};

/* What a program was made from. */
typedef struct opencl_key {
    u32 what;  /* an opencl_template */
    u32 flags; /* OPENCL_WIDE ..., or what the template takes */
    const void *made_from[3];
} opencl_key;

typedef enum opencl_template {
    OPENCL_FOR_EACH,
    OPENCL_COPY,
    OPENCL_REPLACE,
    OPENCL_REDUCE,
    OPENCL_SCAN,
    OPENCL_SCAN_WARPS,
    OPENCL_SORT,
    OPENCL_SORT_SWEEP,
    OPENCL_SELECT,
    OPENCL_RUNS,
    OPENCL_SEGMENT_SUMS,
    OPENCL_HISTOGRAM,
    OPENCL_MERGE,
    OPENCL_SET,
    OPENCL_PAIRS,
    OPENCL_SINE,
    OPENCL_COMPILED
} opencl_template;

enum { OPENCL_WIDE = 1, OPENCL_SEGMENTED = 2, OPENCL_EXCLUSIVE = 4 };

typedef struct opencl_program {
    opencl_key key;
    const char *name;   /* of the function that the caller wrote, for messages */
    cl_program program; /* NULL: what it is made from uses f64 and so runs on the host, or
                         * is known to compile and not to be run */
    cl_kernel kernels[OPENCL_KERNELS];
    struct opencl_program *next;
} opencl_program;

/* Memory in which tiles tell what they hold, kept from launch to launch: look_back.cl. */
typedef struct opencl_look_back {
    void *memory; /* NULL: none */
    i64 words;
    u32 round, taken;
} opencl_look_back;

typedef struct opencl_state {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    opencl_path path;
    int is_cpu, has_f64;
    i64 group;  /* work-items of a group: a power of two; */
    i64 launch; /*   of a group of a for_each, whose work-items ask nothing of each other */
    u64 local_memory;
    char options[128];
    char identity[512]; /* names and versions of platform, device and driver */
    char *cache;        /* the folder of built programs; NULL: there is none */
    opencl_program *programs[OPENCL_BUCKETS];
    struct opencl_shared *shared;        /* with the other queues of its context */
    struct opencl_ahead *ahead;          /* NULL: no programs are loaded ahead */
    struct opencl_transform *transforms; /* of clFFT */
    struct opencl_staging *staging;      /* NULL: no transfer was large yet */
    struct opencl_small *small;          /* NULL: no write was small yet */
    opencl_look_back look_back;
    void *sort_counts; /* of sort_sweep.c; NULL: none */
    i32 sort_turn;
    weft_opencl_allocator allocator; /* `allocate` is NULL: the library's own */
} opencl_state;

static inline opencl_state *opencl_of(weft_device *device) {
    return device->state;
}

/* open.c: opens the device on references to a context and a queue, which are its own from
 * here on, or, where they are NULL, on new ones. `beside` is an open one of the same
 * context, or NULL. */
weft_status opencl_open_on(weft_device *device, cl_platform_id platform, cl_device_id id,
                           cl_context context, cl_command_queue queue,
                           const weft_device *beside);
void opencl_close(weft_device *device);

/* error.c: reports that `call` failed with `code`, of which `about` may say more. */
weft_status opencl_fail(weft_device *device, const char *call, cl_int code,
                        const char *about);

/* memory.c */
void *opencl_allocate(weft_device *device, size_t bytes);
/* The same for what a device keeps beside its arrays, which may have to give way: fails. */
void *opencl_allocate_kept(weft_device *device, size_t bytes);
void opencl_release(weft_device *device, void *memory, size_t bytes);
void *opencl_borrow(weft_device *device, void *host, size_t bytes, int read_only);
weft_status opencl_give_back(weft_device *device, void *memory, void *host, size_t bytes,
                             int read_only);
weft_status opencl_write(weft_device *device, void *memory, size_t offset, const void *host,
                         size_t bytes);
weft_status opencl_read(weft_device *device, void *memory, size_t offset, void *host,
                        size_t bytes);
/* Behind what is in the queue; the host does not wait. */
weft_status opencl_write_later(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes);
weft_status opencl_read_later(weft_device *device, void *memory, size_t offset, void *host,
                              size_t bytes);
weft_status opencl_synchronize(weft_device *device);
/* to = from, both of the same length; they may overlap. */
weft_status opencl_copy_memory(weft_device *device, weft_span from, weft_span to);
/* Scratch as a span; without memory after an error. */
weft_span opencl_span(weft_array scratch);
/* Sets all bytes, a multiple of 4, to 0. */
weft_status opencl_zero(weft_device *device, weft_span span);

/* Memory of the host's that the device reaches by itself. */
void *opencl_pin(weft_device *device, void *host, size_t bytes);
void opencl_unpin(weft_device *device, void *handle, void *host);

/* staging.c: large transfers of what is not pinned, by several threads; calls of those
 * below for which opencl_is_staged, and the same results. */
int opencl_is_staged(weft_device *device, const void *host, size_t bytes);
weft_status opencl_stage_write(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes);
weft_status opencl_stage_read(weft_device *device, void *memory, size_t offset, void *host,
                              size_t bytes);
void opencl_free_staging(opencl_state *state);

/* small.c: writes of a few numbers, for which opencl_is_small, and the same results; they
 * return before they are done, and `host` may be used again. */
int opencl_is_small(weft_device *device, size_t bytes);
weft_status opencl_write_small(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes);
void opencl_free_small(opencl_state *state);

/* run.c: a launch. Arguments are given in the order of the kernel's parameters. */
typedef struct opencl_launch {
    weft_device *device;
    const opencl_program *program;
    cl_kernel kernel;
    cl_uint next;
    cl_int code;
} opencl_launch;
opencl_launch opencl_begin(weft_device *device, const opencl_program *program, int kernel);
void opencl_give(opencl_launch *launch, const void *value, size_t size);
void opencl_give_memory(opencl_launch *launch, void *memory);
void opencl_give_i32(opencl_launch *launch, i32 value);
void opencl_give_index(opencl_launch *launch, i64 value);
void opencl_give_span(opencl_launch *launch, weft_span span);
void opencl_give_call(opencl_launch *launch, const weft_call *call);
void opencl_give_input(opencl_launch *launch, const weft_input *in);
/* Runs it with so many groups of so many work-items. */
weft_status opencl_run(opencl_launch *launch, i64 groups, i64 group);

/* look_back.c: launches that look back over tiles. Words of a state; the arguments `work`,
 * `round` and `taken_before`, kept in memory until it is freed; running it. */
i64 opencl_look_back_words(weft_type element, int counted);
void opencl_give_look_back(opencl_launch *launch, i64 tiles, i64 words);
weft_status opencl_run_look_back(opencl_launch *launch, i64 tiles, i64 group);
void opencl_free_look_back(weft_device *device);

/* Work-items of a group each of which takes so many bytes of local memory. */
i64 opencl_group_for(const opencl_state *state, size_t bytes);

/* Whether an index of 64 bits is needed. */
int opencl_is_wide(i64 n, const weft_call *call);
int opencl_is_wide_input(const weft_input *in);

#endif
