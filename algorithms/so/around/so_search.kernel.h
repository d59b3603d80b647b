/* The cells that the sphere around a center touches. */
#ifndef WEFT_SO_SEARCH_KERNEL_H
#define WEFT_SO_SEARCH_KERNEL_H

#include "algorithms/cells/lines.kernel.h"
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

/* The same without a map, and without rows' first cells. */
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

/* A difference of coordinates, or of the nearest images. */
static inline f64 so_search_nearest(f64 d, f64 box) {
    return box > 0 && fabs(d) > box / 2 ? points_remainder(d, box) : d;
}

static inline f64 so_search_apart(GLOBAL const u32 *words, index_t k, i32 wide, f64 box,
                                  f64 center) {
    return so_search_nearest(points_coordinate(words, k, wide) - center, box);
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
    if (cells->line_cell)
        lines_look(cells, line, (u32)low, (u32)high, begin, end);
    else if (cells->pitch > 0)
        so_search_look(cells, (index_t)line * (index_t)cells->pitch, (u32)low, (u32)high,
                       begin, end);
    else
        so_search_seek(cells, line, (u32)low, (u32)high, begin, end);
}

/* Where a cell's particles begin. */
static inline u32 so_search_start(const grid_view *cells, u32 cell) {
    return cells->cell_start ? cells->cell_start[cell]
                             : cells->set_start[cells->cell_set[cell]];
}

static inline u64 so_search_line(const grid *g, i64 cy, i64 cz) {
    return (u64)so_search_wrap(cz, g->cells[2]) * (u64)g->cells[1] +
           (u64)so_search_wrap(cy, g->cells[1]);
}

/* Centers as f64. */
static inline void so_search_center(index_t i, points_coordinates at, GLOBAL f64 *center) {
    const index_t k = i * (index_t)at.stride;
    center[3 * i] = points_coordinate(at.x, k, at.wide);
    center[3 * i + 1] = points_coordinate(at.y, k, at.wide);
    center[3 * i + 2] = points_coordinate(at.z, k, at.wide);
}

#endif
