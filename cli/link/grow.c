/* From links to trees: a tree is all whose descendants end in one root. */
#include "cli/command.h"
#include "cli/progress.h"
#include "link.h"

#include <stdlib.h>

/* A group among the progenitors of its descendant. */
struct progenitor {
    int64_t descendant, group, tag, shared;
    uint64_t weight;
    bool main;
};

/* By descendant, its main progenitor first, then the best link. */
static int compare(const void *left, const void *right) {
    const struct progenitor *a = left, *b = right;
    if (a->descendant != b->descendant)
        return a->descendant < b->descendant ? -1 : 1;
    if (a->main != b->main)
        return a->main ? -1 : 1;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    if (a->shared != b->shared)
        return a->shared > b->shared ? -1 : 1;
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

static void list_progenitors(struct link_run *run, struct progenitor *list) {
    int64_t n = 0;
    for (int64_t g = 0; g < run->groups; ++g) {
        const int64_t to = run->descendant[g];
        run->first_of[g] = run->next_of[g] = -1;
        if (to >= 0)
            list[n++] = (struct progenitor){.descendant = to,
                                            .group = g,
                                            .tag = run->tag[g],
                                            .shared = run->shared[g],
                                            .weight = run->weight[g],
                                            .main = run->progenitor[to] == g};
    }
    qsort(list, (size_t)n, sizeof *list, compare);
    for (int64_t k = 0; k < n; ++k) {
        if (k == 0 || list[k].descendant != list[k - 1].descendant)
            run->first_of[list[k].descendant] = list[k].group;
        else
            run->next_of[list[k - 1].group] = list[k].group;
    }
}

/* Trees by their roots, the latest snapshot first; the groups of a tree likewise, so that
 * its root is its first. Calls `visit` on each group in that order. */
static void visit_all(struct link_run *run,
                      void visit(struct link_run *run, int64_t group)) {
    for (int s = run->n - 1; s >= 0; --s)
        for (int64_t g = 0; g < run->catalogue[s].n; ++g)
            visit(run, run->catalogue[s].first + g);
}

static void choose_tree(struct link_run *run, int64_t g) {
    const int64_t to = run->descendant[g];
    run->tree[g] = to >= 0 ? run->tree[to] : run->n_trees++;
}

/* `length` counts those that are placed. */
static void place(struct link_run *run, int64_t g) {
    const int64_t t = run->tree[g];
    run->row[g] = run->start[t] + run->length[t]++;
}

int link_grow(struct link_run *run) {
    struct io_error error;
    const int64_t n = run->groups;
    struct progenitor *list = io_allocate(n, sizeof *list, "progenitors", &error);
    int64_t **const arrays[] = {&run->tree,  &run->row,      &run->length,
                                &run->start, &run->first_of, &run->next_of};
    bool done = list != NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && done; ++k) {
        *arrays[k] = io_allocate(n, sizeof **arrays[k], "trees", &error);
        done = *arrays[k] != NULL;
    }
    if (done) {
        list_progenitors(run, list);
        visit_all(run, choose_tree);
        for (int64_t g = 0; g < n; ++g)
            run->length[g] = run->start[g] = 0;
        for (int64_t g = 0; g < n; ++g)
            ++run->length[run->tree[g]];
        for (int64_t t = 1; t < run->n_trees; ++t)
            run->start[t] = run->start[t - 1] + run->length[t - 1];
        for (int64_t t = 0; t < run->n_trees; ++t)
            run->length[t] = 0;
        visit_all(run, place);
    }
    free(list);
    return done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}
