/* Text in XML. */
#ifndef WEFT_IO_XML_H
#define WEFT_IO_XML_H

#include <stdio.h>

/* Writes a text, and what XML reads otherwise as XML has it. */
void io_put_xml(FILE *stream, const char *text);

#endif
