#include "again.h"
#include "cli/halos/room.h"
#include "cli/progress.h"

#include <inttypes.h>

/* That of a rank whose device has room: more than any device has. */
static const int64_t unlimited = (int64_t)1 << 50;

/* A device may hold again what it held before it had no room for more; if not, half of what
 * it was allowed to. 0: there is nothing less to try. */
static int64_t smaller(const struct halos_run *run) {
    const int64_t before = run->options.memory_limit, least = room_least(run);
    const int64_t wanted = before > 0 && before < unlimited
                               ? before / 2
                               : (int64_t)weft_memory_use(run->device).peak;
    const int64_t limit = wanted > least ? wanted : least;
    return before == 0 || limit < before ? limit : 0;
}

bool again_in_pieces(struct comm *comm, const struct halos_run *run, int64_t *limit) {
    const struct halos_options *options = &run->options;
    const int culprit = run->comm.culprit;
    const bool lacks = run->device && weft_check(run->device) == WEFT_E_MEMORY;
    const int64_t mine = lacks ? smaller(run) : 0;
    int64_t of_culprit = mine;
    if (options->plot || options->plot_halo || culprit < 0 ||
        !comm_broadcast(comm, culprit, &of_culprit, sizeof of_culprit) || of_culprit == 0)
        return false;
    *limit = mine > 0                    ? mine
             : options->memory_limit > 0 ? options->memory_limit
                                         : unlimited;
    if (comm->rank == 0)
        progress_note(
            "%s: the device of rank %d has no room: begun again in pieces, of which "
            "it holds %" PRId64 " bytes at a time",
            options->snapshot, culprit, of_culprit);
    return true;
}
