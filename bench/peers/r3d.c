/* r3d: polyhedra clipped and bisected, cell by cell. One thread. A sliver that it finds no
 * volume in is left out. */
#include "peer.h"
#include "r3d.h"
#include "v3d.h"

#include "bench/sheet/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct state {
    struct task *task;
    double *sum, *part; /* of all cells, of those of one tetrahedron */
    i64 room;           /* of `part` */
};

static const char *describe(void) {
    return "r3d of github.com/devonmpowell/r3d, 64 vertices";
}

static void close_r3d(void *pointer) {
    struct state *state = pointer;
    free(state->sum), free(state->part), free(state);
}

static void *open_r3d(struct task *task, int threads) {
    (void)threads;
    const struct sheet_settings *settings = task->settings;
    if (strncmp(task->name, "sheet:", 6) != 0 || settings->kind != SHEET_CELLS)
        return NULL;
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->task = task;
    state->sum = malloc((size_t)task->out[0].length * sizeof *state->sum);
    if (state->sum)
        return state;
    close_r3d(state);
    return NULL;
}

static int reset(void *pointer) {
    (void)pointer;
    return 1;
}

/* Adds the parts of a tetrahedron, of this volume, to cells of the grid. */
static void add(struct state *state, const i64 *low, const i64 *extent, double volume) {
    const i64 *grid = ((struct sheet_settings *)state->task->settings)->grid;
    const double *part = state->part;
    for (i64 x = low[0]; x < low[0] + extent[0]; ++x)
        for (i64 y = low[1]; y < low[1] + extent[1]; ++y)
            for (i64 z = low[2]; z < low[2] + extent[2]; ++z) {
                const i64 row = (x + grid[0]) % grid[0] * grid[1] + (y + grid[1]) % grid[1];
                state->sum[row * grid[2] + (z + grid[2]) % grid[2]] += *part++ / volume;
            }
}

static int clip(struct state *state, i64 tetrahedron) {
    r3d_rvec3 at[4];
    r3d_dvec3 ends[2];
    f64 corner[4][3];
    i64 low[3], extent[3];
    sheet_corners(state->task->settings, state->task->in[0].data, tetrahedron / 6,
                  (int)(tetrahedron % 6), corner);
    sheet_extent((const f64(*)[3])corner, low, extent);
    for (int k = 0; k < 3; ++k) {
        for (int v = 0; v < 4; ++v)
            at[v].xyz[k] = corner[v][k] - (f64)low[k];
        ends[0].ijk[k] = 0;
        ends[1].ijk[k] = (int)extent[k];
    }
    if (r3d_orient(at) < 0) {
        const r3d_rvec3 other = at[0];
        at[0] = at[1];
        at[1] = other;
    }
    const double volume = r3d_orient(at);
    const i64 all = extent[0] * extent[1] * extent[2];
    if (!(volume > 0))
        return 1;
    if (all > state->room) {
        free(state->part);
        state->room = all;
        state->part = malloc((size_t)all * sizeof *state->part);
    }
    if (state->part == NULL)
        return 0;
    memset(state->part, 0, (size_t)all * sizeof *state->part);
    r3d_poly poly;
    r3d_init_tet(&poly, at);
    r3d_voxelize(&poly, ends, state->part, (r3d_rvec3){{1, 1, 1}}, 0);
    add(state, low, extent, volume);
    return 1;
}

static int run(void *pointer) {
    struct state *state = pointer;
    const i64 *n = ((struct sheet_settings *)state->task->settings)->lattice.n;
    int done = 1;
    memset(state->sum, 0, (size_t)state->task->out[0].length * sizeof *state->sum);
    for (i64 t = 0; done && t < 6 * n[0] * n[1] * n[2]; ++t)
        done = clip(state, t);
    return done;
}

static int fetch(void *pointer) {
    const struct state *state = pointer;
    struct task *task = state->task;
    const struct sheet_settings *settings = task->settings;
    const f64 one = (f64)weft_sheet_units(&settings->lattice, WEFT_TESSELLATION_ABEL);
    i64 *units = task->out[0].data;
    for (i64 i = 0; i < task->out[0].length; ++i)
        units[i] = llround(state->sum[i] * one);
    task->value = (u64)(1e-9 * one * (f64)task->n);
    return 1;
}

const struct peer peer_r3d = {
    .name = "r3d",
    .backend = "c",
    .one_thread = 1,
    .describe = describe,
    .open = open_r3d,
    .reset = reset,
    .run = run,
    .fetch = fetch,
    .close = close_r3d,
};
