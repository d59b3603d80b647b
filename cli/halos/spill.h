/* Halos and spheres that a memory limit does not hold: worked on by the processors, with
 * what the device would hold in a file beside the catalogue, which the system may take out
 * of memory. The file has no name, and ends with the process. */
#ifndef WEFT_CLI_HALOS_SPILL_H
#define WEFT_CLI_HALOS_SPILL_H

#include <stdbool.h>
#include <stdint.h>
#include <weft/device.h>

struct halos_run;

struct spill {
    weft_device *device;  /* NULL: none was needed so far */
    weft_device *limited; /* the run's, while that is in its place */
    int trouble;          /* errno of the file; 0: none */
    char folder[256];     /* where the file is */
};

/* Puts such a device in the place of the run's, for so many particles around or of a halo,
 * which would need so many bytes; the first time this is said. The run's device has to have
 * nothing but what stays for spill_end, which is called in each case. False after
 * comm_fail. */
bool spill_begin(struct halos_run *run, int64_t particles, int64_t needed);

/* Puts the run's device back; the other has nothing any more. */
void spill_end(struct halos_run *run);

void spill_close(struct halos_run *run);

#endif
