/* A column on its way: pages of its rows that were sent go behind rows that come. */
#ifndef WEFT_DISTRIBUTED_PASSING_H
#define WEFT_DISTRIBUTED_PASSING_H

#include "pages.h"

#include <stdint.h>

/* Where rows of a rank come to lie: they come in ascending order from `start` to `end`, and
 * then from `first` to `start`. */
struct passing_stream {
    int64_t first, start, end;
    char *until; /* before it there are pages, where it is not before what comes */
};

struct passing {
    char *sent, *receive;
    size_t sent_bytes, receive_bytes; /* a row */
    size_t page;                      /* so many bytes at a time, and aligned to them */
    int ranks, spares;
    struct passing_stream *stream; /* [ranks] */
    struct pages *spare;           /* room for one a block: of rows that are gone */
    char *gone, *left; /* where the last rows that went end, and what is left of them begins
                        */
};

/* How many bytes are best passed at a time where so many are sent, and so many come: those
 * of a large page, if both columns have such, as others are taken apart then. */
size_t passing_page(size_t sent, size_t come);

/* Rows [first, end) were sent, whose memory is not read any more. */
void passing_gone(struct passing *passing, int64_t first, int64_t end);

/* Rows [first, first + n) are about to be written. False: memory is out. */
bool passing_comes(struct passing *passing, int64_t first, int64_t n);

#endif
