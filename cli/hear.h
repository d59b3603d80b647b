/* What the library's calls tell, as parts of the line of progress. */
#ifndef WEFT_CLI_HEAR_H
#define WEFT_CLI_HEAR_H

#include "options.h"

/* Where somebody sees or hears of it, calls on the device are told from within, and end
 * where the listener of progress.h says so. */
void hear_calls(weft_device *device);

/* options_open, and that. */
weft_device *hear_open(const struct shared_options *options, int *status);

/* No longer: for a device that others go on with. */
void hear_nothing(weft_device *device);

#endif
