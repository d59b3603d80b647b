/* Preloaded, allocation $STARVED of those that the program's own code asks for fails, and
 * the file $STARVED_TOLD says so: what libraries ask for is theirs to test. */
#define _GNU_SOURCE
#include <argp.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

/* argp's own memory, where STARVED is argp. */
error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *at,
                   void *input) {
    const char *text = getenv("STARVED");
    error_t (*parse)(const struct argp *, int, char **, unsigned, int *, void *);
    if (text && strcmp(text, "argp") == 0)
        return ENOMEM;
    *(void **)&parse = dlsym(RTLD_NEXT, "argp_parse");
    return parse(argp, argc, argv, flags, at, input);
}

static atomic_long asked;
static long fails_at;
static uintptr_t begin = UINTPTR_MAX, end;

/* The program is the first of what is loaded. */
static int find_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        const uintptr_t first = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD)
            continue;
        begin = first < begin ? first : begin;
        end = first + part->p_memsz > end ? first + part->p_memsz : end;
    }
    return 1;
}

__attribute__((constructor)) static void start(void) {
    const char *text = getenv("STARVED");
    dl_iterate_phdr(find_program, NULL);
    fails_at = text ? atol(text) : 0;
}

static int fails(const void *caller) {
    const char *told = getenv("STARVED_TOLD");
    if (fails_at == 0 || (uintptr_t)caller < begin || (uintptr_t)caller >= end ||
        atomic_fetch_add(&asked, 1) + 1 != fails_at)
        return 0;
    if (told)
        close(open(told, O_CREAT | O_WRONLY, 0600));
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}
