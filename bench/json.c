#include "json.h"

#include <math.h>

static void json_text(FILE *stream, const char *text) {
    putc('"', stream);
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < 0x20)
            fprintf(stream, "\\u%04x", c);
        else
            putc(c, stream);
    }
    putc('"', stream);
}

void json_member(FILE *stream, const char *key, const char *text) {
    json_text(stream, key);
    fputs(": ", stream);
    json_text(stream, text);
}

void json_number(FILE *stream, const char *key, double number) {
    json_text(stream, key);
    if (isfinite(number))
        fprintf(stream, ": %.12g", number);
    else
        fputs(": null", stream);
}
