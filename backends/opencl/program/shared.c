/* Programs that the queues of one context have in common: what one of them built, the
 * others need not build again. */
#include "program.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct shared_program {
    opencl_hash hash;
    cl_program program;
    struct shared_program *next;
} shared_program;

struct opencl_shared {
    pthread_mutex_t lock;
    i64 queues; /* that are open */
    shared_program *programs[OPENCL_BUCKETS];
};

opencl_shared *opencl_shared_new(void) {
    opencl_shared *shared = calloc(1, sizeof *shared);
    if (shared && pthread_mutex_init(&shared->lock, NULL) != 0) {
        free(shared);
        return NULL;
    }
    if (shared)
        shared->queues = 1;
    return shared;
}

opencl_shared *opencl_shared_join(opencl_shared *shared) {
    pthread_mutex_lock(&shared->lock);
    shared->queues++;
    pthread_mutex_unlock(&shared->lock);
    return shared;
}

void opencl_shared_leave(opencl_shared *shared) {
    pthread_mutex_lock(&shared->lock);
    const i64 left = --shared->queues;
    pthread_mutex_unlock(&shared->lock);
    if (left > 0)
        return;
    for (int b = 0; b < OPENCL_BUCKETS; b++)
        while (shared->programs[b]) {
            shared_program *p = shared->programs[b];
            shared->programs[b] = p->next;
            clReleaseProgram(p->program);
            free(p);
        }
    pthread_mutex_destroy(&shared->lock);
    free(shared);
}

static shared_program *look_up(const opencl_shared *shared, opencl_hash hash) {
    shared_program *p = shared->programs[hash.word[0] % OPENCL_BUCKETS];
    while (p && (p->hash.word[0] != hash.word[0] || p->hash.word[1] != hash.word[1]))
        p = p->next;
    return p;
}

cl_program opencl_shared_find(opencl_shared *shared, opencl_hash hash) {
    pthread_mutex_lock(&shared->lock);
    const shared_program *p = look_up(shared, hash);
    cl_program found = p && clRetainProgram(p->program) == CL_SUCCESS ? p->program : NULL;
    pthread_mutex_unlock(&shared->lock);
    return found;
}

/* Of two queues that built the same at the same time, the first gives its own. */
void opencl_shared_keep(opencl_shared *shared, opencl_hash hash, cl_program program) {
    pthread_mutex_lock(&shared->lock);
    shared_program *p = look_up(shared, hash) ? NULL : malloc(sizeof *p);
    if (p && clRetainProgram(program) == CL_SUCCESS) {
        shared_program **bucket = &shared->programs[hash.word[0] % OPENCL_BUCKETS];
        *p = (shared_program){hash, program, *bucket};
        *bucket = p;
    } else {
        free(p);
    }
    pthread_mutex_unlock(&shared->lock);
}
