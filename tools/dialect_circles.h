/* Functions of a kernel file that call each other in a circle. */
#ifndef WEFT_TOOLS_DIALECT_CIRCLES_H
#define WEFT_TOOLS_DIALECT_CIRCLES_H

#include <stddef.h>

enum { CIRCLES_CALLS = 4096 }; /* of a file; more are not looked at */

/* A function calls another; names lie in the text. */
typedef struct circles_call {
    const char *caller, *callee;
    size_t caller_length, callee_length;
    int line, from; /* from: the call that led here, or -1 */
} circles_call;

typedef struct circles {
    circles_call call[CIRCLES_CALLS];
    int calls;
} circles;

/* Notes a call that lies in a body. */
void circles_note(circles *all, circles_call call);

/* The line of a call that begins a circle, and a sentence about it, or 0. */
int circles_find(circles *all, char *sentence, int size);

#endif
