/* What people are told while a command runs, all of it on standard error. */
#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <weft/listener.h>

/* Errors begin with `command`; `quiet` leaves nothing but them. */
void progress_start(const char *command, bool quiet);

/* One who hears what goes on, in place of a terminal; NULL: nobody. Notes go there whatever
 * `quiet` says. `step` returns false where the work shall end: progress_stopped tells. */
struct progress_listener {
    bool (*step)(const char *line);
    void (*note)(const char *sentence);
};
void progress_listen(const struct progress_listener *listener);
bool progress_stopped(void);

/* The line that says what is going on. Shown on a terminal alone; each replaces the last.
 */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How much of what the line says is done: percentages, and once it took a second the time
 * that is left. Lines after it are new. */
void progress_part(int64_t done, int64_t total);

/* Where somebody sees or hears of it, calls on the device tell how much of them is done, as
 * parts of the line while progress_part tells none, and end where the listener says so.
 * Returns the device, which may be NULL. */
weft_device *progress_hear(weft_device *device);

/* No longer: for a device that others go on with. */
void progress_unhear(weft_device *device);

/* Lines begin with the number of the snapshot from here on. */
void progress_number(int number, int of);

/* Takes the line away. */
void progress_end(void);

/* One sentence that stays: something of the input that was decided for the user. */
void progress_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on the first failure is kept (one before is forgotten), and told only where
 * progress_tell asks for it: of several ranks that fail, one speaks. */
void progress_hold(void);
void progress_tell(void);

/* One sentence that says why the command fails. Returns `status`. */
int progress_fail(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Why the device failed, without the name of the library's call that says so. */
const char *progress_error(const weft_device *device);

/* What is kept, or what progress_fail said last; empty before. */
const char *progress_failure(void);

/* The ending of a noun that so many are of. */
const char *progress_plural(int64_t count);

/* Writes out what standard output still holds; a full disk fails the command here. */
int progress_finish(int status);

#endif
