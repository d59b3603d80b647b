/* Types of particles that a file has, and that a command does not read. */
#ifndef WEFT_CLI_NOTES_LEFT_OUT_H
#define WEFT_CLI_NOTES_LEFT_OUT_H

#include "io/snapshot.h"

/* Notes how many of each there are, but for dark matter's PartType1. */
void left_out_tell(const char *path, const int64_t count[SNAPSHOT_TYPES]);

#endif
