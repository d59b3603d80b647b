/* These definitions come before the C library's for the library under test, too, which is
 * shared. glibc lends its own under other names. */
#include "failing.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);
void __libc_free(void *memory);

static atomic_long countdown = -1, live;
static atomic_int stays_failed, happened;

void failing_set(long after, int stays) {
    atomic_store(&stays_failed, stays);
    atomic_store(&happened, 0);
    atomic_store(&countdown, after);
}

int failing_happened(void) {
    return atomic_load(&happened);
}

long failing_live(void) {
    return atomic_load(&live);
}

static int fails(void) {
    if (atomic_load(&happened) && atomic_load(&stays_failed))
        return 1;
    if (atomic_load(&countdown) < 0 || atomic_fetch_sub(&countdown, 1) != 0)
        return 0;
    atomic_store(&happened, 1);
    return 1;
}

static void *counted(void *memory) {
    if (memory)
        atomic_fetch_add(&live, 1);
    else
        errno = ENOMEM;
    return memory;
}

void *malloc(size_t bytes) {
    return counted(fails() ? NULL : __libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes) {
    return counted(fails() ? NULL : __libc_calloc(count, bytes));
}

void *aligned_alloc(size_t align, size_t bytes) {
    return counted(fails() ? NULL : __libc_memalign(align, bytes));
}

void *realloc(void *memory, size_t bytes) {
    if (!memory)
        return malloc(bytes);
    return fails() ? NULL : __libc_realloc(memory, bytes);
}

void free(void *memory) {
    if (memory)
        atomic_fetch_sub(&live, 1);
    __libc_free(memory);
}
