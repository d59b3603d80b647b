#include "algorithms/points/arguments.h"
#include "sheet_frame.h"
#include "sheet_moments.kernel.h"
#include "weft/find.h"
#include "weft/listener.h"
#include "weft/reduce.h"

#include <float.h>
#include <math.h>

WEFT_KERNEL(sheet_moments_deposit, (value, sheet_frame, f), (optional, u32, blocks, 0),
            (optional, u32, of), (optional, u32, part), (value, f64, speed),
            (in, f64, position, 0), (in, f64, velocity, 0), (shared, u32, windows, 0),
            (shared, u32, momentum, 0), (shared, u32, energy, 0))
WEFT_GENERATOR(sheet_moments_size, f64, (in, f64, velocity))
WEFT_OPERATOR(sheet_moments_larger, f64, 0)
WEFT_GENERATOR(sheet_moments_is_fast, u32, (value, f64, speed), (in, f64, velocity))

static const char NAME[] = "weft_sheet_momentum";

double weft_sheet_speed(weft_device *device, weft_array velocity) {
    double most = 0;
    int power = 0;
    weft_reduce(device,
                weft_lazy(velocity.length, sheet_moments_size, .velocity = velocity),
                weft_op(sheet_moments_larger), &most);
    if (!(most > 0 && most <= DBL_MAX))
        return 1;
    frexp(most, &power);
    return ldexp(1, power < -1000 ? -1000 : power > 1023 ? 1023 : power);
}

struct moments {
    weft_array position, velocity, momentum, energy;
    double speed;
};

static void run(weft_device *device, const void *task, sheet_frame f, i64 skip,
                weft_array blocks, weft_array of, weft_array part, weft_array windows) {
    const struct moments *moments = task;
    (void)skip;
    weft_for_each(device, of.type ? of.length : windows.length, sheet_moments_deposit,
                  .f = f, .blocks = blocks, .of = of, .part = part, .speed = moments->speed,
                  .position = moments->position, .velocity = moments->velocity,
                  .windows = windows, .momentum = moments->momentum,
                  .energy = moments->energy);
}

static void check_velocity(weft_device *device, const weft_lattice *lattice,
                           weft_array velocity, double speed) {
    i64 fast = -1;
    if (!(speed > 0 && speed <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: speed is %g, not above 0", NAME, speed);
    arguments_array(device, NAME, "velocity", velocity, WEFT_F64, 3 * sheet_sites(lattice));
    weft_find_if(device,
                 weft_lazy(3 * sheet_sites(lattice), sheet_moments_is_fast, .speed = speed,
                           .velocity = velocity),
                 &fast);
    if (weft_check(device) == WEFT_OK && fast >= 0) {
        double v = 0;
        weft_read(device, weft_slice(device, velocity, fast, 1), &v);
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: component %d of the velocity at site %lld is %g, not within %g",
                  NAME, (int)(fast % 3), (long long)(fast / 3), v, speed);
    }
}

weft_status weft_sheet_momentum(weft_device *device, const weft_lattice *lattice,
                                weft_array velocity, double speed,
                                const weft_sheet_options *options, weft_array momentum,
                                weft_array energy) {
    const sheet_frame f = sheet_frame_of(device, NAME, lattice, options);
    if (weft_check(device) == WEFT_OK)
        check_velocity(device, lattice, velocity, speed);
    sheet_check_cells(device, NAME, "momentum", momentum, &f, 3);
    sheet_check_cells(device, NAME, "energy", energy, &f, 1);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    const struct moments task = {lattice->position, velocity,
                                 weft_as(device, momentum, WEFT_U32),
                                 weft_as(device, energy, WEFT_U32), speed};
    weft_task_begin(device, NAME);
    weft_scope_open(device);
    sheet_run(device, f, lattice, run, &task);
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
