/* The true places of lines that a compiler counts from the top of all it was given. */
#include "backends/opencl/program/program.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "a\nb\n#line 1 \"x.h\"\nf1\nf2\n#line 7 \"y.h\"\ng7\ng8\n";

static int differs(const char *log, const char *expected, size_t room) {
    char out[64];
    opencl_true_places(text, log, out, room);
    if (strcmp(out, expected) == 0)
        return 0;
    fprintf(stderr, "'%s' became '%s', not '%s'\n", log, out, expected);
    return 1;
}

int main(void) {
    return differs("<kernel>:5:3: error: no", "x.h:2:3: error: no", 64) +
           differs("<kernel>:8: first\n<kernel>:4: second", "y.h:8: first\nx.h:1: second",
                   64) +
           differs("<kernel>:1:1: before any file", "<kernel>:1:1: before any file", 64) +
           differs("x.h:2:3: known", "x.h:2:3: known", 64) + differs("", "", 64) +
           differs("<kernel>:5:3: error", "<ker", 5);
}
