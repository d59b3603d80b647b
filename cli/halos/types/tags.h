/* Tags of halos, and the place of each among them. */
#ifndef WEFT_CLI_HALOS_TAGS_H
#define WEFT_CLI_HALOS_TAGS_H

#include <stdbool.h>
#include <stdint.h>

struct tags {
    int64_t n;
    int64_t *tag;   /* [n] in the order in which they came */
    int64_t *place; /* [slots], -1 where a slot is free */
    uint64_t mask;  /* slots - 1 */
};

/* Room for `most` of them. False where memory is out; free them in each case. */
bool tags_new(struct tags *tags, int64_t most);
void tags_free(struct tags *tags);

/* The place of one, which is the last where it is new. */
int64_t tags_place(struct tags *tags, int64_t tag);

#endif
