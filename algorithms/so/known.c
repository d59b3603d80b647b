#include "known.h"
#include "so_known.kernel.h"
#include "weft/transform.h"

WEFT_KERNEL(so_known_reach, (value, f64, v), (value, f64, q), (in, f64, mass),
            (out, f64, reach2))

void so_known_check(weft_device *device, const weft_so_options *options, i64 centers,
                    const weft_so_spheres *spheres, i64 threshold, so_task *task) {
    const char *call = task->call;
    if (weft_check(device) != WEFT_OK)
        return;
    if (spheres->centers != centers || spheres->densities != options->densities)
        weft_fail(device, WEFT_E_SHAPE,
                  "%s: the spheres are of %lld centers and %lld densities, not of %lld and "
                  "%lld",
                  call, (long long)spheres->centers, (long long)spheres->densities,
                  (long long)centers, (long long)options->densities);
    else if (threshold < 0 || threshold >= options->densities)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: threshold %lld is not one of %lld", call,
                  (long long)threshold, (long long)options->densities);
    else if (spheres->particles > 0 && task->cells &&
             spheres->particles != task->cells->sets.points)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the spheres are of %lld particles, not of %lld", call,
                  (long long)spheres->particles, (long long)task->cells->sets.points);
    task->kept = (so_kept_arrays){spheres->kept[0], spheres->kept[1], spheres->kept[2]};
}

so_known so_known_of(weft_device *device, const so_task *task,
                     const weft_so_spheres *spheres, i64 threshold) {
    const i64 n = task->search.centers, first = threshold * n;
    const so_known known = {.mass = weft_slice(device, spheres->mass, first, n),
                            .radius = weft_slice(device, spheres->radius, first, n),
                            .count = weft_slice(device, spheres->count, first, n),
                            .reach2 = weft_scratch(device, WEFT_F64, n)};
    weft_for_each(device, n, so_known_reach, .v = task->search.v[threshold],
                  .q = task->search.q[threshold], .mass = known.mass,
                  .reach2 = known.reach2);
    return known;
}
