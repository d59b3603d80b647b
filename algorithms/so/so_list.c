#include "algorithms/points/arguments.h"
#include "known.h"
#include "algorithms/so/around/members.h"
#include "weft/listener.h"
#include "weft/so_list.h"
#include "weft/transform.h"

#include <stdlib.h>

static const char NAME[] = "weft_so_list";

/* Spheres come in the order of their centers. */
typedef struct batch {
    const weft_so_members *out;
    i64 listed;
} batch;

static void keep(weft_device *device, const so_task *task, const so_members *members,
                 void *context) {
    batch *b = context;
    const weft_so_members *out = b->out;
    (void)task;
    weft_copy(device, members->who,
              weft_slice(device, out->particle, b->listed, members->members));
    weft_copy(device, members->r2,
              weft_slice(device, out->r2, b->listed, members->members));
    b->listed += members->members;
}

/* Room for so many particles as there should be; more than all would not be found. */
static void make(weft_device *device, weft_array count, i64 points, weft_so_members *out) {
    const i64 n = count.length;
    i64 *offset = malloc((size_t)(n + 1) * sizeof *offset);
    if (!offset)
        weft_fail(device, WEFT_E_MEMORY, "%s: out of memory", NAME);
    else if (weft_read(device, count, offset + 1) == WEFT_OK) {
        offset[0] = 0;
        for (i64 c = 1; c <= n; c++)
            offset[c] =
                offset[c - 1] + (offset[c] > 0 && offset[c] <= points ? offset[c] : 0);
        *out = (weft_so_members){.centers = n,
                                 .members = offset[n],
                                 .offset = weft_array_new(device, WEFT_I64, n + 1),
                                 .particle = weft_array_new(device, WEFT_U32, offset[n]),
                                 .r2 = weft_array_new(device, WEFT_F64, offset[n])};
        weft_write(device, out->offset, offset);
    }
    free(offset);
}

weft_status weft_so_list(weft_device *device, const weft_bodies *bodies,
                         const weft_points *centers, const weft_so_options *options,
                         const weft_so_spheres *spheres, int64_t threshold,
                         weft_so_members *out) {
    so_task task;
    if (out)
        *out = (weft_so_members){0};
    if (!arguments_given(device, NAME, "out", out) ||
        !arguments_given(device, NAME, "spheres", spheres))
        return weft_check(device);
    const int some = so_task_begin(device, NAME, bodies, centers, options, &task);
    if (weft_check(device) == WEFT_OK) {
        const i64 n = centers->count;
        so_known_check(device, options, n, spheres, threshold, &task);
        make(device, weft_slice(device, spheres->count, threshold * n, n),
             bodies->points.count, out);
    }
    if (some && weft_check(device) == WEFT_OK) {
        const so_known known = so_known_of(device, &task, spheres, threshold);
        batch b = {.out = out};
        weft_task_until(device, 1);
        so_members_each(device, &task, known.reach2, known.count, keep, &b);
    }
    so_task_end(device, options, &task);
    if (weft_check(device) != WEFT_OK)
        weft_so_members_free(device, out);
    return weft_check(device);
}

void weft_so_members_free(weft_device *device, weft_so_members *members) {
    if (!members)
        return;
    weft_array_free(device, members->offset);
    weft_array_free(device, members->particle);
    weft_array_free(device, members->r2);
    *members = (weft_so_members){0};
}
