/* Poisson's equation on cubes: the sines are the eigenfunctions of the 7-point Laplacian.
 */
#include "poisson.h"
#include "poisson.kernel.h"
#include "weft/poisson.h"
#include "weft/register.h"
#include "weft/sine_transform.h"

#include <math.h>

WEFT_KERNEL(poisson_divide, (value, i32, n), (value, f32, factor), (in, f32, eigenvalue, 0),
            (inout, f32, cube))

void poisson_solve(weft_device *device, i64 n, weft_array cubes) {
    const f64 pi = 3.14159265358979323846;
    f32 host[WEFT_POISSON_MOST_GRID];
    weft_scope_open(device);
    const weft_array eigenvalue = weft_scratch(device, WEFT_F32, n);
    for (i64 p = 0; p < n; p++)
        host[p] = (f32)(4 * pow(sin(pi * (f64)(p + 1) / (f64)(2 * n + 2)), 2));
    weft_write(device, eigenvalue, host);
    weft_sine_transform(device, n, cubes);
    weft_for_each(device, cubes.length, poisson_divide, .n = (i32)n,
                  .factor = (f32)(1 / pow((f64)(2 * n + 2), 3)), .eigenvalue = eigenvalue,
                  .cube = cubes);
    weft_sine_transform(device, n, cubes);
    weft_scope_close(device);
}
