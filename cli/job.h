/* What a process of the command is among those that a launcher started with it. */
#ifndef WEFT_CLI_JOB_H
#define WEFT_CLI_JOB_H

#include <stdbool.h>

/* Finds the others, before options are parsed. Commands that work `together` on several
 * ranks need one command line, which is looked at; of the others rank 0 does the work where
 * all lines are the same, and each its own where they differ. Returns whether this process
 * has work to do, or else its exit status, after telling what is wrong. Standard output of
 * ranks beside the first is closed where one speaks for all. `--no-mpi` among the arguments
 * means that there are no others. */
bool job_begin(int argc, char **argv, bool together, int *status);

/* Whether it was. */
bool job_is_alone(void);

#endif
