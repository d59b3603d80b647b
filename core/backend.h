/* The seam between the library and its backends: a backend is one table of functions. */
#ifndef WEFT_CORE_BACKEND_H
#define WEFT_CORE_BACKEND_H

#include "weft/allocator.h"
#include "weft/descriptor.h"
#include "weft/short_names.h"

/* Where an array lies: the backend's own handle of a piece of memory (a host address, a
 * cl_mem), and the element in it that the array begins at. */
typedef struct weft_span {
    void *memory;
    i64 first, length;
    weft_type type;
} weft_span;

/* A checked launch: for each parameter, and each field of one that is a bundle, its value
 * or its array. */
typedef struct weft_argument {
    const weft_parameter *parameter, *bundle; /* bundle: which it is a field of, or NULL */
    const void *value;                        /* NULL for arrays */
    weft_span span; /* of an optional array that is absent: without memory */
} weft_argument;

typedef struct weft_call {
    const weft_function *function;
    i32 count;
    weft_argument argument[WEFT_MAX_PARAMETERS];
} weft_call;

static inline int weft_is_written(weft_role role) {
    return role == WEFT_OUT || role == WEFT_INOUT || role == WEFT_SHARED;
}

/* What a primitive reads: an array in memory, or a generator with its arguments, whose
 * element i is the generator's value at span.first + i. */
typedef struct weft_input {
    weft_span span; /* memory is NULL where there is a generator */
    const weft_generator *generator;
    weft_call call;
} weft_input;

/* Stable, in place, by bits [begin_bit, end_bit) of the keys' order-preserving image: for
 * signed types the sign flipped; for floats -0 before +0 and every NaN last, as one. */
typedef struct weft_sort_call {
    weft_span keys;   /* any element type but structs */
    weft_span values; /* elements of 4 or 8 bytes; type 0: keys alone */
    i32 begin_bit, end_bit;
    i32 descending;
} weft_sort_call;

/* The elements of `in` whose flag is (not 0) == keep, in order. `out` may be `in`, which
 * flags may read, each at its own place or the one before. */
typedef struct weft_select_call {
    weft_input in;    /* type 0: they are only counted */
    weft_input flags; /* u32, as many */
    u32 keep;         /* 0 or 1 */
    int partition;    /* the others follow, in order; `out` has room for all */
    weft_span out;    /* what it has no room for is counted, but not written */
    weft_span count;  /* [1] i64: how many were selected */
} weft_select_call;

static inline int weft_select_is_in_place(const weft_select_call *call) {
    return call->in.span.type && !call->in.generator &&
           call->in.span.memory == call->out.memory &&
           call->in.span.first == call->out.first;
}

/* Runs of elements: one begins where its head is not 0, the first in any case. */
typedef struct weft_runs_call {
    weft_input keys, in;
    weft_input heads; /* u32, as many */
    i32 key_bytes;    /* 4 or 8: heads are where so many differ in keys; 0: wherever */
    const weft_operator *op;
    weft_span keys_out; /* for each run its last key */
    weft_span out;      /* and the fold of its elements, in order */
    weft_span count;    /* [1] i64: how many runs there are */
} weft_runs_call;

/* Sums over segments of numbers, of which there is one element or more; those without
 * elements are the identity. */
typedef struct weft_segments_call {
    weft_input in;
    weft_span offsets; /* i64, one more than segments; they ascend */
    const weft_operator *op;
    weft_span out;
} weft_segments_call;

/* Two arrays of one type of numbers, in the order of the sort, into one; equal keys of a
 * before those of b. */
typedef struct weft_merge_call {
    weft_span a, b;
    weft_span out; /* as many as both: their keys, or */
    int sources;   /* i64: where they come from, those of b from a.length on */
} weft_merge_call;

/* Set operations of two sorted arrays of one type of numbers, along the path that takes
 * equal keys in pairs as long as both arrays have them: bits of `kept` say whether pairs
 * are kept (1; once, from a), and elements of a (2) and of b (4) without partner. */
typedef struct weft_set_call {
    weft_span a, b;
    u32 kept;
    int sources;     /* what is written, i64: where they come from, b's from a.length on */
    weft_span out;   /* else, what is kept; with room for all of it */
    weft_span count; /* [1] i64: how many there are */
} weft_set_call;

/* What parts make, one behind the other, where only whoever makes a part learns how much it
 * is. The kernel's work-item i makes `each` parts; its last three arguments are the first
 * work-item that runs, `slots`, each of so many elements, and `counts`: of part p in slot
 * p - first * each, how many there are (i64). The last work-item may make fewer. */
typedef struct weft_parts_call {
    const weft_kernel *kernel;
    weft_call call; /* of which those three are replaced */
    i64 items, each, slot;
    weft_span out;   /* what it has no room for is counted, but not written */
    weft_span count; /* [1] i64: how many there are */
} weft_parts_call;

/* x[i] becomes the value where flags[i] is not 0; lazy flags may read x, at i. */
typedef struct weft_replace_call {
    weft_input flags; /* u32, as many */
    weft_span x;
    const void *value; /* in host memory */
} weft_replace_call;

/* Indices into an array, of a primitive whose name is `what`. */
typedef struct weft_map_call {
    const char *what, *of; /* the array's name */
    weft_span map;         /* i32, u32, i64 or u64 */
    weft_span flags;       /* u32, as many: those with 0 are not used; or without memory */
    i64 first;             /* number of the map's first element in messages */
    i64 length;            /* of the array */
} weft_map_call;

/* What a call runs: a kernel; pairs; or an operator on what it is given, or that alone,
 * where it is lazy. The others are NULL. */
typedef struct weft_used {
    const weft_kernel *kernel;
    const weft_pairs_function *pairs;
    const weft_operator *op;
    const weft_input *in;
} weft_used;

typedef struct weft_backend weft_backend;

/* All functions run on a device without an error, with n > 0 and checked arguments. They
 * report through weft_fail and return its status, and may take scratch from the pool (a
 * scope is open around each). Those that launch need not wait. */
struct weft_backend {
    const char *name;
    int in_host_memory; /* handles are addresses, where all is written when calls return */
    int in_parts;       /* what was allocated may be used in parts, by such addresses */
    i64 (*devices)(weft_device_info *info, i64 capacity);
    weft_status (*open)(weft_device *device, const char *which);
    void (*close)(weft_device *device);

    void *(*allocate)(weft_device *device, size_t bytes); /* NULL: there is no more */
    void (*release)(weft_device *device, void *memory, size_t bytes);
    /* The caller's memory as a handle, and its end; read_only: nothing to copy back. Where
     * `host` is NULL the handle was the caller's own, of weft_lend. */
    void *(*borrow)(weft_device *device, void *host, size_t bytes, int read_only);
    weft_status (*give_back)(weft_device *device, void *memory, void *host, size_t bytes,
                             int read_only);
    weft_status (*write)(weft_device *device, void *memory, size_t offset, const void *host,
                         size_t bytes);
    weft_status (*read)(weft_device *device, void *memory, size_t offset, void *host,
                        size_t bytes);
    /* The same in the queue's order, without waiting; NULL: as those. */
    weft_status (*write_later)(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes);
    weft_status (*read_later)(weft_device *device, void *memory, size_t offset, void *host,
                              size_t bytes);
    weft_status (*synchronize)(weft_device *device);
    /* Memory of the host's that the device can reach by itself from now on, as a handle,
     * and its end. NULL: it cannot, which is no error; or no functions. */
    void *(*pin)(weft_device *device, void *host, size_t bytes);
    void (*unpin)(weft_device *device, void *handle, void *host);

    weft_status (*for_each)(weft_device *device, i64 n, const weft_kernel *kernel,
                            const weft_call *call);
    /* out[i] = in[i]; an array in memory is copied, in may be out. */
    weft_status (*copy)(weft_device *device, const weft_input *in, weft_span out);
    /* out[0] = the fold of in; out has one element. */
    weft_status (*reduce)(weft_device *device, const weft_input *in,
                          const weft_operator *op, weft_span out);
    /* heads is NULL or u32 of the same length; in may be out. */
    weft_status (*scan)(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, weft_span out);
    weft_status (*sort)(weft_device *device, const weft_sort_call *sort);
    /* offsets lie in host memory: [segments + 1]. */
    weft_status (*pairs)(weft_device *device, const weft_pairs_function *pairs,
                         const weft_call *call, const i64 *offsets, i64 segments,
                         weft_span out);

    /* What is composed of the above, unless a backend has a faster way: NULL, or a function
     * that returns whether it took the call, without a trace where it did not. */
    int (*select)(weft_device *device, const weft_select_call *select);
    int selects_in_place; /* that selects and partitions in place, too */
    int (*replace)(weft_device *device, const weft_replace_call *replace);
    /* *index = the number of the first flag (u32) that is (not 0) == wanted, or -1. */
    int (*find)(weft_device *device, const weft_input *flags, int wanted, i64 *index);
    /* A scan of numbers from *start on. */
    int (*scan_from)(weft_device *device, const weft_input *in, const weft_operator *op,
                     int exclusive, const void *start, weft_span out);
    int (*reduce_runs)(weft_device *device, const weft_runs_call *runs);
    int (*reduce_segments)(weft_device *device, const weft_segments_call *segments);
    /* Of cubes [n][n][n] f32, as weft_sine_transform says, in place. */
    int (*sine_transform)(weft_device *device, i64 n, weft_span cubes);
    /* counts[b] = how many of bins (u32, fewer than 2^32) are b; counts: u32. */
    int (*histogram)(weft_device *device, const weft_input *bins, weft_span counts);
    int (*merge)(weft_device *device, const weft_merge_call *merge);
    int (*set)(weft_device *device, const weft_set_call *set);
    int (*parts)(weft_device *device, const weft_parts_call *parts);
    /* That indices are inside the array; NULL: nobody looks. */
    weft_status (*map)(weft_device *device, const weft_map_call *map);
    /* Compiles it, and runs nothing; NULL: there is nothing to compile at run time. */
    weft_status (*compile)(weft_device *device, const weft_used *used);
    /* weft_load_ahead; NULL as well. */
    weft_status (*load_ahead)(weft_device *device, const char *task);

    /* Another queue beside one that is open, which can use the same memory. */
    weft_status (*open_beside)(weft_device *device, weft_device *other);
    /* A mark behind all work of the queue, flushed; NULL after reporting. No function: work
     * is done when calls return, and has no marks. Then it and those below are NULL. */
    void *(*mark)(weft_device *device);
    /* Has a queue of the same family wait for it; the host, for a device of any backend,
     * which gets the error of work that failed; whether it is past; and its end. */
    weft_status (*wait_behind)(weft_device *device, void *mark);
    weft_status (*wait_here)(weft_device *device, void *mark);
    int (*is_past)(void *mark);
    void (*forget)(void *mark);
};

typedef struct weft_pool weft_pool;
typedef struct weft_pins weft_pins; /* what weft_pin was told of */

/* A task of listener.h: which stretch of the outermost it is, and of that the part that it
 * is at. */
typedef struct weft_heard_task {
    double begin, end, from, to;
} weft_heard_task;

enum { WEFT_TASKS = 8 /* within each other; deeper ones are not told */ };

/* Who hears of a device's calls, and what was told. */
typedef struct weft_hearing {
    int (*listener)(void *context, const char *call, double done);
    void *context;
    const char *call; /* the outermost task */
    double done;
    i64 depth;
    int launch; /* the next one fills the part */
    weft_heard_task task[WEFT_TASKS];
} weft_hearing;

struct weft_device {
    const weft_backend *backend; /* NULL where the open failed */
    void *state;                 /* the backend's own */
    char name[160];              /* what was chosen */
    weft_style style;
    i64 concurrency;
    weft_status status;
    char message[2048];
    weft_pool *pool;
    weft_pins *pins;
    weft_hearing hearing;
    u64 family; /* devices of one number can use each other's arrays; 0: of none */
    weft_allocator allocator; /* of host memory; `allocate` is NULL: the library's own */
};

/* For backends that can tell from within a launch: whether somebody hears of this one, to
 * be asked once; then how much of it is done, on the caller's thread, which returns whether
 * to go on. */
int weft_hears_launch(weft_device *device);
int weft_tell_launch(weft_device *device, double part);

/* The handle of scratch that a backend took for itself: its span. */
void *weft_buffer_memory(const struct weft_buffer *buffer);

/* Whether all of it is within memory that `pin` gave a handle of. */
int weft_is_pinned(const weft_device *device, const void *host, size_t bytes);

/* For calls that only one backend has. A device that is not open yet, or NULL; what follows
 * once the backend has opened it. */
weft_device *weft_device_new(void);
void weft_device_start(weft_device *device, const weft_backend *backend);

/* Elements of memory that the backend has a handle of, as an array, until weft_return gives
 * the handle back, `host` NULL. NULL array: out of memory, which is reported. */
weft_array weft_lend(weft_device *device, weft_type type, void *memory, i64 first,
                     i64 length, int read_only);

/* That the room of a struct for later members is 0; `what` names it. */
weft_status weft_need_zeros(weft_device *device, const char *call, const char *what,
                            const u64 *reserved, size_t bytes);

/* That the device has no array, scratch or loan; releases what the pool holds unused. */
weft_status weft_need_no_memory(weft_device *device, const char *call);

/* Where an array of the call `what`, "CALL.ARGUMENT", lies: of elements of `type` (0: of
 * any), at least `least` of them. */
weft_status weft_need_memory(weft_device *device, const char *what, weft_array array,
                             weft_type type, i64 least, weft_span *span);

/* The backends that are built in, the default first (made by the build). */
extern const weft_backend *const weft_backends[];
extern const i64 weft_backend_count;

#endif
