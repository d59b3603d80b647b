#include "subset.h"
#include "subset.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_GENERATOR(subset_before, u32, (in, u32, start), (in, u32, kept, 0))
WEFT_GENERATOR(subset_some, u32, (in, u32, start, n + 1), (in, u32, kept, 0))
WEFT_GENERATOR(points_begins, u32, (in, u32, key))

/* Of parts that begin at `start` those that keep something: some [parts] u32 is set for
 * them; they begin at *kept_start. Returns how many there are. */
static i64 subset_parts(weft_device *device, weft_array start, weft_array kept, i64 end,
                        weft_array some, weft_array *kept_start) {
    const i64 parts = some.length;
    const u32 last = (u32)end;
    i64 count = 0;
    weft_transform(device, parts, some, subset_some, .start = start, .kept = kept);
    weft_count_if(device, some, &count);
    *kept_start = weft_array_new(device, WEFT_U32, count + 1);
    weft_copy_if(device, weft_lazy(parts, subset_before, .start = start, .kept = kept),
                 some, *kept_start, NULL);
    weft_write(device, weft_slice(device, *kept_start, count, 1), &last);
    return count;
}

static weft_array subset_those(weft_device *device, weft_array all, weft_array flags,
                               i64 count) {
    const weft_array some = weft_array_new(device, all.type, count);
    weft_copy_if(device, weft_slice(device, all, 0, flags.length), flags, some, NULL);
    return some;
}

/* The true keys of the rows that are left, where cells know only their number. */
static weft_array subset_row_keys(weft_device *device, weft_array row_key,
                                  weft_array line) {
    const weft_array begins = weft_lazy(line.length, points_begins, .key = line);
    i64 count = 0;
    weft_scope_open(device);
    weft_count_if(device, begins, &count);
    const weft_array row = weft_scratch(device, WEFT_U32, count);
    const weft_array key = weft_array_new(device, WEFT_U64, count);
    weft_copy_if(device, line, begins, row, NULL);
    weft_gather(device, row_key, row, key);
    weft_scope_close(device);
    return key;
}

grid_sets subset_of(weft_device *device, const grid *g, const grid_sets *from,
                    weft_array flags) {
    grid_sets s = {0};
    weft_scope_open(device);
    const weft_array kept = weft_scratch(device, WEFT_U32, from->points);
    const weft_array some_sets = weft_scratch(device, WEFT_U32, from->sets);
    const weft_array some_cells = weft_scratch(device, WEFT_U32, from->cells);
    weft_count_if(device, flags, &s.points);
    s.point = subset_those(device, from->point, flags, s.points);
    weft_scan(device, flags, weft_plus(WEFT_U32), WEFT_INCLUSIVE, kept);
    s.sets = subset_parts(device, from->set_start, kept, s.points, some_sets, &s.set_start);
    s.set_sub = subset_those(device, from->set_sub, some_sets, s.sets);
    weft_scan(device, some_sets, weft_plus(WEFT_U32), WEFT_INCLUSIVE, some_sets);
    s.cells =
        subset_parts(device, from->cell_set, some_sets, s.sets, some_cells, &s.cell_set);
    s.cell_x = subset_those(device, from->cell_x, some_cells, s.cells);
    s.cell_line = subset_those(device, from->cell_line, some_cells, s.cells);
    if (g->long_keys)
        s.row_key = subset_row_keys(device, from->row_key, s.cell_line);
    weft_scope_close(device);
    return s;
}
