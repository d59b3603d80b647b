/* How many members of halos the device has room for, where its memory is limited. */
#ifndef WEFT_CLI_HALOS_ROOM_H
#define WEFT_CLI_HALOS_ROOM_H

#include "halos.h"

/* Bytes of the device that a halo of so many members takes, from grouping to centers, of
 * particles of row_bytes each; and how many members of halos a limit allows for. */
int64_t room_needed(const struct halos_run *run, int64_t members, int64_t row_bytes);
int64_t room_within(const struct halos_run *run, int64_t limit, int64_t row_bytes);

/* Bytes of the device that spheres take at least, and among so many particles of row_bytes
 * each; how many particles a memory limit allows for at a time, all without a limit. */
enum { ROOM_SPHERES = 40 << 20 };
int64_t room_spheres(int64_t particles, int64_t row_bytes);
int64_t room_around(const struct halos_run *run, int64_t row_bytes);

/* The least that has room for the smallest halo that is kept, and the smallest spheres. */
int64_t room_least(const struct halos_run *run);

/* Whether the smallest halo that is kept fits, and the smallest spheres: as soon as a
 * device is open. Else says what is the least that does, and with how much no halo is
 * worked on in a file (spill.h). Returns the exit status. */
int room_check(const struct halos_run *run);

#endif
