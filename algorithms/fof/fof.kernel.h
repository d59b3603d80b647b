/* Friends-of-friends: unions over sets, which are the particles of one sub-cell. */
#ifndef WEFT_FOF_KERNEL_H
#define WEFT_FOF_KERNEL_H

#include "linked.kernel.h"

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

/* The same of trees that nobody else changes. */
static inline void fof_unite_alone(GLOBAL u32 *parent, u32 a, u32 b) {
    atomic_store_u32(&parent[max(a, b)], min(a, b));
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

/* Joins the sets of a cell; where they are one, of how many particles, of which 255 are as
 * many as more, and otherwise 0. `left` as linked_few has it. */
static inline u8 fof_unite_sets(const friends_view *f, const grid_view *cells, index_t cell,
                                GLOBAL u32 *parent, i32 *left) {
    GLOBAL const u32 *start = cells->set_start;
    const u32 first = cells->cell_set[cell], last = cells->cell_set[cell + 1];
    u32 apart = 0;
    for (u32 s = first + 1; s < last; s++)
        apart += atomic_load_u32(&parent[s]) == s;
    for (u32 a = first; a < last && apart > 0; a++)
        for (u32 b = a + 1; b < last && apart > 0; b++) {
            const u32 a_root = fof_root(parent, a), b_root = fof_root(parent, b);
            if (a_root != b_root && linked_sets(f, cells, start[a], start[a + 1], start[b],
                                                start[b + 1], left)) {
                fof_unite_alone(parent, a_root, b_root);
                apart--;
            }
        }
    return apart > 0 ? 0 : (u8)min(start[last] - start[first], 255u);
}

/* Joins the sets within cell i as far as can be decided quickly, and notes what came of it;
 * a cell with more to decide gets a bit in `left`. */
static inline void fof_unite_cell(index_t i, friends_view f, grid_view cells,
                                  GLOBAL u32 *parent, GLOBAL u8 *united, GLOBAL u32 *left) {
    i32 more = 0;
    united[i] = fof_unite_sets(&f, &cells, i, parent, &more);
    if (more && !united[i])
        atomic_or_u32(&left[(u32)i / 32], 1u << ((u32)i % 32));
}

/* And the rest. */
static inline void fof_unite_left(index_t i, friends_view f, grid_view cells,
                                  GLOBAL u32 *parent, GLOBAL u8 *united,
                                  GLOBAL const u32 *left) {
    if (left[(u32)i / 32] >> ((u32)i % 32) & 1)
        united[i] = fof_unite_sets(&f, &cells, i, parent, NULL);
}

/* Trees of sets, and for each cell what fof_unite_sets says. */
typedef struct fof_forest {
    GLOBAL u32 *parent;
    GLOBAL const u8 *united;
} fof_forest;

/* Joins the sets of cell a with those of cell b, a step further; `left` as above. Where
 * each cell is one already, any two friends will do, and of few particles they are sought
 * before the roots, which lie further away. */
static inline void fof_unite_cells(const friends_view *f, const grid_view *cells,
                                   const fof_forest *forest, friends_step step, index_t a,
                                   index_t b, i32 *left) {
    GLOBAL const u32 *start = cells->set_start;
    GLOBAL u32 *parent = forest->parent;
    const u32 a_first = cells->cell_set[a], a_last = cells->cell_set[a + 1];
    const u32 b_first = cells->cell_set[b], b_last = cells->cell_set[b + 1];
    const u32 a_begin = start[a_first], a_end = start[a_last];
    const u32 b_begin = start[b_first], b_end = start[b_last];
    const i32 whole = forest->united[a] && forest->united[b];
    if (whole && a_end - a_begin <= 2 && b_end - b_begin <= 2) {
        if (linked_few(f, cells, a_begin, a_end, b_begin, b_end, left))
            fof_unite(parent, a_first, b_first);
        return;
    }
    if (whole && fof_root(parent, a_first) == fof_root(parent, b_first))
        return;
    for (u32 s = a_first; s < a_last; s++)
        for (u32 t = b_first; t < b_last; t++) {
            if (f->rule.near > 0 && !fof_within_reach(cells->set_sub[s], cells->set_sub[t],
                                                      step, f->rule.g.bits))
                continue;
            if (!whole && fof_root(parent, s) == fof_root(parent, t))
                continue;
            if (linked_sets(f, cells, start[s], start[s + 1], start[t], start[t + 1],
                            left)) {
                fof_unite(parent, s, t);
                if (whole)
                    return;
            }
        }
}

/* Joins a chunk of cells with those in their own row (way 0) that come later, or with the
 * three cells next to each in the neighbouring row on one of four ways, so that each pair
 * of touching cells is met once; i counts chunks and ways. Both rows are walked forward
 * together. */
static inline void fof_link_rows(index_t i, friends_view f, grid_view cells,
                                 fof_forest forest, GLOBAL const u32 *neighbour,
                                 i64 chunk) {
    GLOBAL const u32 *cell_x = cells.cell_x;
    const grid *g = &f.rule.g;
    const index_t n = (index_t)cells.cells, way = i % 5, from = i / 5 * (index_t)chunk;
    const index_t last = n - from < chunk ? n : from + (index_t)chunk;
    const u32 wrap = g->box[0] > 0 && g->cells[0] > 2 ? (u32)g->cells[0] - 1 : 0;
    friends_step step = friends_way((i32)way);
    u32 row = ~(u32)0, begin = 0, end = 0, b = 0;
    for (index_t c = from; c < last; c++) {
        const u32 cx = cell_x[c];
        if (cells.cell_row[c] != row) {
            row = cells.cell_row[c];
            const u32 other = neighbour[way * (index_t)cells.rows + (index_t)row];
            begin = other == ~(u32)0 ? 0 : cells.row_cell[other];
            end = other == ~(u32)0 ? 0 : cells.row_cell[other + 1];
            b = c > from ? begin : friends_seek(cell_x, begin, end, cx > 0 ? cx - 1 : 0);
        }
        if (begin == end)
            continue;
        b = way == 0 ? (u32)c + 1 : b;
        while (b < end && cell_x[b] + 1 < cx)
            b++;
        for (u32 k = b; k < end && cell_x[k] <= cx + 1; k++) {
            step.x = (i32)(cell_x[k] - cx);
            fof_unite_cells(&f, &cells, &forest, step, c, (index_t)k, NULL);
        }
        const u32 edge = cx ? begin : end - 1;
        if (wrap && (cx == wrap || (cx == 0 && way > 0)) && cell_x[edge] == wrap - cx) {
            step.x = cx ? 1 : -1;
            fof_unite_cells(&f, &cells, &forest, step, c, (index_t)edge, NULL);
        }
    }
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

/* The same for a block of sets, for a few work-items, with few branches that are hard to
 * foresee: sets that hang under another one are listed first, then those of them that do
 * not hang under the root, and those that are smaller than what was found before. */
enum { FLATTEN_SETS = 64 };
static inline void fof_flatten_block(index_t i, i64 sets, GLOBAL u32 *parent,
                                     GLOBAL u32 *smallest) {
    const u32 begin = (u32)i * FLATTEN_SETS,
              end = (u32)min(sets, (i64)begin + FLATTEN_SETS);
    u32 set[FLATTEN_SETS], root[FLATTEN_SETS], deep[FLATTEN_SETS];
    u32 count = 0, deeper = 0, less = 0;
    for (u32 s = begin; s < end; s++) {
        const u32 p = atomic_load_u32(&parent[s]);
        set[count] = s;
        root[count] = p;
        count += p != s;
    }
    for (u32 k = 0; k < count; k++) {
        deep[deeper] = k;
        deeper += atomic_load_u32(&parent[root[k]]) != root[k];
    }
    for (u32 k = 0; k < deeper; k++) {
        const u32 s = set[deep[k]], r = fof_final_root(parent, s);
        atomic_store_u32(&parent[s], r);
        root[deep[k]] = r;
    }
    for (u32 k = 0; k < count; k++) {
        const u32 s = set[k], r = root[k];
        set[less] = s;
        root[less] = r;
        less += atomic_load_u32(&smallest[s]) < atomic_load_u32(&smallest[r]);
    }
    for (u32 k = 0; k < less; k++)
        atomic_min_u32(&smallest[root[k]], atomic_load_u32(&smallest[set[k]]));
}

/* The same for all sets by one work-item: a set hangs under an earlier one, which hangs
 * under its root by then, or is one. */
static inline void fof_flatten_all(index_t i, i64 sets, GLOBAL u32 *parent,
                                   GLOBAL u32 *smallest) {
    (void)i;
    for (index_t s = 0; s < (index_t)sets; s++) {
        const u32 root = atomic_load_u32(&parent[atomic_load_u32(&parent[s])]);
        const u32 least = atomic_load_u32(&smallest[s]);
        atomic_store_u32(&parent[s], root);
        atomic_store_u32(&smallest[root], min(atomic_load_u32(&smallest[root]), least));
    }
}

static inline void fof_label(index_t i, GLOBAL const u32 *set_start,
                             GLOBAL const grid_point *point, GLOBAL const u32 *parent,
                             GLOBAL const u32 *smallest, GLOBAL u32 *label) {
    const u32 least = smallest[parent[i]];
    for (u32 k = set_start[i]; k < set_start[i + 1]; k++)
        label[point[k].index] = least;
}

#endif
