/* The member with the most friends of each halo. */
#ifndef WEFT_MCP_KERNEL_H
#define WEFT_MCP_KERNEL_H

#include "algorithms/cells/pack.kernel.h"
#include "algorithms/cells/tally.kernel.h"

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

/* The halo of the particle that set i begins with, 2^32 - 1 for none. `place` tells where
 * particles stand among the members, those of no halo after all of them; `begun` counts
 * halos up to and with that of each, and is 0 there. */
static inline u32 mcp_halo(index_t i, GLOBAL const u32 *set_start,
                           GLOBAL const grid_point *point, GLOBAL const u32 *place,
                           GLOBAL const u32 *begun) {
    return begun[place[point[set_start[i]].index]] - 1;
}

/* The same where the first may be left out, though others of the set are members. */
static inline void mcp_seek_halo(index_t i, GLOBAL const u32 *set_start,
                                 GLOBAL const grid_point *point, GLOBAL const u32 *place,
                                 GLOBAL const u32 *begun, GLOBAL u32 *halo) {
    for (u32 k = set_start[i]; k < set_start[i + 1] && halo[i] == ~(u32)0; k++)
        halo[i] = begun[place[point[k].index]] - 1;
}

/* Whether cell i holds members, and how many particles the largest set of each halo has. */
static inline void mcp_survey(index_t i, GLOBAL const u32 *cell_set,
                              GLOBAL const u32 *set_start, GLOBAL const u32 *halo,
                              GLOBAL u32 *holds, GLOBAL u32 *peak) {
    u32 some = 0;
    for (u32 s = cell_set[i]; s < cell_set[i + 1]; s++) {
        const u32 h = halo[s], size = set_start[s + 1] - set_start[s];
        if (h == ~(u32)0)
            continue;
        some = 1;
        if (atomic_load_u32(&peak[h]) < size)
            atomic_max_u32(&peak[h], size);
    }
    holds[i] = some;
}

static inline u32 mcp_index(index_t i, u32 first) {
    return first + (u32)i;
}

/* Whether it is the turn of set s: of the largest of their halos, or of `others`. */
static inline i32 mcp_has_turn(u32 s, i32 others, GLOBAL const u32 *set_start,
                               GLOBAL const u32 *halo, GLOBAL const u32 *peak) {
    const u32 h = halo[s];
    return h != ~(u32)0 && (set_start[s + 1] - set_start[s] != peak[h]) == others;
}

/* How many friends a member of cell c must have to be one of the best so far, of sets whose
 * turn it is; 2^32 - 1 where there are none. */
static inline u32 mcp_least(u32 c, i32 others, GLOBAL const u32 *cell_set,
                            GLOBAL const u32 *set_start, GLOBAL const u32 *halo,
                            GLOBAL const u32 *peak, GLOBAL u32 *best) {
    u32 least = ~(u32)0;
    for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++)
        if (mcp_has_turn(s, others, set_start, halo, peak))
            least = min(least, atomic_load_u32(&best[halo[s]]));
    return least;
}

/* Notes that a particle of halo h has so many friends, if it is one of the best so far. */
static inline void mcp_note(u32 index, u32 h, u32 count, u32 members,
                            GLOBAL const u32 *place, GLOBAL u32 *best,
                            GLOBAL u32 *friends) {
    const u32 most = atomic_load_u32(&best[h]);
    if (count < most || place[index] == members)
        return;
    friends[place[index]] = count;
    if (count > most)
        atomic_max_u32(&best[h], count);
}

/* Counts the friends of the particles of set s that may have the most. */
static inline void mcp_count_set(const friends_rule *rule, const near_cells *near,
                                 const pack_points *pack, u32 total, u32 s,
                                 GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
                                 GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
                                 GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                                 u32 members, GLOBAL const u32 *place,
                                 GLOBAL const u32 *halo, GLOBAL const u32 *x,
                                 GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *best,
                                 GLOBAL u32 *friends) {
    const u32 none = ~(u32)0, h = halo[s], begin = set_start[s], end = set_start[s + 1];
    if (pack->count > 0 && end - begin > 1 &&
        pack_bound(rule, pack, begin, end, point) <= atomic_load_u32(&best[h]))
        return;
    u32 count = none;
    for (u32 k = begin; k < end; k++) {
        if (k == begin || !tally_repeats(rule, k, point, x, y, z)) {
            count = pack->count > 0 ? pack_count(rule, pack, point[k]) : none;
            count = count != none
                        ? count - 1
                        : tally_point(rule, near, point[k], s, total,
                                      atomic_load_u32(&best[h]), none, cell_x, cell_set,
                                      cell_start, set_start, set_sub, point, x, y, z);
        }
        mcp_note(point[k].index, h, count, members, place, best, friends);
    }
}

/* The friends of the members in a chunk of the listed cells, of sets whose turn it is. */
static inline void mcp_count_cells(
    index_t i, friends_rule rule, i32 others, u32 members, i64 chunk, i64 cells, i64 pitch,
    i64 rows, GLOBAL const u64 *bits, GLOBAL const u32 *map_first,
    GLOBAL const u32 *neighbour, GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell,
    GLOBAL const u32 *row, GLOBAL const u32 *listed, GLOBAL const u32 *cell_x,
    GLOBAL const u32 *cell_set, GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
    GLOBAL const u8 *set_sub, GLOBAL const grid_point *point, GLOBAL const u32 *place,
    GLOBAL const u32 *halo, GLOBAL const u32 *peak, GLOBAL const u32 *x,
    GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *best, GLOBAL u32 *friends) {
    const index_t first = i * (index_t)chunk, n = (index_t)cells;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    near_walk walk = near_begin();
    near_cells near;
    pack_points pack;
    for (index_t l = first; l < last; l++) {
        const u32 c = listed[l];
        const u32 least = mcp_least(c, others, cell_set, set_start, halo, peak, best);
        if (least == ~(u32)0)
            continue;
        near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
                  neighbour, row_key, row_cell, cell_x);
        const u32 total = near_total(&near, cell_start);
        if (total <= least)
            continue;
        pack_gather(&pack, &near, total, cell_start, point);
        if (others && pack.count > 0 && cell_set[c + 1] - cell_set[c] > 1 &&
            pack_bound(&rule, &pack, cell_start[c], cell_start[c + 1], point) <= least)
            continue;
        for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++)
            if (mcp_has_turn(s, others, set_start, halo, peak))
                mcp_count_set(&rule, &near, &pack, total, s, cell_x, cell_set, cell_start,
                              set_start, set_sub, point, members, place, halo, x, y, z,
                              best, friends);
    }
}

/* Where many work-items run: whether a member of listed cell i, of sets whose turn it is,
 * may be one of the best. */
static inline void mcp_may_win(index_t i, friends_rule rule, i32 others, i64 pitch,
                               i64 rows, GLOBAL const u64 *bits,
                               GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour,
                               GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell,
                               GLOBAL const u32 *row, GLOBAL const u32 *listed,
                               GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
                               GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
                               GLOBAL const u32 *halo, GLOBAL const u32 *peak,
                               GLOBAL u32 *best, GLOBAL u32 *may) {
    const u32 c = listed[i];
    const u32 least = mcp_least(c, others, cell_set, set_start, halo, peak, best);
    near_walk walk = near_begin();
    near_cells near;
    may[i] = least != ~(u32)0;
    if (least == 0 || !may[i])
        return;
    near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
              neighbour, row_key, row_cell, cell_x);
    may[i] = near_total(&near, cell_start) > least;
}

/* How many particles listed cell i holds. */
static inline u32 mcp_size(index_t i, GLOBAL const u32 *listed,
                           GLOBAL const u32 *cell_start) {
    return cell_start[listed[i] + 1] - cell_start[listed[i]];
}

/* And the friends of one member of those cells; `until` counts particles up to and with
 * those of each listed cell. */
static inline void mcp_count_members(
    index_t i, friends_rule rule, i32 others, u32 members, i64 cells, i64 pitch, i64 rows,
    GLOBAL const u64 *bits, GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour,
    GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
    GLOBAL const u32 *listed, GLOBAL const u32 *until, GLOBAL const u32 *cell_x,
    GLOBAL const u32 *cell_set, GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
    GLOBAL const u8 *set_sub, GLOBAL const grid_point *point, GLOBAL const u32 *place,
    GLOBAL const u32 *halo, GLOBAL const u32 *peak, GLOBAL const u32 *x,
    GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *best, GLOBAL u32 *friends) {
    const u32 l = friends_seek(until, 0, (u32)cells, (u32)i + 1), c = listed[l];
    const u32 k = cell_start[c + 1] - (until[l] - (u32)i);
    u32 s = cell_set[c];
    while (set_start[s + 1] <= k)
        s++;
    if (!mcp_has_turn(s, others, set_start, halo, peak))
        return;
    const u32 h = halo[s];
    near_walk walk = near_begin();
    near_cells near;
    near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
              neighbour, row_key, row_cell, cell_x);
    const u32 total = near_total(&near, cell_start), least = atomic_load_u32(&best[h]);
    if (total > least)
        mcp_note(point[k].index, h,
                 tally_point(&rule, &near, point[k], s, total, least, ~(u32)0, cell_x,
                             cell_set, cell_start, set_start, set_sub, point, x, y, z),
                 members, place, best, friends);
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
