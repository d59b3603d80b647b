/* A peer library behind a small table of C functions, so that weft-bench can race it. */
#ifndef WEFT_BENCH_PEER_H
#define WEFT_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TASK_INPUTS = 4, TASK_OUTPUTS = 2 };

struct task_array {
    void *data; /* in host memory, aligned to 2 MiB with huge pages asked for where large */
    int64_t length;
    uint32_t type; /* a weft_type: the low 24 bits are the size of an element in bytes */
};

/* Zeroed memory for all sides alike, aligned to 2 MiB and advised to be huge pages where it
 * is that large, as the library's own pool does; `free` gives it back. NULL and a sentence
 * on standard error after a failure. */
void *memory_new(size_t bytes);

/* What is to be computed: a row of the benchmark with its inputs, and room for results. */
struct task {
    const char *name, *types; /* the row's, as in the report */
    int64_t n;
    struct task_array in[TASK_INPUTS], out[TASK_OUTPUTS]; /* length 0 where not used */
    int in_place;   /* out[k] begins as a copy of in[k], and is changed in place */
    int64_t count;  /* a number of elements or an index that the operation returns */
    uint64_t value; /* the bits of a value that it returns */
    double pairs;   /* of members of halos, that looking at all takes; 0: not told */
    double cells;   /* that a tetrahedron meets, in the mean; 0: not told */
    double *error;  /* of the result, as its check found; NULL: not told */
    void *settings; /* for rows that take more than arrays */
    void *device;   /* the weft_device that ours runs on, for peers that are on_weft */
};

/* How one peer does tasks. */
struct peer {
    const char *name;    /* `by` in the report */
    const char *backend; /* in its own words: openmp, tbb, cuda, ... */
    int on_gpu;          /* raced with devices of that kind alone */
    int one_thread;      /* whatever the number of threads */
    /* Version and policy, for the report; NULL where the machine has nothing to run on. */
    const char *(*describe)(void);
    /* Takes the task over to where it runs. NULL: it has no such operation, or no memory
     * for it. The task stays the caller's and must outlive the state; runs find its arrays
     * in it anew, as they may lie elsewhere than when it was opened. */
    void *(*open)(struct task *task, int threads);
    /* Puts inputs that a run changes back. Returns when done, as do the others. */
    int (*reset)(void *state);
    /* The operation. 1 where it was done. */
    int (*run)(void *state);
    /* Brings the results to task->out, task->count and task->value. */
    int (*fetch)(void *state);
    void (*close)(void *state);
    int on_weft; /* written on the library: runs where ours does */
};

#ifdef __cplusplus
}
#endif
#endif
