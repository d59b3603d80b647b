/* Blocks of random words for the host, many at a time. */
#ifndef WEFT_PRIMITIVES_RANDOM_BLOCKS_H
#define WEFT_PRIMITIVES_RANDOM_BLOCKS_H

#include "weft/random.h"
#include "weft/short_names.h"

enum { RANDOM_BLOCKS = 128 /* that are made at a time: as many as a tile of u32 holds */ };

/* Blocks [first, first + n) of a stream, as philox() defines them: at most RANDOM_BLOCKS.
 * Words behind them, up to 4 RANDOM_BLOCKS, may be overwritten. */
void random_blocks(const weft_stream *stream, u64 first, i64 n, u32 *words);

#endif
