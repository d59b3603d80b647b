/* The A* search of HACC for the most bound particle: each member's potential is estimated
 * from below, by all members in buckets nearby and by others as if each were where its
 * bucket is nearest; the deepest estimate is made exact by one more ring of buckets at a
 * time, until the deepest is exact. */
#include "bench/halos/halos.h"
#include "baselines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE = 16 /* members to a bucket, on average */ };

/* A halo: members by bucket, whose potentials are told without their sign. */
struct search {
    i64 n, side;                       /* buckets along an axis */
    f64 width;                         /* of a bucket */
    const f64 *u;                      /* [3][n], unwrapped */
    i32 *bucket, *ring, *order, *heap; /* [n]; order: members by bucket */
    i32 *begin;                        /* [side^3 + 1] */
    i32 *filled;                       /* buckets with members, */
    i64 filled_count;
    f64 *estimate; /* [n] */
};

struct state {
    struct task *task;
    f64 *u, *estimate;
    i32 *numbers; /* [6 n + 1], of all arrays of a search */
};

static i64 apart(i64 a, i64 b) {
    return a > b ? a - b : b - a;
}

/* How many rings apart two buckets are, and how near to each other their members may be. */
static i64 rings(const struct search *s, i64 a, i64 b, f64 *nearest) {
    i64 most = 0;
    f64 r2 = 0;
    for (int axis = 0; axis < 3; ++axis, a /= s->side, b /= s->side) {
        const i64 d = apart(a % s->side, b % s->side);
        const f64 gap = d > 1 ? (f64)(d - 1) * s->width : 0;
        most = d > most ? d : most;
        r2 += gap * gap;
    }
    *nearest = sqrt(r2);
    return most;
}

static f64 pull(const struct search *s, i64 i, i64 bucket) {
    const f64 *x = s->u, *y = x + s->n, *z = y + s->n;
    f64 sum = 0;
    for (i32 k = s->begin[bucket]; k < s->begin[bucket + 1]; ++k) {
        const i32 j = s->order[k];
        const f64 dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const f64 r2 = dx * dx + dy * dy + dz * dz;
        sum += r2 > 0 ? 1 / sqrt(r2) : 0;
    }
    return sum;
}

/* What the buckets of one ring around a member, or of the first two, are estimated at, and
 * what they are. */
static void refine(struct search *s, i64 i, i64 ring) {
    const i64 own = s->bucket[i];
    for (i64 f = 0; f < s->filled_count; ++f) {
        const i64 other = s->filled[f];
        f64 nearest;
        if (rings(s, own, other, &nearest) == ring)
            s->estimate[i] +=
                pull(s, i, other) -
                (f64)(s->begin[other + 1] - s->begin[other]) / nearest * (1 + 1e-12);
    }
    s->ring[i] = (i32)ring;
}

/* The first estimates: buckets that touch the member's own as they are. */
static void estimate(struct search *s) {
    for (i64 f = 0; f < s->filled_count; ++f) {
        const i64 own = s->filled[f];
        f64 far = 0, nearest;
        for (i64 g = 0; g < s->filled_count; ++g) {
            const i64 other = s->filled[g];
            if (rings(s, own, other, &nearest) > 1)
                far += (f64)(s->begin[other + 1] - s->begin[other]) / nearest * (1 + 1e-12);
        }
        for (i32 k = s->begin[own]; k < s->begin[own + 1]; ++k)
            s->estimate[s->order[k]] = far;
        for (i64 g = 0; g < s->filled_count; ++g)
            for (i32 k = s->begin[own];
                 rings(s, own, s->filled[g], &nearest) <= 1 && k < s->begin[own + 1]; ++k)
                s->estimate[s->order[k]] += pull(s, s->order[k], s->filled[g]);
    }
    for (i64 i = 0; i < s->n; ++i)
        s->ring[i] = 1;
}

/* Members into buckets. */
static void lay_out(struct search *s) {
    f64 low[3], widest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        f64 high = -INFINITY;
        low[axis] = INFINITY;
        for (i64 i = 0; i < s->n; ++i) {
            low[axis] = fmin(low[axis], s->u[axis * s->n + i]);
            high = fmax(high, s->u[axis * s->n + i]);
        }
        widest = fmax(widest, high - low[axis]);
    }
    const i64 buckets = s->side * s->side * s->side;
    s->width = widest > 0 ? widest * (1 + 1e-12) / (f64)s->side : 1;
    for (i64 b = 0; b <= buckets; ++b)
        s->begin[b] = 0;
    for (i64 i = 0; i < s->n; ++i) {
        i64 b = 0;
        for (int axis = 2; axis >= 0; --axis) {
            const i64 c = (i64)((s->u[axis * s->n + i] - low[axis]) / s->width);
            b = b * s->side + (c < s->side ? c : s->side - 1);
        }
        s->bucket[i] = (i32)b;
        s->begin[b + 1]++;
    }
    s->filled_count = 0;
    for (i64 b = 0; b < buckets; ++b) {
        if (s->begin[b + 1] > 0)
            s->filled[s->filled_count++] = (i32)b;
        s->begin[b + 1] += s->begin[b];
    }
    for (i64 i = s->n - 1; i >= 0; --i)
        s->order[--s->begin[s->bucket[i] + 1]] = (i32)i;
    for (i64 b = 0; b < buckets; ++b)
        s->begin[b] = s->begin[b + 1];
    s->begin[buckets] = (i32)s->n;
}

static void sink(struct search *s, i64 hole, i32 member) {
    for (i64 child = 2 * hole + 1; child < s->n; child = 2 * hole + 1) {
        child += child + 1 < s->n &&
                 s->estimate[s->heap[child + 1]] > s->estimate[s->heap[child]];
        if (!(s->estimate[s->heap[child]] > s->estimate[member]))
            break;
        s->heap[hole] = s->heap[child];
        hole = child;
    }
    s->heap[hole] = member;
}

static i64 find(struct search *s) {
    lay_out(s);
    estimate(s);
    for (i64 i = 0; i < s->n; ++i)
        s->heap[i] = (i32)i;
    for (i64 k = s->n / 2; k-- > 0;)
        sink(s, k, s->heap[k]);
    while (s->ring[s->heap[0]] < s->side - 1) {
        refine(s, s->heap[0], s->ring[s->heap[0]] + 1);
        sink(s, 0, s->heap[0]);
    }
    return s->heap[0];
}

/* The sum over all, anew: refining leaves roundings. */
static f64 potential(const struct search *s, i64 i) {
    f64 sum = 0;
    for (i64 f = 0; f < s->filled_count; ++f)
        sum += pull(s, i, s->filled[f]);
    return -sum;
}

static int run(void *pointer) {
    const struct state *state = pointer;
    const struct task *task = state->task;
    const struct halos_settings *settings = task->settings;
    const i64 *offset = task->in[1].data, halos = task->in[1].length - 1;
    const f32 *at = task->in[0].data;
    for (i64 h = 0; h < halos; ++h) {
        const u32 *member = (const u32 *)task->in[2].data + offset[h];
        const i64 n = offset[h + 1] - offset[h];
        const i64 side = (i64)fmax(1, floor(cbrt((f64)n / SHARE)));
        i32 *numbers = state->numbers;
        struct search s = {.n = n,
                           .side = side,
                           .u = state->u,
                           .bucket = numbers,
                           .ring = numbers + n,
                           .order = numbers + 2 * n,
                           .heap = numbers + 3 * n,
                           .filled = numbers + 4 * n,
                           .begin = numbers + 5 * n,
                           .estimate = state->estimate};
        for (i64 k = 0; k < 3 * n; ++k) {
            const f64 box = settings->box[k / n];
            const f64 d = (f64)at[3 * (i64)member[k % n] + k / n] -
                          (f64)at[3 * (i64)member[0] + k / n];
            state->u[k] = box > 0 ? remainder(d, box) : d;
        }
        const i64 found = find(&s);
        ((u32 *)task->out[0].data)[h] = member[found];
        ((f64 *)task->out[1].data)[h] = potential(&s, found);
    }
    return 1;
}

static void close_astar(void *pointer) {
    struct state *state = pointer;
    free(state->u), free(state->estimate), free(state->numbers), free(state);
}

static void *open_astar(struct task *task, int threads) {
    (void)threads;
    i64 most = 1;
    if (strcmp(task->name, "mbp:bounded") != 0 || task->in[0].type != WEFT_F32)
        return NULL;
    for (i64 h = 0; h + 1 < task->in[1].length; ++h) {
        const i64 *offset = task->in[1].data, n = offset[h + 1] - offset[h];
        most = n > most ? n : most;
    }
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->task = task;
    state->u = malloc((size_t)(3 * most) * sizeof *state->u);
    state->estimate = malloc((size_t)most * sizeof *state->estimate);
    state->numbers = malloc((size_t)(6 * most + 2) * sizeof *state->numbers);
    if (state->u && state->estimate && state->numbers)
        return state;
    close_astar(state);
    return NULL;
}

static int done(void *pointer) {
    (void)pointer;
    return 1;
}

static const char *describe(void) {
    return "A* search of the most bound particle, as HACC's";
}

const struct peer baseline_astar = {
    .name = "astar",
    .backend = "c",
    .one_thread = 1,
    .describe = describe,
    .open = open_astar,
    .reset = done,
    .run = run,
    .fetch = done,
    .close = close_astar,
};
