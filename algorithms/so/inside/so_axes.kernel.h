/* The axes of an ellipsoid: eigenvalues and eigenvectors of symmetric 3 x 3 matrices. */
#ifndef WEFT_SO_AXES_KERNEL_H
#define WEFT_SO_AXES_KERNEL_H

#include <weft/kernel.h>

enum { SO_AXES_SWEEPS = 16 };

/* Eigenvalues, descending, and in each row of `axis` the unit vector of one, whose largest
 * component is positive. */
typedef struct so_axes {
    f64 value[3], axis[9];
} so_axes;

/* Turns axes p and q so that a[p][q] becomes 0: a rotation of Jacobi 1846. */
static inline void so_axes_turn(f64 *a, f64 *rows, i32 p, i32 q) {
    const f64 off = a[3 * p + q];
    if (off == 0)
        return;
    const f64 theta = (a[4 * q] - a[4 * p]) / (2 * off);
    const f64 root = 1 / (fabs(theta) + sqrt(theta * theta + 1)),
              t = theta < 0 ? -root : root;
    const f64 c = 1 / sqrt(t * t + 1), s = t * c;
    for (i32 k = 0; k < 3; k++) {
        const f64 x = a[3 * k + p], y = a[3 * k + q];
        a[3 * k + p] = c * x - s * y;
        a[3 * k + q] = s * x + c * y;
    }
    for (i32 k = 0; k < 3; k++) {
        const f64 x = a[3 * p + k], y = a[3 * q + k], u = rows[3 * p + k],
                  v = rows[3 * q + k];
        a[3 * p + k] = c * x - s * y;
        a[3 * q + k] = s * x + c * y;
        rows[3 * p + k] = c * u - s * v;
        rows[3 * q + k] = s * u + c * v;
    }
    a[3 * p + q] = a[3 * q + p] = 0;
}

static inline void so_axes_swap(so_axes *of, i32 p, i32 q) {
    if (!(of->value[p] < of->value[q]))
        return;
    const f64 value = of->value[p];
    of->value[p] = of->value[q];
    of->value[q] = value;
    for (i32 k = 0; k < 3; k++) {
        const f64 x = of->axis[3 * p + k];
        of->axis[3 * p + k] = of->axis[3 * q + k];
        of->axis[3 * q + k] = x;
    }
}

/* Brings what was found into order. */
static inline void so_axes_order(so_axes *of) {
    for (i32 k = 0; k < 3; k++)
        of->value[k] = max(of->value[k], 0.0);
    so_axes_swap(of, 0, 1);
    so_axes_swap(of, 1, 2);
    so_axes_swap(of, 0, 1);
    for (i32 k = 0; k < 3; k++) {
        i32 largest = 0;
        for (i32 j = 1; j < 3; j++)
            largest =
                fabs(of->axis[3 * k + j]) > fabs(of->axis[3 * k + largest]) ? j : largest;
        const f64 sign = of->axis[3 * k + largest] < 0 ? -1 : 1;
        for (i32 j = 0; j < 3; j++)
            of->axis[3 * k + j] = sign * of->axis[3 * k + j];
    }
}

/* Of xx yy zz xy xz yz. */
static inline so_axes so_axes_find(const f64 *m) {
    f64 a[9];
    so_axes of;
    a[0] = m[0], a[4] = m[1], a[8] = m[2];
    a[1] = a[3] = m[3], a[2] = a[6] = m[4], a[5] = a[7] = m[5];
    for (i32 k = 0; k < 9; k++)
        of.axis[k] = k % 4 == 0 ? 1 : 0;
    for (i32 k = 0; k < SO_AXES_SWEEPS && (a[1] != 0 || a[2] != 0 || a[5] != 0); k++) {
        so_axes_turn(a, of.axis, 0, 1);
        so_axes_turn(a, of.axis, 0, 2);
        so_axes_turn(a, of.axis, 1, 2);
    }
    for (i32 k = 0; k < 3; k++)
        of.value[k] = a[4 * k];
    so_axes_order(&of);
    return of;
}

#endif
