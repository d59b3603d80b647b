/* What a snapshot is taken to be where it does not tell it. */
#ifndef WEFT_IO_ASSUMED_H
#define WEFT_IO_ASSUMED_H

#include "io/files/error.h"

struct snapshot;
struct snapshot_info;

/* For snapshots that are opened from now on, beside what was assumed before: a list of
 * NAME=VALUE with commas between.
 *   length, mass   units: Mpc, kpc or pc; Msun or 1e10 Msun; each with or without /h
 *   particle       the mass of each, in that unit, where there are no masses
 *   box            the side of a periodic cube
 *   redshift, h, omega_m, omega_lambda   1 - omega_m where omega_lambda is not named
 * False and a sentence where it is not such a list, or has a name that was there before;
 * nothing is assumed then, as after "". */
bool snapshot_assume(const char *list, struct io_error *error);

/* Fills in what the snapshot does not tell. False and a sentence where it tells something
 * else, or a cosmology that is none and stays so. */
bool assumed_fill_in(struct snapshot *snapshot, struct io_error *error);

/* The redshift of it, for formats whose velocities go by it. */
void assumed_redshift(struct snapshot_info *info);

#endif
