#include "probe.h"
#include "memory.h"
#include "probe.kernel.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

WEFT_KERNEL(probe_read, (value, i64, lanes), (value, i64, each), (in, u64, in, 0),
            (out, u64, out))

/* Enough work-items to fill any device. */
enum { LANES = 1 << 20 };

/* Words that no cache near a core holds: 4 MiB. */
enum { STREAMED = 1 << 19 };

struct probe {
    weft_device *device;
    struct team *team; /* NULL: on the device */
    size_t words;
    u64 *from, *to;
    weft_array in, out;
};

struct part {
    size_t begin, end;
};

static struct part part(const struct probe *probe, int rank, int threads) {
    const size_t each = probe->words / (size_t)threads, first = each * (size_t)rank;
    return (struct part){first, rank + 1 == threads ? probe->words : first + each};
}

/* memcpy; and where it is long, past the caches, which memcpy itself may not dare: the
 * lines to be written are then not read before. */
static void copy_words(u64 *to, const u64 *from, size_t words) {
#ifdef __SSE2__
    const size_t head = (uintptr_t)to % sizeof(__m128i) / sizeof *to;
    if (words >= STREAMED) {
        size_t i = 0;
        for (; i < head; ++i)
            to[i] = from[i];
        for (; i + 2 <= words; i += 2)
            _mm_stream_si128((__m128i *)(void *)(to + i),
                             _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
        for (; i < words; ++i)
            to[i] = from[i];
        _mm_sfence();
        return;
    }
#endif
    memcpy(to, from, words * sizeof *to);
}

static void copy_part(void *state, int rank, int threads) {
    const struct probe *probe = state;
    const struct part mine = part(probe, rank, threads);
    copy_words(probe->to + mine.begin, probe->from + mine.begin, mine.end - mine.begin);
}

static void read_part(void *state, int rank, int threads) {
    const struct probe *probe = state;
    const struct part mine = part(probe, rank, threads);
    u64 sum = 0;
    for (size_t i = mine.begin; i < mine.end; ++i)
        sum += probe->from[i];
    *(volatile u64 *)&probe->to[mine.begin] = sum;
}

static bool run_copy(void *state) {
    struct probe *probe = state;
    if (probe->team) {
        bench_team_run(probe->team, copy_part, probe);
        return true;
    }
    weft_copy(probe->device, probe->in, probe->out);
    return weft_synchronize(probe->device) == WEFT_OK;
}

static i64 lanes(const struct probe *probe) {
    return probe->words < LANES ? (i64)probe->words : LANES;
}

static bool run_read(void *state) {
    struct probe *probe = state;
    if (probe->team) {
        bench_team_run(probe->team, read_part, probe);
        return true;
    }
    const i64 n = lanes(probe);
    weft_for_each(probe->device, n, probe_read, .lanes = n, .each = (i64)probe->words / n,
                  .in = probe->in, .out = probe->out);
    return weft_synchronize(probe->device) == WEFT_OK;
}

struct probe *probe_new(weft_device *device, int threads, size_t bytes) {
    struct probe *probe = calloc(1, sizeof *probe);
    if (probe == NULL)
        return NULL;
    probe->device = device;
    probe->words = bytes / sizeof(u64) + 1;
    if (strcmp(weft_backend_name(device), "opencl") == 0) {
        const u64 zero = 0;
        probe->in = weft_array_new(device, WEFT_U64, (i64)probe->words);
        probe->out = weft_array_new(device, WEFT_U64, (i64)probe->words);
        weft_fill(device, probe->in, &zero);
        if (weft_fill(device, probe->out, &zero) == WEFT_OK)
            return probe;
    } else {
        probe->team = bench_team_new(threads);
        probe->from = memory_new(probe->words * sizeof(u64));
        probe->to = memory_new(probe->words * sizeof(u64));
        if (probe->team && probe->from && probe->to)
            return probe;
    }
    probe_free(probe);
    return NULL;
}

void probe_free(struct probe *probe) {
    if (probe == NULL)
        return;
    weft_array_free(probe->device, probe->in);
    weft_array_free(probe->device, probe->out);
    bench_team_free(probe->team);
    free(probe->from);
    free(probe->to);
    free(probe);
}

double probe_copy_bytes(const struct probe *probe) {
    return 2.0 * (double)(probe->words * sizeof(u64));
}

double probe_read_bytes(const struct probe *probe) {
    const i64 read =
        probe->team ? (i64)probe->words : (i64)probe->words / lanes(probe) * lanes(probe);
    return (double)read * sizeof(u64);
}

struct runner probe_copy_runner(struct probe *probe) {
    return (struct runner){.run = run_copy, .state = probe};
}

struct runner probe_read_runner(struct probe *probe) {
    return (struct runner){.run = run_read, .state = probe};
}
