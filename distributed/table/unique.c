#include "unique.h"
#include "io/crew/crew.h"
#include "io/files/numbers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Fewer threads mark numbers no sooner than one does, which needs no atomic operation. */
enum { SHARED_FROM = 4, AHEAD = 32, BITS = 64, SLACK = 1 << 10 };

/* What all numbers span, as the same bits on every rank, of which each joins a share. */
struct span {
    int64_t least;
    int64_t each; /* words of a share; 0: the numbers lie too far apart */
};

static bool find_span(struct comm *comm, const int64_t *number, int64_t n,
                      struct span *span) {
    int64_t ends[2] = {INT64_MAX, 0}, count = n;
    *span = (struct span){.least = 0};
    if (n > 0)
        io_range(comm->threads, number, n, &ends[0], &ends[1]);
    ends[1] = ends[0] < 0 ? 0 : -ends[1];
    if (!comm_reduce_i64(comm, ends, 2, COMM_MIN) ||
        !comm_reduce_i64(comm, &count, 1, COMM_SUM))
        return false;
    const int64_t words = (-ends[1] - ends[0]) / BITS + 1;
    if (ends[0] < 0 || count == 0 || words > 2 * (count / comm->size) + SLACK)
        return true;
    span->least = ends[0];
    span->each = words / comm->size + 1;
    return true;
}

struct marking {
    const int64_t *number;
    int64_t n, least;
    _Atomic uint64_t *word;
    bool alone; /* one thread has the bits to itself */
    atomic_bool repeated;
};

static void clear(void *context, int64_t begin, int64_t end, int part) {
    (void)part;
    memset((uint64_t *)context + begin, 0, (size_t)(end - begin) * sizeof(uint64_t));
}

/* Each would be waited for, where the caches do not hold all bits, were it not asked for
 * some numbers before. */
static void mark(void *context, int64_t begin, int64_t end, int part) {
    struct marking *m = context;
    uint64_t again = 0;
    (void)part;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t later = i + AHEAD < end ? i + AHEAD : i;
        __builtin_prefetch((const void *)&m->word[(m->number[later] - m->least) / BITS], 1);
        const int64_t bit = m->number[i] - m->least;
        const uint64_t mask = (uint64_t)1 << (bit % BITS);
        _Atomic uint64_t *at = &m->word[bit / BITS];
        uint64_t before;
        if (m->alone) {
            before = atomic_load_explicit(at, memory_order_relaxed);
            atomic_store_explicit(at, before | mask, memory_order_relaxed);
        } else {
            before = atomic_fetch_or_explicit(at, mask, memory_order_relaxed);
        }
        again |= before & mask;
    }
    if (again)
        m->repeated = true;
}

/* The bits of a share, of all ranks one after another. */
struct joining {
    const uint64_t *word;
    int64_t each;
    int ranks;
    atomic_bool repeated;
};

static void join(void *context, int64_t begin, int64_t end, int part) {
    struct joining *j = context;
    uint64_t again = 0;
    (void)part;
    for (int64_t k = begin; k < end; ++k) {
        uint64_t seen = 0;
        for (int r = 0; r < j->ranks; ++r) {
            const uint64_t word = j->word[r * j->each + k];
            again |= seen & word;
            seen |= word;
        }
    }
    if (again)
        j->repeated = true;
}

/* Sends each rank the bits of its share. */
static bool exchange(struct comm *comm, int64_t each, const uint64_t *word,
                     uint64_t *came) {
    struct route route;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    for (int r = 0; to && r < comm->size; ++r)
        to[r] = each;
    const bool well =
        route_find(comm, to, &route) && route_send(comm, &route, sizeof *word, word, came);
    route_free(&route);
    return well;
}

bool unique_prove(struct comm *comm, const int64_t *number, int64_t n, bool *are_proven) {
    struct span span;
    *are_proven = false;
    if (!find_span(comm, number, n, &span) || span.each == 0)
        return comm_agree(comm);
    const int64_t words = span.each * comm->size;
    const char *what = "bits to compare particle ids";
    uint64_t *word = comm_allocate(comm, words, sizeof *word, what);
    uint64_t *came = comm_allocate(comm, words, sizeof *came, what);
    const int parts = crew_parts(comm->threads, n);
    struct marking marking = {
        number, n, span.least, (_Atomic uint64_t *)word, parts < SHARED_FROM, false};
    struct joining joining = {came, span.each, comm->size, false};
    if (word && came) {
        crew_run(comm->threads, words, clear, word);
        crew_run(marking.alone ? 1 : parts, n, mark, &marking);
    }
    bool well = exchange(comm, span.each, word, came);
    if (well)
        crew_run(comm->threads, span.each, join, &joining);
    int64_t repeated = marking.repeated || joining.repeated;
    well = well && comm_reduce_i64(comm, &repeated, 1, COMM_MAX);
    *are_proven = well && repeated == 0;
    free(word);
    free(came);
    return well;
}
