#include "members.h"
#include "lists.h"
#include "so_members.kernel.h"
#include "weft/listener.h"
#include "weft/queue.h"
#include "weft/transform.h"

#include <stdlib.h>

WEFT_BUNDLE(so_members_lists, (value, i64, first), (value, i64, spheres),
            (in, i64, offset, 0), (inout, f64, gathered_r2, 0),
            (inout, u32, gathered_who, 0), (inout, f64, r2, 0), (inout, u32, who, 0),
            (inout, i64, found, 0))
WEFT_BUNDLE(so_members_told, (value, i64, arrays), (inout, f64, place, 0),
            (inout, f64, velocity, 0))
WEFT_KERNEL(so_members_list, (value, so_search, s), (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, grid_view, cells),
            (bundle, so_kept, kept), (optional, i64, id, 0), (value, i64, items),
            (in, f64, center, 0), (in, f64, reach2, 0), (bundle, so_members_lists, lists),
            (bundle, so_members_told, told))

/* The members of a batch are at most an eighth of the particles, or so many; and no more
 * than so many for each that runs at once, of which it has so many lists. */
enum { LEAST_MEMBERS = 1 << 18, MEMBERS = 1 << 15, ITEMS = 16 };

/* What is on the host. */
typedef struct batches {
    i64 *count;  /* [centers] */
    i64 *offset; /* [centers + 1], of a batch */
} batches;

/* How many spheres, from the first on, make the next batch; their offsets. */
static i64 fill(weft_device *device, const so_task *task, const batches *host, i64 first) {
    const i64 eighth = task->cells->sets.points / 8,
              each = MEMBERS * weft_concurrency(device);
    const i64 room = eighth > LEAST_MEMBERS ? eighth : LEAST_MEMBERS;
    const i64 most = weft_device_style(device) == WEFT_SIMD && each < room ? each : room;
    i64 k = 0, sum = 0;
    while (first + k < task->search.centers &&
           (k == 0 || (sum + host->count[first + k] <= most && k < most))) {
        host->offset[k++] = sum;
        sum += host->count[first + k - 1];
    }
    host->offset[k] = sum;
    return k;
}

void so_members_compare(weft_device *device, const char *call, i64 center, i64 have,
                        i64 announced) {
    if (have != announced)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the sphere around center %lld holds %lld particles and not "
                  "%lld: it is of other particles",
                  call, (long long)center, (long long)have, (long long)announced);
}

/* That all of a batch do. `found` has their numbers, or is [spheres + 1] and has sums. */
static void compare_all(weft_device *device, const so_task *task, weft_array found,
                        i64 first, i64 spheres, const i64 *count) {
    const int sums = found.length > spheres;
    i64 *have = malloc((size_t)found.length * sizeof *have);
    if (!have)
        weft_fail(device, WEFT_E_MEMORY, "%s: out of memory", task->call);
    else if (weft_read(device, found, have) == WEFT_OK)
        for (i64 k = 0; k < spheres; k++)
            so_members_compare(device, task->call, first + k,
                               sums ? have[k + 1] - have[k] : have[k], count[first + k]);
    free(have);
}

static void list(weft_device *device, const so_task *task, weft_array reach2,
                 const batches *host, so_members *m) {
    const i64 most = ITEMS * weft_concurrency(device);
    const i64 items = m->spheres < most ? m->spheres : most;
    const weft_array found = weft_scratch(device, WEFT_I64, m->spheres);
    m->offset = weft_scratch(device, WEFT_I64, m->spheres + 1);
    m->r2 = weft_scratch(device, WEFT_F64, m->members);
    m->who = weft_scratch(device, WEFT_U32, m->members);
    m->place = weft_scratch(device, WEFT_F64, task->told > 0 ? 3 * m->members : 0);
    m->velocity = weft_scratch(device, WEFT_F64, task->told > 1 ? 3 * m->members : 0);
    weft_write(device, m->offset, host->offset);
    weft_scope_open(device);
    const so_members_lists_arrays lists = {
        .first = m->first,
        .spheres = m->spheres,
        .offset = m->offset,
        .gathered_r2 = weft_scratch(device, WEFT_F64, m->members),
        .gathered_who = weft_scratch(device, WEFT_U32, m->members),
        .r2 = m->r2,
        .who = m->who,
        .found = found,
    };
    const so_members_told_arrays told = {task->told, m->place, m->velocity};
    weft_for_each(device, items, so_members_list, .s = so_kept_named(task),
                  .at = task->words, .flow = task->told > 1 ? task->flow : task->words,
                  .cells = task->cells->sets, .kept = task->kept, .id = task->id,
                  .items = items, .center = task->center, .reach2 = reach2, .lists = lists,
                  .told = told);
    weft_scope_close(device);
    if (weft_check(device) == WEFT_OK)
        compare_all(device, task, found, m->first, m->spheres, host->count);
}

static void use_batches(weft_device *device, const so_task *task, weft_array reach2,
                        const batches *host, so_members_use *use, void *context) {
    const i64 centers = task->search.centers;
    so_members m = {0};
    for (; m.first < centers && weft_check(device) == WEFT_OK; m.first += m.spheres) {
        m.spheres = fill(device, task, host, m.first);
        m.members = host->offset[m.spheres];
        const f64 first = (f64)m.first / (f64)centers, all = (f64)m.spheres / (f64)centers;
        weft_scope_open(device);
        weft_task_until(device, first + 0.3 * all);
        list(device, task, reach2, host, &m);
        weft_task_until(device, first + all);
        if (weft_check(device) == WEFT_OK)
            use(device, task, &m, context);
        weft_scope_close(device);
    }
}

/* Whether the counts can be some of the particles'. */
static int are_counts(weft_device *device, const so_task *task, const i64 *count) {
    const i64 points = task->cells->sets.points;
    for (i64 c = 0; c < task->search.centers; c++)
        if (count[c] < (task->search.in_part ? -1 : 0) || count[c] > points)
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: the sphere around center %lld cannot hold %lld of %lld "
                      "particles",
                      task->call, (long long)c, (long long)count[c], (long long)points);
    return weft_check(device) == WEFT_OK;
}

/* Those that are open hold none. */
static void close_open(const so_task *task, i64 *count) {
    for (i64 c = 0; c < task->search.centers; c++)
        count[c] = count[c] > 0 ? count[c] : 0;
}

/* What is done with lists of spheres, whose numbers are known or NULL. */
typedef struct users {
    const i64 *count;
    so_members_use *use;
    void *context;
} users;

static void use_lists(weft_device *device, const so_task *task, const so_lists *lists,
                      void *context) {
    const users *u = context;
    const so_members m = {.first = lists->first,
                          .spheres = lists->spheres,
                          .members = lists->members,
                          .offset = lists->offset,
                          .r2 = lists->r2,
                          .who = lists->who};
    if (u->count)
        compare_all(device, task, m.offset, m.first, m.spheres, u->count);
    if (weft_check(device) == WEFT_OK)
        u->use(device, task, &m, u->context);
}

/* By many work-items a sphere. */
static void use_apart(weft_device *device, const so_task *task, weft_array reach2,
                      const i64 *count, so_members_use *use, void *context) {
    users u = {count, use, context};
    weft_task_until(device, 1);
    weft_scope_open(device);
    so_lists_each(device, task, points_numbers(device, task->search.centers), reach2,
                  use_lists, &u);
    weft_scope_close(device);
}

void so_members_each(weft_device *device, const so_task *of, weft_array reach2,
                     weft_array count, so_members_use *use, void *context) {
    so_task own = *of;
    const so_task *task = &own;
    const i64 centers = task->search.centers;
    const int counted = count.type != 0, apart = so_lists_suit(device, task);
    batches host = {malloc((size_t)centers * sizeof(i64)),
                    malloc((size_t)(centers + 1) * sizeof(i64))};
    weft_task_begin(device, "so_members_each");
    weft_scope_open(device);
    if (!counted)
        count = weft_scratch(device, WEFT_I64, centers);
    if (!counted && !apart)
        so_kept_count_all(device, &own, reach2, count);
    if (!host.count || !host.offset)
        weft_fail(device, WEFT_E_MEMORY, "%s: out of memory", task->call);
    else if (apart && !counted)
        use_apart(device, task, reach2, NULL, use, context);
    else if (weft_read(device, count, host.count) == WEFT_OK &&
             are_counts(device, task, host.count)) {
        close_open(task, host.count);
        if (apart)
            use_apart(device, task, reach2, host.count, use, context);
        else
            use_batches(device, task, reach2, &host, use, context);
    }
    weft_scope_close(device);
    weft_task_end(device);
    free(host.count);
    free(host.offset);
}
