/* Meson has what tests allocate filled (MALLOC_PERTURB_), which shows what is used before
 * it is written. PoCL 3.1 allocates 256 MB to tell how long a program is, of which it uses
 * some hundred KB: filling them takes a fifth of a second for each program that is kept. So
 * of these only the first part is filled: what moves to more room is not. */
#include <stddef.h>

void *__libc_malloc(size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *malloc(size_t bytes);

/* More than what the C library ever takes from its heap. */
static const size_t part = 33 << 20, all = 256 << 20;

void *malloc(size_t bytes) {
    void *memory = __libc_malloc(bytes == all ? part : bytes);
    return memory && bytes == all ? __libc_realloc(memory, all) : memory;
}
