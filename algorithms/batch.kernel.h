/* Touching cells joined a batch at a time, for a few work-items: pairs of cells are first
 * listed, by how many particles they hold, so that most are tried without a branch, and few
 * of those that there are go astray. Cells at the edges of the grid are left to
 * dense_link_cell. */
#ifndef WEFT_BATCH_KERNEL_H
#define WEFT_BATCH_KERNEL_H

#include "dense.kernel.h"

/* Cells of a batch; pairs of cells, which are 13 a cell at most, and the place that a pair
 * is written to before it is known whether it belongs in the list; products of two numbers
 * of particles up to which all pairs are tried. */
enum { BATCH_CELLS = 64, BATCH_PAIRS = 13 * BATCH_CELLS + 1, BATCH_TRIED = 128 };

typedef struct batch_list {
    u32 count;
    u32 a[BATCH_PAIRS], b[BATCH_PAIRS];
} batch_list;

/* What the work is done on: the parameters of batch_link. */
typedef struct batch_scene {
    index_t pitch;
    GLOBAL const u64 *bits;
    GLOBAL const u32 *first, *cell_line, *cell_x, *cell_set, *set_start;
    GLOBAL const u8 *set_sub, *united;
    GLOBAL const grid_point *point;
    GLOBAL const u32 *x, *y, *z;
    GLOBAL u32 *parent;
} batch_scene;

static inline void batch_put(batch_list *list, u32 a, u32 b, i32 belongs) {
    list->a[list->count] = a;
    list->b[list->count] = b;
    list->count += (u32)belongs;
}

static inline u32 batch_begin(const batch_scene *s, u32 cell) {
    return s->set_start[s->cell_set[cell]];
}

/* The window at a bit of a word, as dense_window has it. */
static inline u32 batch_window(const batch_scene *s, index_t word, u32 shift) {
    return (u32)(s->bits[word] >> shift | s->bits[word + 1] << 1 << (63 - shift)) & 7;
}

/* The rows that a cell is joined with, from its own, in words of the map. */
static inline index_t batch_row(const batch_scene *s, u32 ny, u32 k) {
    return (index_t)(k < 2 ? k : ny + k - 3) * s->pitch;
}

/* Whether all rows around cell c are there, a row follows them, and no wrap is near. */
static inline i32 batch_is_inside(const friends_rule *rule, const batch_scene *s,
                                  index_t c) {
    const u32 ny = (u32)rule->g.cells[1], last = (u32)rule->g.cells[0] - 1;
    const u32 line = s->cell_line[c], y = line % ny, x = s->cell_x[c];
    return y > 0 && y + 1 < ny && line + ny + 2 < ny * (u32)rule->g.cells[2] &&
           !(rule->g.box[0] > 0 && (x == 0 || x == last));
}

/* The neighbours of cell c that it is joined with: four bits for each of five rows. */
static inline u32 batch_hits(const batch_scene *s, u32 ny, index_t c) {
    const u32 x = s->cell_x[c], shift = x & 63;
    const index_t word = dense_word(s->cell_line[c], x, s->pitch);
    return (batch_window(s, word, shift) & 4) |
           batch_window(s, word + batch_row(s, ny, 1), shift) << 4 |
           batch_window(s, word + batch_row(s, ny, 2), shift) << 8 |
           batch_window(s, word + batch_row(s, ny, 3), shift) << 12 |
           batch_window(s, word + batch_row(s, ny, 4), shift) << 16;
}

/* Lists the pairs of cell a and those neighbours: of one particle each, of up to four pairs
 * of particles, and of more or of cells that are not united. */
static inline void batch_sort(const batch_scene *s, u32 ny, u32 a, u32 hits,
                              batch_list *one, batch_list *few, batch_list *more) {
    const index_t home = dense_word(s->cell_line[a], 0, s->pitch);
    for (; hits; hits &= hits - 1) {
        const u32 bit = popcount((hits & (~hits + 1)) - 1);
        const u32 b = dense_cell(home + batch_row(s, ny, bit >> 2),
                                 s->cell_x[a] + (bit & 3), s->bits, s->first);
        const u32 pairs = (u32)s->united[a] * s->united[b];
        batch_put(one, a, b, pairs == 1);
        batch_put(few, a, b, pairs - 2 <= 2);
        batch_put(more, a, b, pairs - 1 >= 4);
    }
}

/* Leaves the friends in `one`, and adds to `more` what f64 must decide. */
static inline void batch_try_one(const friends_rule *rule, const batch_scene *s,
                                 batch_list *one, batch_list *more) {
    const u32 count = one->count;
    one->count = 0;
    for (u32 k = 0; k < count; k++) {
        const u32 a = one->a[k], b = one->b[k];
        const f32 d2 =
            friends_apart(rule, s->point[batch_begin(s, a)], s->point[batch_begin(s, b)]);
        batch_put(one, a, b, d2 <= rule->near);
        batch_put(more, a, b, d2 > rule->near && d2 <= rule->far);
    }
}

/* The same for up to four pairs of particles, of which some are tried twice. */
static inline void batch_try_few(const friends_rule *rule, const batch_scene *s,
                                 batch_list *few, batch_list *more) {
    const u32 count = few->count;
    few->count = 0;
    for (u32 k = 0; k < count; k++) {
        const u32 a = few->a[k], b = few->b[k];
        const u32 a_last = (u32)s->united[a] - 1, b_last = (u32)s->united[b] - 1;
        const u32 a_begin = batch_begin(s, a), b_begin = batch_begin(s, b);
        const u32 shift = b_last > 1 ? 2 : b_last;
        f32 least = 4;
        for (u32 t = 0; t < 4; t++) {
            const u32 i = min(t >> shift, a_last);
            const u32 j = min(t & ((1u << shift) - 1), b_last);
            least = min(least,
                        friends_apart(rule, s->point[a_begin + i], s->point[b_begin + j]));
        }
        batch_put(few, a, b, least <= rule->near);
        batch_put(more, a, b, least > rule->near && least <= rule->far);
    }
}

/* As fof_root, but no root is asked for by itself: a processor that runs ahead would often
 * guess wrong. */
static inline u32 batch_root(const batch_scene *s, u32 set) {
    for (;;) {
        const u32 p = atomic_load_u32(&s->parent[set]);
        const u32 above = atomic_load_u32(&s->parent[p]);
        if (above == p)
            return p;
        atomic_store_u32(&s->parent[set], above);
        set = above;
    }
}

static inline void batch_join(const batch_scene *s, const batch_list *list) {
    for (u32 k = 0; k < list->count; k++)
        fof_unite_roots(s->parent, batch_root(s, s->cell_set[list->a[k]]),
                        batch_root(s, s->cell_set[list->b[k]]));
}

/* From cell a to cell b, which is in one of the rows of batch_row. */
static inline friends_step batch_step(const batch_scene *s, u32 ny, u32 a, u32 b) {
    const u32 lines = s->cell_line[b] - s->cell_line[a];
    friends_step step;
    step.x = (i32)(s->cell_x[b] - s->cell_x[a]);
    step.z = lines > 1;
    step.y = (i32)(lines - (step.z ? ny : 0));
    return step;
}

static inline void batch_join_more(const friends_rule *rule, const batch_scene *s,
                                   const batch_list *more) {
    for (u32 k = 0; k < more->count; k++) {
        const u32 a = more->a[k], b = more->b[k], pairs = (u32)s->united[a] * s->united[b];
        if (pairs == 0 || pairs > BATCH_TRIED) {
            fof_unite_cells(rule, batch_step(s, (u32)rule->g.cells[1], a, b), (index_t)a,
                            (index_t)b, s->cell_set, s->set_start, s->set_sub, s->point,
                            s->x, s->y, s->z, s->parent, s->united, NULL);
            continue;
        }
        const u32 a_root = batch_root(s, s->cell_set[a]);
        const u32 b_root = batch_root(s, s->cell_set[b]);
        if (a_root != b_root &&
            touch_few(rule, batch_begin(s, a), batch_begin(s, a + 1), batch_begin(s, b),
                      batch_begin(s, b + 1), s->point, s->x, s->y, s->z, NULL))
            fof_unite_roots(s->parent, a_root, b_root);
    }
}

/* Joins the cells of batch i with their neighbours, so that each pair of touching cells is
 * met once. */
static inline void batch_link(index_t i, friends_rule rule, i64 count, i64 pitch,
                              GLOBAL const u64 *bits, GLOBAL const u32 *first,
                              GLOBAL const u32 *cell_line, GLOBAL const u32 *cell_x,
                              GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                              GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                              GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z,
                              GLOBAL u32 *parent, GLOBAL const u8 *united) {
    const index_t begin = i * BATCH_CELLS;
    const index_t end = count - begin < BATCH_CELLS ? (index_t)count : begin + BATCH_CELLS;
    const batch_scene s = {
        (index_t)pitch, bits,   first, cell_line, cell_x, cell_set, set_start,
        set_sub,        united, point, x,         y,      z,        parent};
    const u32 ny = (u32)rule.g.cells[1];
    u32 cell[BATCH_CELLS + 1], hits[BATCH_CELLS + 1], cells = 0;
    batch_list one, few, more;
    one.count = few.count = more.count = 0;
    for (index_t c = begin; c < end; c++)
        if (batch_is_inside(&rule, &s, c)) {
            cell[cells] = (u32)c;
            hits[cells] = batch_hits(&s, ny, c);
            cells += hits[cells] != 0;
        } else
            dense_link_cell(c, &rule, pitch, bits, first, cell_line, cell_x, cell_set,
                            set_start, set_sub, point, x, y, z, parent, united, NULL);
    for (u32 k = 0; k < cells; k++)
        batch_sort(&s, ny, cell[k], hits[k], &one, &few, &more);
    batch_try_one(&rule, &s, &one, &more);
    batch_try_few(&rule, &s, &few, &more);
    batch_join(&s, &one);
    batch_join(&s, &few);
    batch_join_more(&rule, &s, &more);
}

#endif
