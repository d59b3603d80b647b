#include "halos.h"

#include <math.h>
#include <stdlib.h>

static f64 coordinate(const struct task *task, u32 i, int axis) {
    const void *data = task->in[0].data;
    return task->in[0].type == WEFT_F32 ? (f64)((const f32 *)data)[3 * (i64)i + axis]
                                        : ((const f64 *)data)[3 * (i64)i + axis];
}

/* Members unwrapped from the first, one axis after the other. */
static void unwrap(const struct task *task, const u32 *member, i64 length, f64 *u) {
    const struct halos_settings *settings = task->settings;
    for (int axis = 0; axis < 3; ++axis) {
        const f64 box = settings->box[axis], first = coordinate(task, member[0], axis);
        for (i64 k = 0; k < length; ++k) {
            const f64 d = coordinate(task, member[k], axis) - first;
            u[axis * length + k] = box > 0 ? remainder(d, box) : d;
        }
    }
}

static f64 potential(const f64 *u, i64 length, i64 i) {
    const f64 *x = u, *y = u + length, *z = u + 2 * length;
    f64 sum = 0;
    for (i64 j = 0; j < length; ++j) {
        const f64 dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const f64 r2 = dx * dx + dy * dy + dz * dz;
        sum += r2 > 0 ? 1 / sqrt(r2) : 0;
    }
    return -sum;
}

static bool near(f64 a, f64 b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static bool check_member(const struct task *task, const u32 *member, i64 length, u32 found,
                         f64 told, f64 *u) {
    f64 of_found = NAN;
    unwrap(task, member, length, u);
    for (i64 i = 0; i < length; ++i)
        of_found = member[i] == found ? potential(u, length, i) : of_found;
    return near(told, of_found);
}

static bool check_halo(const struct task *task, const u32 *member, i64 length, u32 found,
                       f64 told, f64 *u) {
    f64 least = INFINITY, of_found = NAN;
    unwrap(task, member, length, u);
    for (i64 i = 0; i < length; ++i) {
        const f64 phi = potential(u, length, i);
        least = phi < least ? phi : least;
        if (member[i] == found)
            of_found = phi;
    }
    return near(of_found, least) && near(told, least);
}

typedef bool check_one(const struct task *task, const u32 *member, i64 length, u32 found,
                       f64 told, f64 *u);

static bool check_halos(const struct task *task, check_one *check) {
    const i64 *offset = task->in[1].data, halos = task->in[1].length - 1;
    const u32 *member = task->in[2].data, *found = task->out[0].data;
    const f64 *told = task->out[1].data;
    f64 *u = malloc((size_t)(3 * task->in[2].length + 1) * sizeof *u);
    bool good = u != NULL;
    for (i64 h = 0; good && h < halos; ++h)
        good = check(task, member + offset[h], offset[h + 1] - offset[h], found[h], told[h],
                     u);
    free(u);
    return good;
}

bool check_mbp(const struct task *task) {
    return check_halos(task, check_halo);
}

bool check_poisson(const struct task *task) {
    return check_halos(task, check_member);
}
