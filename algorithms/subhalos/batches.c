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

/* Halos from number `first` on, and what was found in them. */
typedef struct batch {
    i64 first;
    weft_subhalos found;
} batch;

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

/* As many halos at a time as fit, one at least. */
static void find_all(weft_device *device, const subhalos_task *task, i64 room,
                     batch *batches, weft_subhalos *out) {
    const weft_halos *all = &task->halos;
    i64 n = 0, members = 0;
    for (i64 begin = 0, end; begin < all->count && weft_check(device) == WEFT_OK;
         begin = end) {
        subhalos_task some = *task;
        end = lengths_batch(device, all->count, all->offset, begin, room);
        batches[n] = (batch){.first = begin};
        weft_scope_open(device);
        some.halos = lengths_halos(device, all, begin, end);
        members += some.halos.members;
        weft_task_until(device, (f64)members / (f64)all->members);
        weft_task_begin(device, "subhalos_batch");
        subhalos_find_together(device, &some, &batches[n++].found);
        weft_task_end(device);
        weft_scope_close(device);
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
    batch *batches = malloc(halos * sizeof *batches);
    if (batches)
        find_all(device, task, room, batches, out);
    else
        weft_fail(device, WEFT_E_MEMORY, "%s: no memory for %lld halos", task->call,
                  (long long)halos);
    free(batches);
}
