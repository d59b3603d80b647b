/* The member with the most friends in short halos whose members have all their friends
 * there: from all pairs, for processors with vectors.
 *
 * Places are relative to the first member, in linking lengths L, below MCP_SHORT_REACH: off
 * by 2^-19 for rounding to f32 and, as differences in f64 are below 2^24 L, by 2^-30 for
 * theirs. So the distance along an axis is off by less than 2^-17.9, d2 near 1 by 2 sqrt(3)
 * times as much and by 5 * 2^-24 for its own roundings: by less than half of
 * MCP_SHORT_DOUBT. Nearer than that to 1 f64 decides. */
#ifndef WEFT_MCP_SHORT_KERNEL_H
#define WEFT_MCP_SHORT_KERNEL_H

#include "algorithms/cells/friends.kernel.h"

enum { MCP_SHORT = 512, MCP_SHORT_ROW = 16, MCP_SHORT_REACH = 64 };
CONSTANT f32 MCP_SHORT_DOUBT = 6.1e-5f;

/* Whole rows: the last is filled with places out of reach. */
typedef struct mcp_short_halo {
    u32 members, slots;
    i32 placed; /* closely enough for f32 to decide */
    f32 x[MCP_SHORT], y[MCP_SHORT], z[MCP_SHORT];
    u32 most[MCP_SHORT]; /* how many friends each may have, itself included */
} mcp_short_halo;

/* One axis of the members' places; returns whether they are close enough, and all in half a
 * period, where differences are those of the nearest images. */
static inline i32 mcp_short_place(const mcp_short_halo *halo, i64 stride, i32 wide, f64 box,
                                  f64 per_length, GLOBAL const u32 *member,
                                  GLOBAL const u32 *from, f32 *to) {
    const f64 first = points_coordinate(from, (index_t)(member[0] * stride), wide);
    f64 apart = 0, reach = 0;
    for (u32 k = 0; k < halo->members; k++) {
        f64 d = points_coordinate(from, (index_t)(member[k] * stride), wide) - first;
        apart = max(apart, fabs(d));
        if (box > 0 && fabs(d) > 0.25 * box)
            d = points_remainder(d, box);
        reach = max(reach, fabs(d));
        to[k] = (f32)min(max(d * per_length, -999.0), 999.0);
    }
    for (u32 k = halo->members; k < halo->slots; k++)
        to[k] = 999.0f;
    return apart * per_length < 16777216.0 && reach * per_length < MCP_SHORT_REACH &&
           (box == 0 || reach <= 0.25 * box);
}

static inline f32 mcp_short_apart(const mcp_short_halo *halo, u32 i, u32 j) {
    const f32 dx = halo->x[j] - halo->x[i], dy = halo->y[j] - halo->y[i];
    const f32 dz = halo->z[j] - halo->z[i];
    return dx * dx + dy * dy + dz * dz;
}

/* How many are within a squared distance of member i. */
static inline u32 mcp_short_within(const mcp_short_halo *halo, u32 i, f32 distance2) {
    const u32 slots = halo->slots;
    u32 count = 0;
    for (u32 j = 0; j < slots; j++)
        count += (u32)(mcp_short_apart(halo, i, j) <= distance2);
    return count;
}

static inline void mcp_short_bound(mcp_short_halo *halo) {
    for (u32 i = 0; i < halo->members; i++)
        halo->most[i] =
            halo->placed ? mcp_short_within(halo, i, 1 + MCP_SHORT_DOUBT) : halo->members;
}

/* The friends of member i, itself included. */
static inline u32 mcp_short_count(const mcp_short_halo *halo, const friends_view *f, u32 i,
                                  GLOBAL const u32 *member) {
    u32 count = halo->placed ? mcp_short_within(halo, i, 1 - MCP_SHORT_DOUBT) : 0;
    for (u32 j = 0; count < halo->most[i] && j < halo->members; j++) {
        const f32 d2 = halo->placed ? mcp_short_apart(halo, i, j) : 1.0f;
        count += d2 > 1 - MCP_SHORT_DOUBT && d2 <= 1 + MCP_SHORT_DOUBT &&
                 friends_exactly(f, (index_t)member[i], (index_t)member[j]);
    }
    return count;
}

/* The first of those that may have the most. */
static inline u32 mcp_short_first(const mcp_short_halo *halo) {
    u32 most = 0, i = 0;
    for (u32 k = 0; k < halo->members; k++)
        most = max(most, halo->most[k]);
    while (halo->most[i] != most)
        i++;
    return i;
}

/* Of halos t, t + items, ... from `first` on. */
static inline void mcp_short_find(index_t t, friends_view f, f64 per_length, i64 items,
                                  i64 first, i64 halos, GLOBAL const i64 *offset,
                                  GLOBAL const u32 *member, GLOBAL u32 *particle,
                                  GLOBAL u32 *friends) {
    const friends_rule *rule = &f.rule;
    mcp_short_halo halo;
    for (i64 h = first + t; h < halos; h += items) {
        GLOBAL const u32 *own = member + offset[h];
        halo.members = (u32)(offset[h + 1] - offset[h]);
        halo.slots = (halo.members + MCP_SHORT_ROW - 1) / MCP_SHORT_ROW * MCP_SHORT_ROW;
        particle[h] = ~(u32)0;
        friends[h] = 0;
        if (halo.members == 0)
            continue;
        halo.placed = mcp_short_place(&halo, rule->stride, rule->wide, rule->box[0],
                                      per_length, own, f.x, halo.x) &
                      mcp_short_place(&halo, rule->stride, rule->wide, rule->box[1],
                                      per_length, own, f.y, halo.y) &
                      mcp_short_place(&halo, rule->stride, rule->wide, rule->box[2],
                                      per_length, own, f.z, halo.z);
        mcp_short_bound(&halo);
        u32 best = mcp_short_first(&halo), count = 0;
        for (;;) {
            count = mcp_short_count(&halo, &f, best, own);
            if (count == halo.most[best])
                break;
            halo.most[best] = count;
            best = mcp_short_first(&halo);
        }
        particle[h] = own[best];
        friends[h] = count - 1;
    }
}

#endif
