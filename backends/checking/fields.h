/* The numbers that elements are made of. */
#ifndef WEFT_BACKENDS_CHECKING_FIELDS_H
#define WEFT_BACKENDS_CHECKING_FIELDS_H

#include "backends/host/host.h"

enum { CHECKING_FIELDS = 64 };

typedef struct checking_field {
    weft_type type;
    size_t offset;
} checking_field;

typedef struct checking_fields {
    int count;
    size_t bytes, alignment;
    checking_field field[CHECKING_FIELDS];
} checking_fields;

/* Those of a number: itself. Of a struct: its members, as its definition in the text of a
 * kernel file has them. Returns 0 where that leaves a doubt: members that are structs
 * themselves, lengths that are no plain numbers, more than CHECKING_FIELDS of them. */
int checking_fields_of(const char *text, const char *name, weft_type type,
                       checking_fields *fields);

#endif
