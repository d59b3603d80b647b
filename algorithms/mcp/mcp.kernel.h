/* The member with the most friends of each halo. */
#ifndef WEFT_MCP_KERNEL_H
#define WEFT_MCP_KERNEL_H

#include "algorithms/cells/neighbours.kernel.h"
#include "algorithms/cells/tile.kernel.h"

/* To the order of the input. */
static inline void mcp_spread(index_t i, GLOBAL const grid_point *point,
                              GLOBAL const u32 *sorted, GLOBAL u32 *friends) {
    friends[point[i].index] = sorted[i];
}

/* Notes of member i where it stands among all members. */
static inline void mcp_place(index_t i, GLOBAL const u32 *member, GLOBAL u32 *place) {
    place[member[i]] = (u32)i;
}

/* Counts halo i at its first member. */
static inline void mcp_begin(index_t i, u32 members, GLOBAL const i64 *offset,
                             GLOBAL u32 *begun) {
    if (offset[i] < members)
        atomic_add_u32(&begun[offset[i]], 1u);
}

/* The halo of set i, 2^32 - 1 for none: of the particle that it begins with, or of `any` of
 * its particles, where some of a halo's set may be left out of it; and how many particles
 * the largest set of each halo has. `place` tells where particles stand among the members,
 * those of no halo after all of them; `begun` counts halos up to and with that of each, and
 * is 0 there. */
static inline void mcp_find_halo(index_t i, i32 any, grid_view cells,
                                 GLOBAL const u32 *place, GLOBAL const u32 *begun,
                                 GLOBAL u32 *halo, GLOBAL u32 *peak) {
    const u32 begin = cells.set_start[i], end = cells.set_start[i + 1];
    u32 number = 0;
    for (u32 k = begin; k < (any ? end : begin + 1) && number == 0; k++)
        number = begun[place[cells.point[k].index]];
    halo[i] = number - 1;
    if (number > 0 && atomic_load_u32(&peak[number - 1]) < end - begin)
        atomic_max_u32(&peak[number - 1], end - begin);
}

/* The members of halos among sorted particles, and what is known of them so far. */
typedef struct mcp_members {
    u32 members;
    GLOBAL const u32 *place; /* [particles]: where each is among them; `members`: nowhere */
    GLOBAL const u32 *halo;  /* [sets]: of its members; 2^32 - 1 where there are none */
    GLOBAL const u32 *peak;  /* [halos]: how many particles its largest set has */
    GLOBAL u32 *best;        /* [halos]: the most friends that were counted */
    GLOBAL u32 *friends;     /* [members]: right for those that have so many */
} mcp_members;

/* Whether set s is counted in this pass: the first takes the largest sets of their halos,
 * `others` the rest. */
static inline i32 mcp_is_due(const mcp_members *m, const grid_view *cells, u32 s,
                             i32 others) {
    const u32 h = m->halo[s], size = cells->set_start[s + 1] - cells->set_start[s];
    return h != ~(u32)0 && (size != m->peak[h]) == others;
}

/* How many friends a member of cell c must have to be one of the best so far, of sets that
 * are due; 2^32 - 1 where there are none. */
static inline u32 mcp_least(const mcp_members *m, const grid_view *cells, u32 c,
                            i32 others) {
    u32 least = ~(u32)0;
    for (u32 s = cells->cell_set[c]; s < cells->cell_set[c + 1]; s++)
        if (mcp_is_due(m, cells, s, others))
            least = min(least, atomic_load_u32(&m->best[m->halo[s]]));
    return least;
}

/* Notes that a particle of halo h has so many friends, if it is one of the best so far. */
static inline void mcp_note(const mcp_members *m, u32 index, u32 h, u32 count) {
    const u32 most = atomic_load_u32(&m->best[h]);
    if (count < most || m->place[index] == m->members)
        return;
    m->friends[m->place[index]] = count;
    if (count > most)
        atomic_max_u32(&m->best[h], count);
}

/* Counts the friends of the particles of set s that may have the most. */
static inline void mcp_count_set(const friends_view *f, const grid_view *cells,
                                 const mcp_members *m, const stencil_cells *around,
                                 const tile_points *tile, u32 total, u32 s) {
    const u32 none = ~(u32)0, h = m->halo[s];
    const u32 begin = cells->set_start[s], end = cells->set_start[s + 1];
    u32 count = none;
    for (u32 k = begin; k < end; k++) {
        const grid_point p = cells->point[k];
        if (k == begin || !neighbours_repeat(f, cells, k)) {
            count = tile->count > 0 ? tile_count(&f->rule, tile, p) : none;
            count = count != none ? count - 1
                                  : neighbours_point(f, cells, around, p, s, total,
                                                     atomic_load_u32(&m->best[h]), none);
        }
        mcp_note(m, p.index, h, count);
    }
}

/* How many particles there are around cell c, if it has sets that are due and members with
 * so many friends would be the best so far; otherwise 0. */
static inline u32 mcp_look_around(stencil_cells *around, const friends_view *f,
                                  const grid_view *cells, const mcp_members *m,
                                  GLOBAL const u32 *neighbour, i32 others, u32 c) {
    const u32 least = mcp_least(m, cells, c, others);
    if (least == ~(u32)0)
        return 0;
    stencil_find(around, &f->rule.g, cells, c, cells, neighbour);
    const u32 total = stencil_total(around, cells);
    return total > least ? total : 0;
}

/* The friends of the members in cell i, of sets that are due. */
static inline void mcp_count_cells(index_t i, friends_view f, grid_view cells,
                                   mcp_members m, GLOBAL const u32 *neighbour, i32 others) {
    const u32 c = (u32)i;
    stencil_cells around;
    tile_points tile;
    const u32 total = mcp_look_around(&around, &f, &cells, &m, neighbour, others, c);
    if (total == 0)
        return;
    tile_gather(&tile, &around, total, &cells);
    for (u32 s = cells.cell_set[c]; s < cells.cell_set[c + 1]; s++)
        if (mcp_is_due(&m, &cells, s, others))
            mcp_count_set(&f, &cells, &m, &around, &tile, total, s);
}

/* The same where many work-items run, particle by particle: how many cell i has that may be
 * the best so far. */
static inline void mcp_take(index_t i, friends_view f, grid_view cells, mcp_members m,
                            GLOBAL const u32 *neighbour, i32 others, GLOBAL u32 *taken) {
    const u32 c = (u32)i;
    stencil_cells around;
    taken[i] = mcp_look_around(&around, &f, &cells, &m, neighbour, others, c) > 0
                   ? cells.cell_start[c + 1] - cells.cell_start[c]
                   : 0;
}

/* The friends of particle i of those that were taken, of which cells up to and with each
 * have so many. */
static inline void mcp_count_taken(index_t i, friends_view f, grid_view cells,
                                   mcp_members m, GLOBAL const u32 *neighbour, i32 others,
                                   GLOBAL const u32 *until) {
    const u32 c = friends_seek(until, 0, (u32)cells.cells - 1, (u32)i + 1);
    const u32 k = cells.cell_start[c + 1] - (until[c] - (u32)i);
    const u32 s = grid_set_of(&cells, c, k);
    if (!mcp_is_due(&m, &cells, s, others))
        return;
    stencil_cells around;
    stencil_find(&around, &f.rule.g, &cells, c, &cells, neighbour);
    const u32 total = stencil_total(&around, &cells), h = m.halo[s];
    const u32 least = atomic_load_u32(&m.best[h]);
    const grid_point p = cells.point[k];
    if (total > least)
        mcp_note(&m, p.index, h,
                 neighbours_point(&f, &cells, &around, p, s, total, least, ~(u32)0));
}

/* Of the members with the most friends of their halo the one that stands first. */
static inline void mcp_choose(index_t i, GLOBAL const u32 *begun, GLOBAL const u32 *friends,
                              GLOBAL const u32 *best, GLOBAL u32 *winner) {
    if (begun[i] > 0 && friends[i] == best[begun[i] - 1])
        atomic_min_u32(&winner[begun[i] - 1], (u32)i);
}

static inline void mcp_tell(index_t i, GLOBAL const u32 *winner, GLOBAL const u32 *member,
                            GLOBAL u32 *particle) {
    particle[i] = winner[i] == ~(u32)0 ? ~(u32)0 : member[winner[i]];
}

#endif
