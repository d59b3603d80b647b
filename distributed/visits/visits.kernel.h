/* Cells of a periodic cube: in which a place is, the same for the host and every device;
 * who is told of what is in them; and rows of several numbers, as they travel. */
#ifndef VISITS_KERNEL_H
#define VISITS_KERNEL_H

#include <weft/kernel.h>

/* Cells along x, y and z, which are numbered with z fastest. */
typedef struct visits_grid {
    i32 n[3];
} visits_grid;

/* A place is a fraction of the side times 2^32. */
static inline u32 visits_part(u32 at, i32 n) {
    return (u32)((u64)at * (u64)n >> 32);
}

/* Where cells are planes, y and z are not read; where they are columns, z is not. */
static inline u32 visits_cell(index_t i, visits_grid grid, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z) {
    u32 cell = visits_part(x[i], grid.n[0]);
    if (grid.n[1] > 1)
        cell = cell * (u32)grid.n[1] + visits_part(y[i], grid.n[1]);
    if (grid.n[2] > 1)
        cell = cell * (u32)grid.n[2] + visits_part(z[i], grid.n[2]);
    return cell;
}

/* A word of each cell tells whether what is in it stays, by its lowest bit, and where its
 * addresses begin, which end where those of the next cell do: one behind the last. */
enum { VISITS_STAYS = 1 };

static inline u32 visits_first(u32 word) {
    return word >> 1;
}

static inline u32 visits_addresses(u32 cell, GLOBAL const u32 *word) {
    return visits_first(word[cell + 1]) - visits_first(word[cell]);
}

/* Whether a particle stays, or how many addresses it is sent to. */
static inline u32 visits_does(index_t i, visits_grid grid, i32 stays, GLOBAL const u32 *x,
                              GLOBAL const u32 *y, GLOBAL const u32 *z,
                              GLOBAL const u32 *word) {
    const u32 cell = visits_cell(i, grid, x, y, z);
    return stays ? word[cell] & VISITS_STAYS : visits_addresses(cell, word);
}

/* How many the k-th of those that are sent has, and one of them. */
static inline u32 visits_copies(index_t k, visits_grid grid, GLOBAL const u32 *x,
                                GLOBAL const u32 *y, GLOBAL const u32 *z,
                                GLOBAL const u32 *row, GLOBAL const u32 *word) {
    return visits_addresses(visits_cell((index_t)row[k], grid, x, y, z), word);
}

static inline u32 visits_address(index_t j, visits_grid grid, GLOBAL const u32 *x,
                                 GLOBAL const u32 *y, GLOBAL const u32 *z,
                                 GLOBAL const u32 *row, GLOBAL const u32 *word,
                                 GLOBAL const u32 *address, GLOBAL const u32 *source,
                                 GLOBAL const u32 *place) {
    const u32 cell = visits_cell((index_t)row[source[j]], grid, x, y, z);
    return address[visits_first(word[cell]) + place[j]];
}

/* The same, as what rows are sorted by: of 64 bits as keys of places are, so that devices
 * compile one sort for both. */
static inline u64 visits_key(index_t j, visits_grid grid, GLOBAL const u32 *x,
                             GLOBAL const u32 *y, GLOBAL const u32 *z,
                             GLOBAL const u32 *row, GLOBAL const u32 *word,
                             GLOBAL const u32 *address, GLOBAL const u32 *source,
                             GLOBAL const u32 *place) {
    return visits_address(j, grid, x, y, z, row, word, address, source, place);
}

/* Places of rows, three numbers each; and these apart again. */
static inline u32 visits_packed(index_t i, GLOBAL const u32 *row, GLOBAL const u32 *x,
                                GLOBAL const u32 *y, GLOBAL const u32 *z) {
    const u32 at = row[i / 3];
    const index_t axis = i % 3;
    return axis == 0 ? x[at] : axis == 1 ? y[at] : z[at];
}

static inline void visits_unpack(index_t k, GLOBAL const u32 *packed, GLOBAL u32 *x,
                                 GLOBAL u32 *y, GLOBAL u32 *z) {
    x[k] = packed[3 * k];
    y[k] = packed[3 * k + 1];
    z[k] = packed[3 * k + 2];
}

/* What was found of visitors, some before and some behind those that stay. */
typedef struct visits_results {
    i64 before, stay;
    i32 components;
} visits_results;

static inline f64 visits_found(index_t i, visits_results r, GLOBAL const f64 *a,
                               GLOBAL const f64 *b, GLOBAL const f64 *c) {
    const i64 visitor = (i64)i / r.components, component = (i64)i % r.components;
    const i64 k = visitor < r.before ? visitor : visitor + r.stay;
    return component == 0 ? a[k] : component == 1 ? b[k] : c[k];
}

static inline f64 visits_component(index_t i, i32 components, i32 which,
                                   GLOBAL const f64 *packed) {
    return packed[(i64)i * components + which];
}

#endif
