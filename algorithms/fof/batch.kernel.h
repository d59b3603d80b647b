/* Touching cells joined a batch at a time, for a few work-items: pairs of cells are first
 * listed, by how many pairs of particles they hold, so that most are tried without a
 * branch, and few of those that there are go astray. Cells at the ends of rows are joined
 * one by one. */
#ifndef WEFT_BATCH_KERNEL_H
#define WEFT_BATCH_KERNEL_H

#include "dense.kernel.h"
#include "window.kernel.h"

/* Cells of a batch; pairs of cells, which are 13 a cell at most, and the places that are
 * written to before it is known whether they belong in the list. Class k of pairs is of up
 * to 2^k pairs of particles, the last one of more and of cells that are not united. Pairs
 * of particles tried together, in whole vectors; and up to which all are tried. Larger
 * batches do not fit the stack of PoCL, which holds those of a whole work-group. */
enum {
    BATCH_CELLS = 64,
    BATCH_PAIRS = 13 * BATCH_CELLS + 3,
    BATCH_REST = 3,
    BATCH_ROOM = 64,
    BATCH_VECTOR = 16,
    BATCH_TRIED = 128
};

/* The cells that have neighbours, and the pairs: in the lower half the second cell, and
 * above it the place of the first one in `cell`. */
typedef struct batch_work {
    u32 cells, pairs;
    u32 cell[BATCH_CELLS], hits[BATCH_CELLS];
    u32 set[BATCH_CELLS], begin[BATCH_CELLS], united[BATCH_CELLS];
    u64 pair[BATCH_PAIRS];
    u32 other[BATCH_PAIRS]; /* the second cell's first set */
    u32 count[BATCH_REST + 1], list[BATCH_REST + 1][BATCH_PAIRS];
    grid_point apart[BATCH_ROOM];
    f32 d2[BATCH_ROOM];
} batch_work;

static inline u32 batch_put(u32 *list, u32 count, u32 pair, i32 belongs) {
    list[count] = pair;
    return count + (u32)belongs;
}

/* From the row of a cell to the one on a way, in words of the map; and the word at bit x of
 * a cell's own row. */
static inline index_t batch_row(const grid_view *cells, const window_rows *rows, u32 way) {
    return (index_t)window_way(rows, way) * (index_t)cells->pitch;
}

static inline index_t batch_word(const grid_view *cells, const window_rows *rows, index_t c,
                                 u32 x) {
    return map_word(cells->cell_line[c] - rows->line, x, cells->pitch);
}

/* Joins a cell at an end of its row, as dense_link_cell does. */
static SELDOM void batch_link_end(index_t c, const friends_view *f, const grid_view *cells,
                                  const fof_forest *forest, const window_rows *rows) {
    const index_t home = batch_word(cells, rows, c, 0);
    dense_link_rows(c, f, cells, forest, home, home + batch_row(cells, rows, 1),
                    home + batch_row(cells, rows, 2), home + batch_row(cells, rows, 3),
                    home + batch_row(cells, rows, 4), NULL);
}

/* Whether cell c may have neighbours across a wrap along x. */
static inline i32 batch_may_wrap(const grid *g, const grid_view *cells, index_t c) {
    const u32 x = cells->cell_x[c];
    return g->box[0] > 0 && (x == 0 || x + 1 == (u32)g->cells[0]);
}

/* The window at a bit of a word, as map_window has it. */
static inline u32 batch_window(const grid_view *cells, index_t word, u32 shift) {
    return (u32)(cells->bits[word] >> shift | cells->bits[word + 1] << 1 << (63 - shift)) &
           7;
}

/* The neighbours of cell c that it is joined with: four bits for each of five rows. */
static inline u32 batch_hits(const grid_view *cells, const window_rows *rows, index_t c) {
    const u32 x = cells->cell_x[c], shift = x & 63;
    const index_t word = batch_word(cells, rows, c, x);
    return (batch_window(cells, word, shift) & 4) |
           batch_window(cells, word + batch_row(cells, rows, 1), shift) << 4 |
           batch_window(cells, word + batch_row(cells, rows, 2), shift) << 8 |
           batch_window(cells, word + batch_row(cells, rows, 3), shift) << 12 |
           batch_window(cells, word + batch_row(cells, rows, 4), shift) << 16;
}

/* Finds the cells of [begin, end) that have neighbours; joins those at the ends of rows. */
static inline void batch_find(const friends_view *f, const grid_view *cells,
                              const fof_forest *forest, const window_rows *rows,
                              index_t begin, index_t end, batch_work *w) {
    w->cells = 0;
    for (index_t c = begin; c < end; c++)
        if (!batch_may_wrap(&f->rule.g, cells, c)) {
            const u32 hits = batch_hits(cells, rows, c);
            w->cell[w->cells] = (u32)c;
            w->hits[w->cells] = hits;
            w->cells += hits != 0;
        } else
            batch_link_end(c, f, cells, forest, rows);
}

/* Lists pairs of a cell with those in its window of a row, which are numbered one after the
 * other: three are written, however many there are. Where nothing is left of a word, they
 * are the first ones of the next. Returns how many pairs there are now; `cell` is what the
 * pairs have in common. */
static inline u32 batch_pair_row(const grid_view *cells, index_t word, u32 shift, u32 hits,
                                 u64 cell, u32 pairs, u64 *pair) {
    const u64 here = cells->bits[word], below = ((u64)1 << shift) - 1;
    const u32 next = here >> shift == 0;
    const u32 b =
        cells->word_cell[word + next] + (u32)popcount(here & below & ((u64)next - 1));
    pair[pairs] = cell | b;
    pair[pairs + 1] = (cell | b) + 1;
    pair[pairs + 2] = (cell | b) + 2;
    return pairs + popcount(hits & 7);
}

static inline void batch_pair(const grid_view *cells, const window_rows *rows,
                              batch_work *w) {
    u32 n = 0;
    for (u32 k = 0; k < w->cells; k++) {
        const u32 c = w->cell[k], x = cells->cell_x[c], shift = x & 63, hits = w->hits[k];
        const index_t word = batch_word(cells, rows, c, x);
        const u64 cell = (u64)k << 32;
        w->pair[n] = cell | (c + 1);
        n += hits >> 2 & 1;
        n = batch_pair_row(cells, word + batch_row(cells, rows, 1), shift, hits >> 4, cell,
                           n, w->pair);
        n = batch_pair_row(cells, word + batch_row(cells, rows, 2), shift, hits >> 8, cell,
                           n, w->pair);
        n = batch_pair_row(cells, word + batch_row(cells, rows, 3), shift, hits >> 12, cell,
                           n, w->pair);
        n = batch_pair_row(cells, word + batch_row(cells, rows, 4), shift, hits >> 16, cell,
                           n, w->pair);
    }
    w->pairs = n;
}

/* Lists the pairs by their classes. */
static inline void batch_sort(const grid_view *cells, GLOBAL const u8 *united,
                              batch_work *w) {
    for (u32 k = 0; k < w->cells; k++) {
        w->set[k] = cells->cell_set[w->cell[k]];
        w->begin[k] = cells->set_start[w->set[k]];
        w->united[k] = united[w->cell[k]];
    }
    u32 one = 0, two = 0, four = 0, rest = 0;
    for (u32 k = 0; k < w->pairs; k++) {
        const u32 a = (u32)(w->pair[k] >> 32), b = (u32)w->pair[k],
                  set = cells->cell_set[b];
        const u32 pairs = w->united[a] * united[b];
        prefetch(cells->point + cells->set_start[set], 1);
        w->other[k] = set;
        one = batch_put(w->list[0], one, k, pairs == 1);
        two = batch_put(w->list[1], two, k, pairs == 2);
        four = batch_put(w->list[2], four, k, pairs - 3 <= 1);
        rest = batch_put(w->list[BATCH_REST], rest, k, pairs - 1 >= 4);
    }
    w->count[0] = one;
    w->count[1] = two;
    w->count[2] = four;
    w->count[BATCH_REST] = rest;
}

/* Drops the pairs that hang under the same set already: most that are joined. */
static inline void batch_drop(const fof_forest *forest, batch_work *w, u32 kind) {
    u32 left = 0;
    for (u32 k = 0; k < w->count[kind]; k++) {
        const u32 pair = w->list[kind][k], a = (u32)(w->pair[pair] >> 32);
        const u32 whole = w->united[a] * forest->united[(u32)w->pair[pair]];
        const u32 a_above = atomic_load_u32(&forest->parent[w->set[a]]);
        const u32 b_above = atomic_load_u32(&forest->parent[w->other[pair]]);
        left = batch_put(w->list[kind], left, pair, (a_above != b_above) | !whole);
    }
    w->count[kind] = left;
}

static inline void batch_subtract(const grid_view *cells, u32 i, u32 j, grid_point *apart) {
    const grid_point p = cells->point[i], q = cells->point[j];
    apart->x = q.x - p.x;
    apart->y = q.y - p.y;
    apart->z = q.z - p.z;
    apart->index = 0;
}

/* Differences of 2^kind pairs of particles: all that there are, and some again. */
static inline void batch_spread(const grid_view *cells, GLOBAL const u8 *united,
                                const batch_work *w, u32 pair, u32 kind,
                                grid_point *apart) {
    const u32 k = (u32)(w->pair[pair] >> 32), last = w->united[k] - 1;
    const u32 begin = cells->set_start[w->other[pair]];
    const u32 last_other = united[(u32)w->pair[pair]] - 1;
    const u32 below = last_other | last_other >> 1; /* 0, 1 or 3 */
    for (u32 t = 0; t < 1u << kind; t++)
        batch_subtract(cells, w->begin[k] + min(t >> below, last),
                       begin + min(t & below, last_other), &apart[t]);
}

/* Squared distances as friends_apart has them, and more to a whole vector, of which nothing
 * follows. */
static inline void batch_square(const friends_rule *rule, u32 count, batch_work *w) {
    const u32 all = (count + BATCH_VECTOR - 1) & ~(BATCH_VECTOR - 1u);
    for (u32 k = 0; k < all; k++) {
        const f32 dx = (f32)(i32)w->apart[k].x * rule->unit[0];
        const f32 dy = (f32)(i32)w->apart[k].y * rule->unit[1];
        const f32 dz = (f32)(i32)w->apart[k].z * rule->unit[2];
        w->d2[k] = dx * dx + dy * dy + dz * dz;
    }
}

/* Leaves those pairs of a class that have friends, and adds to the rest what f64 must
 * decide. */
static inline void batch_try(const friends_rule *rule, const grid_view *cells,
                             GLOBAL const u8 *united, u32 kind, batch_work *w) {
    const u32 count = w->count[kind], most = BATCH_ROOM >> kind;
    const f32 near = rule->near, far = rule->far;
    u32 friends = 0, rest = w->count[BATCH_REST];
    for (u32 first = 0; first < count; first += most) {
        const u32 n = min(count - first, most), *list = w->list[kind] + first;
        u32 left = 0;
        for (u32 k = 0; k < n; k++)
            batch_spread(cells, united, w, list[k], kind, w->apart + (k << kind));
        batch_square(rule, n << kind, w);
        for (u32 level = kind; level-- > 0;)
            for (u32 k = 0; k < n << level; k++)
                w->d2[k] = min(w->d2[2 * k], w->d2[2 * k + 1]);
        for (u32 k = 0; k < n; k++)
            left |= (w->d2[k] > near) & (w->d2[k] <= far);
        for (u32 k = 0; left && k < n; k++)
            rest = batch_put(w->list[BATCH_REST], rest, list[k],
                             w->d2[k] > near && w->d2[k] <= far);
        for (u32 k = 0; k < n; k++)
            friends = batch_put(w->list[kind], friends, list[k], w->d2[k] <= near);
    }
    w->count[kind] = friends;
    w->count[BATCH_REST] = rest;
}

/* As fof_root, but no root is asked for by itself: a processor that runs ahead would often
 * guess wrong. */
static inline u32 batch_root(GLOBAL u32 *parent, u32 set) {
    for (;;) {
        const u32 p = atomic_load_u32(&parent[set]);
        const u32 above = atomic_load_u32(&parent[p]);
        if (above == p)
            return p;
        atomic_store_u32(&parent[set], above);
        set = above;
    }
}

/* Joins the trees of two roots, which may be one; `alone`: nobody else changes any. */
static inline void batch_unite_roots(GLOBAL u32 *parent, u32 a, u32 b, i32 alone) {
    if (alone)
        fof_unite_alone(parent, a, b);
    else
        fof_unite_roots(parent, a, b);
}

/* Joins what has friends of a class. */
static inline void batch_join(const friends_view *f, const grid_view *cells,
                              const fof_forest *forest, u32 kind, i32 alone,
                              batch_work *w) {
    batch_try(&f->rule, cells, forest->united, kind, w);
    batch_drop(forest, w, kind);
    for (u32 k = 0; k < w->count[kind]; k++) {
        const u32 pair = w->list[kind][k];
        batch_unite_roots(forest->parent,
                          batch_root(forest->parent, w->set[w->pair[pair] >> 32]),
                          batch_root(forest->parent, w->other[pair]), alone);
    }
}

/* Whether any of cell a's particles may be a friend of any of cell b's. */
static inline i32 batch_may_touch(const friends_rule *rule, const grid_view *cells, u32 a,
                                  u32 b, batch_work *w) {
    const u32 a_begin = cells->set_start[cells->cell_set[a]],
              b_begin = cells->set_start[cells->cell_set[b]];
    const u32 a_end = cells->set_start[cells->cell_set[a + 1]];
    const u32 b_end = cells->set_start[cells->cell_set[b + 1]];
    u32 count = 0, touch = 0;
    if ((u64)(a_end - a_begin) * (b_end - b_begin) > BATCH_ROOM)
        return 1;
    for (u32 i = a_begin; i < a_end; i++)
        for (u32 j = b_begin; j < b_end; j++)
            batch_subtract(cells, i, j, &w->apart[count++]);
    batch_square(rule, count, w);
    for (u32 k = 0; k < count; k++)
        touch |= w->d2[k] <= rule->far;
    return touch != 0;
}

/* From cell a to cell b, which touches it, and not across a wrap along x. */
static inline friends_step batch_step(const grid_view *cells, u32 ny, u32 a, u32 b) {
    const u32 a_line = cells->cell_line[a], b_line = cells->cell_line[b];
    const i32 y = (i32)(b_line % ny) - (i32)(a_line % ny);
    friends_step step;
    step.x = (i32)(cells->cell_x[b] - cells->cell_x[a]);
    step.y = y > 1 ? -1 : y < -1 ? 1 : y;
    step.z = a_line / ny != b_line / ny;
    return step;
}

/* As fof_unite_cells does: seldom, and by itself, so that what is done for each pair keeps
 * the registers. */
static SELDOM void batch_unite(const friends_view *f, const grid_view *cells,
                               const fof_forest *forest, u32 a, u32 b) {
    const friends_step step = batch_step(cells, (u32)f->rule.g.cells[1], a, b);
    fof_unite_cells(f, cells, forest, step, (index_t)a, (index_t)b, NULL);
}

static inline void batch_join_rest(const friends_view *f, const grid_view *cells,
                                   const fof_forest *forest, i32 alone, batch_work *w) {
    batch_drop(forest, w, BATCH_REST);
    for (u32 k = 0; k < w->count[BATCH_REST]; k++) {
        const u32 pair = w->list[BATCH_REST][k], place = (u32)(w->pair[pair] >> 32);
        const u32 a = w->cell[place], b = (u32)w->pair[pair], a_begin = w->begin[place];
        const u32 b_begin = cells->set_start[w->other[pair]];
        const u32 a_count = w->united[place], b_count = forest->united[b];
        const u32 pairs = a_count * b_count;
        if (pairs > BATCH_TRIED ||
            (pairs == 0 && batch_may_touch(&f->rule, cells, a, b, w)))
            batch_unite(f, cells, forest, a, b);
        if (pairs > BATCH_TRIED || pairs == 0)
            continue;
        const u32 a_root = batch_root(forest->parent, w->set[place]);
        const u32 b_root = batch_root(forest->parent, w->other[pair]);
        if (a_root != b_root && linked_few(f, cells, a_begin, a_begin + a_count, b_begin,
                                           b_begin + b_count, NULL))
            batch_unite_roots(forest->parent, a_root, b_root, alone);
    }
}

/* Joins the cells of [begin, end) with their neighbours. */
static inline void batch_link_cells(const friends_view *f, const grid_view *cells,
                                    const fof_forest *forest, const window_rows *rows,
                                    index_t begin, index_t end, i32 alone) {
    batch_work w;
    batch_find(f, cells, forest, rows, begin, end, &w);
    batch_pair(cells, rows, &w);
    batch_sort(cells, forest->united, &w);
    batch_join(f, cells, forest, 0, alone, &w);
    batch_join(f, cells, forest, 1, alone, &w);
    batch_join(f, cells, forest, 2, alone, &w);
    batch_join_rest(f, cells, forest, alone, &w);
}

/* The first cell of a row from c on. */
static inline u32 batch_begin_row(const grid_view *cells, i64 c) {
    const i64 n = cells->cells;
    while (c > 0 && c < n && cells->cell_line[c] == cells->cell_line[c - 1])
        c++;
    return (u32)min(c, n);
}

/* Joins the cells of the rows that begin in chunk first + i with their neighbours, so that
 * each pair of touching cells is met once. bits, word_cell: for maps of `rows` rows, one an
 * item; alone: there is one item, and nobody else changes trees. */
static inline void batch_link(index_t i, friends_view f, grid_view cells, fof_forest forest,
                              i64 first, i64 chunk, i64 rows, i32 alone, GLOBAL u64 *bits,
                              GLOBAL u32 *word_cell) {
    const i64 own = first + (i64)i;
    const u32 end = batch_begin_row(&cells, (own + 1) * chunk);
    const index_t map = i * window_words((index_t)rows, (index_t)cells.pitch);
    u32 c = batch_begin_row(&cells, own * chunk), ahead = c;
    window_rows w;
    w.room = (u32)rows;
    cells.bits = w.bits = bits + map;
    cells.word_cell = w.word_cell = word_cell + map;
    while (c < end) {
        window_make(&w, &f.rule.g, &cells, c, &ahead);
        const u32 last = min(end, window_seek(&cells, c, w.line + (w.last - w.y)));
        for (; c < last; c = min(c + BATCH_CELLS, last))
            batch_link_cells(&f, &cells, &forest, &w, (index_t)c,
                             (index_t)min(c + BATCH_CELLS, last), alone);
    }
}

#endif
