#define _DEFAULT_SOURCE
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* (When they pay: backends/host/memory.c.) */
enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20, HUGE_FROM = 64 << 20 };

bool io_fail(struct io_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool io_fail_read(struct io_error *error, const char *path) {
    return path[0] == '\0' ? io_fail(error, "the name of a file to read is empty")
                           : io_fail(error, "cannot read %s: %s", path, strerror(errno));
}

void *io_allocate(int64_t count, size_t bytes_each, const char *what,
                  struct io_error *error) {
    const size_t n = count > 0 ? (size_t)count : 1;
    void *memory = NULL;
    if (n <= (PTRDIFF_MAX - HUGE_PAGE) / bytes_each) {
        const size_t bytes = n * bytes_each;
        const size_t align = bytes >= HUGE_FROM ? HUGE_PAGE : ALIGNMENT;
        const size_t rounded = (bytes + align - 1) / align * align;
        memory = aligned_alloc(align, rounded);
        if (memory && align == HUGE_PAGE)
            madvise(memory, rounded, MADV_HUGEPAGE); /* a hint: it may say no */
    }
    if (memory == NULL) {
        io_fail(error, "no memory for %s: %lld times %zu bytes", what, (long long)count,
                bytes_each);
    }
    return memory;
}

char *io_join(const char *head, const char *tail, struct io_error *error) {
    const size_t head_length = strlen(head), tail_length = strlen(tail);
    char *joined =
        io_allocate((int64_t)(head_length + tail_length + 1), 1, "a file name", error);
    if (joined != NULL) {
        memcpy(joined, head, head_length);
        memcpy(joined + head_length, tail, tail_length + 1);
    }
    return joined;
}
