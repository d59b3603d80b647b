/* `--devices`: a command on several OpenCL devices of this machine, with a rank on each. */
#ifndef WEFT_CLI_LAUNCH_DEVICES_H
#define WEFT_CLI_LAUNCH_DEVICES_H

#include "cli/options.h"

/* --devices, and with it the options of shared_argp: for commands that take ranks. */
extern const struct argp devices_argp;

/* Numbers of the devices that ranks take in turn, at most `most`: GPUs where there are,
 * else what there is. Returns how many. */
int devices_alike(int64_t *number, int most);

/* Whether this rank has a GPU that it alone sees. */
bool devices_have_own(void);

/* The sentence where `asked` are more than there are; returns the exit status. */
int devices_too_few(int64_t asked, int there);

/* In a rank that was started: its device's driver begins, while MPI does. */
void devices_begin(void);

/* Where ranks are to be started, starts them, waits for them, and leaves their exit status,
 * or that of a failure, which is told. False: this process does the work.
 *   read_input   whether the command reads standard input */
bool devices_start(const struct shared_options *options, bool read_input, int *status);

#endif
