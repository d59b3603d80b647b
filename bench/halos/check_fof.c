#include "cells.h"
#include "halos.h"

#include <stdlib.h>

static u32 root(u32 *parent, u32 i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void unite(void *context, u32 i, u32 j) {
    u32 *parent = context;
    const u32 a = root(parent, i), b = root(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

bool check_fof(const struct task *task) {
    const u32 *label = task->out[0].data;
    struct cells cells;
    u32 *parent = malloc(((size_t)task->n + 1) * sizeof *parent);
    bool good = parent && cells_make(&cells, task);
    if (good) {
        for (i64 i = 0; i < task->n; ++i)
            parent[i] = (u32)i;
        cells_friends(&cells, unite, parent);
        for (i64 i = 0; good && i < task->n; ++i)
            good = root(parent, (u32)i) == label[i];
        cells_free(&cells);
    }
    free(parent);
    return good;
}
