#include "sheet_clip.h"

#include <math.h>
#include <string.h>

/* A point as weights of the four vertices: so a point, a line or a plane is clipped as any
 * other tetrahedron. */
typedef struct point {
    long double weight[4];
} point;
typedef struct solid {
    point corner[4];
} solid;

static long double along(const point *p, f64 at[4][3], int axis) {
    long double x = at[0][axis]; /* in a plane, exactly that */
    for (int v = 1; v < 4; v++)
        x += p->weight[v] * (at[v][axis] - at[0][axis]);
    return x;
}

static point between(const point *p, const point *q, long double t) {
    point r;
    for (int v = 0; v < 4; v++)
        r.weight[v] = p->weight[v] * (1 - t) + q->weight[v] * t;
    return r;
}

static long double volume(const solid *s) {
    long double d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = s->corner[i + 1].weight[k] - s->corner[0].weight[k];
    return fabsl(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                 d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                 d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]));
}

/* The three tetrahedra of a prism of triangles abc and def. */
static int prism(point a, point b, point c, point d, point e, point f, solid *out) {
    out[0] = (solid){{a, b, c, f}};
    out[1] = (solid){{a, b, e, f}};
    out[2] = (solid){{a, d, e, f}};
    return 3;
}

/* The part with sign * x below sign * plane, or on it for sign -1. */
static int keep(const solid *s, f64 at[4][3], int axis, long double plane, int sign,
                solid *out) {
    point in[4], off[4];
    long double x[4], y[4];
    int n = 0, m = 0;
    for (int c = 0; c < 4; c++) {
        const long double here = along(&s->corner[c], at, axis);
        if (sign > 0 ? here < plane : here >= plane)
            x[n] = here, in[n++] = s->corner[c];
        else
            y[m] = here, off[m++] = s->corner[c];
    }
    if (n == 0 || n == 4) {
        *out = *s;
        return n / 4;
    }
    point cut[3][3];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            cut[i][k] = between(&in[i], &off[k], (plane - x[i]) / (y[k] - x[i]));
    if (n == 1) {
        *out = (solid){{in[0], cut[0][0], cut[0][1], cut[0][2]}};
        return 1;
    }
    if (n == 2)
        return prism(in[0], cut[0][0], cut[0][1], in[1], cut[1][0], cut[1][1], out);
    return prism(in[0], in[1], in[2], cut[0][0], cut[1][0], cut[2][0], out);
}

/* Adds the mean over the solid of the velocity and of a third of its square, each times the
 * solid's weight. */
static void add_moments(const solid *s, f64 v[4][3], long double weight,
                        long double out[5]) {
    out[0] += weight;
    for (int k = 0; k < 3; k++) {
        long double sum = 0, squares = 0;
        for (int c = 0; c < 4; c++) {
            long double here = 0;
            for (int i = 0; i < 4; i++)
                here += s->corner[c].weight[i] * v[i][k];
            sum += here;
            squares += here * here;
        }
        out[1 + k] += weight * sum / 4;
        out[4] += weight * (squares + sum * sum) / 20 / 3;
    }
}

void clip_moments(f64 at[4][3], f64 v[4][3], const i64 low[3], const i64 high[3],
                  long double out[5]) {
    static solid list[2][729];
    solid whole;
    memset(&whole, 0, sizeof whole);
    for (int c = 0; c < 4; c++)
        whole.corner[c].weight[c] = 1;
    list[0][0] = whole;
    int n = 1, turn = 0;
    for (int plane = 0; plane < 6; plane++, turn = !turn) {
        const int axis = plane / 2, sign = plane % 2 ? 1 : -1;
        int next = 0;
        for (int k = 0; k < n; k++)
            next += keep(&list[turn][k], at, axis,
                         (long double)(sign > 0 ? high[axis] : low[axis]), sign,
                         &list[!turn][next]);
        n = next;
    }
    memset(out, 0, 5 * sizeof *out);
    for (int k = 0; k < n; k++)
        add_moments(&list[turn][k], v, volume(&list[turn][k]) / volume(&whole), out);
}

long double clip_fraction(f64 at[4][3], const i64 low[3], const i64 high[3]) {
    f64 none[4][3] = {{0}};
    long double out[5];
    clip_moments(at, none, low, high, out);
    return out[0];
}

int clip_tetrahedra(int tessellation, int corners[24][4]) {
    static const char abel[] = "102442133514456332643756";
    static const int axes[6][2] = {{4, 2}, {4, 1}, {2, 4}, {2, 1}, {1, 4}, {1, 2}};
    static const int ends[4] = {0, 1, 2, 4};
    if (tessellation == 0) {
        for (int k = 0; k < 24; k++)
            corners[k / 4][k % 4] = abel[k] - '0';
        return 6;
    }
    const int diagonals = tessellation == 1 ? 1 : 4;
    for (int k = 0; k < 6 * diagonals; k++) { /* from one end to the other along edges */
        const int first = axes[k % 6][0], both = first | axes[k % 6][1];
        const int path[4] = {0, first, both, 7};
        for (int v = 0; v < 4; v++)
            corners[k][v] = path[v] ^ ends[k / 6];
    }
    return 6 * diagonals;
}
