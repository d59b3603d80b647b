/* Halos in batches, so that scratch is for the members of one batch and not for all. Halos
 * do not know of each other, so what is found is the same. */
#include "batches.kernel.h"
#include "algorithms/tuning.h"
#include "subhalos.h"
#include "weft/listener.h"
#include "weft/transform.h"

#include <stdlib.h>

WEFT_KERNEL(batches_shift, (value, batches_before, before), (in, u32, halo, 0),
            (in, u32, parent, 0), (in, i64, offset), (out, u32, to_halo, 0),
            (out, u32, to_parent, 0), (out, i64, to_offset))

/* Halos [first, first + count), and what was found in them. */
typedef struct batch {
    i64 first, count;
    weft_subhalos found;
} batch;

/* As many halos as fit, one at least, from halo `first` on. */
static i64 count_of(const i64 *offset, i64 halos, i64 first, i64 room) {
    i64 end = first + 1;
    while (end < halos && offset[end + 1] - offset[first] <= room)
        end++;
    return end - first;
}

/* Finds those of a batch. `offset` are those of its halos among all, and lose what is
 * before the first. */
static void find(weft_device *device, const subhalos_task *task, i64 *offset, batch *b) {
    const i64 begin = offset[0];
    for (i64 h = 0; h <= b->count; h++)
        offset[h] -= begin;
    subhalos_task some = *task;
    weft_scope_open(device);
    some.halos = (weft_halos){
        .count = b->count,
        .members = offset[b->count],
        .offset = weft_scratch(device, WEFT_I64, b->count + 1),
        .member = weft_slice(device, task->halos.member, begin, offset[b->count])};
    weft_write(device, some.halos.offset, offset);
    subhalos_find_together(device, &some, &b->found);
    weft_scope_close(device);
    offset[b->count] += begin; /* where the next one begins */
}

/* The results of all batches, one after the other. */
static void join(weft_device *device, const subhalos_task *task, batch *batches, i64 n,
                 weft_subhalos *out) {
    i64 count = 0, members = 0;
    for (i64 k = 0; k < n; k++) {
        count += batches[k].found.count;
        members += batches[k].found.members;
    }
    subhalos_make_room(device, task, count, members, out);
    i64 subhalos = 0, before = 0;
    for (i64 k = 0; k < n; k++) {
        weft_subhalos *f = &batches[k].found;
        const struct {
            weft_array from, to;
        } copies[] = {{f->depth, out->depth}, {f->main, out->main}, {f->peak, out->peak}};
        for (int c = 0; c < 3; c++)
            weft_copy(device, copies[c].from,
                      weft_slice(device, copies[c].to, subhalos, f->count));
        weft_copy(device, f->member, weft_slice(device, out->member, before, f->members));
        if (!task->o.order_only)
            weft_copy(device, f->energy,
                      weft_slice(device, out->energy, before, f->members));
        weft_for_each(device, f->count + 1, batches_shift,
                      .before = {batches[k].first, subhalos, before, f->count},
                      .halo = f->halo, .parent = f->parent, .offset = f->offset,
                      .to_halo = weft_slice(device, out->halo, subhalos, f->count),
                      .to_parent = weft_slice(device, out->parent, subhalos, f->count),
                      .to_offset = weft_slice(device, out->offset, subhalos, f->count + 1));
        subhalos += f->count;
        before += f->members;
        weft_subhalos_free(device, f);
    }
}

static void find_all(weft_device *device, const subhalos_task *task, i64 room, i64 *offset,
                     batch *batches, weft_subhalos *out) {
    i64 n = 0;
    weft_read(device, task->halos.offset, offset);
    for (i64 h = 0; h < task->halos.count && weft_check(device) == WEFT_OK;
         h += batches[n++].count) {
        batches[n] =
            (batch){.first = h, .count = count_of(offset, task->halos.count, h, room)};
        weft_task_until(device,
                        (f64)offset[h + batches[n].count] / (f64)task->halos.members);
        weft_task_begin(device, "subhalos_batch");
        find(device, task, offset + h, &batches[n]);
        weft_task_end(device);
    }
    join(device, task, batches, n, out);
}

void subhalos_find_all(weft_device *device, const subhalos_task *task, weft_subhalos *out) {
    const size_t halos = (size_t)task->halos.count;
    const i64 room = task->o.batch > 0 ? task->o.batch : tuning_of(device)->subhalos_batch;
    if (task->halos.members <= room || halos < 2) {
        subhalos_find_together(device, task, out);
        return;
    }
    i64 *offset = malloc((halos + 1) * sizeof *offset);
    batch *batches = malloc(halos * sizeof *batches);
    if (offset && batches)
        find_all(device, task, room, offset, batches, out);
    else
        weft_fail(device, WEFT_E_MEMORY, "%s: no memory for %lld halos", task->call,
                  (long long)halos);
    free(offset), free(batches);
}
