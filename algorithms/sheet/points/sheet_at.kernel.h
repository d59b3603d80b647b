/* Which tetrahedra a point lies in. */
#ifndef SHEET_AT_KERNEL_H
#define SHEET_AT_KERNEL_H

#include <weft/kernel.h>
#include "../../points/points.kernel.h"
#include "../sheet_find.kernel.h"

/* Points in cells: those of cell c are sorted[start[c] .. start[c + 1]), x y z each. */
typedef struct sheet_at_points {
    GLOBAL const u32 *start, *sorted;
    GLOBAL const f64 *place;
} sheet_at_points;

static inline u32 sheet_at_cell(index_t i, sheet_frame f, GLOBAL const f64 *place) {
    i64 cell = 0;
    for (i32 k = 0; k < 3; k++) {
        const i64 at = (i64)(place[3 * i + k] * f.scale[k]);
        cell = cell * f.cells[k] + min(at, f.cells[k] - 1);
    }
    return (u32)cell;
}

/* Inside the box, as f64. */
static inline void sheet_at_place(index_t i, sheet_frame f, points_coordinates at,
                                  GLOBAL f64 *place) {
    const index_t from = (index_t)((i64)i * at.stride);
    place[3 * i] = points_wrap(points_coordinate(at.x, from, at.wide), f.box[0]);
    place[3 * i + 1] = points_wrap(points_coordinate(at.y, from, at.wide), f.box[1]);
    place[3 * i + 2] = points_wrap(points_coordinate(at.z, from, at.wide), f.box[2]);
}

/* A tetrahedron around a point: six times the volumes of the four that have the point in
 * place of a vertex, with one sign; 0 where the point is not inside.
 * Vertices are taken relative to the point, and a face is looked at in the order of its
 * sites: so those who share it compute the same number, and agree on which side the point
 * is. One on a face is on that side of it where the number is above 0. */
static inline f64 sheet_at_inside(const f64 *point, const index_t *site, sheet_frame f,
                                  GLOBAL const f64 *position, f64 *part) {
    f64 d[4][3];
    for (i32 v = 0; v < 4; v++)
        for (i32 k = 0; k < 3; k++) {
            d[v][k] = points_remainder(position[3 * site[v] + k] - point[k], f.box[k]);
            const f64 side = points_remainder(
                position[3 * site[v] + k] - position[3 * site[0] + k], f.box[k]);
            if (fabs(d[0][k] + side - d[v][k]) > f.box[k] / 4)
                return 0; /* the nearest images of its vertices do not belong together */
        }
    i32 positive = 0;
    f64 sum = 0;
    for (i32 apex = 0; apex < 4; apex++) {
        i32 v[3], odd = apex & 1;
        for (i32 k = 0, n = 0; k < 4; k++)
            if (k != apex)
                v[n++] = k;
        for (i32 k = 0; k < 3; k++) { /* in the order of sites */
            const i32 i = k & 1;
            if (site[v[i + 1]] < site[v[i]]) {
                const i32 other = v[i];
                v[i] = v[i + 1];
                v[i + 1] = other;
                odd ^= 1;
            }
        }
        const f64 *a = d[v[0]], *b = d[v[1]], *c = d[v[2]];
        const f64 det = a[0] * (b[1] * c[2] - b[2] * c[1]) -
                        a[1] * (b[0] * c[2] - b[2] * c[0]) +
                        a[2] * (b[0] * c[1] - b[1] * c[0]);
        positive += (det >= 0) ^ odd;
        part[apex] = fabs(det);
        sum += fabs(det);
    }
    return positive == 0 || positive == 4 ? sum : 0;
}

/* Points in tetrahedron number: how many, and from `to` on which. */
static inline u32 sheet_at_look(i64 number, sheet_frame f, sheet_at_points points,
                                GLOBAL const f64 *position, i64 to, GLOBAL u32 *who) {
    const sheet_tetrahedron t = sheet_find(number, f, position);
    index_t site[4];
    i64 low[3], extent[3];
    u32 found = 0;
    sheet_find_sites(number, f, site);
    for (i32 k = 0; k < 3; k++) { /* and a cell more where it ends near a side of one */
        f64 most = 0, least = 1;
        for (i32 v = 0; v < 4; v++) {
            most = points_more(most, t.at[k][v]);
            least = points_less(least, t.at[k][v]);
        }
        const i32 before = least < 1e-6;
        low[k] = t.base[k] - before;
        extent[k] = (i64)floor(most + 1e-6) + 1 + before;
        extent[k] = min(extent[k], f.cells[k]);
    }
    for (i64 a = 0; a < extent[0]; a++)
        for (i64 b = 0; b < extent[1]; b++)
            for (i64 c = 0; c < extent[2]; c++) {
                const i64 cell = (sheet_find_wrap(low[0] + a, f.cells[0]) * f.cells[1] +
                                  sheet_find_wrap(low[1] + b, f.cells[1])) *
                                     f.cells[2] +
                                 sheet_find_wrap(low[2] + c, f.cells[2]);
                for (u32 s = points.start[cell]; s < points.start[cell + 1]; s++) {
                    const u32 point = points.sorted[s];
                    const f64 at[3] = {points.place[3 * (index_t)point],
                                       points.place[3 * (index_t)point + 1],
                                       points.place[3 * (index_t)point + 2]};
                    f64 part[4];
                    if (sheet_at_inside(at, site, f, position, part) > 0) {
                        if (to >= 0)
                            who[(index_t)(to + found)] = point;
                        found++;
                    }
                }
            }
    return found;
}

/* How many points are in each tetrahedron; with a list of where the pairs of each begin,
 * those: points, and tetrahedra from f.begin on. */
static inline void sheet_at_list(index_t i, sheet_frame f, sheet_at_points points,
                                 GLOBAL const f64 *position, GLOBAL const u32 *start,
                                 GLOBAL u32 *count, GLOBAL u32 *who,
                                 GLOBAL u32 *tetrahedron) {
    const u32 found = sheet_at_look(f.begin + (i64)i, f, points, position,
                                    start ? (i64)start[i] : -1, who);
    if (!start)
        count[i] = found;
    for (u32 k = 0; start && k < found; k++)
        tetrahedron[(index_t)start[i] + k] = (u32)i;
}

/* Adds the pairs of a point, which are sorted, where the first of them is pair i. */
static inline void sheet_at_add(index_t i, sheet_frame f, i64 pairs, f64 mass,
                                GLOBAL const u32 *who, GLOBAL const u32 *tetrahedron,
                                GLOBAL const f64 *place, GLOBAL const f64 *position,
                                GLOBAL const f64 *velocity, GLOBAL f64 *density,
                                GLOBAL f64 *streams, GLOBAL f64 *momentum) {
    const index_t point = (index_t)who[i];
    if (i > 0 && who[i - 1] == who[i])
        return;
    const f64 at[3] = {place[3 * point], place[3 * point + 1], place[3 * point + 2]};
    for (; (i64)i < pairs && (index_t)who[i] == point; i++) {
        index_t site[4];
        f64 part[4];
        sheet_find_sites(f.begin + (i64)tetrahedron[i], f, site);
        const f64 all = sheet_at_inside(at, site, f, position, part);
        density[point] += mass / all;
        streams[point] += 1;
        for (i32 k = 0; velocity && k < 3; k++) {
            f64 sum = 0;
            for (i32 v = 0; v < 4; v++)
                sum += part[v] * velocity[3 * site[v] + k];
            momentum[3 * point + k] += mass / all * (sum / all);
        }
    }
}

static inline void sheet_at_finish(index_t i, f64 meshes, i32 moves,
                                   GLOBAL const f64 *density, GLOBAL f64 *streams,
                                   GLOBAL f64 *momentum) {
    for (i32 k = 0; moves && k < 3; k++)
        momentum[3 * i + k] /= density[i];
    streams[i] /= meshes;
}

#endif
