#include "cells.h"
#include "halos.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_MEMBERS = 20 };

static void count(void *context, u32 i, u32 j) {
    u32 *friends = context;
    friends[i]++;
    friends[j]++;
}

/* What a group is told by: its label. */
struct group {
    u32 label, members, best;
};

static int larger_first(const void *a, const void *b) {
    const struct group *x = a, *y = b;
    if (x->members != y->members)
        return x->members < y->members ? 1 : -1;
    return (x->label > y->label) - (x->label < y->label);
}

/* Groups by their labels, with the member that has most friends, the first of several. */
static void gather(struct group *group, const u32 *label, const u32 *friends, i64 n) {
    memset(group, 0, (size_t)n * sizeof *group);
    for (u32 i = 0; i < n; ++i) {
        struct group *mine = &group[label[i]];
        mine->label = label[i];
        if (mine->members++ == 0 || friends[i] > friends[mine->best])
            mine->best = i;
    }
    qsort(group, (size_t)n, sizeof *group, larger_first);
}

bool check_mcp(const struct task *task) {
    const u32 *particle = task->out[1].data;
    struct cells cells;
    u32 *friends = calloc((size_t)task->n + 1, sizeof *friends);
    struct group *group = malloc(((size_t)task->n + 1) * sizeof *group);
    bool good = friends && group && check_fof(task) && cells_make(&cells, task);
    if (good) {
        cells_friends(&cells, count, friends);
        gather(group, task->out[0].data, friends, task->n);
        i64 halos = 0;
        for (; halos < task->n && group[halos].members >= MIN_MEMBERS; ++halos)
            good = good && halos < task->count && particle[halos] == group[halos].best;
        good = good && halos == task->count;
        cells_free(&cells);
    }
    free(friends);
    free(group);
    return good;
}
