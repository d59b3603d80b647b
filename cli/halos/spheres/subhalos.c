/* Spheres around subhalos. How far a search goes at first is told by the halo they are in,
 * whose matter a sphere around one of them has, too. */
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

void *halos_so_hosts(struct halos_run *run, const struct halos_columns *halos,
                     const struct halos_subhalos *subhalos, const char *name) {
    const char *all = halos_columns_find(halos, name);
    const int64_t *halo = halos_columns_find(&subhalos->columns, "halo");
    char *numbers = halos_allocate(run, subhalos->n, 8);
    for (int64_t s = 0; numbers && s < subhalos->n; ++s)
        memcpy(numbers + 8 * s, all + 8 * halo[s], 8);
    return numbers;
}

/* Columns of subhalos take the place of those of halos meanwhile. */
int halos_so_find_subhalos(struct halos_run *run) {
    const struct halos_columns halos = run->columns;
    struct halos_subhalos *s = &run->subhalos;
    if (run->so.n == 0 || run->so.in_parts || !run->options.subhalos)
        return CLI_DONE;
    halos_show(run, "spherical overdensities of subhalos");
    int64_t *guess = halos_so_hosts(run, &halos, s, "count");
    if (guess) {
        const struct halos_so_centers of = {
            true, s->n, halos_columns_find(&s->columns, "position"), guess};
        run->columns = s->columns;
        halos_so_around(run, &of, NULL);
        s->columns = run->columns;
        run->columns = halos;
    }
    free(guess);
    return weft_check(run->device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                               progress_error(run->device));
}
