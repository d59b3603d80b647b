/* A map of some rows of a plane and of those that they are joined with, made where they are
 * met: it stays in the first caches, and a map of the whole grid need not be in memory. */
#ifndef WEFT_WINDOW_KERNEL_H
#define WEFT_WINDOW_KERNEL_H

#include "algorithms/cells/map.kernel.h"

/* Rows [y, last) of a plane, whose first is `line`; `room` of them there could be. The map
 * has these, the row after them, and of the next plane these and one on each side: where a
 * period ends, the rows across. Its bits and numbers stand where a map of all would. */
typedef struct window_rows {
    u32 line, y, last, room;
    GLOBAL u64 *bits;
    GLOBAL u32 *word_cell;
} window_rows;

/* Own rows that a map has room for, of so many words each; and all of its rows. */
enum { WINDOW_WORDS = 1024 };
static inline i64 window_room(i64 pitch) {
    return pitch < WINDOW_WORDS ? WINDOW_WORDS / pitch : 1;
}

static inline index_t window_slots(index_t room) {
    return 2 * room + 3;
}

/* Words of a map. The last belongs to no row: a look at the end of the last row, which
 * reads two words, sees it. */
static inline index_t window_words(index_t room, index_t pitch) {
    return window_slots(room) * pitch + 1;
}

/* From a row to the one on a way of friends_way, in rows of the map. */
static inline u32 window_way(const window_rows *w, u32 way) {
    return way < 2 ? way : w->room + way - 1;
}

/* The first cell from `from` on, which is none behind it, of a row of at least this number.
 */
static inline u32 window_seek(const grid_view *cells, u32 from, u32 line) {
    const u32 n = (u32)cells->cells;
    u32 step = 32;
    while (n - from > step && cells->cell_line[from + step] < line) {
        from += step;
        step *= 2;
    }
    return friends_seek(cells->cell_line, from, n - from > step ? from + step : n, line);
}

/* Marks the cells of rows from `line` up to `end`, the first of which is row `slot` of the
 * map. Each cell writes its word anew, so that nothing that was just written is waited for,
 * and by masks, since compilers make a branch of a choice that is hard to foresee. Returns
 * the first cell; none lies behind `from`. */
static inline u32 window_mark(const window_rows *w, const grid_view *cells, u32 from,
                              u32 line, u32 end, u32 slot) {
    const u32 first = window_seek(cells, from, line);
    const u32 last = window_seek(cells, first, end);
    index_t before = -1;
    u64 all = 0;
    u32 number = 0;
    for (u32 c = first; c < last; c++) {
        const u32 bit = cells->cell_x[c] + 1;
        const index_t word = map_word(cells->cell_line[c] - line + slot, bit, cells->pitch);
        const u64 same = 0 - (u64)(word == before);
        all = (all & same) | (u64)1 << (bit & 63);
        number = c - ((c - number) & (u32)same);
        w->bits[word] = all;
        w->word_cell[word] = number;
        before = word;
    }
    return first;
}

/* The same of plane z, and of the rows across its edges. Of the plane that is the window's
 * own no row before it is needed, `before` is 0. */
static inline u32 window_mark_plane(const window_rows *w, const grid *g,
                                    const grid_view *cells, u32 from, u32 z, u32 before,
                                    u32 slot) {
    const u32 ny = (u32)g->cells[1], plane = z * ny;
    const u32 back = w->y > 0 ? before : 0, end = min(w->last + 1, ny);
    const u32 first =
        window_mark(w, cells, from, plane + w->y - back, plane + end, slot - back);
    const i64 behind = friends_neighbour(0, -1, (i64)ny, g->box[1]);
    const i64 beyond = friends_neighbour((i64)ny - 1, 1, (i64)ny, g->box[1]);
    if (before && w->y == 0 && behind >= 0)
        window_mark(w, cells, first, plane + (u32)behind, plane + (u32)behind + 1,
                    slot - 1);
    if (w->last == ny && beyond >= 0)
        window_mark(w, cells, 0, plane + (u32)beyond, plane + (u32)beyond + 1,
                    slot + (w->last - w->y));
    return first;
}

/* Makes the map for rows of a plane from that of cell c on, which begins its row, and
 * leaves where those of the next plane begin in *ahead, near which they are sought. */
static inline void window_make(window_rows *w, const grid *g, const grid_view *cells, u32 c,
                               u32 *ahead) {
    const u32 ny = (u32)g->cells[1], z = cells->cell_line[c] / ny;
    w->line = cells->cell_line[c];
    w->y = w->line - z * ny;
    w->last = min(w->y + w->room, ny);
    const index_t words = window_words((index_t)w->room, (index_t)cells->pitch);
    for (index_t k = 0; k < words; k++)
        w->bits[k] = 0;
    window_mark_plane(w, g, cells, c, z, 0, 0);
    const i64 next = friends_neighbour((i64)z, 1, g->cells[2], g->box[2]);
    if (next >= 0)
        *ahead = window_mark_plane(w, g, cells, (u32)next > z ? max(*ahead, c) : 0,
                                   (u32)next, 1, w->room + 2);
}

#endif
