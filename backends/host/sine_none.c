/* Where there is no FFTW. */
#include "host.h"

int host_sine_transform(weft_device *device, i64 n, weft_span cubes,
                        const host_crew *crew) {
    (void)device, (void)n, (void)cubes, (void)crew;
    return 0;
}
