/* The suite of the primitives. */
#include "rows.h"

bool bench_primitives(struct bench *bench) {
    const struct row *const groups[] = {
        rows_stream,   rows_reduce,   rows_scan,  rows_select, rows_sort,
        rows_search,   rows_sets,     rows_order, rows_find,   rows_numbers,
        rows_segments, rows_in_place, rows_nth};
    const int64_t n = (int64_t)1 << bench->options.log2_n;
    for (size_t k = 0; k < sizeof groups / sizeof *groups; ++k) {
        for (const struct row *row = groups[k]; row->name; ++row) {
            if (bench_wants(bench, "primitives", row) && !bench_row(bench, row, n))
                return false;
        }
    }
    return true;
}
