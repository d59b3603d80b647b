/* The checking backend: serial, run twice under changed circumstances and watched.
 *
 * A launch sees its arrays and nothing else, writes what its registration says it writes,
 * and gives the same whatever the order of its work-items, whatever its outputs held, and
 * whatever lies beside its arrays. So each launch is run forwards and then backwards, with
 * the outputs filled and the surroundings inverted in between; the two must agree, and no
 * byte may change that is not an output. Kernels with `shared` arrays, whose results may
 * depend on the order, are run backwards once. Kernels with `inout` arrays are also run by
 * halves of their work-items, each on what the arrays held before: what all of them make
 * of a byte must be what one half does, or several work-items changed it, which is a race
 * that no order shows where their changes commute. A launch that goes far astray, into
 * pages that nobody may touch, is ended there and told where. */
#ifndef WEFT_BACKENDS_CHECKING_CHECKING_H
#define WEFT_BACKENDS_CHECKING_CHECKING_H

#include "backends/host/host.h"

#include <pthread.h>

enum {
    CHECKING_ZONE = 1024,      /* guarded bytes on each side of an allocation */
    CHECKING_NEAR = 4096,      /* bytes beside an array that are watched during a launch */
    CHECKING_GUARD = 64 << 20, /* and further out so many that end a run if touched */
    CHECKING_NAME = 64,
    CHECKING_REGIONS = 128,  /* arrays of one operation */
    CHECKING_LIMIT = 1 << 30 /* bytes; larger operations are run once, zones checked */
};

/* An allocation between its two zones, and what was mapped for it. */
typedef struct checking_block {
    char *begin, *end, *base;
    size_t mapped;
    struct checking_block *next;
} checking_block;

/* What the queues of a device share: each looks at the bytes beside its arrays, so that one
 * at a time works on it. */
typedef struct checking_memory {
    pthread_mutex_t lock; /* by the thread that has it, again */
    checking_block *blocks;
    int users;
} checking_memory;

typedef struct checking_state {
    checking_memory *memory;
    weft_device *compiler; /* of OpenCL, once something was run; NULL: there is none */
    int has_compiler;
} checking_state;

/* An array of an operation. */
typedef struct checking_region {
    char name[CHECKING_NAME]; /* "x", or "cells.x" of a bundle */
    char *begin, *end;
    weft_type type;
    int written;
    int output; /* nothing of what it held may be seen: it can be filled */
    const checking_block *block;
} checking_region;

/* Part of a block that an operation's arrays lie in, and what it held. */
typedef struct checking_window {
    const checking_block *block;
    char *begin, *end;
    unsigned char *before, *first, *half;
} checking_window;

/* Of work-items; halves are chosen as by chance. */
typedef enum checking_order {
    CHECKING_FORWARDS,
    CHECKING_BACKWARDS,
    CHECKING_ONE_HALF,
    CHECKING_OTHER_HALF
} checking_order;

typedef struct checking_operation {
    const char *what; /* the function's name, for messages */
    weft_status (*run)(weft_device *device, const void *task, checking_order order);
    const void *task;
    int once;   /* its results may depend on the order */
    int splits; /* it changes arrays, and can run half of its work-items */
    i32 regions, windows;
    checking_region region[CHECKING_REGIONS];
    checking_window window[CHECKING_REGIONS];
} checking_operation;

/* Of a device alone; NULL: out of memory. One user more, or less; to work on it. */
checking_memory *checking_memory_new(void);
void checking_memory_share(checking_memory *memory);
void checking_memory_leave(checking_memory *memory);
void checking_lock(const weft_device *device);
void checking_unlock(const weft_device *device);

/* Memory between zones; borrowed memory is copied into it, as a discrete device would. */
void *checking_allocate(weft_device *device, size_t bytes);
void checking_release(weft_device *device, void *memory, size_t bytes);
void *checking_borrow(weft_device *device, void *host, size_t bytes, int read_only);
weft_status checking_give_back(weft_device *device, void *memory, void *host, size_t bytes,
                               int read_only);
weft_status checking_write(weft_device *device, void *memory, size_t offset,
                           const void *host, size_t bytes);
weft_status checking_read(weft_device *device, void *memory, size_t offset, void *host,
                          size_t bytes);
const checking_block *checking_find(const weft_device *device, const void *memory);

/* That nothing was written into any zone; `what` ran last. */
weft_status checking_zones(weft_device *device, const char *what);

/* Adds arrays to an operation: one span, all arrays of a call, an input. */
void checking_add_span(const weft_device *device, checking_operation *operation,
                       const char *name, weft_span span, weft_role role);
void checking_add_call(const weft_device *device, checking_operation *operation,
                       const weft_call *call);
void checking_add_input(const weft_device *device, checking_operation *operation,
                        const char *name, const weft_input *in);

/* What an output holds before a run (0 or 1): all of it, or this byte. */
void checking_fill(const checking_region *region, int run);
unsigned char checking_filled(const checking_region *region, const char *byte, int run);

/* Runs it. A fault of the kernel ends the run and is reported, while faults are watched. */
weft_status checking_run(weft_device *device, const checking_operation *operation,
                         checking_order order);
/* For one device more, or less; 0: a driver may have taken them since. */
void checking_watch_faults(int more);

/* Runs and watches it. Errors: WEFT_E_CHECK, WEFT_E_MEMORY, and the operation's. */
weft_status checking_watch(weft_device *device, checking_operation *operation);

/* The first byte in [from, end) that no array (or, no written one) covers, or `end`; *stop
 * is where the gap ends. */
char *checking_gap(const checking_operation *operation, int written_alone, char *from,
                   char *end, char **stop);

/* That the operator is associative, that its identity changes nothing, and, for a fold,
 * that it commutes, tried on the first elements of `in`: numbers, floats up to rounding. */
weft_status checking_laws(weft_device *device, const weft_input *in,
                          const weft_operator *op, int commutes);

/* That OpenCL would take it, where a device of it is. Errors: WEFT_E_BUILD. */
weft_status checking_compile(weft_device *device, const weft_used *used);
void checking_close_compiler(checking_state *state);

/* That indices are inside what they index. */
weft_status checking_map(weft_device *device, const weft_map_call *map);

#endif
