/* The centers that `weft halos --centers` may ask for. */
#ifndef WEFT_CLI_CENTERS_H
#define WEFT_CLI_CENTERS_H

#include "halos.h"

/* Finds one kind of center of all halos, and appends its columns to the catalogue. Returns
 * the exit status, after telling what failed. */
typedef int center_function(struct halos_run *run);

struct center {
    const char *name;
    center_function *find;
    bool softened; /* found in a potential with a softening */
};

center_function center_mbp, center_mcp, center_poisson;

/* Ends with a name that is NULL. A set of centers has bit 1 << k for entry k. */
extern const struct center centers[];

/* The set that is found where none is asked for. */
enum { CENTERS_DEFAULT = 1u << 0 };

/* Whether the center of that name is in a set. */
bool centers_contain(unsigned set, const char *name);

/* Whether one of a set is found in a potential with a softening. */
bool centers_softened(unsigned set);

/* Adds the centers of a comma-separated list to a set. False, and a sentence for the user,
 * where one is unknown. */
bool centers_parse(const char *list, unsigned *set, struct io_error *error);

/* Appends the id and the position of one particle a halo, as columns of these names and
 * descriptions.
 *   particle   [halos] u32: input indices */
void centers_add_particle(struct halos_run *run, const char *id_name, const char *id_is,
                          const char *position_name, const char *position_is,
                          weft_array particle);

/* Appends the potentials of such particles.
 *   potential   [halos] f64 */
void centers_add_potential(struct halos_run *run, const char *name, weft_array potential);

#endif
