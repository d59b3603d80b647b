/* Parts of rows, which go to one rank each, side by side. */
#ifndef WEFT_DISTRIBUTED_PARTS_H
#define WEFT_DISTRIBUTED_PARTS_H

#include "slabs.kernel.h"

#include <stdbool.h>
#include <weft/array.h>

enum { PARTS_WORD = 8 };

/* Takes the part of each of so many rows from `rows` to `part`, or puts it back there; both
 * as words of 8 bytes. */
void parts_move(weft_device *device, int64_t count, slabs_rows_of of, weft_array rows,
                weft_array part, bool back);

#endif
