/* Versions, and what they promise.
 *
 * The public surface is what <weft/weft.h> declares of functions, types and members, their
 * contracts, and the dialect of <weft/kernel.h>. With version MAJOR.MINOR.PATCH:
 *   - A program that was compiled with X.Y runs with the library of every later X.Z, from
 *     0.1 on: the shared library is libweft.so.MAJOR.
 *   - A patch changes nothing of it. A minor version adds: functions, constants, values of
 *     an enum at its end, parts of what was WEFT_E_ARGUMENT before, and members in the
 *     `reserved` room of a struct. Structs keep their size and the places of their members.
 *   - Only a major version takes away, or changes what a call means.
 *   - `reserved` members are 0, as an initialiser by names leaves them:
 *     &(weft_fof_options){.linking_length = 0.2}. What is added there means, if it is 0,
 *     what was always done; a library that does not know it yet refuses all else in one
 *     sentence. So an old program runs with a new library, and a new program is told where
 *     the library is too old.
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
