/* The power spectrum while the particles are in memory, as weft power makes it. */
#include "cli/power/power.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <weft/fourier.h>
#include <weft/points.h>

/* Those of `power` are allocated; the mesh is that of weft power without options. */
static void measure(struct simulate_run *run, const struct simulate_numbers *numbers,
                    struct power_run *power) {
    weft_device *device = run->device;
    const int64_t n = run->info.n;
    const weft_array position =
        weft_borrow_const(device, WEFT_F64, numbers->position, 3 * n);
    const weft_array mass = weft_borrow_const(device, WEFT_F64, numbers->mass, n);
    const weft_points points = weft_points_interleaved(device, position);
    weft_power_particles(device, &points, mass, &power->asked, power->k, power->power,
                         power->modes, &power->shot_noise);
    weft_return(device, position);
    weft_return(device, mass);
}

static void settle(const struct simulate_run *run, struct power_run *power) {
    int64_t side = 1;
    while (side * side * side < run->info.n)
        ++side;
    for (int axis = 0; axis < 3; ++axis) {
        power->asked.n[axis] = weft_fourier_side(2 * side < 4 ? 4 : 2 * side);
        power->asked.box[axis] = run->box;
    }
    power->asked.window = WEFT_MESH_PCS;
    power->shells = weft_power_shells(&power->asked);
    snprintf(power->info.length_unit, sizeof power->info.length_unit, "Mpc");
}

int simulate_measure_power(struct simulate_run *run, const char *path,
                           const struct simulate_numbers *numbers) {
    struct io_error error;
    struct power_run power = {.output = simulate_power_path(path)};
    settle(run, &power);
    power.k = io_allocate(power.shells, sizeof *power.k, "wave numbers", &error);
    power.power = io_allocate(power.shells, sizeof *power.power, "a spectrum", &error);
    power.modes = io_allocate(power.shells, sizeof *power.modes, "counts", &error);
    int status = CLI_DONE;
    if (!power.output || !power.k || !power.power || !power.modes)
        status = progress_fail(CLI_FAULT, "out of memory: a power spectrum");
    if (status == CLI_DONE) {
        measure(run, numbers, &power);
        status = weft_check(run->device) == WEFT_OK
                     ? power_write(&power)
                     : progress_fail(CLI_FAULT, "%s: %s", path, weft_error(run->device));
    }
    timings_end(&run->timings, TIMINGS_POWER, 0);
    free(power.output);
    free(power.k);
    free(power.power);
    free(power.modes);
    return status;
}
