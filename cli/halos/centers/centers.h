/* The centers of halos. Each is a file of this folder, NAME.c, and NAME in the list of
 * cli/meson.build; options, columns and help follow from what its file says. */
#ifndef WEFT_CLI_CENTERS_H
#define WEFT_CLI_CENTERS_H

#include "cli/halos/halos.h"

/* What is written of each center: the particle's id, where it is, and a number of its own.
 */
enum { CENTER_ID, CENTER_POSITION, CENTER_NUMBER, CENTER_COLUMNS };

struct center {
    const char *name; /* for --centers; columns are called NAME_... */
    struct halos_column columns[CENTER_COLUMNS];
    weft_type number; /* the type of its number: WEFT_F64 or WEFT_U32 */
    bool softened;    /* it is found in a potential with a softening */
    bool uses_cells;  /* of friends-of-friends, run->cells, where they are */
    /* Finds it in all halos of the run, and leaves errors to the device.
     *   particle   [halos] u32, out: input indices
     *   number     [halos], out */
    void (*find)(struct halos_run *run, weft_array particle, weft_array number);
    const struct argp *options; /* of its own, on a halos_options; or NULL */
};

/* Those of this build, and NULL. A set of centers has bit 1 << k for entry k. */
extern const struct center *const centers[];
enum { CENTERS_MOST = 32 };

/* The set that is found where none is asked for. */
enum { CENTERS_DEFAULT = 1u << 0 };

/* What stands for the potential of a particle at a center. */
extern const char centers_potential[];

/* Finds a set of centers and appends their columns. Returns the exit status, after telling
 * what failed. */
int centers_find(struct halos_run *run, unsigned set);

/* Whether the center of that name is in a set; whether one is softened, or uses cells. */
bool centers_contain(unsigned set, const char *name);
bool centers_softened(unsigned set);
bool centers_use_cells(unsigned set);

/* Adds the centers of a comma-separated list to a set. False, and a sentence for the user,
 * where one is unknown. */
bool centers_parse(const char *list, unsigned *set, struct io_error *error);

/* The names of all, or of the softened ones: "mbp, mcp and poisson". */
void centers_names(bool softened, const char *last, char text[256]);

#endif
