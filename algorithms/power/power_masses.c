/* Masses of particles, in their order on the host. */
#include "power.h"
#include "algorithms/points/arguments.h"

#include <float.h>
#include <stdlib.h>

/* Of the particles of this process. */
typedef struct of_particles {
    weft_device *device;
    const char *call;
    weft_array mass;
    i64 count;
} of_particles;

static void add_block(const of_particles *p, i64 first, i64 n, void *block,
                      power_masses *m) {
    weft_read(p->device, weft_slice(p->device, p->mass, first, n), block);
    for (i64 j = 0; j < n; j++) {
        const f64 x = p->mass.type == WEFT_F64 ? ((const f64 *)block)[j]
                                               : (f64)((const f32 *)block)[j];
        if (!(x >= 0 && x <= DBL_MAX) && weft_check(p->device) == WEFT_OK)
            weft_fail(p->device, WEFT_E_ARGUMENT,
                      "%s: the mass %g of particle %lld is not 0 or above and finite",
                      p->call, x, (long long)(m->count + j));
        m->largest = x > m->largest ? x : m->largest;
        m->sum += x;
        m->squares += x * x;
    }
    m->count += n;
}

static void add_masses(void *context, void *sum) {
    const of_particles *p = context;
    power_masses *m = sum;
    if (!p->mass.type) {
        m->count += p->count;
        *m = (power_masses){m->count, 1, (f64)m->count, (f64)m->count};
        return;
    }
    void *block = calloc(POWER_BLOCK, sizeof(f64));
    if (!block)
        weft_fail(p->device, WEFT_E_MEMORY, "out of memory: %d masses", (int)POWER_BLOCK);
    for (i64 i = 0; i < p->count && weft_check(p->device) == WEFT_OK; i += POWER_BLOCK)
        add_block(p, i, p->count - i < POWER_BLOCK ? p->count - i : POWER_BLOCK, block, m);
    free(block);
}

power_masses power_masses_of(weft_device *device, const char *call,
                             const weft_power_options *options, weft_array mass,
                             i64 count) {
    power_masses m = {0, 0, 0, 0};
    of_particles p = {device, call, mass, count};
    power_in_turn(device, options, add_masses, &p, &m, sizeof m);
    if (weft_check(device) == WEFT_OK && !(m.sum > 0))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: the masses of %lld particles add up to %g",
                  call, (long long)m.count, m.sum);
    if (weft_check(device) == WEFT_OK &&
        !(m.largest * m.largest >= 1e-290 && m.squares <= DBL_MAX))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the masses of %lld particles, of %g and less, have no squares in "
                  "f64: choose another unit",
                  call, (long long)m.count, m.largest);
    return m;
}
