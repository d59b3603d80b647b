#include "sheet_clip.h"

#include <math.h>
#include <string.h>

/* What a sliver is cut to is told by differences that are as thin as it. */
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 real;
#else
typedef long double real;
#endif

/* A point as weights of the four vertices: so a point, a line or a plane is clipped as any
 * other tetrahedron. */
typedef struct point {
    real weight[4];
} point;
typedef struct solid {
    point corner[4];
} solid;

static real along(const point *p, f64 at[4][3], int axis) {
    real x = at[0][axis]; /* in a plane, exactly that */
    for (int v = 1; v < 4; v++)
        x += p->weight[v] * ((real)at[v][axis] - at[0][axis]);
    return x;
}

static point between(const point *p, const point *q, real t) {
    point r;
    for (int v = 0; v < 4; v++)
        r.weight[v] = p->weight[v] * (1 - t) + q->weight[v] * t;
    return r;
}

static real volume(const solid *s) {
    real d[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            d[i][k] = s->corner[i + 1].weight[k] - s->corner[0].weight[k];
    const real sum = (d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                      d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                      d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]));
    return sum < 0 ? -sum : sum;
}

/* The three tetrahedra of a prism of triangles abc and def. */
static int prism(point a, point b, point c, point d, point e, point f, solid *out) {
    out[0] = (solid){{a, b, c, f}};
    out[1] = (solid){{a, b, e, f}};
    out[2] = (solid){{a, d, e, f}};
    return 3;
}

/* The part with sign * x below sign * plane, or on it for sign -1. */
static int keep(const solid *s, f64 at[4][3], int axis, real plane, int sign, solid *out) {
    point in[4], off[4];
    real x[4], y[4];
    int n = 0, m = 0;
    for (int c = 0; c < 4; c++) {
        const real here = along(&s->corner[c], at, axis);
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
static void add_moments(const solid *s, f64 v[4][3], real weight, real out[5]) {
    out[0] += weight;
    for (int k = 0; k < 3; k++) {
        real sum = 0, squares = 0;
        for (int c = 0; c < 4; c++) {
            real here = 0;
            for (int i = 0; i < 4; i++)
                here += s->corner[c].weight[i] * v[i][k];
            sum += here;
            squares += here * here;
        }
        out[1 + k] += weight * sum / 4;
        out[4] += weight * (squares + sum * sum) / 20 / 3;
    }
}

static solid whole(void) {
    solid all;
    memset(&all, 0, sizeof all);
    for (int c = 0; c < 4; c++)
        all.corner[c].weight[c] = 1;
    return all;
}

/* What of some solids has low <= x < high, nine of each at most. */
static int slice(const solid *in, int n, f64 at[4][3], int axis, i64 low, i64 high,
                 solid *out) {
    int all = 0;
    for (int k = 0; k < n; k++) {
        solid above[3];
        const int parts = keep(&in[k], at, axis, (real)low, -1, above);
        for (int p = 0; p < parts; p++)
            all += keep(&above[p], at, axis, (real)high, 1, &out[all]);
    }
    return all;
}

void clip_moments(f64 at[4][3], f64 v[4][3], const i64 low[3], const i64 high[3],
                  long double out[5]) {
    static solid list[2][729];
    real sum[5] = {0};
    int n = 1;
    list[0][0] = whole();
    for (int axis = 0; axis < 3; axis++)
        n = slice(list[axis % 2], n, at, axis, low[axis], high[axis], list[1 - axis % 2]);
    for (int k = 0; k < n; k++)
        add_moments(&list[1][k], v, volume(&list[1][k]), sum);
    for (int k = 0; k < 5; k++)
        out[k] = (long double)sum[k];
}

long double clip_fraction(f64 at[4][3], const i64 low[3], const i64 high[3]) {
    f64 none[4][3] = {{0}};
    long double out[5];
    clip_moments(at, none, low, high, out);
    return out[0];
}

void clip_cells(f64 at[4][3], const i64 low[3], const i64 high[3], i64 cells,
                long double *out) {
    static solid x[9], y[81], z[729];
    const solid all = whole();
    for (i64 a = low[0]; a < high[0]; a++) {
        const int nx = slice(&all, 1, at, 0, a, a + 1, x);
        for (i64 b = low[1]; b < high[1]; b++) {
            const int ny = slice(x, nx, at, 1, b, b + 1, y);
            for (i64 c = low[2]; c < high[2]; c++) {
                const int nz = slice(y, ny, at, 2, c, c + 1, z);
                real sum = 0;
                for (int k = 0; k < nz; k++)
                    sum += volume(&z[k]);
                out[(a * cells + b) * cells + c] = (long double)sum;
            }
        }
    }
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
