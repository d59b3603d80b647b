/* Sheets by the definition, at some places: plain, sequential, nothing of the library's. */
#include "sheet.h"

#include <math.h>
#include <stdlib.h>

enum { PLACES = 4, SIDE = 3, CELLS = SIDE * SIDE * SIDE, POINTS = 16 };

/* A point on the edge from p, inside, to q, outside of a plane, t of the way. */
static void between(const f64 *p, const f64 *q, f64 t, f64 *out) {
    for (int k = 0; k < 3; ++k)
        out[k] = p[k] + t * (q[k] - p[k]);
}

static f64 fraction(const f64 at[4][3], const f64 *low, const f64 *high, int plane);

/* That of the tetrahedron of these four. */
static f64 part(const f64 *a, const f64 *b, const f64 *c, const f64 *d, const f64 *low,
                const f64 *high, int plane) {
    f64 at[4][3];
    for (int k = 0; k < 3; ++k) {
        at[0][k] = a[k], at[1][k] = b[k];
        at[2][k] = c[k], at[3][k] = d[k];
    }
    return fraction((const f64(*)[3])at, low, high, plane);
}

/* What fraction of a tetrahedron lies between planes `plane` .. 5 of a box. */
static f64 fraction(const f64 at[4][3], const f64 *low, const f64 *high, int plane) {
    const f64 *v[4];
    f64 depth[4], cut[4][4][3], t[4][4];
    int inside = 0;
    if (plane == 6)
        return 1;
    for (int i = 0; i < 4; ++i) {
        const f64 x = at[i][plane / 2];
        const f64 d = plane % 2 ? high[plane / 2] - x : x - low[plane / 2];
        int j = i;
        for (; j > 0 && depth[j - 1] < d; --j) {
            depth[j] = depth[j - 1];
            v[j] = v[j - 1];
        }
        depth[j] = d;
        v[j] = at[i];
        inside += d > 0;
    }
    for (int i = 0; i < inside; ++i)
        for (int j = inside; j < 4; ++j) {
            t[i][j] = depth[i] / (depth[i] - depth[j]);
            between(v[i], v[j], t[i][j], cut[i][j]);
        }
    const int next = plane + 1;
    if (inside == 0)
        return 0;
    if (inside == 4)
        return fraction(at, low, high, next);
    if (inside == 1)
        return t[0][1] * t[0][2] * t[0][3] *
               part(v[0], cut[0][1], cut[0][2], cut[0][3], low, high, next);
    if (inside == 2)
        return t[1][2] * t[1][3] * part(v[0], v[1], cut[1][2], cut[1][3], low, high, next) +
               t[0][2] * (1 - t[1][2]) * t[1][3] *
                   part(v[0], cut[0][2], cut[1][2], cut[1][3], low, high, next) +
               t[0][2] * t[0][3] * (1 - t[1][3]) *
                   part(v[0], cut[0][2], cut[0][3], cut[1][3], low, high, next);
    return fraction(at, low, high, next) -
           (1 - t[0][3]) * (1 - t[1][3]) * (1 - t[2][3]) *
               part(cut[0][3], cut[1][3], cut[2][3], v[3], low, high, next);
}

f64 sheet_fraction(const struct sheet_settings *settings, const f64 corner[4][3],
                   const i64 cell[3]) {
    f64 begin[3], end[3];
    for (int k = 0; k < 3; ++k) {
        const bool all = k == 2 && settings->kind == SHEET_COLUMNS;
        begin[k] = all ? -INFINITY : (f64)cell[k];
        end[k] = all ? INFINITY : (f64)cell[k] + 1;
    }
    return fraction(corner, begin, end, 0);
}

struct place {
    i64 first[3];
    f64 sum[CELLS];
    i64 met[CELLS]; /* tetrahedra */
};

/* Adds a tetrahedron to cell `c` of a place, at all periods at which it touches it. */
static void add(struct place *place, const struct sheet_settings *settings,
                const f64 corner[4][3], const i64 *low, const i64 *extent, int c) {
    const i64 at[3] = {c / (SIDE * SIDE), c / SIDE % SIDE, c % SIDE};
    i64 from[3];
    for (int k = 0; k < 3; ++k) {
        const i64 n = settings->grid[k];
        from[k] = ((place->first[k] + at[k] - low[k]) % n + n) % n + low[k];
        if (from[k] >= low[k] + extent[k] || at[k] >= n)
            return;
    }
    for (i64 x = from[0]; x < low[0] + extent[0]; x += settings->grid[0])
        for (i64 y = from[1]; y < low[1] + extent[1]; y += settings->grid[1])
            for (i64 z = from[2]; z < low[2] + extent[2]; z += settings->grid[2]) {
                const i64 cell[3] = {x, y, z};
                place->sum[c] += sheet_fraction(settings, corner, cell);
                ++place->met[c];
            }
}

static void add_all(const struct task *task, struct place *place) {
    const struct sheet_settings *settings = task->settings;
    const i64 *n = settings->lattice.n;
    for (i64 t = 0; t < 6 * n[0] * n[1] * n[2]; ++t) {
        f64 corner[4][3];
        i64 low[3], extent[3];
        sheet_corners(settings, task->in[0].data, t / 6, (int)(t % 6), corner);
        sheet_extent((const f64(*)[3])corner, low, extent);
        if (settings->kind == SHEET_COLUMNS)
            low[2] = 0, extent[2] = 1;
        for (int p = 0; p < PLACES; ++p)
            for (int c = 0; c < CELLS; ++c)
                add(&place[p], settings, (const f64(*)[3])corner, low, extent, c);
    }
}

bool sheet_check_cells(const struct task *task) {
    const struct sheet_settings *settings = task->settings;
    const weft_tessellation abel = WEFT_TESSELLATION_ABEL;
    const i64 *units = task->out[0].data, *grid = settings->grid;
    const f64 one = (f64)weft_sheet_units(&settings->lattice, abel);
    struct place place[PLACES] = {{{0}, {0}, {0}}};
    i64 total = -(i64)one * weft_sheet_tetrahedra(&settings->lattice, abel);
    bool good = true;
    for (i64 i = 0; i < task->out[0].length; ++i)
        total += units[i];
    for (int p = 0; p < PLACES; ++p)
        for (int k = 0; k < 3; ++k)
            place[p].first[k] = (7919 * p + 104729 * k) % grid[k];
    add_all(task, place);
    for (int p = 0; p < PLACES; ++p)
        for (int c = 0; c < CELLS; ++c) {
            const i64 *first = place[p].first;
            const i64 x = (first[0] + c / (SIDE * SIDE)) % grid[0];
            const i64 y = (first[1] + c / SIDE % SIDE) % grid[1];
            const i64 cell = (x * grid[1] + y) * grid[2] + (first[2] + c % SIDE) % grid[2];
            const f64 off = fabs((f64)units[cell] / one - place[p].sum[c]);
            good &= c % SIDE >= grid[2] || off <= 1e-8 * (f64)(1 + place[p].met[c]);
        }
    return good && (u64)llabs(total) <= task->value;
}

/* Six times the signed volume of a, b, c and d. */
static f64 volume(const f64 *a, const f64 *b, const f64 *c, const f64 *d) {
    f64 p[3], q[3], r[3];
    for (int k = 0; k < 3; ++k)
        p[k] = b[k] - a[k], q[k] = c[k] - a[k], r[k] = d[k] - a[k];
    return p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) +
           p[2] * (q[0] * r[1] - q[1] * r[0]);
}

/* Whether it lies in the tetrahedron, which is told in boxes, at the period nearest to its
 * first corner. */
static bool holds(const f64 corner[4][3], const f64 *box, const f64 *point) {
    f64 at[3];
    int turned = 0;
    for (int k = 0; k < 3; ++k)
        at[k] = corner[0][k] + remainder(point[k] / box[k] - corner[0][k], 1);
    const f64 all = volume(corner[0], corner[1], corner[2], corner[3]);
    turned += volume(at, corner[1], corner[2], corner[3]) * all < 0;
    turned += volume(corner[0], at, corner[2], corner[3]) * all < 0;
    turned += volume(corner[0], corner[1], at, corner[3]) * all < 0;
    turned += volume(corner[0], corner[1], corner[2], at) * all < 0;
    return turned == 0;
}

bool sheet_check_at(const struct task *task) {
    const struct sheet_settings *settings = task->settings;
    const i64 *n = settings->lattice.n, sites = n[0] * n[1] * n[2];
    const f64 *point = task->in[1].data, *box = settings->lattice.box;
    const f64 *density = task->out[0].data, *streams = task->out[1].data;
    f64 sum[POINTS] = {0}, count[POINTS] = {0};
    bool good = true;
    for (i64 t = 0; t < 6 * sites; ++t) {
        f64 corner[4][3];
        sheet_corners(settings, task->in[0].data, t / 6, (int)(t % 6), corner);
        for (int p = 0; p < POINTS && p < task->n; ++p) {
            if (!holds((const f64(*)[3])corner, box, point + 3 * (task->n / POINTS * p)))
                continue;
            sum[p] += 6 / fabs(volume(corner[0], corner[1], corner[2], corner[3])) /
                      (6 * (f64)sites);
            ++count[p];
        }
    }
    for (int p = 0; p < POINTS && p < task->n; ++p) {
        const i64 i = task->n / POINTS * p;
        good &= streams[i] == count[p] && fabs(density[i] / sum[p] - 1) < 1e-6;
    }
    return good;
}
