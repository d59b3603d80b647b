#include "lists.h"
#include "algorithms/pyramid/lengths.h"
#include "weft/expand.h"
#include "weft/listener.h"
#include "weft/select.h"
#include "weft/sort.h"

#include <stdlib.h>

WEFT_BUNDLE(so_lists_centers, (value, i64, first), (in, u32, list, 0), (in, f64, center, 0),
            (in, f64, reach2, 0))
WEFT_BUNDLE(so_lists_rows, (in, u32, sphere, 0), (in, u32, place, 0),
            (inout, u32, begin, 0), (inout, u32, count, 0), (inout, u32, next, 0),
            (inout, u32, all, 0))
WEFT_BUNDLE(so_lists_found, (value, i32, shift), (out, u64, key), (out, u32, who))
WEFT_KERNEL(so_lists_count, (value, so_search, s), (bundle, so_lists_centers, of),
            (out, u32, count))
WEFT_KERNEL(so_lists_look, (value, so_search, s), (bundle, grid_view, cells),
            (bundle, so_lists_centers, of), (bundle, so_lists_rows, rows))
WEFT_KERNEL(so_lists_key, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, grid_view, cells), (bundle, so_lists_centers, of),
            (bundle, so_lists_rows, rows), (in, u32, row), (in, u32, place),
            (bundle, so_lists_found, found))
WEFT_GENERATOR(so_lists_is_near, u32, (in, u64, key))
WEFT_KERNEL(so_lists_begin, (value, i32, shift), (value, i64, members), (in, u64, key, 0),
            (out, i64, offset))
WEFT_KERNEL(so_lists_measure, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, so_lists_centers, of), (value, i32, shift), (in, u64, key),
            (in, u32, who), (out, f64, r2))
WEFT_KERNEL(so_lists_order, (value, i64, members), (optional, i64, id, 0), (in, u64, key),
            (inout, f64, r2), (inout, u32, who))

/* Rows of a batch, and particles in them, are at most a quarter of the particles, or so
 * many; spheres are fewer than 2^MOST_SPHERES. */
enum { LEAST_FOUND = 1 << 22, MOST_SPHERES = 20 };

int so_lists_suit(const weft_device *device, const so_task *task) {
    const grid *g = &task->search.g;
    return weft_device_style(device) == WEFT_SIMT && g->cells[1] <= (1 << 30) / g->cells[2];
}

/* What a batch is made from. */
typedef struct batch {
    const so_task *task;
    so_lists_centers_arrays of;
    so_lists_rows_arrays rows;
    i64 found; /* particles in all rows */
} batch;

/* Finds the rows of spheres from of.first on, and how many particles lie in them. `rows`
 * are as many as `count` says. */
static void look(weft_device *device, weft_array count, i64 rows, batch *b) {
    const weft_array sphere = weft_scratch(device, WEFT_U32, rows),
                     place = weft_scratch(device, WEFT_U32, rows);
    weft_expand_sources(device, count, sphere, place, NULL);
    b->rows = (so_lists_rows_arrays){.sphere = sphere,
                                     .place = place,
                                     .begin = weft_scratch(device, WEFT_U32, rows),
                                     .count = weft_scratch(device, WEFT_U32, rows),
                                     .next = weft_scratch(device, WEFT_U32, rows),
                                     .all = weft_scratch(device, WEFT_U32, rows)};
    weft_for_each(device, rows, so_lists_look, .s = b->task->search,
                  .cells = b->task->cells->sets, .of = b->of, .rows = b->rows);
    weft_expand_sources(device, b->rows.all, (weft_array){0}, (weft_array){0}, &b->found);
}

/* Those within reach, with their keys. */
static void choose(weft_device *device, const batch *b, so_lists *lists) {
    const i64 found = b->found;
    weft_scope_open(device);
    const weft_array row = weft_scratch(device, WEFT_U32, found),
                     place = weft_scratch(device, WEFT_U32, found);
    const so_lists_found_arrays all = {lists->shift, weft_scratch(device, WEFT_U64, found),
                                       weft_scratch(device, WEFT_U32, found)};
    weft_expand_sources(device, b->rows.all, row, place, NULL);
    weft_for_each(device, found, so_lists_key, .s = b->task->search, .at = b->task->words,
                  .cells = b->task->cells->sets, .of = b->of, .rows = b->rows, .row = row,
                  .place = place, .found = all);
    const weft_array near = weft_lazy(found, so_lists_is_near, .key = all.key);
    weft_copy_if(device, all.who, near, lists->who, NULL);
    weft_copy_if(device, all.key, near, lists->key, &lists->members);
    weft_scope_close(device);
    lists->who = weft_slice(device, lists->who, 0, lists->members);
    lists->key = weft_slice(device, lists->key, 0, lists->members);
}

static void order(weft_device *device, const batch *b, so_lists *lists) {
    lists->offset = weft_scratch(device, WEFT_I64, lists->spheres + 1);
    lists->r2 = weft_scratch(device, WEFT_F64, lists->members);
    weft_sort_bits(device, lists->key, lists->who, WEFT_ASCENDING, 0, SO_LISTS_BITS);
    weft_for_each(device, lists->spheres + 1, so_lists_begin, .shift = lists->shift,
                  .members = lists->members, .key = lists->key, .offset = lists->offset);
    weft_for_each(device, lists->members, so_lists_measure, .s = b->task->search,
                  .at = b->task->words, .of = b->of, .shift = lists->shift,
                  .key = lists->key, .who = lists->who, .r2 = lists->r2);
    weft_for_each(device, lists->members, so_lists_order, .members = lists->members,
                  .id = b->task->id, .key = lists->key, .r2 = lists->r2, .who = lists->who);
}

/* How many spheres from `first` on have at most so many rows together, or one. */
static i64 fill(const u32 *rows, i64 first, i64 listed, i64 most, i64 *sum) {
    i64 k = 0;
    for (*sum = 0; first + k < listed && k < (1 << MOST_SPHERES) - 1 &&
                   (k == 0 || *sum + rows[first + k] <= most);
         k++)
        *sum += rows[first + k];
    return k;
}

/* The next batch, of at most `most` rows and `limit` particles in them, unless it is one
 * sphere. Returns how many rows the next one should have. */
static i64 measure(weft_device *device, batch *b, weft_array count, const u32 *rows,
                   i64 most, i64 limit, so_lists_use *use, void *context, so_lists *lists) {
    i64 sum = 0, next = most;
    lists->spheres = fill(rows, lists->first, count.length, most, &sum);
    weft_task_until(device, (f64)(lists->first + lists->spheres) / (f64)count.length);
    weft_scope_open(device);
    b->of.first = lists->first;
    look(device, weft_slice(device, count, lists->first, lists->spheres), sum, b);
    if (b->found > limit)
        next = sum / (2 * b->found / limit);
    else if (b->found < limit / 4 && most < limit)
        next = 2 * most;
    if (b->found > limit && lists->spheres > 1) {
        lists->spheres = 0;
    } else if (weft_check(device) == WEFT_OK) {
        lists->shift = SO_LISTS_BITS - lengths_bits(lists->spheres + 1);
        lists->who = weft_scratch(device, WEFT_U32, b->found);
        lists->key = weft_scratch(device, WEFT_U64, b->found);
        choose(device, b, lists);
        order(device, b, lists);
        if (weft_check(device) == WEFT_OK)
            use(device, b->task, lists, context);
    }
    weft_scope_close(device);
    return next;
}

void so_lists_each(weft_device *device, const so_task *task, weft_array list,
                   weft_array reach2, so_lists_use *use, void *context) {
    const i64 quarter = task->cells->sets.points / 4;
    const i64 limit = quarter > LEAST_FOUND ? quarter : LEAST_FOUND;
    u32 *rows = malloc((size_t)(list.length + 1) * sizeof *rows);
    so_lists lists = {0};
    batch b = {.task = task, .of = {0, list, task->center, reach2}};
    weft_task_begin(device, "so_lists_each");
    weft_scope_open(device);
    const weft_array count = weft_scratch(device, WEFT_U32, list.length);
    weft_for_each(device, list.length, so_lists_count, .s = task->search, .of = b.of,
                  .count = count);
    if (!rows)
        weft_fail(device, WEFT_E_MEMORY, "%s: out of memory", task->call);
    weft_read(device, count, rows);
    for (i64 most = limit; lists.first < list.length && weft_check(device) == WEFT_OK;
         lists.first += lists.spheres)
        most = measure(device, &b, count, rows, most, limit, use, context, &lists);
    weft_scope_close(device);
    weft_task_end(device);
    free(rows);
}
