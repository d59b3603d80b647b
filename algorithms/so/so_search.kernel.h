/* Particles within reach of a center, from the cells that its sphere touches. */
#ifndef WEFT_SO_SEARCH_KERNEL_H
#define WEFT_SO_SEARCH_KERNEL_H

#include "algorithms/cells/map.kernel.h"

enum { SO_SEARCH_MOST = 16 /* thresholds */ };

typedef struct so_search {
    grid g;        /* of the cells */
    f64 box[3];    /* the periods, or 0, of the coordinates as they were read */
    i64 centers;   /* elements from threshold to threshold in what is found */
    f64 mass;      /* of each particle, where all are equal */
    f64 greatest;  /* mass of a particle */
    f64 all_mass;  /* of all particles, or a little more; infinite in parts */
    i32 wide_mass; /* masses are f64 */
    i32 weighted;  /* masses differ */
    i32 named;     /* lists tell whose distances they have */
    i32 in_part;   /* there are more particles than those that are given */
    i32 unused;
    i32 densities;         /* thresholds: */
    f64 v[SO_SEARCH_MOST]; /* 3 / (4 pi D), */
    f64 q[SO_SEARCH_MOST]; /*   and its square */
} so_search;

/* Squared distances, and whose they are (where that matters), of at most `room` particles;
 * `count` goes on beyond that. */
typedef struct so_search_list {
    i64 room, count;
    GLOBAL f64 *r2; /* NULL: they are only counted */
    GLOBAL u32 *who;
} so_search_list;

/* Runs of cells whose particles are not yet looked at. */
enum { SO_SEARCH_RUNS = 48, SO_SEARCH_AHEAD = 12 /* rows */ };
typedef struct so_search_runs {
    i32 count;
    u32 begin[SO_SEARCH_RUNS], end[SO_SEARCH_RUNS];
} so_search_runs;

/* Cells along an axis, whose numbers run on beyond a period. */
typedef struct so_search_axis {
    i64 first, count;
    f64 at, low; /* the center, from the first cell on; how far it is off for rounding */
    i32 whole;   /* all cells: distances to them say nothing */
} so_search_axis;

/* Positions are in their cells but for a hundredth part of this of a side: see grid_choose,
 * whose margin it covers many times. */
CONSTANT f64 SO_SEARCH_SLACK = 1e-3;

static inline so_search_axis so_search_along(f64 center, f64 low, f64 side, i64 cells,
                                             f64 box, f64 reach) {
    so_search_axis a;
    const f64 far = reach * (1 + 1e-9) + SO_SEARCH_SLACK * side;
    a.at = box > 0 ? points_wrap(center, box) : center - low;
    f64 begin = floor((a.at - far) / side), end = floor((a.at + far) / side);
    a.whole = box > 0 && !(end - begin + 1 < (f64)cells);
    if (!(box > 0)) {
        begin = max(begin, 0.0);
        end = min(end, (f64)(cells - 1));
    }
    a.low = SO_SEARCH_SLACK * side;
    a.first = a.whole || !(begin <= end) ? 0 : (i64)begin;
    a.count = a.whole ? cells : begin <= end ? (i64)(end - begin) + 1 : 0;
    return a;
}

/* At most the distance along an axis to where a cell begins. */
static inline f64 so_search_gap(const so_search_axis *a, i64 cell, f64 side) {
    const f64 before = (f64)cell * side - a->at, after = a->at - (f64)(cell + 1) * side;
    const f64 gap = max(before, after) - a->low;
    return a->whole || !(gap > 0) ? 0 : gap;
}

/* At least the distance along an axis to any particle of a cell. */
static inline f64 so_search_depth(const so_search_axis *a, i64 cell, f64 side) {
    return max(a->at - (f64)cell * side, (f64)(cell + 1) * side - a->at) + a->low;
}

static inline i64 so_search_wrap(i64 cell, i64 cells) {
    return cell < 0 ? cell + cells : cell >= cells ? cell - cells : cell;
}

/* The cells [low, high] of a row that hold particles, as [*begin, *end), by the map. */
static inline void so_search_look(const grid_view *cells, index_t row, u32 low, u32 high,
                                  u32 *begin, u32 *end) {
    const u32 from = low + 1, to = high + 1;
    *begin = *end = 0;
    for (u32 w = from >> 6; w <= to >> 6; w++) {
        const u64 word = cells->bits[row + (index_t)w];
        const u64 below = w == from >> 6 ? ((u64)1 << (from & 63)) - 1 : 0;
        const u64 above = w == to >> 6 ? ~(u64)1 << (to & 63) : 0;
        const u64 inside = word & ~below & ~above;
        if (!inside)
            continue;
        const u32 cell = cells->word_cell[row + (index_t)w] + (u32)popcount(word & below);
        *begin = *begin < *end ? *begin : cell;
        *end = cell + (u32)popcount(inside);
    }
}

/* The same without a map. */
static inline void so_search_seek(const grid_view *cells, u64 line, u32 low, u32 high,
                                  u32 *begin, u32 *end) {
    const index_t row = friends_seek_row(cells->row_key, 0, (index_t)cells->rows, line);
    *begin = *end = 0;
    if (row == cells->rows || cells->row_key[row] != line)
        return;
    const u32 last = cells->row_cell[row + 1];
    *begin = friends_seek(cells->cell_x, cells->row_cell[row], last, low);
    *end = friends_seek(cells->cell_x, *begin, last, high + 1);
}

static inline f64 so_search_apart(GLOBAL const u32 *words, index_t k, i32 wide, f64 box,
                                  f64 center) {
    const f64 d = points_coordinate(words, k, wide) - center;
    return box > 0 && fabs(d) > box / 2 ? points_remainder(d, box) : d;
}

/* The squared distance of a particle from the center. */
static inline f64 so_search_r2(const so_search *s, const points_coordinates *at, u32 index,
                               const f64 *center) {
    const index_t k = (index_t)index * (index_t)at->stride;
    const f64 dx = so_search_apart(at->x, k, at->wide, s->box[0], center[0]);
    const f64 dy = so_search_apart(at->y, k, at->wide, s->box[1], center[1]);
    const f64 dz = so_search_apart(at->z, k, at->wide, s->box[2], center[2]);
    return dx * dx + dy * dy + dz * dz;
}

/* Adds those of particles [begin, end) in sorted order that are within reach: where all
 * fit, each is written, and the next over it unless it is. */
static inline void so_search_add(const so_search *s, const points_coordinates *at,
                                 const grid_view *cells, const f64 *center, f64 reach2,
                                 u32 begin, u32 end, so_search_list *list) {
    const i32 fits = list->count + (end - begin) <= list->room;
    i64 count = list->count;
    for (u32 p = begin; p < end; p++) {
        const u32 index = cells->point[p].index;
        const f64 r2 = so_search_r2(s, at, index, center);
        const i32 near = r2 <= reach2;
        if (fits || (near && count < list->room)) {
            list->r2[(index_t)count] = r2;
            if (s->named)
                list->who[(index_t)count] = index;
        }
        count += near;
    }
    list->count = count;
}

/* Those cells of a row, as [*begin, *end), that are among `a` along it in this image of the
 * box: 0, or -1 and 1 beyond its edges. */
static inline void so_search_range(const so_search *s, const grid_view *cells,
                                   const so_search_axis *a, u64 line, i64 image, u32 *begin,
                                   u32 *end) {
    const i64 width = s->g.cells[0], last = a->first + a->count - 1;
    const i64 low = max(a->first - image * width, (i64)0);
    const i64 high = min(last - image * width, width - 1);
    *begin = *end = 0;
    if (low > high)
        return;
    if (cells->pitch > 0)
        so_search_look(cells, (index_t)line * (index_t)cells->pitch, (u32)low, (u32)high,
                       begin, end);
    else
        so_search_seek(cells, line, (u32)low, (u32)high, begin, end);
}

/* Adds the particles of the cells that were found: what is far away in memory is asked for
 * some time before it is needed. */
static inline void so_search_flush(const so_search *s, const points_coordinates *at,
                                   const grid_view *cells, const f64 *center, f64 reach2,
                                   so_search_runs *runs, so_search_list *list) {
    for (i32 r = 0; r < runs->count; r++) {
        runs->begin[r] = cells->cell_start[runs->begin[r]];
        runs->end[r] = cells->cell_start[runs->end[r]];
        prefetch(cells->point + runs->begin[r], 1);
    }
    for (i32 r = 0; r < runs->count; r++)
        for (u32 p = runs->begin[r]; p < runs->end[r]; p++) {
            const index_t k = (index_t)cells->point[p].index * (index_t)at->stride;
            points_prefetch(at->x, k, at->wide);
            points_prefetch(at->y, k, at->wide);
            points_prefetch(at->z, k, at->wide);
        }
    for (i32 r = 0; r < runs->count; r++)
        so_search_add(s, at, cells, center, reach2, runs->begin[r], runs->end[r], list);
    runs->count = 0;
}

/* The cells of a row within `wide` of the center along it. */
static inline so_search_axis so_search_within(const so_search *s, const so_search_axis *x,
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

static inline void so_search_put(const grid_view *cells, u32 begin, u32 end,
                                 so_search_runs *runs) {
    if (begin == end)
        return;
    prefetch(cells->cell_start + begin, 1);
    runs->begin[runs->count] = begin;
    runs->end[runs->count++] = end;
}

/* Those of cells [begin, end) of a row, which `a` has, whose particles are all within
 * `deep` of the center along it are counted; the others are left to be looked at. */
static inline void so_search_deep(const so_search *s, const grid_view *cells,
                                  const so_search_axis *a, f64 deep, u64 line, u32 begin,
                                  u32 end, so_search_runs *runs, so_search_list *list) {
    const f64 per = s->g.inverse_side[0];
    so_search_axis in = *a;
    in.first = max((i64)floor((a->at - deep + a->low) * per) + 1, a->first);
    in.count =
        min((i64)floor((a->at + deep - a->low) * per), a->first + a->count) - in.first;
    u32 from = begin, to = begin;
    if (in.count > 0)
        so_search_range(s, cells, &in, line, 0, &from, &to);
    if (from < to) {
        list->count += cells->cell_start[to] - cells->cell_start[from];
        so_search_put(cells, begin, from, runs);
        begin = to;
    }
    so_search_put(cells, begin, end, runs);
}

/* Finds the cells of a row, within `wide` of the center along it; what is within `deep` is
 * within reach. */
static inline void so_search_row(const so_search *s, const grid_view *cells,
                                 const so_search_axis *x, f64 wide, f64 deep, u64 line,
                                 so_search_runs *runs, so_search_list *list) {
    const so_search_axis a = so_search_within(s, x, wide);
    const i32 is_one = !a.whole && a.first >= 0 && a.first + a.count <= s->g.cells[0];
    for (i64 image = is_one ? 0 : -1; image < (is_one ? 1 : 2); image++) {
        u32 begin, end;
        so_search_range(s, cells, &a, line, image, &begin, &end);
        if (is_one && deep > 0 && begin < end)
            so_search_deep(s, cells, &a, deep, line, begin, end, runs, list);
        else
            so_search_put(cells, begin, end, runs);
    }
}

static inline u64 so_search_line(const grid *g, i64 cy, i64 cz) {
    return (u64)so_search_wrap(cz, g->cells[2]) * (u64)g->cells[1] +
           (u64)so_search_wrap(cy, g->cells[1]);
}

/* The row whose cells are asked for next, and the word of its map that tells of them. */
typedef struct so_search_scout {
    i64 y, z, word;
} so_search_scout;

/* Asks for what tells of a row, and goes on. */
static inline void so_search_ask(const so_search *s, const grid_view *cells,
                                 const so_search_axis *y, const so_search_axis *z,
                                 so_search_scout *next) {
    if (cells->pitch == 0 || next->z == z->first + z->count)
        return;
    const index_t row =
        (index_t)so_search_line(&s->g, next->y, next->z) * (index_t)cells->pitch;
    prefetch(cells->bits + row + (index_t)next->word, 1);
    prefetch(cells->word_cell + row + (index_t)next->word, 1);
    if (++next->y == y->first + y->count) {
        next->y = y->first;
        next->z++;
    }
}

/* How far along a row all particles are within reach; 0: nowhere. */
static inline f64 so_search_deepest(const so_search_axis *y, const so_search_axis *z,
                                    i64 cy, i64 cz, const f64 *side, f64 reach) {
    const f64 far_y = so_search_depth(y, cy, side[1]);
    const f64 far_z = so_search_depth(z, cz, side[2]);
    const f64 left = reach * reach * (1 - 1e-9) - far_y * far_y - far_z * far_z;
    return left > 0 && !y->whole && !z->whole ? sqrt(left) : 0;
}

/* All particles whose squared distance from a center is at most reach2, that of `reach` but
 * for roundings, in the order of the cells; with a count above the room where there is not
 * room for all. */
static inline void so_search_gather(const so_search *s, const points_coordinates *at,
                                    const grid_view *cells, const f64 *center, f64 reach,
                                    f64 reach2, so_search_list *list) {
    const grid *g = &s->g;
    const f64 far = reach * (1 + 1e-9);
    const so_search_axis y =
        so_search_along(center[1], g->low[1], g->side[1], g->cells[1], g->box[1], reach);
    const so_search_axis z =
        so_search_along(center[2], g->low[2], g->side[2], g->cells[2], g->box[2], reach);
    const so_search_axis x =
        so_search_along(center[0], g->low[0], g->side[0], g->cells[0], g->box[0], 0);
    so_search_scout scout;
    so_search_runs runs;
    scout.y = y.first;
    scout.z = y.count > 0 ? z.first : z.first + z.count;
    scout.word = (so_search_wrap(x.first, g->cells[0]) + 1) >> 6;
    runs.count = 0;
    for (i32 row = 0; row < SO_SEARCH_AHEAD; row++)
        so_search_ask(s, cells, &y, &z, &scout);
    for (i64 cz = z.first; cz < z.first + z.count; cz++)
        for (i64 cy = y.first; cy < y.first + y.count; cy++) {
            const f64 gap_y = so_search_gap(&y, cy, g->side[1]);
            const f64 gap_z = so_search_gap(&z, cz, g->side[2]);
            const f64 left = far * far - gap_y * gap_y - gap_z * gap_z;
            const f64 deep =
                list->r2 ? 0.0 : so_search_deepest(&y, &z, cy, cz, g->side, reach);
            so_search_ask(s, cells, &y, &z, &scout);
            if (left < 0)
                continue;
            so_search_row(s, cells, &x, sqrt(left), deep, so_search_line(g, cy, cz), &runs,
                          list);
            if (runs.count > SO_SEARCH_RUNS - 3)
                so_search_flush(s, at, cells, center, reach2, &runs, list);
        }
    so_search_flush(s, at, cells, center, reach2, &runs, list);
}

/* Centers as f64. */
static inline void so_search_center(index_t i, points_coordinates at, GLOBAL f64 *center) {
    const index_t k = i * (index_t)at.stride;
    center[3 * i] = points_coordinate(at.x, k, at.wide);
    center[3 * i + 1] = points_coordinate(at.y, k, at.wide);
    center[3 * i + 2] = points_coordinate(at.z, k, at.wide);
}

#endif
