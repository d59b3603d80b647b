/* Cells at least as wide as the linking length, so that friends lie in the same or in
 * touching cells; sub-cells so narrow that all within one are friends. */
#ifndef WEFT_GRID_KERNEL_H
#define WEFT_GRID_KERNEL_H

#include "algorithms/points/points.kernel.h"

/* The coordinates that place particles in cells are not always those that decide who is a
 * friend: see grid_choose. */
typedef struct grid {
    f64 low[3], box[3];   /* box: the period of each axis, or 0 */
    f64 from[3], turn[3]; /* coordinates below `from` lie `turn` farther: see periods.h */
    f64 side[3], inverse_side[3];
    f64 units[3]; /* units of a grid_point to a unit of length: some 2^24 to the linking
                     length, and 2^32, or so many times, to a period */
    i64 cells[3];
    i32 long_keys; /* (row, place) does not fit one number */
    i32 bits;      /* each axis of a cell is cut into 2^bits sub-cells */
    i32 turns;     /* whether coordinates of some axis do */
    i32 unused;
} grid;

/* A particle in sorted order, in units, modulo 2^32: differences, taken as i32, are those
 * of the nearest images. */
typedef struct __attribute__((aligned(16))) grid_point {
    u32 x, y, z;
    u32 index; /* in the input */
} grid_point;

/* Sets are the particles of one sub-cell; all of them lie within the length. Only sets,
 * cells and rows of cells that hold particles are kept. Who makes what: see grid.h. */
typedef struct grid_view {
    i64 points, sets, cells, rows;
    i64 pitch;                      /* words a row of the map; 0: there is none */
    GLOBAL const grid_point *point; /* [points], by row, cell and sub-cell */
    GLOBAL const u32 *set_start;    /* [sets + 1]: a set's first point */
    GLOBAL const u8 *set_sub;       /* [sets]: its sub-cell */
    GLOBAL const u32 *cell_set;     /* [cells + 1]: a cell's first set */
    GLOBAL const u32 *cell_x;       /* [cells]: its place in its row */
    GLOBAL const u32 *cell_line;  /* [cells]: its row, z ny + y; with long keys cell_row */
    GLOBAL const u32 *cell_start; /* [cells + 1]: a cell's first point */
    GLOBAL const u64 *row_key;    /* [rows]: z ny + y, ascending */
    GLOBAL const u32 *row_cell;   /* [rows + 1]: a row's first cell */
    GLOBAL const u32 *cell_row;   /* [cells]: a cell's row, of those that are kept */
    GLOBAL const u64 *bits;       /* [pitch * rows there could be]: see map.kernel.h */
    GLOBAL const u32 *word_cell;  /* the same: the first cell of a word of them */
    GLOBAL const u32 *line_cell;  /* [rows there could be + 1]: first cells; or NULL */
    GLOBAL const u32 *line_point; /* the same: first points */
} grid_view;

/* The set of the i-th particle, which is one of cell c. */
static inline u32 grid_set_of(const grid_view *cells, u32 c, u32 i) {
    u32 s = cells->cell_set[c];
    while (cells->set_start[s + 1] <= i)
        s++;
    return s;
}

/* Where a coordinate lies on an axis of the grid. */
static inline f64 grid_place(f64 x, f64 from, f64 turn) {
    return x + (x < from ? turn : 0.0);
}

static inline f64 grid_coordinate(GLOBAL const u32 *x, index_t k, i32 wide, const grid *g,
                                  i32 axis) {
    const f64 at = points_coordinate(x, k, wide);
    return g->turns ? grid_place(at, g->from[axis], g->turn[axis]) : at;
}

/* The sub-cell of all those along an axis. */
static inline u64 grid_sub(GLOBAL const u32 *x, index_t k, i32 wide, const grid *g,
                           i32 axis) {
    const f64 parts = (f64)(1 << g->bits), at = grid_coordinate(x, k, wide, g, axis);
    const i64 sub = (i64)((at - g->low[axis]) * (g->inverse_side[axis] * parts));
    const i64 last = (g->cells[axis] << g->bits) - 1;
    return (u64)(sub < 0 ? 0 : sub < last ? sub : last);
}

/* The row of cells, of all rows there could be, of sub-cells y and z of an axis. */
static inline u64 grid_row(const grid *g, u64 y, u64 z) {
    return (z >> g->bits) * (u64)g->cells[1] + (y >> g->bits);
}

/* (cell, sub-cell) as one number: the sub-cell in the lowest bits. Where rows are too many
 * for one number, they are numbered without gaps: `ordinal` counts rows up to and with
 * each. */
static inline void grid_key(index_t i, grid g, points_coordinates at,
                            GLOBAL const u32 *order, GLOBAL const u32 *ordinal,
                            GLOBAL u64 *key) {
    const index_t k = (index_t)order[i] * (index_t)at.stride;
    const u64 x = grid_sub(at.x, k, at.wide, &g, 0), y = grid_sub(at.y, k, at.wide, &g, 1);
    const u64 z = grid_sub(at.z, k, at.wide, &g, 2), part = ((u64)1 << g.bits) - 1;
    const u64 row = ordinal ? ordinal[i] - 1 : grid_row(&g, y, z);
    const u64 sub = (x & part) | (y & part) << g.bits | (z & part) << 2 * g.bits;
    key[i] = (row * (u64)g.cells[0] + (x >> g.bits)) << 3 * g.bits | sub;
}

/* The same for all particles of a block, where keys and all that they are made of fit 32
 * bits: in this form compilers make vectors of it. */
static inline u32 grid_narrow_sub(f64 x, f64 low, f64 inverse_side, i64 cells, i32 bits) {
    const f64 parts = (f64)(1 << bits), last = (f64)((cells << bits) - 1);
    return (u32)min(max(0.0, (x - low) * (inverse_side * parts)), last);
}

static inline u32 grid_narrow_key(const grid *g, const points_coordinates *at, index_t k,
                                  i32 wide) {
    const f64 x = grid_place(points_coordinate(at->x, k, wide), g->from[0], g->turn[0]),
              y = grid_place(points_coordinate(at->y, k, wide), g->from[1], g->turn[1]),
              z = grid_place(points_coordinate(at->z, k, wide), g->from[2], g->turn[2]);
    const u32 px = grid_narrow_sub(x, g->low[0], g->inverse_side[0], g->cells[0], g->bits);
    const u32 py = grid_narrow_sub(y, g->low[1], g->inverse_side[1], g->cells[1], g->bits);
    const u32 pz = grid_narrow_sub(z, g->low[2], g->inverse_side[2], g->cells[2], g->bits);
    const u32 part = (1u << g->bits) - 1, nx = (u32)g->cells[0], ny = (u32)g->cells[1];
    const u32 cell = ((pz >> g->bits) * ny + (py >> g->bits)) * nx + (px >> g->bits);
    const u32 sub = (px & part) | (py & part) << g->bits | (pz & part) << 2 * g->bits;
    return cell << 3 * g->bits | sub;
}

static inline void grid_narrow_keys(index_t i, grid g, i64 n, i64 block,
                                    points_coordinates at, GLOBAL u32 *key) {
    const index_t first = i * (index_t)block, stride = (index_t)at.stride;
    const index_t last = n - first < block ? (index_t)n : first + (index_t)block;
    if (at.wide)
        for (index_t k = first; k < last; k++)
            key[k] = grid_narrow_key(&g, &at, k * stride, 1);
    else
        for (index_t k = first; k < last; k++)
            key[k] = grid_narrow_key(&g, &at, k * stride, 0);
}

/* The box around particles [begin, end), at least one, of f32, and their keys, in one loop:
 * both wait for the same coordinates. `odd` as points_bound_f32 has it. */
static inline void grid_bound_keys_f32(const grid *g, const points_coordinates *at,
                                       index_t begin, index_t end, index_t stride,
                                       points_box *b, f64 *odd, GLOBAL u32 *key) {
    i32 less_x = points_ordered(at->x[begin * stride]), more_x = less_x;
    i32 less_y = points_ordered(at->y[begin * stride]), more_y = less_y;
    i32 less_z = points_ordered(at->z[begin * stride]), more_z = less_z;
    u32 largest = 0;
    for (index_t k = begin; k < end; k++) {
        const u32 x = at->x[k * stride], y = at->y[k * stride], z = at->z[k * stride];
        less_x = min(less_x, points_ordered(x)), more_x = max(more_x, points_ordered(x));
        less_y = min(less_y, points_ordered(y)), more_y = max(more_y, points_ordered(y));
        less_z = min(less_z, points_ordered(z)), more_z = max(more_z, points_ordered(z));
        largest = max(largest, x & 0x7fffffffu);
        largest = max(largest, y & 0x7fffffffu);
        largest = max(largest, z & 0x7fffffffu);
        key[k] = grid_narrow_key(g, at, k * stride, 0);
    }
    b->low[0] = points_of_ordered(less_x), b->high[0] = points_of_ordered(more_x);
    b->low[1] = points_of_ordered(less_y), b->high[1] = points_of_ordered(more_y);
    b->low[2] = points_of_ordered(less_z), b->high[2] = points_of_ordered(more_z);
    *odd = largest >= 0x7f800000u;
}

/* The keys of a block, and the box around it. A coordinate that is no number lies at 0. */
static inline void grid_bound_keys(index_t i, grid g, i64 n, i64 block, points_box empty,
                                   points_coordinates at, GLOBAL points_box *out,
                                   GLOBAL u32 *key) {
    const index_t begin = i * (index_t)block, stride = (index_t)at.stride;
    const index_t end = n - begin < block ? (index_t)n : begin + (index_t)block;
    points_box b = empty;
    f64 odd = 0;
    if (at.wide) {
        points_bound(i, n, block, empty, at, out);
        grid_narrow_keys(i, g, n, block, at, key);
        return;
    }
    if (stride == 3)
        grid_bound_keys_f32(&g, &at, begin, end, 3, &b, &odd, key);
    else
        grid_bound_keys_f32(&g, &at, begin, end, stride, &b, &odd, key);
    out[i] = b;
    out[i].bad = points_bad(&at, begin, end, odd, b.bad);
}

/* Where rows are too many for one number: the row. */
static inline void grid_key_row(index_t i, grid g, points_coordinates at,
                                GLOBAL const u32 *order, GLOBAL u64 *row) {
    const index_t k = (index_t)order[i] * (index_t)at.stride;
    row[i] =
        grid_row(&g, grid_sub(at.y, k, at.wide, &g, 1), grid_sub(at.z, k, at.wide, &g, 2));
}

static inline u32 grid_begins_row(index_t i, GLOBAL const u64 *row) {
    return i == 0 || row[i] != row[i - 1];
}

static inline u32 grid_row_of(index_t i, GLOBAL const u32 *ordinal) {
    return ordinal[i] - 1;
}

static inline u64 grid_line_key(index_t i, GLOBAL const u32 *line) {
    return line[i];
}

/* Sorted keys of n particles, of either width, as 32-bit words: of rows of `width` cells,
 * of 2^bits sub-cells an axis. */
typedef struct grid_keys {
    i64 n, width;
    i32 wide, bits;
    GLOBAL const u32 *word;
} grid_keys;

/* Key i; `wide` may be a constant where this is called. */
static inline u64 grid_read_key(const grid_keys *key, index_t i, i32 wide) {
    return wide ? (u64)key->word[2 * i] | (u64)key->word[2 * i + 1] << 32 : key->word[i];
}

/* In what the keys of particle i and the one before it differ; of the first, all bits. */
static inline u64 grid_differ(const grid_keys *key, index_t i, i32 wide) {
    return i == 0 ? ~(u64)0 : grid_read_key(key, i, wide) ^ grid_read_key(key, i - 1, wide);
}

static inline u32 grid_units(GLOBAL const u32 *x, index_t k, i32 wide, const grid *g,
                             i32 axis) {
    return (u32)(i64)((grid_coordinate(x, k, wide, g, axis) - g->low[axis]) *
                      g->units[axis]);
}

/* Coordinates are fetched so many particles before they are gathered, and so is where these
 * go. */
enum { GRID_AHEAD = 64 };
static inline void grid_gather(index_t i, grid g, i64 count, points_coordinates at,
                               GLOBAL const u32 *order, GLOBAL grid_point *point) {
    const u32 index = order[i];
    const index_t k = (index_t)index * (index_t)at.stride;
    grid_point p;
    if (i + GRID_AHEAD < count) {
        const index_t later = (index_t)order[i + GRID_AHEAD] * (index_t)at.stride;
        points_prefetch(at.x, later, at.wide);
        points_prefetch(at.y, later, at.wide);
        points_prefetch(at.z, later, at.wide);
        prefetch(point + (i + GRID_AHEAD), 1);
    }
    p.x = grid_units(at.x, k, at.wide, &g, 0);
    p.y = grid_units(at.y, k, at.wide, &g, 1);
    p.z = grid_units(at.z, k, at.wide, &g, 2);
    p.index = index;
    point[i] = p;
}

/* A coordinate moved into its period. */
static inline void grid_wrap(index_t i, i64 stride, i32 wide, f64 box,
                             GLOBAL const u32 *words, GLOBAL f64 *at) {
    const f64 x = points_coordinate(words, i * (index_t)stride, wide);
    at[i] = box > 0 ? points_wrap(x, box) : x;
}

/* Whether sorted particle i is the first of its sub-cell. */
static inline u32 grid_begins_set(index_t i, grid_keys key) {
    return grid_differ(&key, i, key.wide) != 0;
}

/* Whether set i is the first of its cell. */
static inline u32 grid_begins_cell(index_t i, grid_keys key, GLOBAL const u32 *set_start) {
    return grid_differ(&key, (index_t)set_start[i], key.wide) >> 3 * key.bits != 0;
}

/* The row of cell i, and its place in it. */
static inline void grid_cell(index_t i, grid_keys key, GLOBAL const u32 *set_start,
                             GLOBAL const u32 *cell_set, GLOBAL u32 *line,
                             GLOBAL u32 *cell_x) {
    const index_t first = (index_t)set_start[cell_set[i]];
    const u64 cell = grid_read_key(&key, first, key.wide) >> 3 * key.bits;
    const u64 width = (u64)key.width;
    const u64 row = cell >> 32 || width >> 32 ? cell / width : (u32)cell / (u32)width;
    line[i] = (u32)row;
    cell_x[i] = (u32)(cell - row * width);
}

static inline void grid_set_sub(index_t i, grid_keys key, GLOBAL const u32 *set_start,
                                GLOBAL u8 *set_sub) {
    const u64 own = grid_read_key(&key, (index_t)set_start[i], key.wide);
    set_sub[i] = (u8)(own & ((1u << 3 * key.bits) - 1));
}

#endif
