#include "packing.h"
#include "io/crew/crew.h"

#include <string.h>

void packing_put(comm_pack *pack, const void *context, int64_t first, int64_t n,
                 size_t row_bytes, void *out) {
    if (pack)
        pack(context, first, n, out);
    else if (n > 0)
        memcpy(out, (const char *)context + (size_t)first * row_bytes,
               (size_t)n * row_bytes);
}

struct packing {
    comm_pack *pack;
    const void *context;
    int64_t first;
    size_t row_bytes;
    char *out;
};

static void pack_some(void *context, int64_t begin, int64_t end, int part) {
    const struct packing *p = context;
    (void)part;
    packing_put(p->pack, p->context, p->first + begin, end - begin, p->row_bytes,
                p->out + (size_t)begin * p->row_bytes);
}

void packing_run(int threads, comm_pack *pack, const void *context, int64_t first,
                 int64_t n, size_t row_bytes, void *out) {
    struct packing packing = {pack, context, first, row_bytes, out};
    crew_run(threads, n, pack_some, &packing);
}
