/* Particles of several types of one snapshot, read as if they were of one: those of the
 * first type, then those of the next, and so on, each in their own order.
 *
 * Numbers are as wide as the widest of them. Where types differ in the mass of a particle,
 * or in whether there are masses, each particle has its own. Ids are compared over all
 * types; where one has none, the index takes the place of all. */
#ifndef WEFT_IO_MIXTURE_H
#define WEFT_IO_MIXTURE_H

#include "snapshot.h"

struct mixture;

/* Opens `n` types of the snapshot, at least one, and of them the `fields`. NULL and a
 * sentence where one cannot be opened, and where they do not go together: velocities that
 * one has and another has not, units that differ. A type without particles is none. */
struct mixture *mixture_open(const char *path, int n, const int *types, unsigned fields,
                             struct io_error *error);
void mixture_close(struct mixture *mixture);

/* As snapshot_info has it, of all of them; valid until mixture_close. */
const struct snapshot_info *mixture_info(const struct mixture *mixture);

/* That of the first type, for what is the same for all: parts, fingerprint, and whether a
 * file is one that they are read from. */
const struct snapshot *mixture_files(const struct mixture *mixture);

/* Whether particles of one and the other have the same units, and masses or none; else a
 * sentence that calls them so. */
bool mixture_go_together(const struct snapshot_info *a, const struct snapshot_info *b,
                         const char *path, const char *what_a, const char *what_b,
                         struct io_error *error);

/* As those of snapshots. */
void mixture_set_threads(struct mixture *mixture, int threads);
void mixture_tell(struct mixture *mixture, void (*told)(int64_t done, int64_t total));
bool mixture_has_one_mass(const struct mixture *mixture, double *mass);
bool mixture_read(struct mixture *mixture, unsigned fields,
                  struct snapshot_particles *particles, struct io_error *error);
bool mixture_read_slice(struct mixture *mixture, int64_t first, int64_t count,
                        unsigned fields, struct snapshot_particles *particles,
                        struct io_error *error);

#endif
