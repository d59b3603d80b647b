/* Friends-of-friends without cells: every particle against every other, at once or in
 * chunks. */
#include "bench/halos/halos.h"
#include "../team.h"
#include "baselines.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 250000, CHUNKS = 64, NONE = -1 };

struct place {
    f32 at[3];
    u32 index;
};

struct state {
    struct task *task;
    struct team *team; /* NULL: one loop over all */
    f64 length;
    struct place *place; /* [n] */
    i32 *parent, *queue; /* [n] */
};

static int ascending(const void *a, const void *b) {
    const f32 x = ((const struct place *)a)->at[0], y = ((const struct place *)b)->at[0];
    return (x > y) - (x < y);
}

static bool friends(const struct state *state, i64 i, i64 j) {
    const f32 *p = state->place[i].at, *q = state->place[j].at;
    const f64 dx = (f64)p[0] - (f64)q[0], dy = (f64)p[1] - (f64)q[1];
    const f64 dz = (f64)p[2] - (f64)q[2];
    const f64 xy = dx * dx + dy * dy;
    return xy + dz * dz <= state->length * state->length;
}

/* The groups of the particles from `begin` to `end`: each named after its first. */
static void group(struct state *state, i64 begin, i64 end) {
    i32 *parent = state->parent, *queue = state->queue;
    for (i64 i = begin; i < end; ++i)
        parent[i] = NONE;
    for (i64 first = begin; first < end; ++first) {
        if (parent[first] != NONE)
            continue;
        i64 members = begin;
        parent[first] = (i32)first;
        queue[members++] = (i32)first;
        for (i64 k = begin; k < members; ++k) {
            for (i64 j = first + 1; j < end; ++j) {
                if (parent[j] == NONE && friends(state, queue[k], j)) {
                    parent[j] = (i32)first;
                    queue[members++] = (i32)j;
                }
            }
        }
    }
}

static i64 cut(const struct state *state, i64 chunk) {
    return state->task->n * chunk / CHUNKS;
}

static void group_chunks(void *pointer, int rank, int threads) {
    struct state *state = pointer;
    for (i64 chunk = rank; chunk < CHUNKS; chunk += threads)
        group(state, cut(state, chunk), cut(state, chunk + 1));
}

static i32 root(i32 *parent, i32 i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins groups of different chunks: friends beyond a chunk's end lie within the length of
 * it, along x. */
static void join_chunks(struct state *state) {
    const f64 reach = state->length * (1 + 0x1p-40);
    const i64 n = state->task->n;
    for (i64 chunk = 1; chunk < CHUNKS; ++chunk) {
        const i64 end = cut(state, chunk);
        for (i64 i = end - 1; i >= cut(state, chunk - 1) && end < n; --i) {
            if ((f64)state->place[end].at[0] - (f64)state->place[i].at[0] > reach)
                break;
            for (i64 j = end; j < n; ++j) {
                if ((f64)state->place[j].at[0] - (f64)state->place[i].at[0] > reach)
                    break;
                if (friends(state, i, j)) {
                    const i32 a = root(state->parent, (i32)i),
                              b = root(state->parent, (i32)j);
                    state->parent[a > b ? a : b] = a > b ? b : a;
                }
            }
        }
    }
}

/* Each group is named after its smallest index in the input. */
static void name_groups(struct state *state) {
    u32 *label = state->task->out[0].data;
    const i64 n = state->task->n;
    i32 *least = state->queue;
    for (i64 i = 0; i < n; ++i)
        least[i] = INT32_MAX;
    for (i64 i = 0; i < n; ++i) {
        const i32 top = root(state->parent, (i32)i), index = (i32)state->place[i].index;
        least[top] = index < least[top] ? index : least[top];
    }
    for (i64 i = 0; i < n; ++i)
        label[state->place[i].index] = (u32)least[root(state->parent, (i32)i)];
}

static int run(void *pointer) {
    struct state *state = pointer;
    const f32 *at = state->task->in[0].data;
    const i64 n = state->task->n;
    for (i64 i = 0; i < n; ++i)
        state->place[i] = (struct place){{at[3 * i], at[3 * i + 1], at[3 * i + 2]}, (u32)i};
    if (state->team) {
        qsort(state->place, (size_t)n, sizeof *state->place, ascending);
        bench_team_run(state->team, group_chunks, state);
        join_chunks(state);
    } else {
        group(state, 0, n);
    }
    name_groups(state);
    return 1;
}

static void close_pairs(void *pointer) {
    struct state *state = pointer;
    bench_team_free(state->team);
    free(state->place), free(state->parent), free(state->queue), free(state);
}

static struct state *open_any(struct task *task) {
    const struct halos_settings *settings = task->settings;
    if (strcmp(task->name, "fof") != 0 || task->in[0].type != WEFT_F32 || task->n > MOST)
        return NULL;
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    const size_t n = (size_t)task->n + 1;
    state->task = task;
    state->length = settings->linking_length;
    state->place = malloc(n * sizeof *state->place);
    state->parent = malloc(n * sizeof *state->parent);
    state->queue = malloc(n * sizeof *state->queue);
    if (state->place && state->parent && state->queue)
        return state;
    close_pairs(state);
    return NULL;
}

static void *open_pairs(struct task *task, int threads) {
    (void)threads;
    return open_any(task);
}

static void *open_chunks(struct task *task, int threads) {
    struct state *state = open_any(task);
    if (state && (state->team = bench_team_new(threads)) == NULL) {
        close_pairs(state);
        return NULL;
    }
    return state;
}

static int done(void *pointer) {
    (void)pointer;
    return 1;
}

static const char *describe_pairs(void) {
    return "all pairs (Solorzano et al. 2020), up to 250000 particles";
}

static const char *describe_chunks(void) {
    return "the same in chunks that are joined afterwards";
}

const struct peer baseline_pairs = {
    .name = "pairs",
    .backend = "c",
    .one_thread = 1,
    .describe = describe_pairs,
    .open = open_pairs,
    .reset = done,
    .run = run,
    .fetch = done,
    .close = close_pairs,
};

const struct peer baseline_chunks = {
    .name = "chunks",
    .backend = "c",
    .describe = describe_chunks,
    .open = open_chunks,
    .reset = done,
    .run = run,
    .fetch = done,
    .close = close_pairs,
};
