/* Versions, and what they promise.
 *
 * The public surface is what <weft/weft.h> declares of functions, types and members, their
 * contracts, and the dialect of <weft/kernel.h>. With version MAJOR.MINOR.PATCH:
 *   - A program that was compiled with X.Y runs with the library of every later X.Z, from
 *     0.1 on: the shared library is libweft.so.MAJOR.
 *   - A patch changes nothing of it. A minor version adds: functions, constants, values of
 *     an enum at its end, and parts of what was WEFT_E_ARGUMENT before. Structs keep their
 *     size and the places of their members.
 *   - Only a major version takes away, or changes what a call means.
 * What is written to files, and the order of sums, may change with a minor version where
 * CHANGELOG.md says so; decisions (which particles are friends, which is the most bound)
 * do not. */
#ifndef WEFT_VERSION_H
#define WEFT_VERSION_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of these headers; for the preprocessor, too. */
#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

/* Of the library that runs: "0.1.0". */
WEFT_API const char *weft_version(void);

#ifdef __cplusplus
}
#endif
#endif
