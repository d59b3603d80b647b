/* Text that grows. */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_room(opencl_text *text, size_t more) {
    if (text->failed)
        return 0;
    if (text->length + more + 1 > text->room) {
        const size_t room = 2 * (text->length + more + 1);
        char *bytes = realloc(text->bytes, room);
        if (!bytes) {
            text->failed = 1;
            return 0;
        }
        text->bytes = bytes;
        text->room = room;
    }
    return 1;
}

void opencl_append_bytes(opencl_text *text, const char *bytes, size_t length) {
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void opencl_append(opencl_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        text->failed = 1;
    else if (make_room(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
        text->length += (size_t)length;
    }
    va_end(arguments);
}

void opencl_free_text(opencl_text *text) {
    free(text->bytes);
    free(text->structs);
}
