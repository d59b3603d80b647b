/* What suits a style of device, as it was measured: see tuning.c. */
#ifndef WEFT_ALGORITHMS_TUNING_H
#define WEFT_ALGORITHMS_TUNING_H

#include "weft/device.h"
#include "weft/short_names.h"

typedef struct tuning {
    i64 grid_block;   /* particles of a work-item, for keys */
    i64 points_block; /* and for bounds */

    /* The most bound particle. What is cheap to evaluate, in pairs: so many, and so many
     * for each member; and with how many for each member a tree in f64 is cheaper. */
    i64 mbp_cheap, mbp_cheap_each, mbp_tree64;
    /* Work-items for each unit that are enough for walks and for pairs. */
    i64 mbp_walk_items, mbp_pairs_items;

    /* Members of halos whose subhalos are found together. */
    i64 subhalos_batch;
    /* Pairs of members who may leave, at most, where each finds its rank by itself. */
    i64 subhalos_pairs;

    /* Sheets: tetrahedra at a time, and parts of them that are listed; whether parts are
     * short rows of corners. */
    i64 sheet_batch, sheet_list;
    i32 sheet_rows;
} tuning;

const tuning *tuning_of(const weft_device *device);

#endif
