/* What the primitives share: checks of arguments, lazy arrays in scratch, and moving
 * elements of any type. */
#ifndef WEFT_PRIMITIVES_PRIMITIVES_H
#define WEFT_PRIMITIVES_PRIMITIVES_H

#include "core/core.h"
#include "tuning.h"
#include "weft/register.h"

enum {
    PRIMITIVE_OPERATOR_BYTES = 4096, /* backends keep partial results of at most these */
    PRIMITIVE_PIECE = 1 << 24        /* elements of a lazy array that are held at a time */
};

/* As weft_need_input and its kin: each returns the status; `what` is "call.argument". */
weft_status weft_need_operator(weft_device *device, const char *call,
                               const weft_operator *op, weft_type type);
weft_status weft_need_array(weft_device *device, const char *what, weft_array array,
                            weft_type type, i64 least);
weft_status weft_need_written(weft_device *device, const char *what, weft_array array,
                              weft_type type, i64 least);
/* An output that may be left out, as (weft_array){0}. */
weft_status weft_need_if_asked(weft_device *device, const char *what, weft_array array,
                               weft_type type, i64 least);
/* i32, u32, i64 or u64. */
weft_status weft_need_indices(weft_device *device, const char *what, weft_array array,
                              i64 least);
/* u32 or i64, to be written. */
weft_status weft_need_counts(weft_device *device, const char *what, weft_array array,
                             i64 least);
/* One of the ten types. */
weft_status weft_need_numbers(weft_device *device, const char *what, weft_array array,
                              i64 least);
/* That an output shares no memory with an input, or with what a lazy one reads. */
weft_status weft_need_apart(weft_device *device, const char *what, weft_array out,
                            weft_array in);

/* The same, unless it is that very array: one that is changed in place. */
weft_status weft_need_apart_or_same(weft_device *device, const char *what, weft_array out,
                                    weft_array in);
int weft_is_same(weft_array a, weft_array b);

/* That there are queries of the type of what is searched, and room for a position of each,
 * u32 or i64, in an output of this name. */
weft_status weft_need_positions(weft_device *device, const char *call, weft_array sorted,
                                weft_array queries, const char *name, weft_array out);

/* That indices in memory are inside an array of so many elements, on a backend that looks.
 * `first` is the number of the first of them; flags: NULL, or those with 0 are not used. */
weft_status weft_need_inside(weft_device *device, const char *call, weft_array map,
                             const weft_array *flags, i64 first, const char *of,
                             i64 length);

/* Whether an array has so many bytes; never 0 of them. */
int weft_has_bytes(weft_array array, i64 bytes);

/* The array, or a copy in scratch of a lazy one; a scope must be open. */
weft_array weft_settled(weft_device *device, weft_array array);

/* Elements [first, first + length) of an array, lazy or not. */
weft_array weft_part(weft_array array, i64 first, i64 length);

/* How elements of a type are moved: as one number of their size, or, for structs, as
 * `parts` words or bytes. Kernels come in tables in the order of the kinds. */
typedef enum weft_moves {
    MOVES_U8,
    MOVES_U16,
    MOVES_U32,
    MOVES_U64,
    MOVES_WORDS,
    MOVES_BYTES,
    MOVES_COUNT
} weft_moves;

typedef struct weft_mover {
    weft_moves kind;
    weft_type type; /* of a part */
    u32 parts;      /* in an element */
} weft_mover;

weft_mover weft_mover_of(weft_type type);

/* How numbers of a type are computed with: signed integers as unsigned ones, and structs as
 * their parts are. Kernels come in tables of u8, u16, u32, u64, f32, f64. */
typedef struct weft_numbers {
    i32 kind;
    weft_type type;
} weft_numbers;

weft_numbers weft_numbers_of(weft_type type);

/* The kind of order (order.kernel.h) of a type. */
u32 weft_order_kind(weft_type type);

/* A lazy array of u32: 1 where a run of equal keys begins; with `after` where one ends. The
 * keys lie in memory; the array lives as long as *heads. */
typedef struct weft_heads_of {
    weft_array keys;
    i64 length;
    u32 after, last;
} weft_heads_of;

weft_array weft_heads(weft_device *device, weft_array keys, u32 after,
                      weft_heads_of *heads);

/* x[i] = value[0] where flags[i] is not 0; all but the flags lie in memory. */
void weft_replace(weft_device *device, weft_array x, weft_array flags, weft_array value);

/* out[i] = element sources[i] (i64) of a, or of b where that is above a's length, numbered
 * on from there. */
void weft_join(weft_device *device, weft_array sources, weft_array a, weft_array b,
               weft_array out);

/* A reduction over elements that a generator computes from x and y (y may be no array),
 * which lie in memory when `piece` reduces them into the one element of `out`; lazy ones
 * are settled piece by piece. `first` is the number of the piece's first element. */
typedef void weft_piece(weft_device *device, i64 first, weft_array x, weft_array y,
                        const void *context, weft_array out);
weft_status weft_reduce_pieces(weft_device *device, weft_array x, weft_array y,
                               weft_piece *piece, const void *context,
                               const weft_operator *op, void *result);
#endif
