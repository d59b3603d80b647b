/* Programs: found by what they were made from, else by their text among those of the other
 * queues, else loaded from disk, else built. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static opencl_program **bucket_of(opencl_state *state, const opencl_key *key) {
    u64 h = key->what * 0x9e3779b97f4a7c15u + key->flags;
    for (int k = 0; k < 3; k++)
        h = (h ^ (u64)(uintptr_t)key->made_from[k] >> 4) * 0x9e3779b97f4a7c15u;
    return &state->programs[h >> 56];
}

static int same_key(const opencl_key *a, const opencl_key *b) {
    return a->what == b->what && a->flags == b->flags &&
           a->made_from[0] == b->made_from[0] && a->made_from[1] == b->made_from[1] &&
           a->made_from[2] == b->made_from[2];
}

opencl_program *opencl_find(weft_device *device, const opencl_key *key) {
    opencl_program *p = *bucket_of(opencl_of(device), key);
    while (p && !same_key(&p->key, key))
        p = p->next;
    return p;
}

static void free_program(opencl_program *p) {
    for (int k = 0; k < OPENCL_KERNELS; k++)
        if (p->kernels[k])
            clReleaseKernel(p->kernels[k]);
    if (p->program)
        clReleaseProgram(p->program);
    free(p);
}

void opencl_free_programs(opencl_state *state) {
    for (int b = 0; b < OPENCL_BUCKETS; b++)
        while (state->programs[b]) {
            opencl_program *p = state->programs[b];
            state->programs[b] = p->next;
            free_program(p);
        }
}

/* The compiler's lines from its first error on, at most `most` characters. */
static void first_errors(const char *log, char *lines, size_t most) {
    const char *error = strstr(log, "error");
    while (error && error > log && error[-1] != '\n')
        error--;
    const char *from = error ? error : log;
    size_t length = 0;
    for (int line = 0; line < 6 && from[length] && length < most - 1; line++) {
        length += strcspn(from + length, "\n");
        length += from[length] == '\n';
    }
    length = length < most - 1 ? length : most - 1;
    memcpy(lines, from, length);
    while (length && (lines[length - 1] == '\n' || lines[length - 1] == ' '))
        length--;
    lines[length] = '\0';
}

/* What to write, where the compiler's words are not those of kernel files. */
static const char *advice_on(const char *lines) {
    return strstr(lines, "address space") || strstr(lines, "__global")
               ? ", for a pointer to an array needs GLOBAL"
               : "";
}

static void report_build(weft_device *device, cl_program program, const char *name,
                         const char *text, cl_int code) {
    opencl_state *state = opencl_of(device);
    char lines[1500] = "", placed[1500] = "";
    size_t size = 0;
    clGetProgramBuildInfo(program, state->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = size ? calloc(1, size + 1) : NULL;
    if (log && clGetProgramBuildInfo(program, state->id, CL_PROGRAM_BUILD_LOG, size, log,
                                     NULL) == CL_SUCCESS)
        first_errors(log, lines, sizeof lines);
    opencl_true_places(text, lines, placed, sizeof placed);
    free(log);
    if (code != CL_BUILD_PROGRAM_FAILURE)
        opencl_fail(device, "clBuildProgram", code, name);
    else
        weft_fail(device, WEFT_E_BUILD, "%s: the compiler of %s refuses it%s: %s", name,
                  device->name, advice_on(placed), placed);
}

static cl_program compile(weft_device *device, const char *name, const opencl_text *text,
                          const char *options) {
    opencl_state *state = opencl_of(device);
    const char *bytes = text->bytes, *doubtful = opencl_doubtful_struct(text);
    cl_int code;
    if (doubtful) {
        weft_fail(device, WEFT_E_BUILD,
                  "%s: %s may have other members on the host: its definition, and those of "
                  "structs in it, must stand in the kernel file, once, under no condition",
                  name, doubtful);
        return NULL;
    }
    cl_program program =
        clCreateProgramWithSource(state->context, 1, &bytes, &text->length, &code);
    if (code != CL_SUCCESS) {
        opencl_fail(device, "clCreateProgramWithSource", code, name);
        return NULL;
    }
    code = clBuildProgram(program, 1, &state->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        report_build(device, program, name, bytes, code);
        clReleaseProgram(program);
        return NULL;
    }
    return program;
}

static opencl_hash hash_of(const opencl_state *state, const opencl_text *text,
                           const char *options) {
    opencl_hash hash = {{0, 0}};
    hash = opencl_hash_bytes(hash, state->identity, strlen(state->identity));
    hash = opencl_hash_bytes(hash, options, strlen(options));
    return opencl_hash_bytes(hash, text->bytes, text->length);
}

static cl_program load_or_compile(weft_device *device, const char *name,
                                  const opencl_text *text, const char *options,
                                  opencl_hash hash) {
    opencl_state *state = opencl_of(device);
    cl_program program = opencl_cache_load(state, hash);
    if (!program) {
        program = compile(device, name, text, options);
        if (program)
            opencl_cache_save(state, hash, program);
    }
    if (program)
        opencl_shared_keep(state->shared, hash, program);
    return program;
}

/* Makes p->program; there need be none where it would not run. */
static cl_int make_program(weft_device *device, opencl_program *p, const opencl_text *text,
                           const char *options) {
    if (text->needs_f64)
        return CL_SUCCESS;
    const opencl_hash hash = hash_of(opencl_of(device), text, options);
    if (p->key.what == OPENCL_COMPILED && opencl_is_known(hash))
        return CL_SUCCESS;
    opencl_ahead_wait(opencl_of(device)->ahead, hash);
    p->program = opencl_shared_find(opencl_of(device)->shared, hash);
    if (!p->program)
        p->program = load_or_compile(device, p->name, text, options, hash);
    if (!p->program)
        return CL_INVALID_PROGRAM;
    opencl_know(hash);
    opencl_ahead_note(opencl_of(device)->ahead, hash);
    return CL_SUCCESS;
}

opencl_program *opencl_build(weft_device *device, const opencl_key *key, const char *name,
                             opencl_text *text, const char *const *kernels) {
    opencl_state *state = opencl_of(device);
    opencl_program *p = calloc(1, sizeof *p);
    if (!p || text->failed) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: the OpenCL text of %s", name);
        free(p);
        opencl_free_text(text);
        return NULL;
    }
    char options[256];
    snprintf(options, sizeof options, "%s -DWEFT_INDEX=%s -DWEFT_GROUP=%d", state->options,
             key->flags & OPENCL_WIDE ? "long" : "int", (int)state->group);
    p->key = *key;
    p->name = name;
    cl_int code = make_program(device, p, text, options);
    opencl_free_text(text);
    for (int k = 0; p->program && k < OPENCL_KERNELS && kernels[k] && code == CL_SUCCESS;
         k++) {
        p->kernels[k] = clCreateKernel(p->program, kernels[k], &code);
        if (code != CL_SUCCESS)
            opencl_fail(device, "clCreateKernel", code, name);
    }
    if (code != CL_SUCCESS) {
        free_program(p);
        return NULL;
    }
    opencl_program **bucket = bucket_of(state, key);
    p->next = *bucket;
    *bucket = p;
    return p;
}
