/* Where a line of a program's text stands in truth. Most compilers follow #line; NVIDIA's
 * speaks of <kernel>:N, the N-th line of all that it was given. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pasted[] = "<kernel>:";

/* Writes FILE:LINE of the number-th line of text; returns its length, 0 where no #line
 * stands before it. */
static size_t true_place(const char *text, long number, char *out, size_t most) {
    char file[256] = "";
    long line = 0;
    for (long k = 1; *text && k < number; k++) {
        const int read = sscanf(text, "#line %ld \"%255[^\"]\"", &line, file);
        line += read == 2 ? 0 : 1;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    if (!*file)
        return 0;
    const int length = snprintf(out, most, "%s:%ld", file, line);
    return length > 0 && (size_t)length < most ? (size_t)length : 0;
}

void opencl_true_places(const char *text, const char *log, char *out, size_t most) {
    size_t length = 0;
    while (*log && length + 1 < most) {
        char *end = NULL;
        const int found = strncmp(log, pasted, sizeof pasted - 1) == 0;
        const long number = found ? strtol(log + sizeof pasted - 1, &end, 10) : 0;
        const size_t place =
            number > 0 ? true_place(text, number, out + length, most - length) : 0;
        if (place > 0) {
            length += place;
            log = end;
        } else {
            out[length++] = *log++;
        }
    }
    out[length] = '\0';
}
