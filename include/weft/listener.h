/* How far a long call has come, while it runs, and a way to end it. */
#ifndef WEFT_LISTENER_H
#define WEFT_LISTENER_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Hears how much of a call is done.
 *   context  what weft_listen was given
 *   call     the call's name ("weft_fof"), which lives as long as the library
 *   done     0 as the call begins, 1 as it ends without an error; never less than before.
 *            Parts are guessed from what they cost elsewhere: time that is left is an
 *            estimate
 * Returns 0 to go on. Else the call ends with WEFT_E_STOPPED, as after any error; at 1,
 * where there is nothing left to end, the answer counts for nothing.
 * It runs on the thread that made the call, between launches; on serial and pthreads also
 * within long ones, some 100 times. It may not use the device. */
typedef int weft_listener(void *context, const char *call, double done);

/* Has all long calls on a device heard from now on; `listener` NULL: none. Those are fof,
 * dbscan, mbp and potentials, mcp, poisson, so and what spheres are like inside, profiles,
 * lattices and sheets, subhalos, neighbours, nearest, links and power spectra; primitives
 * are not told. A device of OpenCL runs behind what is told: `done` is what it was given,
 * and work that it has goes on after an answer that ends the call.
 * It works after errors, too.
 * Cost: none without a listener; with one a call of it now and then, and long loops in some
 * 100 pieces.
 * Errors: WEFT_E_ARGUMENT (within a call: from a listener). */
WEFT_API weft_status weft_listen(weft_device *device, weft_listener *listener,
                                 void *context);

/* For algorithms of your own, which are heard as the library's are: where one begins and
 * where it ends. One within another fills the part that the outer one is at, and only the
 * outermost is named. They come in pairs, also after errors. `name` outlives the call. */
WEFT_API void weft_task_begin(weft_device *device, const char *name);
WEFT_API void weft_task_end(weft_device *device);

/* The task's next part ends where `part` of it, 0 to 1, is done; all before is done now. If
 * a launch (weft_for_each) comes next, it fills the part as it goes. Returns the device's
 * status: where it is not WEFT_OK there is no use in going on. */
WEFT_API weft_status weft_task_until(weft_device *device, double part);

#ifdef __cplusplus
}
#endif
#endif
