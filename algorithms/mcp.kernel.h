/* The member with the most friends of each halo. */
#ifndef WEFT_MCP_KERNEL_H
#define WEFT_MCP_KERNEL_H

#include "tally.kernel.h"

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

/* Finds the halo of set i, and where its members stand; `begun` counts halos up to and with
 * a member's own. All or none are members of a set but where particles are `left_out`. */
static inline void mcp_assign(index_t i, i32 left_out, GLOBAL const u32 *set_start,
                              GLOBAL const grid_point *point, GLOBAL const u32 *place,
                              GLOBAL const u32 *begun, GLOBAL u32 *slot, GLOBAL u32 *halo) {
    const u32 none = ~(u32)0, begin = set_start[i], end = set_start[i + 1];
    u32 h = none;
    for (u32 k = begin; k < end && (k == begin || left_out || h != none); k++) {
        slot[k] = place[point[k].index];
        h = slot[k] == none ? h : begun[slot[k]] - 1;
    }
    halo[i] = h;
}

/* Whether cell i holds members. */
static inline u32 mcp_has_members(index_t i, GLOBAL const u32 *cell_set,
                                  GLOBAL const u32 *halo) {
    for (u32 s = cell_set[i]; s < cell_set[i + 1]; s++)
        if (halo[s] != ~(u32)0)
            return 1;
    return 0;
}

static inline u32 mcp_index(index_t i, u32 first) {
    return first + (u32)i;
}

/* Counts the particles near each of a chunk of the `listed` cells, and notes the most near
 * one that holds members of a halo. */
static inline void mcp_sum(index_t i, friends_rule rule, i64 chunk, i64 cells, i64 pitch,
                           i64 rows, GLOBAL const u64 *bits, GLOBAL const u32 *map_first,
                           GLOBAL const u32 *neighbour, GLOBAL const u64 *row_key,
                           GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
                           GLOBAL const u32 *listed, GLOBAL const u32 *cell_x,
                           GLOBAL const u32 *cell_set, GLOBAL const u32 *cell_start,
                           GLOBAL const u32 *halo, GLOBAL u32 *total, GLOBAL u32 *peak) {
    const index_t first = i * (index_t)chunk, n = (index_t)cells;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    near_walk walk = near_begin();
    near_cells near;
    for (index_t l = first; l < last; l++) {
        const u32 c = listed[l];
        near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
                  neighbour, row_key, row_cell, cell_x);
        const u32 sum = near_total(&near, cell_start);
        total[l] = sum;
        for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++)
            if (halo[s] != ~(u32)0 && atomic_load_u32(&peak[halo[s]]) < sum)
                atomic_max_u32(&peak[halo[s]], sum);
    }
}

/* Counts the friends of the members of set s that may have the most, among those in `pack`
 * if it is there and holds some. */
static inline void mcp_count_set(
    const friends_rule *rule, const near_cells *near, const tally_pack *pack, u32 s, u32 h,
    u32 total, u32 part, u32 parts, GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
    GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
    GLOBAL const grid_point *point, GLOBAL const u32 *slot, GLOBAL const u32 *x,
    GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *best, GLOBAL u32 *friends) {
    const u32 begin = set_start[s], end = set_start[s + 1], none = ~(u32)0;
    for (u32 i = begin + part; i < end; i += parts) {
        const u32 least = atomic_load_u32(&best[h]);
        friends[i] = 0;
        if (slot[i] == none || total <= least)
            continue;
        u32 count = none;
        if (parts == 1 && i > begin && slot[i - 1] != none &&
            tally_repeats(rule, i, point, x, y, z))
            count = friends[i - 1] + 1;
        else if (pack && pack->count > 0)
            count = tally_packed(rule, pack, point[i]);
        friends[i] = count != none ? count - 1
                                   : tally_point(rule, near, point[i], s, total, least,
                                                 none, cell_x, cell_set, cell_start,
                                                 set_start, set_sub, point, x, y, z);
        if (friends[i] > least)
            atomic_max_u32(&best[h], friends[i]);
    }
}

/* The friends of the members in a chunk of the `listed` cells: of those in the largest sets
 * of their halos (`first_round`), or of all others. Exact where they are at least
 * best[halo] in the end, otherwise some number below. */
static inline void mcp_count_cells(
    index_t i, const friends_rule *rule, tally_pack *pack, i32 first_round, i64 chunk,
    i64 parts, i64 cells, i64 pitch, i64 rows, GLOBAL const u64 *bits,
    GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour, GLOBAL const u64 *row_key,
    GLOBAL const u32 *row_cell, GLOBAL const u32 *row, GLOBAL const u32 *listed,
    GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set, GLOBAL const u32 *cell_start,
    GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
    GLOBAL const u32 *slot, GLOBAL const u32 *halo, GLOBAL const u32 *total,
    GLOBAL const u32 *peak, GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z,
    GLOBAL u32 *best, GLOBAL u32 *friends) {
    const index_t first = i / (index_t)parts * (index_t)chunk, n = (index_t)cells;
    const u32 part = (u32)(i % (index_t)parts);
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    near_walk walk = near_begin();
    near_cells near;
    for (index_t l = first; l < last; l++) {
        const u32 c = listed[l];
        i32 found = 0;
        for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++) {
            const u32 h = halo[s];
            if (h == ~(u32)0 || (total[l] == peak[h]) != (first_round != 0))
                continue;
            if (!found && total[l] > atomic_load_u32(&best[h])) {
                near_find(&near, &walk, rule, row[c], cell_x[c], pitch, rows, bits,
                          map_first, neighbour, row_key, row_cell, cell_x);
                if (pack)
                    tally_gather(pack, &near, total[l], cell_start, point);
                found = 1;
            }
            mcp_count_set(rule, &near, pack, s, h, total[l], part, (u32)parts, cell_x,
                          cell_set, cell_start, set_start, set_sub, point, slot, x, y, z,
                          best, friends);
        }
    }
}

static inline void
mcp_count(index_t i, friends_rule rule, i32 first_round, i64 chunk, i64 parts, i64 cells,
          i64 pitch, i64 rows, GLOBAL const u64 *bits, GLOBAL const u32 *map_first,
          GLOBAL const u32 *neighbour, GLOBAL const u64 *row_key,
          GLOBAL const u32 *row_cell, GLOBAL const u32 *row, GLOBAL const u32 *listed,
          GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
          GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
          GLOBAL const u8 *set_sub, GLOBAL const grid_point *point, GLOBAL const u32 *slot,
          GLOBAL const u32 *halo, GLOBAL const u32 *total, GLOBAL const u32 *peak,
          GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *best,
          GLOBAL u32 *friends) {
    mcp_count_cells(i, &rule, 0, first_round, chunk, parts, cells, pitch, rows, bits,
                    map_first, neighbour, row_key, row_cell, row, listed, cell_x, cell_set,
                    cell_start, set_start, set_sub, point, slot, halo, total, peak, x, y, z,
                    best, friends);
}

/* The same where a work-item has memory of its own for a pack. */
static inline void mcp_count_packed(
    index_t i, friends_rule rule, i32 first_round, i64 chunk, i64 parts, i64 cells,
    i64 pitch, i64 rows, GLOBAL const u64 *bits, GLOBAL const u32 *map_first,
    GLOBAL const u32 *neighbour, GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell,
    GLOBAL const u32 *row, GLOBAL const u32 *listed, GLOBAL const u32 *cell_x,
    GLOBAL const u32 *cell_set, GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
    GLOBAL const u8 *set_sub, GLOBAL const grid_point *point, GLOBAL const u32 *slot,
    GLOBAL const u32 *halo, GLOBAL const u32 *total, GLOBAL const u32 *peak,
    GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z, GLOBAL u32 *best,
    GLOBAL u32 *friends) {
    tally_pack pack;
    mcp_count_cells(i, &rule, &pack, first_round, chunk, parts, cells, pitch, rows, bits,
                    map_first, neighbour, row_key, row_cell, row, listed, cell_x, cell_set,
                    cell_start, set_start, set_sub, point, slot, halo, total, peak, x, y, z,
                    best, friends);
}

/* Of the members of set i with the most friends of their halo the one that stands first. */
static inline void mcp_choose(index_t i, GLOBAL const u32 *set_start,
                              GLOBAL const u32 *halo, GLOBAL const u32 *slot,
                              GLOBAL const u32 *friends, GLOBAL const u32 *best,
                              GLOBAL u32 *winner) {
    const u32 h = halo[i];
    for (u32 k = set_start[i]; h != ~(u32)0 && k < set_start[i + 1]; k++)
        if (friends[k] == best[h])
            atomic_min_u32(&winner[h], slot[k]);
}

static inline void mcp_tell(index_t i, GLOBAL const u32 *winner, GLOBAL const u32 *member,
                            GLOBAL u32 *particle) {
    particle[i] = winner[i] == ~(u32)0 ? ~(u32)0 : member[winner[i]];
}

#endif
