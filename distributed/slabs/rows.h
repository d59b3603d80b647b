/* Rows of planes' spectra on their way to the ranks whose they are, some planes of each
 * slab at a time, and back: by shelves, on a queue beside the device's where there is one,
 * or as messages. */
#ifndef WEFT_DISTRIBUTED_ROWS_H
#define WEFT_DISTRIBUTED_ROWS_H

#include "slabs.h"

#include <weft/queue.h>

struct rows {
    const struct slabs *slabs;
    weft_device *device, *beside; /* beside: the device, where there is no other queue */
    weft_array words;             /* the spectrum, as words of 8 bytes */
    int64_t columns, word;        /* numbers of a row, words of each */
    int64_t row;                  /* words of a row */
    struct slab own;
    struct comm_shelves *shelves; /* NULL: they travel as messages */
    struct route route;           /* numbers of rows for and of the others, in a round */
    char *out, *in;               /* these on the host */
    struct slabs_room room;
    weft_array sorted[2]; /* those for other ranks, by rank, plane and row, in turn */
};

/* Memory for all rounds, on the device in the scope that is open. False after a failure. */
bool rows_begin(struct rows *rows, const struct slabs *slabs, weft_device *device,
                weft_array spectrum);
void rows_end(struct rows *rows);

int64_t rows_rounds(const struct rows *rows);

/* The planes of this rank's slab that travel in a round. */
struct slab rows_planes(const struct rows *rows, int64_t round);

/* Between a round's planes, [planes][n[1]] rows, and what is sorted; a rank's own rows go
 * to its spectrum at once. */
void rows_arrange(struct rows *rows, int64_t round, weft_array planes, bool back);

/* What is sorted, or back what the spectrum has, is laid out for others; is there, for all;
 * and is taken from them to the spectrum, or back to where it is sorted. */
void rows_lay(struct rows *rows, int64_t round, bool back);
bool rows_laid(struct rows *rows, int64_t round, bool back);
void rows_take(struct rows *rows, int64_t round, bool back);

#endif
