#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20, LINE = 64 };

void *memory_new(size_t bytes) {
    const size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : LINE;
    const size_t rounded = (bytes / align + 1) * align;
    void *memory = aligned_alloc(align, rounded);
    if (memory == NULL) {
        fprintf(stderr, "weft-bench: out of memory: %zu bytes\n", bytes);
        return NULL;
    }
    if (align == HUGE_PAGE)
        madvise(memory, rounded, MADV_HUGEPAGE); /* a hint: it may say no */
    memset(memory, 0, rounded);
    return memory;
}

static void *room(struct task_array *array, weft_type type, int64_t length) {
    *array = (struct task_array){.length = length, .type = type};
    array->data = memory_new(task_bytes(array));
    return array->data;
}

void *task_input(struct task *task, int k, weft_type type, int64_t length) {
    return room(&task->in[k], type, length);
}

void *task_output(struct task *task, int k, weft_type type, int64_t length) {
    return room(&task->out[k], type, length);
}

static bool own(struct task_array *array) {
    const void *shared = array->data;
    if (shared == NULL)
        return true;
    array->data = memory_new(task_bytes(array));
    if (array->data)
        memcpy(array->data, shared, task_bytes(array));
    return array->data != NULL;
}

bool task_own(struct task *task) {
    bool good = true;
    for (int k = 0; k < TASK_INPUTS; ++k)
        good &= own(&task->in[k]);
    for (int k = 0; k < TASK_OUTPUTS; ++k)
        good &= own(&task->out[k]);
    if (!good)
        task_free(task);
    return good;
}

size_t task_bytes(const struct task_array *array) {
    return (size_t)array->length * WEFT_SIZE(array->type);
}

void task_free(struct task *task) {
    for (int k = 0; k < TASK_INPUTS; ++k)
        free(task->in[k].data);
    for (int k = 0; k < TASK_OUTPUTS; ++k)
        free(task->out[k].data);
}
