/* All particles within reach of a center: rows of cells are looked for, and runs of their
 * particles noted. */
#ifndef WEFT_SO_GATHER_KERNEL_H
#define WEFT_SO_GATHER_KERNEL_H

#include "so_runs.kernel.h"

/* Cells [begin, end), all particles of which may be near. */
static inline void so_gather_put(so_runs_around *g, u32 begin, u32 end) {
    so_runs *runs = &g->runs;
    const i32 r = runs->count;
    if (begin == end)
        return;
    runs->begin[r] = begin;
    runs->end[r] = end;
    runs->count++;
    if (g->by_cells)
        return;
    runs->is_cells[r] = 1;
    runs->low[r] = 0;
    runs->width[r] = ~(u32)0;
}

/* The particles [begin, end) of a row, of which those count that are within `wide` of the
 * center along it. Particles lie within their grid, which is periodic as their units are.
 */
static inline void so_gather_put_row(so_runs_around *g, f64 wide, u32 begin, u32 end) {
    const grid *of = &g->s->g;
    const f64 far = wide * (1 + 1e-9) + g->x.low, side = of->side[0];
    f64 low = g->x.at - far, high = g->x.at + far;
    if (!(of->box[0] > 0)) {
        low = max(low, -side);
        high = min(high, (f64)(of->cells[0] + 1) * side);
    }
    const f64 span = (high - low) * of->units[0];
    const i32 all = !(span < 4e9), r = g->runs.count;
    if (begin == end || span < 0)
        return;
    g->runs.is_cells[r] = 0;
    g->runs.begin[r] = begin;
    g->runs.end[r] = end;
    g->runs.low[r] = all ? 0 : (u32)(i64)floor(low * of->units[0]) - 1;
    g->runs.width[r] = all ? ~(u32)0 : (u32)span + 3;
    g->runs.count++;
}

/* The cells of a row within `wide` of the center along it. */
static inline so_search_axis so_gather_within(const so_search *s, const so_search_axis *x,
                                              f64 wide) {
    const i64 cells = s->g.cells[0];
    const f64 far = wide * (1 + 1e-9) + x->low, per = s->g.inverse_side[0];
    so_search_axis a = *x;
    f64 begin = floor((a.at - far) * per), end = floor((a.at + far) * per);
    a.whole = s->g.box[0] > 0 && !(end - begin + 1 < (f64)cells);
    if (!(s->g.box[0] > 0)) {
        begin = max(begin, 0.0);
        end = min(end, (f64)(cells - 1));
    }
    a.first = a.whole || !(begin <= end) ? 0 : (i64)begin;
    a.count = a.whole ? cells : begin <= end ? (i64)(end - begin) + 1 : 0;
    return a;
}

/* Those of cells [begin, end) of a row, which `a` has, whose particles are all within
 * `deep` of the center along it are counted; the others are left to be looked at. */
static inline void so_gather_deep(so_runs_around *g, const so_search_axis *a, f64 deep,
                                  u64 line, u32 begin, u32 end) {
    const f64 per = g->s->g.inverse_side[0];
    so_search_axis in = *a;
    in.first = max((i64)floor((a->at - deep + a->low) * per) + 1, a->first);
    in.count =
        min((i64)floor((a->at + deep - a->low) * per), a->first + a->count) - in.first;
    u32 from = begin, to = begin;
    if (in.count > 0)
        so_search_range(g->s, g->cells, &in, line, 0, &from, &to);
    if (from < to) {
        g->list->count += so_search_start(g->cells, to) - so_search_start(g->cells, from);
        so_gather_put(g, begin, from);
        begin = to;
    }
    so_gather_put(g, begin, end);
}

/* Finds the cells of a row, within `wide` of the center along it; what is within `deep` is
 * within reach. */
static inline void so_gather_cells(so_runs_around *g, f64 wide, f64 deep, u64 line) {
    const so_search_axis a = so_gather_within(g->s, &g->x, wide);
    const i32 is_one = !a.whole && a.first >= 0 && a.first + a.count <= g->s->g.cells[0];
    for (i64 image = is_one ? 0 : -1; image < (is_one ? 1 : 2); image++) {
        u32 begin, end;
        so_search_range(g->s, g->cells, &a, line, image, &begin, &end);
        if (is_one && deep > 0 && begin < end)
            so_gather_deep(g, &a, deep, line, begin, end);
        else
            so_gather_put(g, begin, end);
    }
}

/* How far along a row all particles are within reach; 0: nowhere. */
static inline f64 so_gather_deepest(const so_runs_around *g, i64 cy, i64 cz) {
    const f64 *side = g->s->g.side;
    const f64 far_y = so_search_depth(&g->y, cy, side[1]);
    const f64 far_z = so_search_depth(&g->z, cz, side[2]);
    const f64 left = g->reach * g->reach * (1 - 1e-9) - far_y * far_y - far_z * far_z;
    return left > 0 && !g->y.whole && !g->z.whole ? sqrt(left) : 0;
}

/* Asks for the particles in the rows of a plane, which lie one behind the other. */
static inline void so_gather_ask_plane(const so_runs_around *g, i64 cz) {
    const i64 first = g->y.first, last = first + g->y.count;
    if (g->by_cells || cz >= g->z.first + g->z.count || first < 0 ||
        last > g->s->g.cells[1])
        return;
    const u64 line = so_search_line(&g->s->g, first, cz);
    so_runs_ask(g->cells, g->cells->line_point[line],
                g->cells->line_point[line + (u64)g->y.count]);
}

/* A row: by its particles where these are few, and not only counted. */
static inline void so_gather_row(so_runs_around *g, i64 cy, i64 cz, f64 left) {
    const u64 line = so_search_line(&g->s->g, cy, cz);
    if (!g->by_cells) {
        const u32 begin = g->cells->line_point[line], end = g->cells->line_point[line + 1];
        if (end - begin <= SO_RUNS_SHORT) {
            so_gather_put_row(g, sqrt(left), begin, end);
            return;
        }
    }
    so_gather_cells(g, sqrt(left), g->list->r2 ? 0.0 : so_gather_deepest(g, cy, cz), line);
}

/* Asks for where the rows around a center begin. */
static inline void so_gather_ask_lines(const so_search *s, const grid_view *cells,
                                       const f64 *center, f64 reach) {
    const grid *of = &s->g;
    if (!cells->line_point)
        return;
    const so_search_axis y = so_search_along(center[1], of->low[1], of->side[1],
                                             of->cells[1], of->box[1], reach);
    const so_search_axis z = so_search_along(center[2], of->low[2], of->side[2],
                                             of->cells[2], of->box[2], reach);
    for (i64 cz = z.first; cz < z.first + z.count; cz++) {
        const u64 line = so_search_line(of, y.first, cz);
        prefetch(cells->line_point + line, 1);
        prefetch(cells->line_point + min((i64)line + y.count, of->cells[1] * of->cells[2]),
                 1);
    }
}

/* All particles whose squared distance from a center is at most reach2, that of `reach` but
 * for roundings, row by row; with a count above the room where there is not room for all.
 */
static inline void so_gather_all(const so_search *s, const points_coordinates *at,
                                 const grid_view *cells, const f64 *center, f64 reach,
                                 f64 reach2, so_runs_list *list) {
    const grid *of = &s->g;
    const f64 far = reach * (1 + 1e-9);
    so_runs_around g;
    g.s = s;
    g.at = at;
    g.cells = cells;
    g.center = center;
    g.reach = reach;
    g.reach2 = reach2;
    g.x = so_search_along(center[0], of->low[0], of->side[0], of->cells[0], of->box[0], 0);
    g.y = so_search_along(center[1], of->low[1], of->side[1], of->cells[1], of->box[1],
                          reach);
    g.z = so_search_along(center[2], of->low[2], of->side[2], of->cells[2], of->box[2],
                          reach);
    g.list = list;
    g.by_cells = !cells->line_point || !list->r2;
    g.runs.count = 0;
    so_gather_ask_plane(&g, g.z.first);
    for (i64 cz = g.z.first; cz < g.z.first + g.z.count; cz++) {
        so_gather_ask_plane(&g, cz + 1);
        for (i64 cy = g.y.first; cy < g.y.first + g.y.count; cy++) {
            const f64 gap_y = so_search_gap(&g.y, cy, of->side[1]);
            const f64 gap_z = so_search_gap(&g.z, cz, of->side[2]);
            const f64 left = far * far - gap_y * gap_y - gap_z * gap_z;
            if (left < 0)
                continue;
            so_gather_row(&g, cy, cz, left);
            if (g.runs.count > SO_RUNS_MOST - 3)
                so_runs_flush(&g);
        }
    }
    so_runs_flush(&g);
}

#endif
