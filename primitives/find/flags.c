/* The first flag, as the backend finds it; else block after block. Each is asked whether it
 * has one at all, and that which has is asked again in smaller blocks, until the host can
 * look for itself; on GPUs, where each question costs a launch, each is asked for its
 * first. */
#include "find.h"
#include "primitives/select/select.h"
#include "weft/find.h"
#include "weft/element.h"
#include "weft/operators.h"
#include "weft/lazy.h"
#include "weft/reduce.h"
#include "weft/transform.h"

#include <string.h>

enum { FEW = 4096, GROWTH = 8 };

/* Where so many work-items run: the first of those selected, which is all there is room
 * for, and how many there are. */
static i64 select_first(weft_device *device, weft_array flags, int wanted) {
    i64 found[2] = {-1, 0}; /* the first, the count */
    weft_scope_open(device);
    const weft_array both = weft_scratch(device, WEFT_I64, 2),
                     number = weft_counting(flags.length, (i64)0);
    const weft_array first = weft_part(both, 0, 1);
    if (weft_select_counting(device, number, flags, (u32)wanted, 0, first,
                             weft_part(both, 1, 1))) {
        if (weft_check(device) == WEFT_OK)
            weft_read(device, both, found);
    } else {
        weft_select_into(device, number, flags, (u32)wanted, first, &found[1]);
        if (weft_check(device) == WEFT_OK)
            weft_read(device, first, found);
    }
    weft_scope_close(device);
    return found[1] > 0 ? found[0] : -1;
}

static i64 find_selecting(weft_device *device, weft_array flags, int wanted) {
    const weft_tuning *tuning = weft_tuning_of(device);
    i64 step = tuning->find_first;
    for (i64 first = 0; first < flags.length && weft_check(device) == WEFT_OK;) {
        const i64 left = flags.length - first, count = left < step ? left : step;
        const i64 found = select_first(device, weft_part(flags, first, count), wanted);
        if (found >= 0)
            return first + found;
        first += count;
        step = tuning->find;
    }
    return -1;
}

static int has(weft_device *device, weft_array flags, int wanted) {
    u32 extreme = 0;
    const weft_operator *op = wanted ? weft_maximum(WEFT_U32) : weft_minimum(WEFT_U32);
    return weft_reduce(device, flags, op, &extreme) == WEFT_OK && (extreme != 0) == wanted;
}

/* Of few flags. */
static i64 look(weft_device *device, weft_array flags, int wanted) {
    u32 seen[FEW];
    weft_scope_open(device);
    weft_read(device, weft_settled(device, flags), (void *)seen);
    weft_scope_close(device);
    i64 i = 0;
    while (i < flags.length && (seen[i] != 0) != wanted)
        i++;
    return i < flags.length ? i : -1;
}

/* As the backend itself does; returns 0 where it has no way of its own. */
static int find_directly(weft_device *device, weft_array flags, int wanted, i64 *index) {
    weft_input input;
    if (!device->backend->find || flags.length == 0)
        return 0;
    return weft_need_input(device, "weft_find.flags", flags, 0, 0, &input) != WEFT_OK ||
           device->backend->find(device, &input, wanted, index);
}

weft_status weft_find_flag(weft_device *device, weft_array flags, int wanted, i64 *index) {
    i64 first = 0, end = flags.length, most = weft_tuning_of(device)->find, step = FEW;
    *index = -1;
    if (find_directly(device, flags, wanted, index)) {
        first = end;
    } else if (weft_tuning_of(device)->find_first) {
        *index = find_selecting(device, flags, wanted);
        first = end;
    }
    while (first < end && *index < 0 && weft_check(device) == WEFT_OK) {
        const i64 count = end - first < step ? end - first : step;
        const weft_array block = weft_part(flags, first, count);
        if (count <= FEW) {
            *index = look(device, block, wanted);
            *index += *index < 0 ? 0 : first;
        } else if (has(device, block, wanted)) {
            end = first + count;
            most = step = count / GROWTH > FEW ? count / GROWTH : FEW;
            continue;
        }
        first += count;
        step = step * GROWTH < most ? step * GROWTH : most;
    }
    if (weft_check(device) != WEFT_OK)
        *index = 0;
    return weft_check(device);
}

weft_status weft_find_check(weft_device *device, const char *what, weft_array in,
                            weft_type type, const char *name, const void *result) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what, in, type, 0) != WEFT_OK)
        return weft_check(device);
    if (!result)
        return weft_fail(device, WEFT_E_ARGUMENT, "%.*s: '%s' is NULL",
                         (int)(strchr(what, '.') - what), what, name);
    return WEFT_OK;
}

static weft_status find(weft_device *device, const char *what, weft_array flags, int wanted,
                        i64 *index) {
    if (index)
        *index = 0;
    if (weft_find_check(device, what, flags, WEFT_U32, "index", index) != WEFT_OK)
        return weft_check(device);
    return weft_find_flag(device, flags, wanted, index);
}

weft_status weft_find_if(weft_device *device, weft_array flags, i64 *index) {
    return find(device, "weft_find_if.flags", flags, 1, index);
}

weft_status weft_find_if_not(weft_device *device, weft_array flags, i64 *index) {
    return find(device, "weft_find_if_not.flags", flags, 0, index);
}

weft_status weft_is_partitioned(weft_device *device, weft_array flags, int *result) {
    i64 first = 0, later = 0;
    if (result)
        *result = 0;
    if (weft_find_check(device, "weft_is_partitioned.flags", flags, WEFT_U32, "result",
                        result) != WEFT_OK ||
        weft_find_flag(device, flags, 0, &first) != WEFT_OK)
        return weft_check(device);
    if (first < 0)
        later = -1;
    else
        weft_find_flag(device, weft_part(flags, first, flags.length - first), 1, &later);
    if (weft_check(device) == WEFT_OK)
        *result = later < 0;
    return weft_check(device);
}

weft_status weft_partition_point(weft_device *device, weft_array flags, i64 *index) {
    if (index)
        *index = 0;
    if (weft_find_check(device, "weft_partition_point.flags", flags, WEFT_U32, "index",
                        index) != WEFT_OK)
        return weft_check(device);
    i64 first = 0, left = flags.length, found = -1;
    while (left > FEW && weft_check(device) == WEFT_OK) {
        const i64 half = left / 2;
        u32 flag = 0;
        weft_get(device, flags, first + half - 1, &flag);
        first += flag ? half : 0;
        left = flag ? left - half : half;
    }
    if (weft_find_flag(device, weft_part(flags, first, left), 0, &found) == WEFT_OK)
        *index = first + (found < 0 ? left : found);
    return weft_check(device);
}
