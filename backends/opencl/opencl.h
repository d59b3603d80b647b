/* The OpenCL backend: what its files share.
 *
 * A program is text: the dialect, the kernel files of the functions that it calls, wrappers
 * made from their tables of parameters, and a template (*.cl). It is built once for a
 * device, found again by the addresses of what it was made from, and kept on disk. */
#ifndef WEFT_BACKENDS_OPENCL_OPENCL_H
#define WEFT_BACKENDS_OPENCL_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

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
    /* and of a for_each on GPUs: a group keeps its registers until the last of its
     * work-items is done, so small ones leave fewer of them idle. */
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
    OPENCL_REDUCE,
    OPENCL_SCAN,
    OPENCL_SCAN_WARPS,
    OPENCL_SORT,
    OPENCL_SORT_SWEEP,
    OPENCL_SELECT,
    OPENCL_RUNS,
    OPENCL_HISTOGRAM,
    OPENCL_MERGE,
    OPENCL_PAIRS,
    OPENCL_SINE
} opencl_template;

enum { OPENCL_WIDE = 1, OPENCL_SEGMENTED = 2, OPENCL_EXCLUSIVE = 4 };

typedef struct opencl_program {
    opencl_key key;
    const char *name;   /* of the function that the caller wrote, for messages */
    cl_program program; /* NULL: what it is made from uses f64 and so runs on the host */
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
    struct opencl_transform *transforms; /* of clFFT */
    opencl_look_back look_back;
    void *sort_counts; /* of sort_sweep.c; NULL: none */
    i32 sort_turn;
} opencl_state;

static inline opencl_state *opencl_of(weft_device *device) {
    return device->state;
}

/* error.c: reports that `call` failed with `code`, of which `about` may say more. */
weft_status opencl_fail(weft_device *device, const char *call, cl_int code,
                        const char *about);

/* choose.c: the platform and device that `which` names (NULL: the best). */
weft_status opencl_choose(weft_device *device, const char *which, cl_platform_id *platform,
                          cl_device_id *id);
i64 opencl_devices(weft_device_info *info, i64 capacity);

/* memory.c */
void *opencl_allocate(weft_device *device, size_t bytes);
void opencl_release(weft_device *device, void *memory);
void *opencl_borrow(weft_device *device, void *host, size_t bytes, int read_only);
weft_status opencl_give_back(weft_device *device, void *memory, void *host, size_t bytes,
                             int read_only);
weft_status opencl_write(weft_device *device, void *memory, size_t offset, const void *host,
                         size_t bytes);
weft_status opencl_read(weft_device *device, void *memory, size_t offset, void *host,
                        size_t bytes);
weft_status opencl_synchronize(weft_device *device);
/* to = from, both of the same length; they may overlap. */
weft_status opencl_copy_memory(weft_device *device, weft_span from, weft_span to);
/* Scratch as a span; without memory after an error. */
weft_span opencl_span(weft_array scratch);
/* Sets all bytes, a multiple of 4, to 0. */
weft_status opencl_zero(weft_device *device, weft_span span);

/* text.c: text that grows. Running out of memory is remembered in `failed`. */
typedef struct opencl_text {
    char *bytes;
    size_t length, room;
    int failed;
    int needs_f64; /* which the device does not have */
} opencl_text;
void opencl_append(opencl_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void opencl_append_bytes(opencl_text *text, const char *bytes, size_t length);

/* items.c: the text of a kernel file. An item is a function, a type or a table, to its last
 * semicolon or brace; its name is the last word outside of brackets, before any value. */
typedef struct opencl_item {
    const char *end, *name;
    size_t length; /* of the name */
    int uses_f64;  /* or what is `gone`, or a literal of type double */
} opencl_item;
opencl_item opencl_read_item(const char *p, const opencl_text *gone);
/* Past a blank, a comment or a line of the preprocessor; p where none of them is. */
const char *opencl_skip_blank(const char *p);
/* Whether `names`, which stand between spaces, hold this one. */
int opencl_is_among(const opencl_text *names, const char *name, size_t length);

/* layout.c: whether the definition of a struct, and of those in it, leaves no doubt that
 * the host's compiler reads the same members. */
int opencl_is_laid_out_alike(const char *kernel_text, const char *struct_name);

/* without_f64.c: appends what does without f64 of a kernel file's text, each line in its
 * place; whether the function `name` does not. */
int opencl_append_without_f64(opencl_text *text, const char *kernel_text, const char *name);

/* entry.c: the parts of a program that come from tables of parameters. */
typedef struct opencl_called {
    const weft_source *source;
    const char *name;
} opencl_called;
/* The dialect and the kernel files of the functions that are called; each file once. */
void opencl_begin_text(const opencl_state *state, opencl_text *text,
                       const opencl_called *called, int count);
opencl_called opencl_calls(const weft_function *function);
/* weft_entry: the kernel for a launch of `function` in groups of so many work-items. */
void opencl_append_entry(opencl_text *text, const weft_function *function, i64 group);
/* An inline function NAME(index_t), its parameters NAME_PARAMETERS and arguments. */
void opencl_append_input(opencl_text *text, const char *name, const weft_input *in);
/* typedef of `name`, a type of which `source` has the definition: that it is laid out as on
 * the host is checked when the program is built. */
void opencl_append_type(opencl_text *text, const char *name, const char *type_name,
                        weft_type type, const weft_source *source);
/* weft_element, and weft_meet(sum, xi, xj weft_p_VALUES). */
void opencl_append_pairs(opencl_text *text, const weft_pairs_function *pairs);
/* All that stands before the template of a fold: also weft_in, weft_heads (NULL: none), and
 * GROUP. */
void opencl_begin_fold(const opencl_state *state, opencl_text *text, const weft_input *in,
                       const weft_input *heads, const weft_operator *op, i64 group);
/* opencl_append_input with the type of its elements, unsigned integers where they lie in
 * memory. */
void opencl_append_bits(opencl_text *text, const char *name, const weft_input *in);
/* look_back.cl and what it needs to know of elements. */
int opencl_is_float(weft_type type);
void opencl_append_look_back(opencl_text *text, weft_type element, int counted);
/* sort.c: sums of u32. */
const weft_operator *opencl_count(void);
/* sort.c: KEY, VALUE, VALUE_PARAMETERS and weft_digit. */
void opencl_append_digits(opencl_text *text, const weft_sort_call *sort);
/* The OpenCL name of an unsigned integer of so many bytes: 1, 2, 4, 8. */
const char *opencl_unsigned(size_t size);

/* hash.c */
typedef struct opencl_hash {
    u64 word[2];
} opencl_hash;
opencl_hash opencl_hash_bytes(opencl_hash from, const void *bytes, size_t length);

/* cache.c: programs on disk. Whatever is wrong there is a miss. */
char *opencl_cache_folder(void);
cl_program opencl_cache_load(opencl_state *state, opencl_hash key);
void opencl_cache_save(opencl_state *state, opencl_hash key, cl_program program);

/* program.c */
opencl_program *opencl_find(weft_device *device, const opencl_key *key);
/* Builds `text` and frees it; kernels[k] get these names, up to a NULL. Reports and returns
 * NULL where that fails. `name` is what the user would call it. */
opencl_program *opencl_build(weft_device *device, const opencl_key *key, const char *name,
                             opencl_text *text, const char *const *kernels);
void opencl_free_programs(opencl_state *state);

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
                              int exclusive, weft_span out);
/* histogram.c, merge.c: entries of the table that GPUs take. */
int opencl_histogram(weft_device *device, const weft_input *bins, weft_span counts);
int opencl_merge(weft_device *device, const weft_merge_call *merge);
/* select_warps.c, runs_warps.c: entries of the table that take what warps can do. */
int opencl_select(weft_device *device, const weft_select_call *select);
int opencl_reduce_runs(weft_device *device, const weft_runs_call *runs);
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

/* sine_clfft.c, or sine_none.c, which takes no call. */
int opencl_sine_transform(weft_device *device, i64 n, weft_span cubes);
void opencl_free_transforms(opencl_state *state);

/* A compiler's messages with <kernel>:N, a line of the whole text, told as FILE:LINE. */
void opencl_true_places(const char *text, const char *log, char *out, size_t most);

#endif
