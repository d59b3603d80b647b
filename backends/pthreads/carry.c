/* Bytes to and from arrays, by all threads where they are many: pages that nothing touched
 * yet are the kernel's to clear, which one thread does at 1 GB/s. */
#include "pthreads.h"

#include <string.h>

enum { PIECE = 1 << 18, WORTH = 4 * PIECE };

typedef struct carrying {
    char *to;
    const char *from;
    size_t bytes;
} carrying;

static void carry_pieces(void *context, i64 begin, i64 end, i64 thread) {
    const carrying *c = context;
    const size_t first = (size_t)begin * PIECE, last = (size_t)end * PIECE;
    (void)thread;
    memcpy(c->to + first, c->from + first, (last < c->bytes ? last : c->bytes) - first);
}

static weft_status carry(weft_device *device, void *to, const void *from, size_t bytes) {
    carrying c = {to, from, bytes};
    thread_team *team = ((const pthreads_state *)device->state)->team;
    if (bytes < WORTH || device->concurrency == 1)
        memcpy(to, from, bytes);
    else
        team_run(team, (i64)((bytes + PIECE - 1) / PIECE), 1, 1, carry_pieces, &c);
    return WEFT_OK;
}

weft_status pthreads_write(weft_device *device, void *memory, size_t offset,
                           const void *host, size_t bytes) {
    return carry(device, (char *)memory + offset, host, bytes);
}

weft_status pthreads_read(weft_device *device, void *memory, size_t offset, void *host,
                          size_t bytes) {
    return carry(device, host, (const char *)memory + offset, bytes);
}
