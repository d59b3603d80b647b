/* Runs of cells or particles, where some may be within reach of a center: which of these
 * are. What is far away in memory is asked for some time before it is needed. */
#ifndef WEFT_SO_RUNS_KERNEL_H
#define WEFT_SO_RUNS_KERNEL_H

#include "so_search.kernel.h"

/* Squared distances, and whose they are (where that matters), of at most `room` particles;
 * `count` goes on beyond that. */
typedef struct so_runs_list {
    i64 room, count;
    GLOBAL f64 *r2; /* NULL: they are only counted */
    GLOBAL u32 *who;
} so_runs_list;

enum { SO_RUNS_MOST = 48, SO_RUNS_ROOM = 256, SO_RUNS_SHORT = 64, SO_RUNS_LINE = 4 };

/* Runs of cells, or of particles in sorted order, of which those count whose x is in
 * [low, low + width], modulo 2^32. */
typedef struct so_runs {
    i32 count;
    i32 is_cells[SO_RUNS_MOST];
    u32 begin[SO_RUNS_MOST], end[SO_RUNS_MOST];
    u32 low[SO_RUNS_MOST], width[SO_RUNS_MOST];
} so_runs;

/* Where to look, and what is found there. */
typedef struct so_runs_around {
    const so_search *s;
    const points_coordinates *at;
    const grid_view *cells;
    const f64 *center;
    f64 reach, reach2;
    so_search_axis x, y, z;
    so_runs_list *list;
    i32 by_cells; /* runs are of cells: on GPUs, or where particles are only counted */
    so_runs runs;
    u32 who[SO_RUNS_ROOM]; /* these may be near */
} so_runs_around;

static inline void so_runs_ask_at(const so_runs_around *g, u32 who) {
    const index_t place = (index_t)who * (index_t)g->at->stride;
    points_prefetch(g->at->x, place, g->at->wide);
    points_prefetch(g->at->y, place, g->at->wide);
    points_prefetch(g->at->z, place, g->at->wide);
}

/* Adds a particle that is within reach: where all fit, each is written, and the next over
 * it unless it is. */
static inline i64 so_runs_one(const so_runs_around *g, u32 who, i32 fits, i64 count) {
    const so_runs_list *list = g->list;
    const f64 r2 = so_search_r2(g->s, g->at, who, g->center);
    const i32 near = r2 <= g->reach2;
    if (fits || (near && count < list->room)) {
        list->r2[(index_t)count] = r2;
        if (g->s->named)
            list->who[(index_t)count] = who;
    }
    return count + near;
}

/* Adds those of the first n of `who` that are within reach. */
static inline void so_runs_add(so_runs_around *g, i32 n) {
    const i32 fits = g->list->count + n <= g->list->room;
    i64 count = g->list->count;
    for (i32 k = 0; k < n; k++)
        so_runs_ask_at(g, g->who[k]);
    for (i32 k = 0; k < n; k++)
        count = so_runs_one(g, g->who[k], fits, count);
    g->list->count = count;
}

/* Adds the particles of all cells. */
static inline void so_runs_flush_cells(so_runs_around *g) {
    GLOBAL const grid_point *point = g->cells->point;
    so_runs *runs = &g->runs;
    i64 count = g->list->count;
    for (i32 r = 0; r < runs->count; r++) {
        runs->begin[r] = so_search_start(g->cells, runs->begin[r]);
        runs->end[r] = so_search_start(g->cells, runs->end[r]);
        prefetch(point + runs->begin[r], 1);
    }
    for (i32 r = 0; r < runs->count; r++)
        for (u32 p = runs->begin[r]; p < runs->end[r]; p++)
            so_runs_ask_at(g, point[p].index);
    for (i32 r = 0; r < runs->count; r++) {
        const i32 fits = count + (runs->end[r] - runs->begin[r]) <= g->list->room;
        for (u32 p = runs->begin[r]; p < runs->end[r]; p++)
            count = so_runs_one(g, point[p].index, fits, count);
    }
    g->list->count = count;
    runs->count = 0;
}

static inline void so_runs_ask(const grid_view *cells, u32 begin, u32 end) {
    for (u32 p = begin; p < end; p += SO_RUNS_LINE)
        prefetch_far(cells->point + p, 1);
}

/* Adds the particles of all runs. */
static inline void so_runs_flush(so_runs_around *g) {
    GLOBAL const grid_point *point = g->cells->point;
    so_runs *runs = &g->runs;
    i32 n = 0;
    if (g->by_cells) {
        so_runs_flush_cells(g);
        return;
    }
    for (i32 r = 0; r < runs->count; r++)
        if (runs->is_cells[r]) {
            runs->begin[r] = so_search_start(g->cells, runs->begin[r]);
            runs->end[r] = so_search_start(g->cells, runs->end[r]);
            so_runs_ask(g->cells, runs->begin[r], runs->end[r]);
        }
    for (i32 r = 0; r < runs->count; r++) {
        const u32 low = runs->low[r], width = runs->width[r], end = runs->end[r];
        for (u32 p = runs->begin[r]; p < end;) {
            const u32 until = min(p + SO_RUNS_SHORT, end);
            if (n > SO_RUNS_ROOM - SO_RUNS_SHORT) {
                so_runs_add(g, n);
                n = 0;
            }
            for (; p < until; p++) {
                g->who[n] = point[p].index;
                n += point[p].x - low <= width;
            }
        }
    }
    so_runs_add(g, n);
    runs->count = 0;
}

#endif
