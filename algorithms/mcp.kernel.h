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
        total[c] = sum;
        for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++)
            if (halo[s] != ~(u32)0 && atomic_load_u32(&peak[halo[s]]) < sum)
                atomic_max_u32(&peak[halo[s]], sum);
    }
}

/* Whether a listed cell has as many particles near as any cell of a halo of its members, or
 * else (`others`) so many that a member may have more friends than the best so far. */
static inline u32 mcp_may_win(index_t i, i32 others, GLOBAL const u32 *listed,
                              GLOBAL const u32 *cell_set, GLOBAL const u32 *halo,
                              GLOBAL const u32 *total, GLOBAL const u32 *peak,
                              GLOBAL const u32 *best) {
    const u32 c = listed[i];
    u32 first = 0, other = 0;
    for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++)
        if (halo[s] != ~(u32)0) {
            first |= total[c] == peak[halo[s]];
            other |= total[c] != peak[halo[s]] && total[c] > best[halo[s]];
        }
    return others ? other : first;
}

/* The friends of particle i, of set s, if it may have the most of halo h: exact where they
 * are at least best[h] in the end, otherwise some number below. */
static inline u32 mcp_count_one(const friends_rule *rule, const near_cells *near,
                                const tally_pack *pack, u32 i, u32 s, u32 h, u32 total,
                                GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
                                GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start,
                                GLOBAL const u8 *set_sub, GLOBAL const grid_point *point,
                                GLOBAL const u32 *x, GLOBAL const u32 *y,
                                GLOBAL const u32 *z, GLOBAL u32 *best) {
    const u32 least = atomic_load_u32(&best[h]), none = ~(u32)0;
    u32 count = pack && pack->count > 0 ? tally_packed(rule, pack, point[i]) : none;
    count = count != none
                ? count - 1
                : tally_point(rule, near, point[i], s, total, least, none, cell_x, cell_set,
                              cell_start, set_start, set_sub, point, x, y, z);
    if (count > least)
        atomic_max_u32(&best[h], count);
    return count;
}

/* The friends of the members in a chunk of the listed cells, as mcp_count_one has it. */
static inline void mcp_count_cells(
    index_t i, friends_rule rule, i64 chunk, i64 cells, i64 pitch, i64 rows,
    GLOBAL const u64 *bits, GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour,
    GLOBAL const u64 *row_key, GLOBAL const u32 *row_cell, GLOBAL const u32 *row,
    GLOBAL const u32 *listed, GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
    GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
    GLOBAL const grid_point *point, GLOBAL const u32 *slot, GLOBAL const u32 *halo,
    GLOBAL const u32 *total, GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z,
    GLOBAL u32 *best, GLOBAL u32 *friends) {
    const index_t first = i * (index_t)chunk, n = (index_t)cells;
    const index_t last = n - first < chunk ? n : first + (index_t)chunk;
    const u32 none = ~(u32)0;
    near_walk walk = near_begin();
    near_cells near;
    tally_pack pack;
    for (index_t l = first; l < last; l++) {
        const u32 c = listed[l], sum = total[c];
        near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
                  neighbour, row_key, row_cell, cell_x);
        tally_gather(&pack, &near, sum, cell_start, point);
        for (u32 s = cell_set[c]; s < cell_set[c + 1]; s++) {
            const u32 h = halo[s], begin = set_start[s];
            for (u32 k = begin; h != none && k < set_start[s + 1]; k++)
                if (slot[k] != none && sum > atomic_load_u32(&best[h]))
                    friends[k] =
                        k > begin && slot[k - 1] != none &&
                                tally_repeats(&rule, k, point, x, y, z)
                            ? friends[k - 1]
                            : mcp_count_one(&rule, &near, &pack, k, s, h, sum, cell_x,
                                            cell_set, cell_start, set_start, set_sub, point,
                                            x, y, z, best);
        }
    }
}

/* How many particles listed cell i holds. */
static inline u32 mcp_size(index_t i, GLOBAL const u32 *listed,
                           GLOBAL const u32 *cell_start) {
    return cell_start[listed[i] + 1] - cell_start[listed[i]];
}

/* The same for one member, where many work-items run; `until` counts particles up to and
 * with those of each listed cell. */
static inline void mcp_count_members(
    index_t i, friends_rule rule, i64 cells, i64 pitch, i64 rows, GLOBAL const u64 *bits,
    GLOBAL const u32 *map_first, GLOBAL const u32 *neighbour, GLOBAL const u64 *row_key,
    GLOBAL const u32 *row_cell, GLOBAL const u32 *row, GLOBAL const u32 *listed,
    GLOBAL const u32 *until, GLOBAL const u32 *cell_x, GLOBAL const u32 *cell_set,
    GLOBAL const u32 *cell_start, GLOBAL const u32 *set_start, GLOBAL const u8 *set_sub,
    GLOBAL const grid_point *point, GLOBAL const u32 *slot, GLOBAL const u32 *halo,
    GLOBAL const u32 *total, GLOBAL const u32 *x, GLOBAL const u32 *y, GLOBAL const u32 *z,
    GLOBAL u32 *best, GLOBAL u32 *friends) {
    const u32 l = friends_seek(until, 0, (u32)cells, (u32)i + 1), c = listed[l];
    const u32 k = cell_start[c + 1] - (until[l] - (u32)i), none = ~(u32)0;
    u32 s = cell_set[c];
    while (set_start[s + 1] <= k)
        s++;
    const u32 h = halo[s];
    if (h == none || slot[k] == none || total[c] <= atomic_load_u32(&best[h]))
        return;
    near_walk walk = near_begin();
    near_cells near;
    near_find(&near, &walk, &rule, row[c], cell_x[c], pitch, rows, bits, map_first,
              neighbour, row_key, row_cell, cell_x);
    friends[k] = mcp_count_one(&rule, &near, 0, k, s, h, total[c], cell_x, cell_set,
                               cell_start, set_start, set_sub, point, x, y, z, best);
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
