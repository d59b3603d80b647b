/* What outputs are called where no name is given. All for free(); NULL: out of memory. */
#ifndef WEFT_CLI_NAMES_H
#define WEFT_CLI_NAMES_H

#include <stdbool.h>

/* The name of what is read without its folder, its ending and, of one of several files, its
 * number; "stdin" for -. */
char *names_stem(const char *path, bool of_several);

/* Whether the name ends in a slash. */
bool names_folder(const char *name);

/* `asked`; where it is NULL STEM and the ending, and where it is a folder these in it. */
char *names_output(const char *asked, const char *stem, const char *ending);

/* DATA.xdmf beside DATA.hdf5. */
char *names_xdmf(const char *hdf5);

#endif
