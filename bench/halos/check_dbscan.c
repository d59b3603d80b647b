#include "cells.h"
#include "halos.h"

#include <stdlib.h>
#include <string.h>

/* What is known of the points. */
struct clusters {
    const struct cells *cells;
    u32 *near;   /* points within the length, itself counted */
    u32 *parent; /* of core points */
    i32 *number; /* the cluster; -1: none so far */
    u32 least;
};

static u32 root(u32 *parent, u32 i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void count(void *context, u32 i, u32 j) {
    const struct clusters *clusters = context;
    clusters->near[i]++;
    clusters->near[j]++;
}

static bool core(const struct clusters *clusters, u32 i) {
    return clusters->near[i] >= clusters->least;
}

static void unite(void *context, u32 i, u32 j) {
    const struct clusters *clusters = context;
    if (!core(clusters, i) || !core(clusters, j))
        return;
    const u32 a = root(clusters->parent, i), b = root(clusters->parent, j);
    clusters->parent[a > b ? a : b] = a > b ? b : a;
}

/* A border point takes the lowest-numbered cluster among its core neighbours. */
static void border(void *context, u32 i, u32 j) {
    const struct clusters *clusters = context;
    if (core(clusters, i) == core(clusters, j))
        return;
    const u32 inside = core(clusters, i) ? i : j, other = core(clusters, i) ? j : i;
    const i32 number = clusters->number[inside];
    if (clusters->number[other] < 0 || number < clusters->number[other])
        clusters->number[other] = number;
}

static void find(struct clusters *clusters, i64 n) {
    for (u32 i = 0; i < n; ++i) {
        clusters->near[i] = 1;
        clusters->parent[i] = i;
        clusters->number[i] = -1;
    }
    cells_friends(clusters->cells, count, clusters);
    cells_friends(clusters->cells, unite, clusters);
    i32 found = 0;
    for (u32 i = 0; i < n; ++i) {
        if (core(clusters, i)) {
            const u32 first = root(clusters->parent, i);
            clusters->number[i] = first == i ? found++ : clusters->number[first];
        }
    }
    cells_friends(clusters->cells, border, clusters);
}

bool check_dbscan(const struct task *task) {
    const struct halos_settings *settings = task->settings;
    const size_t n = (size_t)task->n;
    struct cells cells;
    struct clusters clusters = {
        .cells = &cells,
        .near = malloc((n + 1) * sizeof *clusters.near),
        .parent = malloc((n + 1) * sizeof *clusters.parent),
        .number = malloc((n + 1) * sizeof *clusters.number),
        .least = (u32)settings->min_points,
    };
    bool good =
        clusters.near && clusters.parent && clusters.number && cells_make(&cells, task);
    if (good) {
        find(&clusters, task->n);
        good = memcmp(clusters.number, task->out[0].data, n * sizeof *clusters.number) == 0;
        cells_free(&cells);
    }
    free(clusters.near);
    free(clusters.parent);
    free(clusters.number);
    return good;
}
