/* What is left of the pull of near particles, pair by pair.
 *
 * With t the square of their distance over that of the reach a, the pull of a pair over the
 * distance is f / a^3, f = (t + soft)^(-3/2) - p(t) for t < 1, else 0. p is the mass of the
 * ball (1 - r^2)^4 within r over r^3, exactly; the power is off by less than 1e-5 of
 * itself. Differences of positions are exact. A particle's terms are added up in f32, as
 * many as GRAVITY_ROOM at a time, and these sums in f64, in the order of the list of its
 * tile, which is the same everywhere. */
#ifndef GRAVITY_PAIRS_KERNEL_H
#define GRAVITY_PAIRS_KERNEL_H

#include "gravity_depth.kernel.h"
#include "gravity_sort.kernel.h"

enum { GRAVITY_ROOM = 256, GRAVITY_CHUNK = 64 };

/* Sorted particles, and where cells and the tiles of blocks begin. */
typedef struct gravity_cells {
    GLOBAL const u32 *x, *y, *z, *start, *tile, *order;
    i64 blocks;
    i32 bits;          /* cells along an axis: 2^bits */
    u32 wanted;        /* particles before this have sums */
    u32 reach;         /* a, rounded up */
    f32 reach2;        /* its square, with room for rounding */
    f32 inverse, soft; /* 1 / a^2, and the softening over a, squared */
    f32 edge;          /* of depths */
    f64 unit;          /* of the sums */
} gravity_cells;

/* A tile: its particles, and the box around them. */
typedef struct gravity_box {
    u32 first, count; /* count 0: there is none to do */
    u32 low[3], high[3], center[3];
    f32 size[3]; /* from the center */
} gravity_box;

static inline i64 gravity_pairs_block(i64 tile, gravity_cells c) {
    i64 low = 0, high = c.blocks;
    while (high - low > 1) {
        const i64 middle = (low + high) / 2;
        if (c.tile[middle] <= tile)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether one of a tile is wanted. */
static inline i32 gravity_pairs_wanted(u32 first, u32 count, gravity_cells c) {
    u32 least = c.order[first];
    for (u32 i = 1; i < count; i++)
        least = min(least, c.order[first + i]);
    return least < c.wanted;
}

static inline gravity_box gravity_pairs_tile(i64 tile, gravity_cells c) {
    gravity_box b;
    b.count = 0;
    if (tile >= c.tile[c.blocks])
        return b;
    const i64 block = gravity_pairs_block(tile, c);
    b.first =
        c.start[block << (3 * GRAVITY_SPAN)] + (u32)(tile - c.tile[block]) * GRAVITY_TILE;
    b.count = min((u32)GRAVITY_TILE, c.start[(block + 1) << (3 * GRAVITY_SPAN)] - b.first);
    if (!gravity_pairs_wanted(b.first, b.count, c))
        b.count = 0;
    for (i32 k = 0; k < 3 && b.count > 0; k++) {
        GLOBAL const u32 *at = k == 0 ? c.x : k == 1 ? c.y : c.z;
        b.low[k] = b.high[k] = at[b.first];
        for (u32 i = 1; i < b.count; i++) {
            b.low[k] = min(b.low[k], at[b.first + i]);
            b.high[k] = max(b.high[k], at[b.first + i]);
        }
        b.center[k] = b.low[k] + (b.high[k] - b.low[k]) / 2;
        b.size[k] = (f32)(b.high[k] - b.center[k]) * 1.000001f;
    }
    return b;
}

/* How far a point is from the box along an axis; `more`: within that of the point. */
static inline f32 gravity_pairs_gap(const gravity_box *b, i32 axis, u32 x, f32 more) {
    return max(fabs((f32)(i32)(x - b->center[axis])) - b->size[axis] - more, 0.0f);
}

static inline i32 gravity_pairs_near(const gravity_box *b, u32 x, u32 y, u32 z,
                                     f32 reach2) {
    const f32 gx = gravity_pairs_gap(b, 0, x, 0.0f), gy = gravity_pairs_gap(b, 1, y, 0.0f),
              gz = gravity_pairs_gap(b, 2, z, 0.0f);
    return gx * gx + gy * gy + gz * gz <= reach2;
}

/* The cells within reach of a box, in order: the first along each axis, how many, and the
 * one at which the walk is. */
typedef struct gravity_walk {
    u32 first[3], count[3], at[3], line;
    f32 margin, plane, row; /* squares of gaps */
} gravity_walk;

static inline gravity_walk gravity_pairs_walk(const gravity_box *b, gravity_cells c) {
    gravity_walk w;
    const i32 shift = 32 - c.bits;
    for (i32 k = 0; k < 3; k++) {
        const i64 from = ((i64)b->low[k] - (i64)c.reach) >> shift;
        const i64 upto = ((i64)b->high[k] + (i64)c.reach) >> shift;
        w.first[k] = (u32)from;
        w.count[k] = (u32)min(upto - from + 1, (i64)1 << c.bits);
        w.at[k] = 0;
    }
    w.line = 0;
    w.plane = w.row = 0.0f;
    w.margin = 0.5000001f * (f32)(1u << shift);
    return w;
}

/* The square of the gap between the box and the walk's cells along an axis. */
static inline f32 gravity_pairs_gap2(const gravity_box *b, const gravity_walk *w, i32 axis,
                                     i32 shift) {
    const u32 middle = ((w->first[axis] + w->at[axis]) << shift) + (1u << (shift - 1));
    const f32 gap = gravity_pairs_gap(b, axis, middle, w->margin);
    return gap * gap;
}

static inline u32 gravity_pairs_number(const gravity_walk *w, i32 axis, i32 bits) {
    return (u32)gravity_sort_spread((w->first[axis] + w->at[axis]) & ((1u << bits) - 1u));
}

/* The particles [*begin, *end) of the next cell that has some; 0 after the last. */
static inline i32 gravity_pairs_next(gravity_walk *w, const gravity_box *b, gravity_cells c,
                                     u32 *begin, u32 *end) {
    const i32 shift = 32 - c.bits;
    while (w->at[0] < w->count[0]) {
        if (w->at[1] == 0 && w->at[2] == 0)
            w->plane = gravity_pairs_gap2(b, w, 0, shift);
        if (w->at[2] == 0) {
            w->row = w->plane + gravity_pairs_gap2(b, w, 1, shift);
            w->line = gravity_pairs_number(w, 0, c.bits) << 2 |
                      gravity_pairs_number(w, 1, c.bits) << 1;
        }
        *begin = *end = 0;
        if (w->row <= c.reach2 && w->row + gravity_pairs_gap2(b, w, 2, shift) <= c.reach2) {
            const u32 cell = w->line | gravity_pairs_number(w, 2, c.bits);
            *begin = c.start[cell];
            *end = c.start[cell + 1];
        }
        w->at[2] = w->row <= c.reach2 ? w->at[2] + 1 : w->count[2];
        if (w->at[2] == w->count[2]) {
            w->at[2] = 0;
            w->at[1] = w->plane <= c.reach2 ? w->at[1] + 1 : w->count[1];
        }
        if (w->at[1] == w->count[1]) {
            w->at[1] = 0;
            w->at[0]++;
        }
        if (*begin < *end)
            return 1;
    }
    return 0;
}

/* f. A guess of x^(-1/2), off by 3.5 %, and what is missing to its third power by a
 * polynomial of the square of the guess times x. */
static inline f32 gravity_pairs_factor(f32 t, f32 soft) {
    const f32 x = t + soft, y = bits_f32(0x5f37642fu - (f32_bits(x) >> 1));
    const f32 q = y * y, w = x * q;
    const f32 g = 6.57299788f - w * (11.83231607f - w * (8.44564618f - w * 2.18633484f));
    const f32 p =
        9.0234375f - t * (21.65625f - t * (23.203125f - t * (12.03125f - t * 2.4609375f)));
    const f32 f = q * y * g - p;
    return bits_f32(f32_bits(f) & (0u - (u32)(t < 1.0f)));
}

/* Particles that a tile meets: when there are GRAVITY_ROOM of them, and at the end. */
typedef struct gravity_list {
    u32 at[GRAVITY_ROOM + GRAVITY_CHUNK], count;
} gravity_list;

/* Those of particles [begin, end) that are near; at most GRAVITY_CHUNK. */
static inline void gravity_pairs_list(gravity_list *list, const gravity_box *b,
                                      gravity_cells c, u32 begin, u32 end) {
    u32 near[GRAVITY_CHUNK];
    const u32 count = end - begin;
    for (u32 k = 0; k < count; k++)
        near[k] = (u32)gravity_pairs_near(b, c.x[begin + k], c.y[begin + k], c.z[begin + k],
                                          c.reach2);
    for (u32 k = 0; k < count; k++) {
        list->at[list->count] = begin + k;
        list->count += near[k];
    }
}

typedef struct gravity_lanes {
    u32 x[GRAVITY_TILE], y[GRAVITY_TILE], z[GRAVITY_TILE];
    f32 bx[GRAVITY_TILE], by[GRAVITY_TILE], bz[GRAVITY_TILE];
    f64 ax[GRAVITY_TILE], ay[GRAVITY_TILE], az[GRAVITY_TILE];
} gravity_lanes;

/* Adds what a particle does to another one. */
static inline void gravity_pairs_pull(f32 *bx, f32 *by, f32 *bz, u32 x, u32 y, u32 z,
                                      f32 inverse, f32 soft) {
    const f32 dx = (f32)(i32)x, dy = (f32)(i32)y, dz = (f32)(i32)z;
    const f32 f = gravity_pairs_factor((dx * dx + dy * dy + dz * dz) * inverse, soft);
    *bx += f * dx;
    *by += f * dy;
    *bz += f * dz;
}

/* What the lanes get of one of a list, and of four. */
static inline void gravity_pairs_add(gravity_lanes *s, gravity_cells c, const u32 *at) {
    const u32 x = c.x[at[0]], y = c.y[at[0]], z = c.z[at[0]];
    for (i32 l = 0; l < GRAVITY_TILE; l++)
        gravity_pairs_pull(&s->bx[l], &s->by[l], &s->bz[l], x - s->x[l], y - s->y[l],
                           z - s->z[l], c.inverse, c.soft);
}

static inline void gravity_pairs_add4(gravity_lanes *s, gravity_cells c, const u32 *at) {
    u32 x[4], y[4], z[4];
    for (i32 k = 0; k < 4; k++)
        x[k] = c.x[at[k]], y[k] = c.y[at[k]], z[k] = c.z[at[k]];
    for (i32 l = 0; l < GRAVITY_TILE; l++) {
        const u32 ox = s->x[l], oy = s->y[l], oz = s->z[l];
        f32 bx = s->bx[l], by = s->by[l], bz = s->bz[l];
        gravity_pairs_pull(&bx, &by, &bz, x[0] - ox, y[0] - oy, z[0] - oz, c.inverse,
                           c.soft);
        gravity_pairs_pull(&bx, &by, &bz, x[1] - ox, y[1] - oy, z[1] - oz, c.inverse,
                           c.soft);
        gravity_pairs_pull(&bx, &by, &bz, x[2] - ox, y[2] - oy, z[2] - oz, c.inverse,
                           c.soft);
        gravity_pairs_pull(&bx, &by, &bz, x[3] - ox, y[3] - oy, z[3] - oz, c.inverse,
                           c.soft);
        s->bx[l] = bx, s->by[l] = by, s->bz[l] = bz;
    }
}

/* Adds to a lane's bx how deep the well of one of a list is there. */
static inline void gravity_pairs_deepen(gravity_lanes *s, gravity_cells c, const u32 *at) {
    const u32 x = c.x[at[0]], y = c.y[at[0]], z = c.z[at[0]];
    for (i32 l = 0; l < GRAVITY_TILE; l++)
        s->bx[l] += gravity_depth_of(x - s->x[l], y - s->y[l], z - s->z[l], c.inverse,
                                     c.soft, c.edge);
}

/* The first `count` of a list, which then begins after them; `well`: depths in place of
 * pulls. */
static inline void gravity_pairs_meet(gravity_lanes *s, gravity_cells c, i32 well,
                                      gravity_list *list, u32 count) {
    u32 j = 0;
    for (; well && j < count; j++)
        gravity_pairs_deepen(s, c, list->at + j);
    for (; j + 4 <= count; j += 4)
        gravity_pairs_add4(s, c, list->at + j);
    for (; j < count; j++)
        gravity_pairs_add(s, c, list->at + j);
    for (i32 l = 0; l < GRAVITY_TILE; l++) {
        s->ax[l] += (f64)s->bx[l];
        s->ay[l] += (f64)s->by[l];
        s->az[l] += (f64)s->bz[l];
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
    }
    list->count -= count;
    for (u32 k = 0; k < list->count; k++)
        list->at[k] = list->at[count + k];
}

/* The sums of a tile, its particles side by side. */
static inline void gravity_pairs_sum(gravity_lanes *s, const gravity_box *b,
                                     gravity_cells c, i32 well) {
    gravity_list list;
    u32 begin, end;
    for (u32 l = 0; l < GRAVITY_TILE; l++) {
        const u32 i = b->first + min(l, b->count - 1);
        s->x[l] = c.x[i], s->y[l] = c.y[i], s->z[l] = c.z[i];
        s->bx[l] = s->by[l] = s->bz[l] = 0.0f;
        s->ax[l] = s->ay[l] = s->az[l] = 0.0;
    }
    list.count = 0;
    gravity_walk w = gravity_pairs_walk(b, c);
    while (gravity_pairs_next(&w, b, c, &begin, &end))
        for (u32 j = begin; j < end; j += GRAVITY_CHUNK) {
            gravity_pairs_list(&list, b, c, j, min(end, j + GRAVITY_CHUNK));
            if (list.count >= GRAVITY_ROOM)
                gravity_pairs_meet(s, c, well, &list, GRAVITY_ROOM);
        }
    gravity_pairs_meet(s, c, well, &list, list.count);
}

static inline void gravity_pairs_row(index_t tile, gravity_cells c, GLOBAL f64 *ax,
                                     GLOBAL f64 *ay, GLOBAL f64 *az) {
    const gravity_box b = gravity_pairs_tile((i64)tile, c);
    gravity_lanes s;
    if (b.count == 0)
        return;
    gravity_pairs_sum(&s, &b, c, 0);
    for (u32 l = 0; l < b.count; l++) {
        const u32 to = c.order[b.first + l];
        if (to >= c.wanted)
            continue;
        ax[to] = s.ax[l] * c.unit;
        ay[to] = s.ay[l] * c.unit;
        az[to] = s.az[l] * c.unit;
    }
}

static inline void gravity_pairs_row_depth(index_t tile, gravity_cells c,
                                           GLOBAL f64 *potential) {
    const gravity_box b = gravity_pairs_tile((i64)tile, c);
    gravity_lanes s;
    if (b.count == 0)
        return;
    gravity_pairs_sum(&s, &b, c, 1);
    for (u32 l = 0; l < b.count; l++)
        if (c.order[b.first + l] < c.wanted)
            potential[c.order[b.first + l]] = -s.ax[l] * c.unit;
}

/* Those of one particle of a tile, where many work-items run in step. */
static inline void gravity_pairs_own(const gravity_box *b, u32 own, gravity_cells c,
                                     i32 well, f64 *sums) {
    const u32 ox = c.x[own], oy = c.y[own], oz = c.z[own];
    f32 bx = 0.0f, by = 0.0f, bz = 0.0f;
    u32 begin, end, count = 0;
    sums[0] = sums[1] = sums[2] = 0.0;
    gravity_walk w = gravity_pairs_walk(b, c);
    while (gravity_pairs_next(&w, b, c, &begin, &end))
        for (u32 j = begin; j < end; j++) {
            const u32 x = c.x[j], y = c.y[j], z = c.z[j];
            if (!gravity_pairs_near(b, x, y, z, c.reach2))
                continue;
            if (well)
                bx += gravity_depth_of(x - ox, y - oy, z - oz, c.inverse, c.soft, c.edge);
            else
                gravity_pairs_pull(&bx, &by, &bz, x - ox, y - oy, z - oz, c.inverse,
                                   c.soft);
            if (++count % GRAVITY_ROOM == 0) {
                sums[0] += (f64)bx, sums[1] += (f64)by, sums[2] += (f64)bz;
                bx = by = bz = 0.0f;
            }
        }
    sums[0] += (f64)bx, sums[1] += (f64)by, sums[2] += (f64)bz;
}

static inline void gravity_pairs_one(index_t item, gravity_cells c, GLOBAL f64 *ax,
                                     GLOBAL f64 *ay, GLOBAL f64 *az) {
    const gravity_box b = gravity_pairs_tile((i64)item / GRAVITY_TILE, c);
    const u32 lane = (u32)((i64)item % GRAVITY_TILE);
    f64 sums[3];
    if (lane >= b.count || c.order[b.first + lane] >= c.wanted)
        return;
    gravity_pairs_own(&b, b.first + lane, c, 0, sums);
    const u32 to = c.order[b.first + lane];
    ax[to] = sums[0] * c.unit;
    ay[to] = sums[1] * c.unit;
    az[to] = sums[2] * c.unit;
}

static inline void gravity_pairs_one_depth(index_t item, gravity_cells c,
                                           GLOBAL f64 *potential) {
    const gravity_box b = gravity_pairs_tile((i64)item / GRAVITY_TILE, c);
    const u32 lane = (u32)((i64)item % GRAVITY_TILE);
    f64 sums[3];
    if (lane >= b.count || c.order[b.first + lane] >= c.wanted)
        return;
    gravity_pairs_own(&b, b.first + lane, c, 1, sums);
    potential[c.order[b.first + lane]] = -sums[0] * c.unit;
}

#endif
