#include "xml.h"

void io_put_xml(FILE *stream, const char *text) {
    for (; *text != '\0'; ++text) {
        if (*text == '&')
            fputs("&amp;", stream);
        else if (*text == '<')
            fputs("&lt;", stream);
        else
            fputc(*text, stream);
    }
}
