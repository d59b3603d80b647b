#include "weft/ics.h"
#include "algorithms/points/arguments.h"
#include "weft/fourier.h"
#include "weft/register.h"
#include "ics.kernel.h"

WEFT_KERNEL(ics_modes, (value, i64, n), (value, u64, seed), (value, i32, fixed),
            (in, f64, amplitude, 0), (out, f64, spectrum, 2 * n))
WEFT_KERNEL(ics_hessian, (value, i64, n), (value, i32, i), (value, i32, j),
            (in, f64, spectrum, 2 * n), (out, f64, out, 2 * n))
WEFT_KERNEL(ics_combine, (in, f64, xx), (in, f64, yy), (in, f64, zz), (out, f64, sum))
WEFT_KERNEL(ics_subtract, (in, f64, xy), (inout, f64, sum))
WEFT_KERNEL(ics_divide, (value, f64, by), (inout, f64, x))
WEFT_KERNEL(ics_displace, (value, i64, n), (value, i32, axis), (value, f64, length),
            (in, f64, spectrum, 2 * n), (out, f64, out, 2 * n))

int64_t weft_ics_most(int64_t n) {
    return 3 * (n / 2) * (n / 2);
}

/* The length of a spectrum, where n and the spectrum are good. */
static i64 check(weft_device *device, const char *call, i64 n, weft_array spectrum) {
    if (n < 2 || n > WEFT_FOURIER_MOST || n % 2 != 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: n is %lld, not an even number of 2 to %d",
                  call, (long long)n, WEFT_FOURIER_MOST);
    const i64 length = 2 * n * n * (n / 2 + 1);
    arguments_array(device, call, "spectrum", spectrum, WEFT_F64, length);
    return length;
}

weft_status weft_ics_modes(weft_device *device, int64_t n, uint64_t seed, int fixed,
                           weft_array amplitude, weft_array spectrum) {
    static const char call[] = "weft_ics_modes";
    const i64 length = check(device, call, n, spectrum);
    arguments_array(device, call, "amplitude", amplitude, WEFT_F64, weft_ics_most(n) + 1);
    return weft_for_each(device, length / 2, ics_modes, .n = n, .seed = seed,
                         .fixed = fixed != 0, .amplitude = amplitude, .spectrum = spectrum);
}

/* One second derivative of the potential, by way of the scratch. */
static void derive(weft_device *device, i64 n, int i, int j, weft_array spectrum,
                   weft_array scratch, weft_array out) {
    const i64 sides[3] = {n, n, n};
    weft_for_each(device, spectrum.length / 2, ics_hessian, .n = n, .i = i, .j = j,
                  .spectrum = spectrum, .out = scratch);
    weft_fourier_transform(device, sides, WEFT_FOURIER_INVERSE, out, scratch);
}

weft_status weft_ics_second(weft_device *device, int64_t n, weft_array spectrum,
                            weft_array second) {
    static const char call[] = "weft_ics_second";
    const i64 length = check(device, call, n, spectrum), all = n * n * n;
    const i64 sides[3] = {n, n, n};
    arguments_array(device, call, "second", second, WEFT_F64, length);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    weft_array field[4];
    for (int k = 0; k < 4; k++)
        field[k] = weft_scratch(device, WEFT_F64, all);
    spectrum = weft_slice(device, spectrum, 0, length);
    second = weft_slice(device, second, 0, length);
    for (int k = 0; k < 3; k++)
        derive(device, n, k, k, spectrum, second, field[k]);
    weft_for_each(device, all, ics_combine, .xx = field[0], .yy = field[1], .zz = field[2],
                  .sum = field[3]);
    for (int k = 0; k < 3; k++) {
        derive(device, n, k, (k + 1) % 3, spectrum, second, field[0]);
        weft_for_each(device, all, ics_subtract, .xy = field[0], .sum = field[3]);
    }
    weft_fourier_transform(device, sides, WEFT_FOURIER_FORWARD, field[3], second);
    weft_for_each(device, length, ics_divide, .by = (f64)all, .x = second);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_ics_displacement(weft_device *device, int64_t n, double box, int axis,
                                  weft_array spectrum, weft_array displacement) {
    static const char call[] = "weft_ics_displacement";
    const f64 pi = 3.14159265358979323846;
    const i64 length = check(device, call, n, spectrum), sides[3] = {n, n, n};
    arguments_array(device, call, "displacement", displacement, WEFT_F64, n * n * n);
    if (axis < 0 || axis > 2)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no axis %d", call, axis);
    if (!(box > 0 && box <= 1e300))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: box is %g, not a size", call, box);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    const weft_array modes = weft_scratch(device, WEFT_F64, length);
    weft_for_each(device, length / 2, ics_displace, .n = n, .axis = axis,
                  .length = box / (2 * pi), .spectrum = spectrum, .out = modes);
    weft_fourier_transform(device, sides, WEFT_FOURIER_INVERSE, displacement, modes);
    weft_scope_close(device);
    return weft_check(device);
}
