/* Programs loaded ahead. A list in the cache folder names those that the last process with
 * the same task used, in the order of their first use; a thread loads them from the cache
 * while the caller does other work. Who comes to one that is being loaded waits for it, to
 * one before that loads it as well.
 * Whatever is wrong with a list makes it an empty one. */
#define _POSIX_C_SOURCE 200809L
#include "backends/opencl/entries.h"
#include "program.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512 }; /* programs of a list */

struct opencl_ahead {
    opencl_state *state;
    pthread_t thread;
    int is_apart;
    atomic_int stops;
    pthread_mutex_t lock;     /* held while a program is loaded, */
    atomic_size_t at;         /*   which is this one of the list */
    opencl_hash name;         /* of the list */
    opencl_hash listed[MOST]; /* by the last process, */
    opencl_hash used[MOST];   /* and by this one */
    size_t listed_count, used_count;
};

static int is_same(opencl_hash a, opencl_hash b) {
    return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

static void load(opencl_ahead *ahead, opencl_hash hash) {
    opencl_shared *shared = ahead->state->shared;
    cl_program program = opencl_shared_find(shared, hash);
    if (!program) {
        program = opencl_cache_load(ahead->state, hash);
        if (program)
            opencl_shared_keep(shared, hash, program);
    }
    if (program)
        clReleaseProgram(program);
}

static void *load_listed(void *context) {
    opencl_ahead *ahead = context;
    for (size_t k = 0; k < ahead->listed_count && !ahead->stops; k++) {
        pthread_mutex_lock(&ahead->lock);
        ahead->at = k;
        load(ahead, ahead->listed[k]);
        pthread_mutex_unlock(&ahead->lock);
    }
    return NULL;
}

/* Of a task, on devices of this make and driver. */
static opencl_hash name_of(const opencl_state *state, const char *task) {
    opencl_hash hash = {{0, 0}};
    hash = opencl_hash_bytes(hash, state->identity, strlen(state->identity));
    return opencl_hash_bytes(hash, task, strlen(task));
}

weft_status opencl_load_ahead(weft_device *device, const char *task) {
    opencl_state *state = opencl_of(device);
    if (state->ahead || !state->cache)
        return WEFT_OK;
    opencl_ahead *ahead = calloc(1, sizeof *ahead);
    if (!ahead || pthread_mutex_init(&ahead->lock, NULL) != 0) {
        free(ahead);
        return weft_fail(device, WEFT_E_MEMORY, "out of memory: weft_load_ahead");
    }
    ahead->state = state;
    ahead->name = name_of(state, task);
    ahead->listed_count = opencl_cache_list(state, ahead->name, ahead->listed, MOST);
    ahead->is_apart = ahead->listed_count > 0 &&
                      pthread_create(&ahead->thread, NULL, load_listed, ahead) == 0;
    state->ahead = ahead;
    return WEFT_OK;
}

void opencl_ahead_wait(opencl_ahead *ahead, opencl_hash program) {
    if (ahead && ahead->is_apart && is_same(ahead->listed[ahead->at], program)) {
        pthread_mutex_lock(&ahead->lock);
        pthread_mutex_unlock(&ahead->lock);
    }
}

void opencl_ahead_note(opencl_ahead *ahead, opencl_hash program) {
    size_t k = 0;
    while (ahead && k < ahead->used_count && !is_same(ahead->used[k], program))
        k++;
    if (ahead && k == ahead->used_count && k < MOST)
        ahead->used[ahead->used_count++] = program;
}

void opencl_ahead_end(opencl_ahead *ahead) {
    if (!ahead)
        return;
    ahead->stops = 1;
    if (ahead->is_apart)
        pthread_join(ahead->thread, NULL);
    if (ahead->used_count > 0 &&
        (ahead->used_count != ahead->listed_count ||
         memcmp(ahead->used, ahead->listed, ahead->used_count * sizeof *ahead->used) != 0))
        opencl_cache_save_list(ahead->state, ahead->name, ahead->used, ahead->used_count);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}
