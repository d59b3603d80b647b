/* Words that are not there, and those that were meant. */
#ifndef WEFT_CLI_TYPOS_H
#define WEFT_CLI_TYPOS_H

#include <argp.h>

/* Letters to change, add or take away, or to swap with the next, from one word to another
 * (Damerau's distance of neighbours). Many for words of more than 32 letters. */
int typos_distance(const char *a, const char *b);

enum { TYPOS_FAR = 3 }; /* another word */

/* Ends the process with a sentence and status 2 where a long option is not there, but one
 * that is nearly called so; all else is the parser's to say. */
void typos_look(const struct argp *argp, int argc, char **argv);

#endif
