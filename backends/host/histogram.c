/* Histograms: each thread counts into tables of its own, from lazy bins as they are made.
 */
#include "host.h"
#include "tuning.h"
#include "weft/array.h"

#include <string.h>

enum { COPIES = HOST_HISTOGRAM_COPIES };

typedef struct counting {
    const weft_input *bins;
    u32 counts, copies;
    u32 *tables; /* [threads][copies][counts] */
} counting;

static inline void add(u32 *table, u32 counts, u32 bin) {
    if (bin < counts)
        table[bin]++;
}

static void count_tile(const counting *c, const u32 *bins, i64 n, u32 *table) {
    const u32 counts = c->counts;
    i64 i = 0;
    for (; c->copies == COPIES && i + COPIES <= n; i += COPIES)
        for (u32 k = 0; k < COPIES; k++)
            add(table + k * counts, counts, bins[i + k]);
    for (; i < n; i++)
        add(table, counts, bins[i]);
}

static void count_part(void *context, i64 begin, i64 end, i64 thread) {
    enum { STEP = HOST_HISTOGRAM_TILE };
    const counting *c = context;
    _Alignas(64) u32 tile[STEP];
    u32 *table = c->tables + (size_t)thread * c->copies * c->counts;
    for (i64 i = begin; i < end; i += STEP) {
        const i64 next = end - i < STEP ? end : i + STEP;
        count_tile(c, host_elements(c->bins, i, next, tile), next - i, table);
    }
}

int host_histogram(weft_device *device, const weft_input *bins, weft_span out,
                   const host_crew *crew) {
    const i64 n = bins->span.length, counts = out.length;
    if (counts > HOST_HISTOGRAM_MOST ||
        (counts > HOST_HISTOGRAM_FEW && n / counts < HOST_HISTOGRAM_EACH))
        return 0;
    const i64 copies = counts <= HOST_HISTOGRAM_FEW ? COPIES : 1,
              rows = crew->threads * copies;
    const weft_array tables = weft_scratch(device, WEFT_U32, rows * counts);
    if (weft_check(device) != WEFT_OK)
        return 1;
    counting c = {bins, (u32)counts, (u32)copies, weft_buffer_memory(tables.buffer)};
    memset(c.tables, 0, (size_t)(rows * counts) * sizeof *c.tables);
    crew->run(crew->team, n, HOST_PORTION_LEAST, HOST_PORTION_MOST, count_part, &c);
    u32 *sums = host_at(out, 0);
    memcpy(sums, c.tables, (size_t)counts * sizeof *sums);
    for (i64 row = 1; row < rows; row++)
        for (i64 k = 0; k < counts; k++)
            sums[k] += c.tables[row * counts + k];
    return 1;
}
