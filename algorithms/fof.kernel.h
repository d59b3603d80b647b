/* Friends-of-friends: unions over sets, which are the particles of one sub-cell. */
#ifndef WEFT_FOF_KERNEL_H
#define WEFT_FOF_KERNEL_H

#include "friends.kernel.h"

/* Whether any particle of [a, a_end) is a friend of any of [b, b_end), a cell further. */
static inline i32 fof_sets_touch(friends_rule rule, friends_step step, u32 a, u32 a_end,
                                 u32 b, u32 b_end, GLOBAL const grid_point *point,
                                 GLOBAL const u32 *x, GLOBAL const u32 *y,
                                 GLOBAL const u32 *z) {
    for (u32 i = a; i < a_end; i++) {
        const grid_point p = point[i];
        for (u32 j = b; j < b_end; j++)
            if (friends_are(rule, step, p, point[j], x, y, z))
                return 1;
    }
    return 0;
}

/* The root of a set's tree; the path is halved on the way. */
static inline u32 fof_root(GLOBAL u32 *parent, u32 s) {
    u32 p = atomic_load_u32(&parent[s]);
    while (p != s) {
        const u32 above = atomic_load_u32(&parent[p]);
        if (above == p)
            return p;
        atomic_store_u32(&parent[s], above);
        s = above;
        p = atomic_load_u32(&parent[s]);
    }
    return s;
}

/* Joins the trees of two sets: the larger root hangs under the smaller. */
static inline void fof_unite(GLOBAL u32 *parent, u32 a, u32 b) {
    a = fof_root(parent, a);
    b = fof_root(parent, b);
    while (a != b) {
        const u32 low = a < b ? a : b, high = a < b ? b : a;
        if (atomic_cas_u32(&parent[high], high, low) == high)
            return;
        a = fof_root(parent, high);
        b = fof_root(parent, low);
    }
}

/* Whether a sub-cell may hold friends of another one, a step further. */
static inline i32 fof_within_reach(u32 a, u32 b, friends_step step, i32 bits) {
    const u32 part = (1u << bits) - 1;
    const i32 x = (i32)(b & part) - (i32)(a & part);
    const i32 y = (i32)(b >> bits & part) - (i32)(a >> bits & part);
    const i32 z = (i32)(b >> 2 * bits) - (i32)(a >> 2 * bits);
    return x * step.x <= 0 && y * step.y <= 0 && z * step.z <= 0;
}

/* Joins the sets within cell i, and notes whether they became one. */
static inline void fof_unite_cell(index_t i, friends_rule rule, GLOBAL const u32 *cell_set,
                                  GLOBAL const u32 *set_start,
                                  GLOBAL const grid_point *point, GLOBAL const u32 *x,
                                  GLOBAL const u32 *y, GLOBAL const u32 *z,
                                  GLOBAL u32 *parent, GLOBAL u8 *united) {
    const u32 first = cell_set[i], last = cell_set[i + 1];
    const friends_step stay = {0, 0, 0};
    for (u32 a = first; a < last; a++)
        for (u32 b = a + 1; b < last; b++)
            if (fof_root(parent, a) != fof_root(parent, b) &&
                fof_sets_touch(rule, stay, set_start[a], set_start[a + 1], set_start[b],
                               set_start[b + 1], point, x, y, z))
                fof_unite(parent, a, b);
    u8 all = 1;
    for (u32 a = first + 1; a < last; a++)
        all = all && fof_root(parent, a) == fof_root(parent, first);
    united[i] = all;
}

/* Joins the sets of cell a with those of cell b, a step further. */
static inline void fof_unite_cells(friends_rule rule, friends_step step, index_t a,
                                   index_t b, GLOBAL const u32 *cell_set,
                                   GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
                                   GLOBAL const grid_point *point, GLOBAL const u32 *x,
                                   GLOBAL const u32 *y, GLOBAL const u32 *z,
                                   GLOBAL u32 *parent, GLOBAL const u8 *united) {
    const u32 a_first = cell_set[a], a_last = cell_set[a + 1];
    const u32 b_first = cell_set[b], b_last = cell_set[b + 1];
    const i32 whole = united[a] && united[b];
    if (whole && fof_root(parent, a_first) == fof_root(parent, b_first))
        return;
    for (u32 s = a_first; s < a_last; s++)
        for (u32 t = b_first; t < b_last; t++) {
            if (!fof_within_reach(set_sub[s], set_sub[t], step, rule.g.bits))
                continue;
            if (!whole && fof_root(parent, s) == fof_root(parent, t))
                continue;
            if (fof_sets_touch(rule, step, set_start[s], set_start[s + 1], set_start[t],
                               set_start[t + 1], point, x, y, z)) {
                fof_unite(parent, s, t);
                if (whole)
                    return;
            }
        }
}

/* Joins a chunk of cells with their neighbours in one of five rows, so that each pair of
 * touching cells is met once: the next cell of the same row, and three cells of each of the
 * four rows (y + 1, z), (y - 1, z + 1), (y, z + 1), (y + 1, z + 1). The neighbours' place
 * moves forward only, but where a row wraps. */
static inline void fof_link(index_t i, friends_rule rule, i64 chunk, i64 count,
                            GLOBAL const u64 *row_key, GLOBAL const u64 *cell_key,
                            GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                            GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                            GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z,
                            GLOBAL u32 *parent, GLOBAL const u8 *united) {
    const index_t row = i % 5, first = i / 5 * (index_t)chunk, n = (index_t)count;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    const i64 nx = rule.g.cells[0], ny = rule.g.cells[1], nz = rule.g.cells[2];
    friends_step step;
    step.y = row == 4 ? 0 : row == 1 ? -1 : row == 2 ? 0 : 1;
    step.z = row == 1 || row == 2 || row == 3;
    index_t place = 0;
    u64 sought = 0;
    for (index_t c = first; c < last; c++) {
        const i64 key = (i64)cell_key[c], cx = key % nx;
        const i64 line = rule.g.rows ? (i64)row_key[key / nx] : key / nx;
        const i64 cz = friends_neighbour(line / ny, step.z, nz, rule.g.box[2]);
        const i64 cy = friends_neighbour(line % ny, step.y, ny, rule.g.box[1]);
        if (cy < 0 || cz < 0)
            continue;
        const i64 start = friends_row_begin(rule.g, cy, cz, row_key);
        if (start < 0)
            continue;
        const u64 begin = (u64)start;
        const i64 low = row == 4 ? cx + 1 : cx > 0 ? cx - 1 : 0;
        const i64 high = cx + 1 < nx ? cx + 1 : nx - 1;
        place = friends_seek(cell_key, n, begin + (u64)low >= sought ? place : 0,
                             begin + (u64)low);
        sought = begin + (u64)low;
        for (index_t b = place; b < n && cell_key[b] <= begin + (u64)high; b++) {
            step.x = (i32)((i64)(cell_key[b] - begin) - cx);
            fof_unite_cells(rule, step, c, b, cell_set, set_start, set_sub, point, x, y, z,
                            parent, united);
        }
        if (!(rule.g.box[0] > 0) || (cx > 0 && cx < nx - 1))
            continue;
        for (step.x = row == 4 ? 1 : -1; step.x <= 1; step.x += 2) {
            if (cx + step.x >= 0 && cx + step.x < nx)
                continue;
            const u64 across = begin + (u64)(step.x < 0 ? nx - 1 : 0);
            const index_t b = friends_seek(cell_key, n, 0, across);
            if (b < n && cell_key[b] == across)
                fof_unite_cells(rule, step, c, b, cell_set, set_start, set_sub, point, x, y,
                                z, parent, united);
        }
    }
}

static inline u32 fof_takes_part(index_t i, u32 least, GLOBAL const u32 *friends) {
    return friends[i] >= least;
}

static inline u32 fof_index(index_t i, GLOBAL const grid_point *point) {
    return point[i].index;
}

/* Hangs set i directly under its root, and gives the root the smallest index of them all.
 */
static inline void fof_flatten(index_t i, GLOBAL const u32 *set_start,
                               GLOBAL const grid_point *point, GLOBAL u32 *parent,
                               GLOBAL u32 *smallest) {
    const u32 root = fof_root(parent, (u32)i);
    u32 least = point[set_start[i]].index;
    for (u32 k = set_start[i] + 1; k < set_start[i + 1]; k++)
        least = point[k].index < least ? point[k].index : least;
    atomic_store_u32(&parent[i], root);
    if (least < atomic_load_u32(&smallest[root]))
        atomic_min_u32(&smallest[root], least);
}

static inline void fof_label(index_t i, GLOBAL const u32 *set_start,
                             GLOBAL const grid_point *point, GLOBAL const u32 *parent,
                             GLOBAL const u32 *smallest, GLOBAL u32 *label) {
    const u32 least = smallest[parent[i]];
    for (u32 k = set_start[i]; k < set_start[i + 1]; k++)
        label[point[k].index] = least;
}

#endif
