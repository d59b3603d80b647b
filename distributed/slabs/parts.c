#include "parts.h"

#include <stdlib.h>
#include <weft/register.h>
#include <weft/transform.h>

WEFT_GENERATOR(slabs_take, u64, (value, slabs_rows_of, of), (in, u64, planes, 0))
WEFT_KERNEL(slabs_put, (value, slabs_rows_of, of), (in, u64, rows), (out, u64, planes, 0))

void parts_move(weft_device *device, int64_t count, slabs_rows_of of, weft_array rows,
                weft_array part, bool back) {
    const int64_t n = count * of.part;
    if (n > 0 && back)
        weft_for_each(device, n, slabs_put, .of = of, .rows = part, .planes = rows);
    else if (n > 0)
        weft_transform(device, n, part, slabs_take, .of = of, .planes = rows);
}

struct slabs_room parts_take_room(const struct slabs *slabs, size_t bytes) {
    struct slabs_room room = {0}, *kept = slabs->room;
    if (kept) {
        room = *kept;
        *kept = (struct slabs_room){0};
    }
    if (room.memory && room.bytes >= bytes)
        return room;
    free(room.memory);
    return (struct slabs_room){
        comm_allocate(slabs->comm, (int64_t)bytes, 1, "rows of a mesh"), bytes};
}

void parts_leave_room(const struct slabs *slabs, struct slabs_room room) {
    if (slabs->room)
        *slabs->room = room;
    else
        free(room.memory);
}
