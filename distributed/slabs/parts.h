/* Parts of rows, which go to one rank each, side by side; and memory for them. */
#ifndef WEFT_DISTRIBUTED_PARTS_H
#define WEFT_DISTRIBUTED_PARTS_H

#include "slabs.h"
#include "slabs.kernel.h"

#include <stdbool.h>
#include <weft/array.h>

enum { PARTS_WORD = 8 };

/* Takes the part of each of so many rows from `rows` to `part`, or puts it back there; both
 * as words of 8 bytes. */
void parts_move(weft_device *device, int64_t count, slabs_rows_of of, weft_array rows,
                weft_array part, bool back);

/* The room that the slabs keep where it is large enough, else another: `memory` is NULL
 * after comm_fail. It is kept again, or freed, by parts_leave_room. */
struct slabs_room parts_take_room(const struct slabs *slabs, size_t bytes);
void parts_leave_room(const struct slabs *slabs, struct slabs_room room);

#endif
