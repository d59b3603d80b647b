/* Friends-of-friends: unions over sets, which are the particles of one sub-cell. */
#ifndef WEFT_FOF_KERNEL_H
#define WEFT_FOF_KERNEL_H

#include "friends.kernel.h"

/* A box, in linking lengths from some particle. */
typedef struct fof_box {
    f32 low_x, low_y, low_z, high_x, high_y, high_z;
} fof_box;

static inline fof_box fof_around(const friends_rule *rule, grid_point origin,
                                 grid_point p) {
    fof_box box;
    box.low_x = box.high_x = (f32)(i32)(p.x - origin.x) * rule->unit[0];
    box.low_y = box.high_y = (f32)(i32)(p.y - origin.y) * rule->unit[1];
    box.low_z = box.high_z = (f32)(i32)(p.z - origin.z) * rule->unit[2];
    return box;
}

static inline fof_box fof_enclose(fof_box a, fof_box b) {
    a.low_x = min(a.low_x, b.low_x), a.high_x = max(a.high_x, b.high_x);
    a.low_y = min(a.low_y, b.low_y), a.high_y = max(a.high_y, b.high_y);
    a.low_z = min(a.low_z, b.low_z), a.high_z = max(a.high_z, b.high_z);
    return a;
}

/* Whether boxes are so far apart that nothing in one is a friend of anything in the other.
 * A gap is off by no more than twice what a distance is, which the filter has room for. */
static inline i32 fof_parted(const friends_rule *rule, fof_box a, fof_box b) {
    const f32 x = max(max(a.low_x - b.high_x, b.low_x - a.high_x), 0.0f);
    const f32 y = max(max(a.low_y - b.high_y, b.low_y - a.high_y), 0.0f);
    const f32 z = max(max(a.low_z - b.high_z, b.low_z - a.high_z), 0.0f);
    return x * x + y * y + z * z > 2 * rule->far - 1;
}

/* Whether any particle of [a, a_end) is a friend of any of [b, b_end). Where `left` is not
 * NULL, what only f64 or boxes can tell is set there and taken for no: where many
 * work-items run, the registers that these need would keep others from running. */
static inline i32 fof_few_touch(const friends_rule *rule, u32 a, u32 a_end, u32 b,
                                u32 b_end, GLOBAL const grid_point *point,
                                GLOBAL const u32 *x, GLOBAL const u32 *y,
                                GLOBAL const u32 *z, i32 *left) {
    for (u32 i = a; i < a_end; i++) {
        const grid_point p = point[i];
        for (u32 j = b; j < b_end; j++) {
            const f32 d2 = friends_apart(rule, p, point[j]);
            if (d2 <= rule->near)
                return 1;
            if (d2 <= rule->far) {
                if (left)
                    *left = 1;
                else if (friends_exactly(rule, p.index, point[j].index, x, y, z))
                    return 1;
            }
        }
    }
    return 0;
}

/* The same for many: of blocks of [a, a_end) only what lies within reach of the box around
 * [b, b_end) counts, and only what lies within reach of a box around that is tried. */
enum { FOF_BLOCK = 32 };
static inline i32 fof_many_touch(const friends_rule *rule, u32 a, u32 a_end, u32 b,
                                 u32 b_end, GLOBAL const grid_point *point,
                                 GLOBAL const u32 *x, GLOBAL const u32 *y,
                                 GLOBAL const u32 *z) {
    const grid_point origin = point[b];
    fof_box all = fof_around(rule, origin, origin);
    for (u32 j = b + 1; j < b_end; j++)
        all = fof_enclose(all, fof_around(rule, origin, point[j]));
    for (u32 first = a; first < a_end; first += FOF_BLOCK) {
        const u32 last = a_end - first < FOF_BLOCK ? a_end : first + FOF_BLOCK;
        fof_box some = all;
        i32 any = 0;
        for (u32 i = first; i < last; i++) {
            const fof_box at = fof_around(rule, origin, point[i]);
            if (!fof_parted(rule, all, at)) {
                some = any ? fof_enclose(some, at) : at;
                any = 1;
            }
        }
        for (u32 j = b; any && j < b_end; j++)
            if (!fof_parted(rule, some, fof_around(rule, origin, point[j])) &&
                fof_few_touch(rule, first, last, j, j + 1, point, x, y, z, NULL))
                return 1;
    }
    return 0;
}

static inline i32 fof_sets_touch(const friends_rule *rule, u32 a, u32 a_end, u32 b,
                                 u32 b_end, GLOBAL const grid_point *point,
                                 GLOBAL const u32 *x, GLOBAL const u32 *y,
                                 GLOBAL const u32 *z, i32 *left) {
    const i32 many = a_end - a > 4 * FOF_BLOCK && b_end - b > 4 * FOF_BLOCK;
    if (!many)
        return fof_few_touch(rule, a, a_end, b, b_end, point, x, y, z, left);
    if (!left)
        return fof_many_touch(rule, a, a_end, b, b_end, point, x, y, z);
    *left = 1;
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

/* Joins the trees of two roots: the larger hangs under the smaller. */
static inline void fof_unite_roots(GLOBAL u32 *parent, u32 a, u32 b) {
    while (a != b) {
        const u32 low = a < b ? a : b, high = a < b ? b : a;
        if (atomic_cas_u32(&parent[high], high, low) == high)
            return;
        a = fof_root(parent, high);
        b = fof_root(parent, low);
    }
}

static inline void fof_unite(GLOBAL u32 *parent, u32 a, u32 b) {
    fof_unite_roots(parent, fof_root(parent, a), fof_root(parent, b));
}

/* Whether a sub-cell may hold friends of another one, a step further and no other way. */
static inline i32 fof_within_reach(u32 a, u32 b, friends_step step, i32 bits) {
    const u32 part = (1u << bits) - 1;
    const i32 x = (i32)(b & part) - (i32)(a & part);
    const i32 y = (i32)(b >> bits & part) - (i32)(a >> bits & part);
    const i32 z = (i32)(b >> 2 * bits) - (i32)(a >> 2 * bits);
    return x * step.x <= 0 && y * step.y <= 0 && z * step.z <= 0;
}

/* Joins the sets within cell i; where they became one, notes of how many particles, of
 * which 255 are as many as more. */
static inline void fof_unite_cell(index_t i, friends_rule rule, GLOBAL const u32 *cell_set,
                                  GLOBAL const u32 *set_start,
                                  GLOBAL const grid_point *point, GLOBAL const u32 *x,
                                  GLOBAL const u32 *y, GLOBAL const u32 *z,
                                  GLOBAL u32 *parent, GLOBAL u8 *united) {
    const u32 first = cell_set[i], last = cell_set[i + 1];
    u32 apart = last - first - 1;
    for (u32 a = first; a < last && apart > 0; a++)
        for (u32 b = a + 1; b < last && apart > 0; b++)
            if (fof_root(parent, a) != fof_root(parent, b) &&
                fof_sets_touch(&rule, set_start[a], set_start[a + 1], set_start[b],
                               set_start[b + 1], point, x, y, z, NULL)) {
                fof_unite(parent, a, b);
                apart--;
            }
    united[i] = apart > 0 ? 0 : (u8)min(set_start[last] - set_start[first], 255u);
}

/* Joins the sets of cell a with those of cell b, a step further; `left` as above. Where
 * each cell is one already, any two friends will do, and of few particles they are sought
 * before the roots, which lie further away. */
static inline void fof_unite_cells(const friends_rule *rule, friends_step step, index_t a,
                                   index_t b, GLOBAL const u32 *cell_set,
                                   GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
                                   GLOBAL const grid_point *point, GLOBAL const u32 *x,
                                   GLOBAL const u32 *y, GLOBAL const u32 *z,
                                   GLOBAL u32 *parent, GLOBAL const u8 *united, i32 *left) {
    const u32 a_first = cell_set[a], a_last = cell_set[a + 1];
    const u32 b_first = cell_set[b], b_last = cell_set[b + 1];
    const u32 a_begin = set_start[a_first], a_end = set_start[a_last];
    const u32 b_begin = set_start[b_first], b_end = set_start[b_last];
    const i32 whole = united[a] && united[b];
    if (whole && a_end - a_begin <= 2 && b_end - b_begin <= 2) {
        if (fof_few_touch(rule, a_begin, a_end, b_begin, b_end, point, x, y, z, left))
            fof_unite(parent, a_first, b_first);
        return;
    }
    if (whole && fof_root(parent, a_first) == fof_root(parent, b_first))
        return;
    for (u32 s = a_first; s < a_last; s++)
        for (u32 t = b_first; t < b_last; t++) {
            if (rule->near > 0 &&
                !fof_within_reach(set_sub[s], set_sub[t], step, rule->g.bits))
                continue;
            if (!whole && fof_root(parent, s) == fof_root(parent, t))
                continue;
            if (fof_sets_touch(rule, set_start[s], set_start[s + 1], set_start[t],
                               set_start[t + 1], point, x, y, z, left)) {
                fof_unite(parent, s, t);
                if (whole)
                    return;
            }
        }
}

/* Joins cell i with the next one of its row. */
static inline void fof_link_next(index_t i, friends_rule rule, i64 count,
                                 GLOBAL const u32 *row_cell, GLOBAL const u32 *cell_row,
                                 GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
                                 GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
                                 GLOBAL const grid_point *point, GLOBAL const u32 *x,
                                 GLOBAL const u32 *y, GLOBAL const u32 *z,
                                 GLOBAL u32 *parent, GLOBAL const u8 *united) {
    friends_step step;
    step.x = 1;
    step.y = 0;
    step.z = 0;
    if (i + 1 < count && cell_row[i + 1] == cell_row[i]) {
        if (cell_x[i + 1] == cell_x[i] + 1)
            fof_unite_cells(&rule, step, i, i + 1, cell_set, set_start, set_sub, point, x,
                            y, z, parent, united, NULL);
    } else if (rule.g.box[0] > 0 && rule.g.cells[0] > 2 &&
               cell_x[i] + 1 == rule.g.cells[0]) {
        const u32 first = row_cell[cell_row[i]];
        if (cell_x[first] == 0)
            fof_unite_cells(&rule, step, i, (index_t)first, cell_set, set_start, set_sub,
                            point, x, y, z, parent, united, NULL);
    }
}

/* Joins a chunk of cells with the three cells next to each in the neighbouring row on one
 * of four ways, so that each pair of touching cells is met once; i counts chunks and ways.
 * Both rows are walked forward together. */
static inline void fof_link_rows(index_t i, friends_rule rule, i64 chunk, i64 count,
                                 i64 rows, GLOBAL const u32 *neighbour,
                                 GLOBAL const u32 *row_cell, GLOBAL const u32 *cell_row,
                                 GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
                                 GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
                                 GLOBAL const grid_point *point, GLOBAL const u32 *x,
                                 GLOBAL const u32 *y, GLOBAL const u32 *z,
                                 GLOBAL u32 *parent, GLOBAL const u8 *united) {
    const index_t way = i % 4, first = i / 4 * (index_t)chunk, n = (index_t)count;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    const u32 wrap =
        rule.g.box[0] > 0 && rule.g.cells[0] > 2 ? (u32)rule.g.cells[0] - 1 : 0;
    friends_step step = friends_way((i32)way);
    u32 row = ~(u32)0, begin = 0, end = 0, b = 0;
    for (index_t c = first; c < last; c++) {
        const u32 cx = cell_x[c];
        if (cell_row[c] != row) {
            row = cell_row[c];
            const u32 other = neighbour[way * (index_t)rows + (index_t)row];
            begin = other == ~(u32)0 ? 0 : row_cell[other];
            end = other == ~(u32)0 ? 0 : row_cell[other + 1];
            b = c > first ? begin : friends_seek(cell_x, begin, end, cx > 0 ? cx - 1 : 0);
        }
        if (begin == end)
            continue;
        while (b < end && cell_x[b] + 1 < cx)
            b++;
        for (u32 k = b; k < end && cell_x[k] <= cx + 1; k++) {
            step.x = (i32)(cell_x[k] - cx);
            fof_unite_cells(&rule, step, c, (index_t)k, cell_set, set_start, set_sub, point,
                            x, y, z, parent, united, NULL);
        }
        if (wrap && (cx == 0 || cx == wrap) && cell_x[cx ? begin : end - 1] == wrap - cx) {
            step.x = cx ? 1 : -1;
            fof_unite_cells(&rule, step, c, (index_t)(cx ? begin : end - 1), cell_set,
                            set_start, set_sub, point, x, y, z, parent, united, NULL);
        }
    }
}

static inline u32 fof_takes_part(index_t i, u32 least, GLOBAL const u32 *friends) {
    return friends[i] >= least;
}

/* The root again, for when all unions are done and sets are hung under their roots for
 * good: a path is halved only where nobody has changed it, lest a set be hung further down.
 */
static inline u32 fof_final_root(GLOBAL u32 *parent, u32 s) {
    for (;;) {
        const u32 p = atomic_load_u32(&parent[s]), above = atomic_load_u32(&parent[p]);
        if (above == p)
            return p;
        atomic_cas_u32(&parent[s], p, above);
        s = above;
    }
}

/* The smallest index in set i, which is its first since the sort is stable. */
static inline u32 fof_first(index_t i, GLOBAL const u32 *set_start,
                            GLOBAL const grid_point *point) {
    return point[set_start[i]].index;
}

/* Hangs set i directly under its root; `smallest`, the first of each set, becomes of roots
 * the smallest index of all. */
static inline void fof_flatten(index_t i, GLOBAL u32 *parent, GLOBAL u32 *smallest) {
    const u32 root = fof_final_root(parent, (u32)i), least = atomic_load_u32(&smallest[i]);
    if (atomic_load_u32(&parent[i]) != root)
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
