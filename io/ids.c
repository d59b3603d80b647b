#include "ids.h"
#include "io/crew/crew.h"
#include "io/files/numbers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { DENSE = 16, SLOTS_AN_ID = 8, AHEAD = 32 };

enum { ROWS = 4 };

/* Fewer threads mark ids no sooner than one does, which needs no atomic operation. */
enum { SHARED_FROM = 4 };

static void *zeros(uint64_t words, struct io_error *error) {
    void *memory = calloc(words, sizeof(uint64_t));
    if (memory == NULL)
        io_fail(error, "no memory to compare particle ids: %llu times 8 bytes",
                (unsigned long long)words);
    return memory;
}

static uint64_t power_of_two_above(uint64_t n) {
    uint64_t power = 64;
    while (power < n)
        power *= 2;
    return power;
}

/* Two hashes that share no collisions: the second is Steele, Lea and Flood's mixer
 * ("Fast splittable pseudorandom number generators", 2014). */
static uint64_t hash_once(uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
}

static uint64_t hash_twice(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A bit for each id that was met. */
struct marking {
    const int64_t *ids;
    int64_t n, smallest;
    _Atomic uint64_t *seen;
    bool alone;               /* one thread has the bits to itself */
    _Atomic int64_t repeated; /* where an id was met again; n: nowhere */
};

/* Sets the bit and says whether it was set before. */
static bool test_and_set(struct marking *marking, uint64_t bit) {
    _Atomic uint64_t *at = &marking->seen[bit >> 6];
    const uint64_t mask = (uint64_t)1 << (bit & 63);
    uint64_t before = atomic_load_explicit(at, memory_order_relaxed);
    if (marking->alone)
        atomic_store_explicit(at, before | mask, memory_order_relaxed);
    else
        before = atomic_fetch_or_explicit(at, mask, memory_order_relaxed);
    return (before & mask) != 0;
}

/* In order, up to one that is repeated. */
static void mark_in_order(struct marking *marking, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && marking->repeated == marking->n; ++i)
        if (test_and_set(marking, (uint64_t)(marking->ids[i] - marking->smallest)))
            marking->repeated = i;
}

/* Rows side by side: ids that follow on one another share words, and each would wait for
 * the one before it. */
static void mark(void *context, int64_t begin, int64_t end, int part) {
    struct marking *marking = context;
    const int64_t length = (end - begin) / ROWS;
    (void)part;
    for (int64_t i = begin; i < begin + length && marking->repeated == marking->n; ++i) {
        bool again = false;
        for (int row = 0; row < ROWS; ++row) {
            const int64_t id = marking->ids[i + row * length];
            again |= test_and_set(marking, (uint64_t)(id - marking->smallest));
        }
        if (again)
            marking->repeated = i;
    }
    mark_in_order(marking, begin + ROWS * length, end);
}

/* Ids are met in any order; where one is repeated, they are met again in theirs, to tell
 * which comes first. */
static bool judge_dense(const int64_t *ids, int64_t n, int threads, int64_t smallest,
                        uint64_t span, enum io_ids_verdict *verdict, int64_t *example,
                        struct io_error *error) {
    const int parts = crew_parts(threads, n);
    struct marking marking = {ids, n, smallest, NULL, parts < SHARED_FROM, n};
    marking.seen = zeros(span / 64 + 1, error);
    if (marking.seen == NULL)
        return false;
    crew_run(marking.alone ? 1 : parts, n, mark, &marking);
    if (marking.repeated < n) {
        memset(marking.seen, 0, (span / 64 + 1) * sizeof *marking.seen);
        marking.repeated = n;
        mark_in_order(&marking, 0, n);
        *verdict = IO_IDS_REPEATED;
        *example = ids[marking.repeated];
    }
    free(marking.seen);
    return true;
}

/* Puts each suspect into a hash table with room for twice as many. */
static bool judge_suspects(const int64_t *suspects, int64_t n, enum io_ids_verdict *verdict,
                           int64_t *example, struct io_error *error) {
    const uint64_t slots = power_of_two_above(2 * (uint64_t)n);
    uint64_t *table = zeros(slots, error);
    if (table == NULL)
        return false;
    for (int64_t i = 0; i < n && *verdict == IO_IDS_GOOD; ++i) {
        const uint64_t entry = (uint64_t)suspects[i] + 1;
        uint64_t slot = hash_twice(entry) & (slots - 1);
        while (table[slot] != 0 && table[slot] != entry)
            slot = (slot + 1) & (slots - 1);
        if (table[slot] == entry) {
            *verdict = IO_IDS_REPEATED;
            *example = suspects[i];
        }
        table[slot] = entry;
    }
    free(table);
    return true;
}

/* Counts in two bits: 0, 1, or 2 for more. Returns the count before. */
static uint64_t count_one(uint64_t *counts, uint64_t slot) {
    const uint64_t word = counts[slot >> 5], shift = 2 * (slot & 31);
    const uint64_t count = word >> shift & 3;
    counts[slot >> 5] = word + ((uint64_t)(count < 2) << shift);
    return count;
}

/* The slot of ids[i]. Also asks for the slot that comes up AHEAD ids later: with more ids
 * than the caches hold, each would otherwise be waited for. */
static uint64_t slot_of(const uint64_t *counts, uint64_t slots, const int64_t *ids,
                        int64_t i, int64_t n) {
    const int64_t later = i + AHEAD < n ? i + AHEAD : i;
    __builtin_prefetch(&counts[(hash_once((uint64_t)ids[later]) & (slots - 1)) >> 5], 1);
    return hash_once((uint64_t)ids[i]) & (slots - 1);
}

/* Repeated ids share a slot, so only the ids in slots that were met again need a look at
 * their values. */
static bool judge_sparse(const int64_t *ids, int64_t n, enum io_ids_verdict *verdict,
                         int64_t *example, struct io_error *error) {
    const uint64_t slots = power_of_two_above(SLOTS_AN_ID * (uint64_t)n);
    uint64_t *counts = zeros(slots / 32, error);
    int64_t n_suspects = 0;
    bool done = counts != NULL;
    for (int64_t i = 0; done && i < n; ++i) {
        const uint64_t before = count_one(counts, slot_of(counts, slots, ids, i, n));
        n_suspects += before == 1 ? 2 : before == 2;
    }
    if (done && n_suspects > 0) {
        int64_t *suspects =
            io_allocate(n_suspects, sizeof *suspects, "comparing particle ids", error);
        int64_t kept = 0;
        done = suspects != NULL;
        for (int64_t i = 0; done && i < n; ++i) {
            const uint64_t slot = slot_of(counts, slots, ids, i, n);
            if ((counts[slot >> 5] >> 2 * (slot & 31) & 3) == 2)
                suspects[kept++] = ids[i];
        }
        done = done && judge_suspects(suspects, kept, verdict, example, error);
        free(suspects);
    }
    free(counts);
    return done;
}

bool io_ids_judge_within(const int64_t *ids, int64_t n, int threads, int64_t smallest,
                         int64_t largest, enum io_ids_verdict *verdict, int64_t *example,
                         struct io_error *error) {
    *verdict = IO_IDS_GOOD;
    *example = 0;
    if (n == 0)
        return true;
    if (smallest < 0) {
        *verdict = IO_IDS_TOO_LARGE;
        while (ids[*example] >= 0)
            ++*example;
        return true;
    }
    const uint64_t span = (uint64_t)(largest - smallest);
    if (span / DENSE < (uint64_t)n)
        return judge_dense(ids, n, threads, smallest, span, verdict, example, error);
    return judge_sparse(ids, n, verdict, example, error);
}

bool io_ids_judge(const int64_t *ids, int64_t n, int threads, enum io_ids_verdict *verdict,
                  int64_t *example, struct io_error *error) {
    int64_t smallest = 0, largest = 0;
    if (n > 0)
        io_range(threads, ids, n, &smallest, &largest);
    return io_ids_judge_within(ids, n, threads, smallest, largest, verdict, example, error);
}
