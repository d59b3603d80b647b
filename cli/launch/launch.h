/* This command once more, as several ranks of this machine that a launcher starts. */
#ifndef WEFT_CLI_LAUNCH_LAUNCH_H
#define WEFT_CLI_LAUNCH_LAUNCH_H

#include <stdbool.h>

/* First of all: remembers the command line, and what is open. A process that launch_ranks
 * started gets what its own has open there, and ends with it. False where that has ended
 * already, which is told. */
bool launch_begin(int argc, char **argv);

/* Whether launch_ranks started this process. */
bool launch_is_rank(void);

/* Signals wait until a launch looks for them, or they are let go: before libraries make
 * threads, which would take them. */
void launch_hold_signals(void);
void launch_let_signals_go(void);

/* With signals held: starts so many, by the mpirun in PATH, and waits for them. They have
 * what this process was started with: arguments, environment but for WEFT_DEVICE, terminal,
 * files and pipes; of standard input, where they read it, a copy each. Signals that end
 * this process end them before, and go then. Returns the exit status, theirs or that of a
 * failure, which is told. */
int launch_ranks(int ranks, bool read_input);

#endif
