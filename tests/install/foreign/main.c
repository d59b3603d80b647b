/* A program outside Weft's tree: a launch, a reduction and a scan of its own kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>
#include "orbit.kernel.h"

WEFT_KERNEL(orbit_drift, (value, f32, time), (inout, body, bodies))
WEFT_GENERATOR(orbit_mass_beyond, u64, (value, f32, position), (in, body, bodies))

enum { N = 100000 };

int main(void) {
    body *host = malloc(N * sizeof *host);
    u64 *running = malloc(N * sizeof *running), total = 0, expected = 0;
    for (int i = 0; i < N; i++) {
        host[i] = (body){(f32)i, i % 2 ? -0.5f : 0.5f, (u64)i << 20};
        expected += host[i].position + 8 * host[i].velocity > 5000 ? host[i].mass : 0;
    }
    weft_device *device = weft_open(NULL);
    const weft_array bodies = weft_borrow(device, WEFT_STRUCT(body), host, N);
    const weft_array sums = weft_array_new(device, WEFT_U64, N);
    weft_for_each(device, N, orbit_drift, .time = 8, .bodies = bodies);
    const weft_array mass =
        weft_lazy(N, orbit_mass_beyond, .position = 5000, .bodies = bodies);
    weft_reduce(device, mass, weft_plus(WEFT_U64), &total);
    weft_scan(device, mass, weft_plus(WEFT_U64), WEFT_INCLUSIVE, sums);
    weft_read(device, sums, running);
    weft_return(device, bodies);
    const int good = weft_check(device) == WEFT_OK && total == expected &&
                     running[N - 1] == expected && host[1].position == -3;
    printf("%s: %s%s\n", weft_backend_name(device), good ? "right" : "wrong ",
           weft_error(device));
    weft_close(device);
    free(host);
    free(running);
    return !good;
}
