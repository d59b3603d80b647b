/* Words that are not there, and those that were meant. */
#ifndef WEFT_CLI_TYPOS_H
#define WEFT_CLI_TYPOS_H

#include <argp.h>

/* Letters to change, add or take away, or to swap with the next, from one word to another
 * (Damerau's distance of neighbours). Many for words of more than 32 letters. */
int typos_distance(const char *a, const char *b);

enum { TYPOS_FAR = 3 }; /* another word */

/* The first long option that is not there while one is that is nearly called so. */
struct typo {
    char name[64];     /* without -- */
    const char *meant; /* NULL: there is none; all else is the parser's to say */
};
struct typo typos_look(const struct argp *argp, int argc, char **argv);

#endif
