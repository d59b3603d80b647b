/* From a registered function to a program: text, layout, choice of kernels, cache. */
#ifndef WEFT_BACKENDS_OPENCL_PROGRAM_H
#define WEFT_BACKENDS_OPENCL_PROGRAM_H

#include "backends/opencl/opencl.h"

/* choose.c: the platform and device that `which` names (NULL: the best). */
weft_status opencl_choose(weft_device *device, const char *which, cl_platform_id *platform,
                          cl_device_id *id);
void opencl_describe(cl_platform_id platform, cl_device_id id, char *name, size_t size);
i64 opencl_devices(weft_device_info *info, i64 capacity);

/* text.c: text that grows. Running out of memory is remembered in `failed`. */
typedef struct opencl_text {
    char *bytes;
    size_t length, room;
    int failed;
    int needs_f64; /* which the device does not have */
    struct opencl_struct *structs;
    size_t struct_count;
} opencl_text;
void opencl_append(opencl_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void opencl_append_bytes(opencl_text *text, const char *bytes, size_t length);
void opencl_free_text(opencl_text *text);

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

/* layout.c: has a struct of a kernel file looked at when the text is compiled; and one of
 * these of which the definition, or that of a struct in it, leaves a doubt that the host's
 * compiler reads the same members. NULL: there is none. */
void opencl_add_struct(opencl_text *text, const weft_source *source, const char *name);
const char *opencl_doubtful_struct(const opencl_text *text);

/* without_f64.c: appends what does without f64 of a kernel file's text, each line in its
 * place; whether the function `name` does not. */
int opencl_append_without_f64(opencl_text *text, const char *kernel_text, const char *name);

/* entry.c: the parts of a program that come from tables of parameters. */
typedef struct opencl_called {
    const weft_source *source;
    const char *name;
    const char
        *compared; /* of a comparison, to which order.cl is added: what it compares */
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
/* sort_digits.c: KEY and weft_digit; with weft_image, for keys that ascend; VALUE and
 * VALUE_PARAMETERS; what of a type the first depends on, in 5 bits; and what keys differ in
 * beyond that, which kernels are given. */
void opencl_append_digits(opencl_text *text, weft_type keys);
void opencl_append_image(opencl_text *text, weft_type keys);
void opencl_append_values(opencl_text *text, weft_type values);
u32 opencl_key_kind(weft_type keys);
u64 opencl_flip(weft_type keys, int descending);
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
/* Keys of programs, at most so many; returns how many there are. */
size_t opencl_cache_list(const opencl_state *state, opencl_hash key, opencl_hash *list,
                         size_t most);
void opencl_cache_save_list(opencl_state *state, opencl_hash key, const opencl_hash *list,
                            size_t count);

/* shared.c: programs that the queues of a context have in common, each of which leaves
 * once. NULL: out of memory. What is found is the caller's to release. Any thread may call.
 */
typedef struct opencl_shared opencl_shared;
opencl_shared *opencl_shared_new(void);
opencl_shared *opencl_shared_join(opencl_shared *shared);
void opencl_shared_leave(opencl_shared *shared);
cl_program opencl_shared_find(opencl_shared *shared, opencl_hash hash);
void opencl_shared_keep(opencl_shared *shared, opencl_hash hash, cl_program program);

/* ahead.c: programs loaded by a thread; NULL: there is none. Waits for a program that is
 * being loaded; notes that one is used; ends the thread. */
typedef struct opencl_ahead opencl_ahead;
void opencl_ahead_wait(opencl_ahead *ahead, opencl_hash program);
void opencl_ahead_note(opencl_ahead *ahead, opencl_hash program);
void opencl_ahead_end(opencl_ahead *ahead);

/* known.c: programs that this process built. */
int opencl_is_known(opencl_hash key);
void opencl_know(opencl_hash key);

/* program.c */
opencl_program *opencl_find(weft_device *device, const opencl_key *key);
/* Builds `text` and frees it; kernels[k] get these names, up to a NULL. Reports and returns
 * NULL where that fails. `name` is what the user would call it. */
opencl_program *opencl_build(weft_device *device, const opencl_key *key, const char *name,
                             opencl_text *text, const char *const *kernels);
void opencl_free_programs(opencl_state *state);

/* A compiler's messages with <kernel>:N, a line of the whole text, told as FILE:LINE. */
void opencl_true_places(const char *text, const char *log, char *out, size_t most);

#endif
