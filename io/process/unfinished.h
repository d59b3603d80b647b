/* Files under temporary names, which a signal that ends the process takes away. */
#ifndef WEFT_IO_FILES_UNFINISHED_H
#define WEFT_IO_FILES_UNFINISHED_H

#include <signal.h>

/* Signals that end a process unless it asks otherwise: by people, by pipes that nobody
 * reads, and by batch systems, of which some send SIGUSR1, SIGUSR2 or SIGXCPU as time runs
 * out. */
enum { UNFINISHED_SIGNALS = 9 };
extern const int unfinished_signals[UNFINISHED_SIGNALS];

/* From now on these first remove the files that are listed; for a process of one's own. One
 * that it ignores, as under nohup, stays ignored. */
void unfinished_guard(void);

/* They wait, where this thread would take them, while a file gets its name and is
 * listed. */
void unfinished_hold(sigset_t *before);
void unfinished_let_go(const sigset_t *before);

/* Lists a file; returns its number, or -1 where there is no room: then it is left behind.
 */
int unfinished_add(const char *path);
void unfinished_remove(int number);

#endif
