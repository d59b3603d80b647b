/* Fourier transforms: what their calls check. */
#include "weft/fourier.h"
#include "fourier_passes.h"
#include "primitives/primitives.h"

#include <stdio.h>

static weft_status check_side(weft_device *device, const char *call, const char *name,
                              i64 n) {
    if (n < 1 || n > WEFT_FOURIER_MOST)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: %s is %lld, not 1 to %d", call, name,
                  (long long)n, WEFT_FOURIER_MOST);
    else if (!fourier_is_side(n))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: %s is %lld, which has a factor other than 2, 3, 5 and 7", call, name,
                  (long long)n);
    return weft_check(device);
}

static weft_status check_direction(weft_device *device, const char *call,
                                   weft_fourier_direction direction) {
    if (weft_check(device) == WEFT_OK && direction != WEFT_FOURIER_FORWARD &&
        direction != WEFT_FOURIER_INVERSE)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no direction %d", call,
                  (int)direction);
    return weft_check(device);
}

static weft_status check_type(weft_device *device, const char *call, const char *name,
                              weft_type type) {
    if (weft_check(device) == WEFT_OK && type != WEFT_F32 && type != WEFT_F64)
        weft_fail(device, WEFT_E_TYPE, "%s: array '%s' is neither f32 nor f64", call, name);
    return weft_check(device);
}

/* Of planes there may be any number. */
static weft_status check_sides(weft_device *device, const char *call, const int64_t n[3],
                               int whole) {
    static const char *const names[] = {"n[0]", "n[1]", "n[2]"};
    for (int k = whole ? 0 : 1; k < 3 && weft_check(device) == WEFT_OK; k++)
        check_side(device, call, names[k], n[k]);
    if (weft_check(device) == WEFT_OK && !whole && (n[0] < 0 || n[0] > WEFT_FOURIER_MOST))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: n[0] is %lld, not 0 to %d", call,
                  (long long)n[0], WEFT_FOURIER_MOST);
    if (weft_check(device) == WEFT_OK && n[2] % 2 != 0)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: n[2] is %lld, which is odd", call,
                  (long long)n[2]);
    return weft_check(device);
}

/* "call.argument", into `name`. */
enum { NAME = 64 };
static const char *name_of(char name[NAME], const char *call, const char *argument) {
    snprintf(name, NAME, "%s.%s", call, argument);
    return name;
}

static weft_status check(weft_device *device, const char *call, const int64_t n[3],
                         int whole, weft_fourier_direction direction, weft_array real,
                         weft_array spectrum) {
    char name[NAME];
    if (weft_check(device) != WEFT_OK || check_sides(device, call, n, whole) != WEFT_OK ||
        check_direction(device, call, direction) != WEFT_OK ||
        check_type(device, call, "real", real.type) != WEFT_OK)
        return weft_check(device);
    const i64 all = n[0] * n[1] * n[2], length = weft_fourier_length(n);
    if (direction == WEFT_FOURIER_INVERSE)
        weft_need_written(device, name_of(name, call, "real"), real, real.type, all);
    else
        weft_need_array(device, name_of(name, call, "real"), real, real.type, all);
    name_of(name, call, "spectrum");
    if (weft_check(device) == WEFT_OK)
        weft_need_written(device, name, spectrum, real.type, length);
    if (weft_check(device) == WEFT_OK)
        weft_need_apart(device, name, spectrum, real);
    return weft_check(device);
}

int64_t weft_fourier_length(const int64_t n[3]) {
    return 2 * n[0] * n[1] * (n[2] / 2 + 1);
}

int64_t weft_fourier_side(int64_t least) {
    for (i64 n = least > 2 ? least + least % 2 : 2; n <= WEFT_FOURIER_MOST; n += 2)
        if (fourier_is_side(n))
            return n;
    return 0;
}

static weft_status run(weft_device *device, const char *call, const int64_t n[3], int whole,
                       weft_fourier_direction direction, weft_array real,
                       weft_array spectrum) {
    if (check(device, call, n, whole, direction, real, spectrum) != WEFT_OK || n[0] == 0)
        return weft_check(device);
    i64 longest = n[1] > n[2] ? n[1] : n[2];
    longest = whole && n[0] > longest ? n[0] : longest;
    weft_scope_open(device);
    (fourier_lanes_pay(device, real.type, longest) ? fourier_lanes_grid : fourier_grid)(
        device, n, whole, direction == WEFT_FOURIER_INVERSE, real, spectrum);
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_fourier_transform(weft_device *device, const int64_t n[3],
                                   weft_fourier_direction direction, weft_array real,
                                   weft_array spectrum) {
    return run(device, "weft_fourier_transform", n, 1, direction, real, spectrum);
}

weft_status weft_fourier_planes(weft_device *device, const int64_t n[3],
                                weft_fourier_direction direction, weft_array real,
                                weft_array spectrum) {
    return run(device, "weft_fourier_planes", n, 0, direction, real, spectrum);
}

weft_status weft_fourier_lines(weft_device *device, int64_t n, int64_t lines,
                               weft_fourier_direction direction, weft_array numbers) {
    static const char call[] = "weft_fourier_lines";
    if (weft_check(device) != WEFT_OK || check_side(device, call, "n", n) != WEFT_OK ||
        check_direction(device, call, direction) != WEFT_OK ||
        check_type(device, call, "numbers", numbers.type) != WEFT_OK)
        return weft_check(device);
    if (lines < 0 || lines > INT64_MAX / 16 / n)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: there are no %lld lines", call,
                         (long long)lines);
    if (weft_need_written(device, "weft_fourier_lines.numbers", numbers, numbers.type,
                          2 * n * lines) != WEFT_OK ||
        lines == 0)
        return weft_check(device);
    weft_scope_open(device);
    const int back = direction == WEFT_FOURIER_INVERSE;
    const weft_array all = weft_slice(device, numbers, 0, 2 * n * lines);
    if (fourier_lanes_pay(device, numbers.type, n))
        fourier_lanes_in_place(device, n, 1, lines, back, all);
    else
        fourier_in_place(device, n, lines, back, all);
    weft_scope_close(device);
    return weft_check(device);
}
