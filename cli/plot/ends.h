/* What a picture leaves while it is drawn is gone however the command ends, but for
 * SIGKILL: a folder of files, and a child. */
#ifndef WEFT_CLI_PLOT_ENDS_H
#define WEFT_CLI_PLOT_ENDS_H

#include <sys/types.h>

/* From now on a signal that ends the command removes first these files of the folder, the
 * folder itself, and the child, 0: none yet. Both names must stay as they are. */
void ends_guard(const char *folder, const char *const *files, int n);
void ends_child(pid_t child);

/* Signals end the command as before. */
void ends_release(void);

#endif
