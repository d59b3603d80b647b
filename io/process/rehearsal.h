/* What may crash on a damaged file happens first in a child process, which is this one over
 * again: what the child survives, its parent survives. */
#ifndef WEFT_IO_REHEARSAL_H
#define WEFT_IO_REHEARSAL_H

#include <stdbool.h>

/* Runs act(what) in a child; false where the child crashed, or computed for a minute. What
 * it says on standard error is not heard. True, too, where no child can be made. */
bool io_rehearse(void (*act)(const void *what), const void *what);

#endif
