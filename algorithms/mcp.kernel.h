/* The member with the most friends of each halo. */
#ifndef WEFT_MCP_KERNEL_H
#define WEFT_MCP_KERNEL_H

#include "tally.kernel.h"

static inline i64 mcp_position(index_t i, i64 first) {
    return first + (i64)i;
}

/* To the order of the input. */
static inline void mcp_spread(index_t i, GLOBAL const grid_point *point,
                              GLOBAL const u32 *sorted, GLOBAL u32 *friends) {
    friends[point[i].index] = sorted[i];
}

/* Notes of member i where it stands among all members. */
static inline void mcp_place(index_t i, GLOBAL const u32 *member, GLOBAL u32 *place) {
    place[member[i]] = (u32)i;
}

/* The same, and its halo, for the sorted particles; `above` counts from 1. */
static inline void mcp_assign(index_t i, GLOBAL const grid_point *point,
                              GLOBAL const u32 *place, GLOBAL const u32 *above,
                              GLOBAL u32 *slot, GLOBAL u32 *halo) {
    const u32 at = place[point[i].index];
    slot[i] = at;
    halo[i] = at == ~(u32)0 ? ~(u32)0 : above[at] - 1;
}

/* The halo of set s, whose members are all of one, or none. */
static inline u32 mcp_halo(u32 s, GLOBAL const u32 *set_start, GLOBAL const u32 *halo) {
    u32 k = set_start[s];
    while (k + 1 < set_start[s + 1] && halo[k] == ~(u32)0)
        k++;
    return halo[k];
}

/* The size of the largest set of each halo: where to look first. */
static inline void mcp_peak(index_t i, GLOBAL const u32 *set_start, GLOBAL const u32 *halo,
                            GLOBAL u32 *peak) {
    const u32 h = mcp_halo((u32)i, set_start, halo);
    const u32 size = set_start[i + 1] - set_start[i];
    if (h != ~(u32)0 && size > atomic_load_u32(&peak[h]))
        atomic_max_u32(&peak[h], size);
}

/* Counts the friends of the members of set s that may have the most. */
static inline void mcp_count_set(const friends_rule *rule, const near_cells *near, u32 s,
                                 u32 h, u32 total, u32 from, u32 parts,
                                 GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
                                 GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                                 GLOBAL const u32 *halo, GLOBAL const u32 *x,
                                 GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *best,
                                 GLOBAL u32 *friends) {
    const u32 begin = set_start[s], end = set_start[s + 1];
    for (u32 i = from; i < end; i += parts) {
        const u32 least = atomic_load_u32(&best[h]);
        friends[i] = 0;
        if (halo[i] == ~(u32)0)
            continue;
        friends[i] = parts == 1 && i > begin && halo[i - 1] != ~(u32)0 &&
                             tally_repeats(rule, i, point, x, y, z)
                         ? friends[i - 1]
                         : tally_point(rule, near, point[i], s, total, least, ~(u32)0,
                                       cell_set, set_start, set_sub, point, x, y, z);
        if (friends[i] > least)
            atomic_max_u32(&best[h], friends[i]);
    }
}

/* The friends of the members in a chunk of cells: of those in the largest sets of their
 * halos (`first_round`), or of all others. Exact where they are at least best[halo] in the
 * end, otherwise some number below. */
static inline void
mcp_count(index_t i, friends_rule rule, i32 first_round, i64 chunk, i64 parts, i64 cells,
          i64 pitch, i64 rows, GLOBAL const u64 *bits, GLOBAL const u32 *map_first,
          GLOBAL const u32 *neighbour, GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
          GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set, GLOBAL const u32 *set_start,
          GLOBAL const u8 *set_sub, GLOBAL const grid_point *point, GLOBAL const u32 *halo,
          GLOBAL const u32 *peak, GLOBAL const u32 *x, GLOBAL const u32 *y,
          GLOBAL const u32 *z, GLOBAL u32 *best, GLOBAL u32 *friends) {
    const index_t first = i / (index_t)parts * (index_t)chunk, n = (index_t)cells;
    const u32 part = (u32)(i % (index_t)parts);
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    near_walk walk = near_begin();
    near_cells near;
    for (index_t c = first; c < last; c++) {
        u32 total = 0;
        for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++) {
            const u32 h = mcp_halo(s, set_start, halo);
            if (part >= set_start[s + 1] - set_start[s] || h == ~(u32)0 ||
                (set_start[s + 1] - set_start[s] == peak[h]) != (first_round != 0))
                continue;
            if (total == 0) {
                near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits,
                          map_first, neighbour, row_cell, cell_x);
                total = near_points(&near, cell_set, set_start);
            }
            mcp_count_set(&rule, &near, s, h, total, set_start[s] + part, (u32)parts,
                          cell_set, set_start, set_sub, point, halo, x, y, z, best,
                          friends);
        }
    }
}

/* Of the members with the most friends the one that stands first. */
static inline void mcp_choose(index_t i, GLOBAL const u32 *halo, GLOBAL const u32 *slot,
                              GLOBAL const u32 *friends, GLOBAL const u32 *best,
                              GLOBAL u32 *winner) {
    const u32 h = halo[i];
    if (h != ~(u32)0 && friends[i] == best[h])
        atomic_min_u32(&winner[h], slot[i]);
}

static inline void mcp_tell(index_t i, GLOBAL const u32 *winner, GLOBAL const u32 *member,
                            GLOBAL u32 *particle) {
    particle[i] = winner[i] == ~(u32)0 ? ~(u32)0 : member[winner[i]];
}

#endif
