/* What the backends that run on the host share: memory, arguments, tiles and folds. */
#ifndef WEFT_BACKENDS_HOST_HOST_H
#define WEFT_BACKENDS_HOST_HOST_H

#include "choice.h"
#include "core/backend.h"

enum {
    HOST_TILE = 2048,         /* bytes that a generator fills at a time */
    HOST_ELEMENT = 4096,      /* bytes of an operator's largest elements */
    HOST_FOLD_BLOCK = 1 << 16 /* elements that are folded by themselves, for any threads */
};

/* Aligned for vectors: of the device's allocator, where it has one; else (and device may be
 * NULL), where large, for huge pages. */
void *host_allocate(weft_device *device, size_t bytes);
void host_release(weft_device *device, void *memory, size_t bytes);
void *host_borrow(weft_device *device, void *host, size_t bytes, int read_only);
weft_status host_give_back(weft_device *device, void *memory, void *host, size_t bytes,
                           int read_only);
weft_status host_write(weft_device *device, void *memory, size_t offset, const void *host,
                       size_t bytes);
weft_status host_read(weft_device *device, void *memory, size_t offset, void *host,
                      size_t bytes);

/* The address of element `first + i`; NULL of an array that has no memory. */
static inline void *host_at(weft_span span, i64 i) {
    if (!span.memory)
        return NULL;
    return (char *)span.memory + (size_t)(span.first + i) * WEFT_SIZE(span.type);
}

/* Pointers to a call's values and arrays, as host loops take them. */
void host_arguments(const weft_call *call, void *pointers[WEFT_MAX_PARAMETERS]);

/* Elements [begin, end) of an input: in place, or generated into `tile`, which must hold
 * them. host_tile_length says how many elements of a size fit HOST_TILE. */
const void *host_elements(const weft_input *in, i64 begin, i64 end, void *tile);
i64 host_tile_length(weft_type type);

/* Replaces elements [begin, end) of numbers. */
void host_replace(const weft_replace_call *call, i64 begin, i64 end);

/* Copies bytes; `bypass`: around the caches, which pays where the whole result is larger
 * than they are, as host_bypasses says. host_stream_end comes before other threads read. */
int host_bypasses(weft_span out);
void host_stream(void *to, const void *from, size_t bytes, int bypass);
void host_stream_end(void);
/* Around the caches by some pages in turn, which is the faster on some makes. */
void host_stream_pages(void *to, const void *from, size_t bytes);

/* out[place ...] = `count` elements, as far as there is room; host_stream_end comes before
 * other threads read, as at the end of a chain. */
void host_put(weft_span out, i64 place, const void *elements, i64 count, int bypass);

/* out[begin .. end) = in[begin .. end). What is generated goes around the caches where
 * host_generates_around says so, but for the other call. */
void host_copy(const weft_input *in, weft_span out, i64 begin, i64 end);
void host_generate(const weft_input *in, weft_span out, i64 begin, i64 end);
int host_generates_around(const weft_input *in, weft_span out);

/* That an operator's elements are not larger than HOST_ELEMENT. */
weft_status host_check_operator(weft_device *device, const weft_operator *op);

/* *result = the fold of in[begin .. end), in an association that depends on nothing but
 * `begin - end` and the type. The operator must commute. */
void host_fold(const weft_input *in, const weft_operator *op, i64 begin, i64 end,
               void *result);

/* Threads that share a loop: `work` gets parts of [0, n) and which thread it runs on. Parts
 * have `least` to `most` elements; least = most says that each is worth a thread. */
typedef void host_work(void *context, i64 begin, i64 end, i64 thread);
typedef struct host_crew {
    i64 threads;
    void *team;
    void (*run)(void *team, i64 n, i64 least, i64 most, host_work *work, void *context);
    host_choices *choices; /* or NULL: nothing is chosen */
} host_crew;

/* A crew of one. */
extern const host_crew host_alone;

/* Work on blocks, each with a total to hand on to all after it: `within` finds it, `join`
 * adds it to the sum of those before, and `finish` is told the sum of all before the block,
 * and a block whose turn is next on this thread, where that is known, to be fetched (or
 * -1). A block's memory stays as `within` leaves it, up to `finish`, on the same thread;
 * `within` may come twice, but not after `finish`, and must find the same total. Where it
 * may not, as what it reads changes, threads may wait for those that they need. */
typedef struct host_chain {
    i64 blocks;
    size_t memory, total; /* bytes, memory aligned to 64, totals to 8 */
    int once;             /* `within` comes once for each block */
    void (*within)(void *context, i64 block, void *memory, void *total);
    void (*join)(void *context, void *sum, const void *total);
    void (*finish)(void *context, i64 block, void *memory, const void *sum, i64 next);
} host_chain;
/* *sum: what comes before the first block; then the sum of all. */
weft_status host_run_chain(weft_device *device, const host_crew *crew,
                           const host_chain *chain, void *context, void *sum);
/* The same in one of two ways, of which *way is told before: the one that a choice for a
 * result of so many bytes says; 0 where it is NULL. */
weft_status host_run_chain_either(weft_device *device, const host_crew *crew,
                                  const host_chain *chain, void *context, void *sum,
                                  host_choice *choice, u64 bytes, int *way);
/* The same on one thread, in memory that is there. */
void host_run_chain_alone(const host_chain *chain, void *context, void *memory, void *sum);
size_t host_chain_memory(const host_chain *chain);

/* As the backend's table says. Scratch: up to 1 MiB a thread, or some 100 of the
 * largest elements. */
weft_status host_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                      const weft_operator *op, int exclusive, weft_span out,
                      const host_crew *crew);
weft_status host_scan_from(weft_device *device, const weft_input *in,
                           const weft_operator *op, int exclusive, const void *start,
                           weft_span out, const host_crew *crew);
/* The same on one thread, in host_scan_memory bytes, aligned to 64; the operator is
 * checked. */
void host_scan_alone(const weft_input *in, const weft_input *heads, const weft_operator *op,
                     int exclusive, weft_span out, void *memory);
size_t host_scan_memory(weft_type type);
weft_status host_select(weft_device *device, const weft_select_call *select,
                        const host_crew *crew);
weft_status host_reduce_runs(weft_device *device, const weft_runs_call *runs,
                             const host_crew *crew);
/* Sums of what lies in memory; returns whether it took the call. */
int host_reduce_segments(weft_device *device, const weft_segments_call *segments,
                         const host_crew *crew);

weft_status host_parts(weft_device *device, const weft_parts_call *parts,
                       const host_crew *crew);

/* The number of the first flag that is (not 0) == wanted, or -1. */
i64 host_find(const weft_input *flags, int wanted, const host_crew *crew);

int host_histogram(weft_device *device, const weft_input *bins, weft_span counts,
                   const host_crew *crew);

/* Moves the elements whose flag is (not 0) == keep to the front of `out`, which has room
 * for all and 64 bytes more; returns how many those are. The others go to `others`, alike,
 * unless that is NULL. What follows in memory is fetched. */
i64 host_compact(const void *in, const u32 *flags, u32 keep, i64 n, size_t size, void *out,
                 void *others);

/* Sorts as weft_sort_call says. Scratch: one copy of keys and values (keys of 8 bytes whose
 * range takes more than about 40 bits, or that crowd together in it, count as 8 + 8 bytes
 * with a value), of the most frequent ones a second, and about 1 MiB a thread, half as much
 * again for keys alone. */
weft_status host_sort(weft_device *device, const weft_sort_call *sort,
                      const host_crew *crew);
/* The same by definition, slowly. */
weft_status host_sort_plainly(weft_device *device, const weft_sort_call *sort);

/* Sine transforms of cubes by FFTW; returns 0 where the library was built without. */
int host_sine_transform(weft_device *device, i64 n, weft_span cubes, const host_crew *crew);

/* The order-preserving image of a key in the low bits, as weft_sort_call describes. */
u64 host_ordered(weft_type type, const void *key);

/* Folds all pairs of the points [begin, end) of the segment [first, last). */
void host_pairs(const weft_pairs_function *pairs, void *const *arguments, i64 begin,
                i64 end, i64 first, i64 last, weft_span out);

#endif
