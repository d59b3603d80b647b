#include "pages.h"
#include "io/crew/crew.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

struct touching {
    char *memory;
    int64_t page;
};

static void touch(void *context, int64_t begin, int64_t end, int part) {
    const struct touching *touching = context;
    (void)part;
    for (int64_t k = begin; k < end; k += touching->page)
        ((volatile char *)touching->memory)[k] = 0;
}

void pages_touch(int threads, void *memory, size_t bytes) {
    struct touching touching = {memory, sysconf(_SC_PAGESIZE)};
    crew_run(threads, (int64_t)bytes, touch, &touching);
}

struct pages pages_within(char *begin, char *end) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return (struct pages){(char *)(((uintptr_t)begin + page - 1) / page * page),
                          (char *)((uintptr_t)end / page * page)};
}

static size_t size_of(struct pages pages) {
    return pages.begin < pages.end ? (size_t)(pages.end - pages.begin) : 0;
}

void pages_give_up(struct pages pages) {
    if (size_of(pages) > 0)
        madvise(pages.begin, size_of(pages), MADV_DONTNEED);
}

bool pages_pass(struct pages *spare, char *begin, char *end) {
#ifdef MREMAP_DONTUNMAP
    const struct pages bare = pages_within(begin, end);
    const size_t room = size_of(bare), there = size_of(*spare);
    const size_t bytes = room < there ? room : there;
    if (bytes == 0)
        return true;
    if (mremap(spare->begin, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
               bare.begin) != MAP_FAILED) {
        spare->begin += bytes;
        return true;
    }
    /* What was there may be gone by now. */
    return mmap(bare.begin, bytes, PROT_READ | PROT_WRITE,
                MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
#else
    (void)spare, (void)begin, (void)end;
    return true;
#endif
}
