/* The names of the files that `weft halos` writes for a snapshot. */
#ifndef WEFT_CLI_HALOS_NAMES_H
#define WEFT_CLI_HALOS_NAMES_H

#include "io/files/error.h"

#include <stdbool.h>

struct halos_options;
struct halos_run;

/* Whether none of the snapshots is a value of --properties or --periodic, which may be
 * without one and have theirs behind an equals sign; else a sentence. */
bool halos_names_are_snapshots(const struct halos_options *options, struct io_error *error);

/* Whether each snapshot gets a file of its own by this name: it has a place {} for the
 * snapshot's, or is a folder, which ends in /. */
bool halos_names_differ(const char *name);

/* Whether all names do, where there are several snapshots; else a sentence. */
bool halos_names_are_several(const struct halos_options *options, struct io_error *error);

/* Fills in the names of the run's files; its info tells whether the snapshot is one of
 * several files. False where memory is out. */
bool halos_names_settle(struct halos_run *run);
void halos_names_free(struct halos_run *run);

/* They, and the summary of all snapshots; NULL where one is not written. */
enum { NAMES_MOST = 7 };
void halos_names_list(const struct halos_run *run, const char *paths[NAMES_MOST]);

#endif
