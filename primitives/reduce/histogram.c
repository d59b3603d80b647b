/* Histograms. */
#include "primitives/primitives.h"
#include "histogram.kernels.h"
#include "weft/histogram.h"
#include "weft/transform.h"

static const i64 longest_piece = (i64)1 << 30; /* its counts are u32 */

WEFT_KERNEL(histogram_rows, (value, i64, length), (value, i64, chunk), (value, u32, counts),
            (value, u32, copies), (in, u32, bins, 0), (inout, u32, rows, 0))
WEFT_KERNEL(histogram_atomic, (value, i64, rows), (value, u32, counts), (in, u32, bins),
            (shared, u32, table, 0))
WEFT_KERNELS(histogram_sum, (u32, i64), (value, i64, rows), (value, u32, counts),
             (in, u32, row, 0), (inout, T, sum))

static i64 larger(i64 a, i64 b) {
    return a > b ? a : b;
}

static i64 smaller(i64 a, i64 b) {
    return a < b ? a : b;
}

/* Rows that work-items share: as many as keep the table small. */
static i64 shared_rows(const weft_device *device, i64 counts) {
    const weft_tuning *tuning = weft_tuning_of(device);
    const i64 rows = tuning->histogram_shared, fit = tuning->histogram_table / counts;
    return rows < fit ? rows : larger(fit, 1);
}

/* Adds the row sums of a table to the counts. */
static void add_rows(weft_device *device, weft_array table, i64 rows, weft_array counts) {
    const i64 k = counts.length;
    const struct histogram_sum_u32_arguments arguments = {
        .rows = rows, .counts = (u32)k, .row = table, .sum = counts};
    weft_launch(device, k, histogram_sum_kernels[counts.type != WEFT_U32], &arguments);
}

/* Adds a piece as the backend itself counts; returns 0 where it has no way of its own. */
static int add_directly(weft_device *device, weft_array bins, weft_array counts) {
    weft_input input;
    weft_span span = {0};
    if (!device->backend->histogram)
        return 0;
    weft_scope_open(device);
    const weft_array row = weft_scratch(device, WEFT_U32, counts.length);
    int taken = weft_need_input(device, "weft_histogram.bins", bins, 0, 0, &input) ||
                weft_need_output(device, "weft_histogram.row", row, 0, 0, &span);
    if (!taken && device->backend->histogram(device, &input, span)) {
        add_rows(device, row, 1, counts);
        taken = 1;
    }
    weft_scope_close(device);
    return taken;
}

/* All at once, without a row of its own. */
static int count_directly(weft_device *device, weft_array bins, weft_array counts) {
    weft_input input;
    weft_span span = {0};
    int taken = 0;
    if (!device->backend->histogram || counts.type != WEFT_U32 || counts.length == 0 ||
        bins.length == 0 || bins.length > longest_piece)
        return 0;
    weft_scope_open(device);
    weft_need_input(device, "weft_histogram.bins", bins, 0, 0, &input);
    weft_need_output(device, "weft_histogram.counts", counts, 0, 0, &span);
    taken = weft_check(device) != WEFT_OK ||
            device->backend->histogram(device, &input, span) ||
            weft_check(device) != WEFT_OK;
    weft_scope_close(device);
    return taken;
}

/* Adds a piece, which lies in memory, to the counts. A row of one's own is worth its sum
 * where a work-item counts many elements; and few elements are counted by one work-item
 * before many do so by atomics. */
static void add_piece(weft_device *device, weft_array bins, weft_array counts) {
    const weft_tuning *tuning = weft_tuning_of(device);
    const i64 n = bins.length, k = counts.length;
    const u32 zero = 0;
    i64 rows = shared_rows(device, k), chunk = 0, chunks = 0, copies = 1;
    if (tuning->histogram_rows &&
        (n / k >= tuning->histogram_each || n <= tuning->histogram_alone)) {
        chunk = larger(larger(tuning->histogram_chunk, tuning->histogram_each * k),
                       (n + tuning->histogram_chunks - 1) / tuning->histogram_chunks);
        chunks = (n + chunk - 1) / chunk;
        copies = k <= tuning->histogram_copied ? 4 : 1;
        rows = chunks * copies;
    }
    weft_scope_open(device);
    const weft_array table = weft_scratch(device, WEFT_U32, rows * k);
    if (chunks > 0) {
        weft_for_each(device, chunks, histogram_rows, .length = n, .chunk = chunk,
                      .counts = (u32)k, .copies = (u32)copies, .bins = bins, .rows = table);
    } else {
        weft_fill(device, table, &zero);
        weft_for_each(device, n, histogram_atomic, .rows = rows, .counts = (u32)k,
                      .bins = bins, .table = table);
    }
    add_rows(device, table, rows, counts);
    weft_scope_close(device);
}

weft_status weft_histogram(weft_device *device, weft_array bins, weft_array counts) {
    const i64 n = bins.length;
    const u64 zero = 0; /* its low half is u32's */
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_histogram.bins", bins, WEFT_U32, 0) != WEFT_OK ||
        weft_need_counts(device, "weft_histogram.counts", counts, 0) != WEFT_OK ||
        weft_need_apart(device, "weft_histogram.counts", counts, bins) != WEFT_OK)
        return weft_check(device);
    if (counts.type == WEFT_U32 && n > UINT32_MAX)
        return weft_fail(device, WEFT_E_TYPE,
                         "weft_histogram: %lld elements are too many for counts in u32",
                         (long long)n);
    if (counts.length > UINT32_MAX)
        counts = weft_part(counts, 0, UINT32_MAX);
    if (count_directly(device, bins, counts))
        return weft_check(device);
    weft_fill(device, counts, (const void *)&zero);
    const i64 step = bins.generator ? PRIMITIVE_PIECE : longest_piece;
    for (i64 first = 0, count; first < n && counts.length > 0; first += count) {
        count = smaller(n - first, longest_piece);
        if (weft_check(device) != WEFT_OK ||
            add_directly(device, weft_part(bins, first, count), counts))
            continue;
        count = smaller(count, step);
        weft_scope_open(device);
        add_piece(device, weft_settled(device, weft_part(bins, first, count)), counts);
        weft_scope_close(device);
    }
    return weft_check(device);
}
