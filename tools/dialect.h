/* What kernel files may not say. */
#ifndef WEFT_TOOLS_DIALECT_H
#define WEFT_TOOLS_DIALECT_H

/* Past a comment, a literal or a preprocessor line that begins at p; p where none does. */
const char *dialect_skip(const char *p, int line_begins);

/* The first place where an OpenCL compiler would refuse the text, or read it otherwise than
 * a C compiler: writes what to do instead to `sentence`, and returns the line; 0: none.
 * Parts that depend on __OPENCL_VERSION__ are left to their author. */
int dialect_mistake(const char *text, const char *stem, char *sentence, int size);

#endif
