/* --assume, of commands that read snapshots. */
#ifndef WEFT_CLI_ASSUME_H
#define WEFT_CLI_ASSUME_H

#include <argp.h>

/* A child parser without an input. */
extern const struct argp assume_argp;

#endif
