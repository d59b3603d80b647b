/* May the ids of a file serve as ids? They may where all are different and below 2^63. */
#ifndef WEFT_IO_IDS_H
#define WEFT_IO_IDS_H

#include "io/files/error.h"

enum io_ids_verdict { IO_IDS_GOOD, IO_IDS_REPEATED, IO_IDS_TOO_LARGE };

/* Judges ids[0..n) by `threads` threads, with the same answer for any number of them; an id
 * of 2^63 or above reads as negative here.
 *   verdict   what they are
 *   example   one id that is repeated, or the index of one that is too large
 * Cost: O(n). Scratch: where the ids span less than 16 n, one bit for each value of that
 * span; otherwise 2 to 4 bytes an id, and for the few ids that share a hash with another
 * (one in twelve, or all that are repeated) 24 to 40 bytes each.
 * Errors: no memory. */
bool io_ids_judge(const int64_t *ids, int64_t n, int threads, enum io_ids_verdict *verdict,
                  int64_t *example, struct io_error *error);

/* The same where the smallest and the largest are known. */
bool io_ids_judge_within(const int64_t *ids, int64_t n, int threads, int64_t smallest,
                         int64_t largest, enum io_ids_verdict *verdict, int64_t *example,
                         struct io_error *error);

#endif
