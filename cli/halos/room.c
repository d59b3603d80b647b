#include "room.h"
#include "cli/command.h"
#include "cli/halos/centers/centers.h"
#include "cli/progress.h"
#include "so.h"

#include <inttypes.h>

/* Bytes that a member takes beside its own numbers, and with subhalos more; that any halo
 * takes, however small; that centers take at most beside: grids, and sums of all candidates
 * in blocks of BLOCK. */
enum { MEMBER = 200, OF_SUBHALOS = 600, MOST = 48 << 20, BLOCK = 256 };

/* On GPUs, and for grids, scratch does not depend on how many members there are. */
static int64_t for_centers(const struct halos_run *run, int64_t members) {
    if (weft_device_style(run->device) == WEFT_SIMT ||
        centers_contain(run->options.centers, "poisson"))
        return MOST;
    if ((!run->options.subhalos && !centers_softened(run->options.centers)) || members == 0)
        return 0;
    return members < MOST / (8 * (members / BLOCK + 1))
               ? 8 * members * (members / BLOCK + 1)
               : MOST;
}

int64_t room_needed(const struct halos_run *run, int64_t members, int64_t row_bytes) {
    const int64_t each = MEMBER + (run->options.subhalos ? OF_SUBHALOS : 0);
    return OPTIONS_LEAST_MEMORY + for_centers(run, members) + members * (each + row_bytes);
}

int64_t room_within(const struct halos_run *run, int64_t limit, int64_t row_bytes) {
    int64_t low = 0, high = limit / MEMBER + 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (room_needed(run, middle, row_bytes) <= limit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum { SPHERES = 32 << 20 }; /* lists; ROOM_SPHERES leaves some room */

int64_t room_spheres(int64_t particles, int64_t row_bytes) {
    enum { PARTICLE = 128 };
    return SPHERES + particles * (PARTICLE + row_bytes);
}

int64_t room_around(const struct halos_run *run, int64_t row_bytes) {
    const int64_t limit = run->options.memory_limit;
    return limit == 0 ? INT64_MAX
                      : (limit - SPHERES) / (room_spheres(1, row_bytes) - SPHERES);
}

/* What is enough whatever the halos are: one may hold all particles. */
static int64_t enough(const struct halos_run *run, int64_t least) {
    enum { ROW = 128 }; /* bytes of a particle at most */
    const int64_t halo = room_needed(run, run->info.n, ROW);
    const int64_t around = halos_so_planned(run) ? room_spheres(run->info.n, ROW) : 0;
    const int64_t most = halo > around ? halo : around;
    return most > least ? most : least;
}

int64_t room_least(const struct halos_run *run) {
    enum { POSITION = 24 };
    const int64_t halo = room_needed(run, run->options.min_members, POSITION);
    return halos_so_planned(run) && halo < ROOM_SPHERES ? ROOM_SPHERES : halo;
}

int room_check(const struct halos_run *run) {
    const int64_t limit = run->options.memory_limit, least = room_least(run);
    const bool spheres = least == ROOM_SPHERES;
    if (limit == 0 || limit >= least)
        return CLI_DONE;
    return progress_fail(
        CLI_FAULT,
        "--memory-limit: %s not fit %" PRId64 " bytes: the least that "
        "does is %" PRId64 "; with less than %" PRId64
        " large halos are worked on in a file beside the catalogue%s",
        spheres ? "spherical overdensities do" : "the smallest halo and its centers do",
        limit, least, enough(run, least), spheres ? "; --so none leaves them out" : "");
}
