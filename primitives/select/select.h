/* Which elements a compaction keeps, and where they go: made once, then used for each array
 * that is compacted the same way. */
#ifndef WEFT_PRIMITIVES_SELECT_H
#define WEFT_PRIMITIVES_SELECT_H

#include "primitives/primitives.h"

typedef struct weft_selection {
    weft_array flags;  /* u32; lazy ones are settled piece by piece, twice */
    weft_array places; /* [blocks + 1] i64: where each block's first goes, and how many */
    i64 block, blocks;
    u32 keep; /* 1: what has a flag; 0: what has none */
} weft_selection;

/* A piece of the input: whole blocks, in memory. */
typedef struct weft_selection_piece {
    i64 first, blocks;
    weft_array flags, places, in;
} weft_selection_piece;

/* In scratch: a scope must be open as long as it is used. */
weft_selection weft_selection_of(weft_device *device, weft_array flags, u32 keep);
void weft_selection_take(weft_device *device, const weft_selection *selection,
                         weft_array in, weft_array out);
/* Waits for the count, unless nobody asks. */
void weft_selection_count(weft_device *device, const weft_selection *selection, i64 *count);

/* Walks over the pieces of the input. */
typedef void weft_selection_visit(weft_device *device, const weft_selection *selection,
                                  const weft_selection_piece *piece, weft_array out);
void weft_selection_walk(weft_device *device, const weft_selection *selection,
                         weft_array in, weft_array out, weft_selection_visit *visit);

/* Selects what has a flag (keep 1) or has none (keep 0), by the backend's way or in blocks;
 * `out` may be `in`. Waits for the count, unless nobody asks or it is in place by way of
 * scratch. A scope must be open. */
void weft_select_into(weft_device *device, weft_array in, weft_array flags, u32 keep,
                      weft_array out, i64 *count);

/* Selects as the backend itself does, and tells the count; in.type 0: nothing is written.
 * Returns 0 where it has no way of its own. A scope must be open. */
int weft_select_directly(weft_device *device, weft_array in, weft_array flags, u32 keep,
                         int partition, weft_array out, i64 *count);

/* The same, and the count, [1] i64, stays in memory. */
int weft_select_counting(weft_device *device, weft_array in, weft_array flags, u32 keep,
                         int partition, weft_array out, weft_array total);

/* The arguments of every call that selects; *count is 0 from here on. */
weft_status weft_selection_check(weft_device *device, const char *call, weft_array in,
                                 weft_array flags, weft_array out, i64 *count);

#endif
