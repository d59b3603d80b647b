/* Descendants and main progenitors, snapshot by snapshot. */
#include "cli/command.h"
#include "cli/progress.h"
#include "link.h"

#include <stdlib.h>
#include <weft/links.h>
#include <weft/transform.h>

/* Of one direction between two snapshots. */
struct found {
    uint32_t *target, *shared;
    uint64_t *weight;
};

static weft_links_groups lend(const struct link_run *run, const struct link_catalogue *c) {
    return (weft_links_groups){
        .count = c->n,
        .members = c->members,
        .offset = weft_borrow_const(run->device, WEFT_I64, c->offset, c->n + 1),
        .id = weft_borrow_const(run->device, WEFT_I64, c->id, c->members),
        .tag = weft_borrow_const(run->device, WEFT_I64, run->tag + c->first, c->n)};
}

static void take_back(const struct link_run *run, const weft_links_groups *groups) {
    weft_return(run->device, groups->offset);
    weft_return(run->device, groups->id);
    weft_return(run->device, groups->tag);
}

/* Members of halos lie by their ids, which is no order of importance: all count alike. */
static void find(const struct link_run *run, weft_links_groups from,
                 const weft_links_groups *to, const struct found *found) {
    weft_device *device = run->device;
    const uint32_t none = 0;
    weft_scope_open(device);
    const weft_array target = weft_scratch(device, WEFT_U32, from.count);
    const weft_array shared = weft_scratch(device, WEFT_U32, from.count);
    const weft_array weight = weft_scratch(device, WEFT_U64, from.count);
    if (!run->subhalos) {
        from.rank = weft_scratch(device, WEFT_U32, from.members);
        weft_fill(device, from.rank, &none);
    }
    weft_links(device, &from, to, target, weight, shared);
    weft_read(device, target, found->target);
    weft_read(device, shared, found->shared);
    weft_read(device, weight, found->weight);
    weft_scope_close(device);
}

/* Finds the links of one direction; false and a sentence where it cannot. */
static bool direct(const struct link_run *run, const struct link_catalogue *a,
                   const struct link_catalogue *b, const struct found *found) {
    const weft_links_groups from = lend(run, a), to = lend(run, b);
    find(run, from, &to, found);
    take_back(run, &from);
    take_back(run, &to);
    if (weft_check(run->device) == WEFT_OK)
        return true;
    progress_fail(CLI_FAULT, "links from %s to %s: %s", a->path, b->path,
                  progress_error(run->device));
    return false;
}

/* Fills in what groups of two snapshots do not know yet. */
static bool join(struct link_run *run, int early, int late, const struct found *found) {
    const struct link_catalogue *a = &run->catalogue[early], *b = &run->catalogue[late];
    if (!direct(run, a, b, found))
        return false;
    for (int64_t g = 0; g < a->n; ++g) {
        if (run->descendant[a->first + g] >= 0 || found->target[g] == UINT32_MAX)
            continue;
        run->descendant[a->first + g] = b->first + found->target[g];
        run->weight[a->first + g] = found->weight[g];
        run->shared[a->first + g] = found->shared[g];
        run->skipped += late > early + 1;
    }
    if (!direct(run, b, a, found))
        return false;
    for (int64_t g = 0; g < b->n; ++g)
        if (run->progenitor[b->first + g] < 0 && found->target[g] != UINT32_MAX)
            run->progenitor[b->first + g] = a->first + found->target[g];
    return true;
}

static void forget(struct link_catalogue *c) {
    free(c->offset), free(c->id);
    c->offset = c->id = NULL;
}

/* Three snapshots are there at a time. */
static int join_all(struct link_run *run, const struct found *found) {
    struct io_error error;
    for (int s = 0; s < run->n; ++s) {
        struct link_catalogue *c = &run->catalogue[s];
        progress_show("%s: %s · %s", weft_backend_name(run->device),
                      weft_device_name(run->device), c->path);
        if (!link_read_members(c, run->subhalos, &error))
            return progress_fail(CLI_FAULT, "%s", error.text);
        timings_end(&run->timings, TIMINGS_READ, 8 * (c->members + c->n));
        if ((s >= 1 && !join(run, s - 1, s, found)) ||
            (s >= 2 && !join(run, s - 2, s, found)))
            return CLI_FAULT;
        if (s >= 2)
            forget(c - 2);
        timings_end(&run->timings, TIMINGS_LINKS, 16 * c->members);
    }
    for (int s = 0; s < run->n; ++s)
        forget(&run->catalogue[s]);
    return CLI_DONE;
}

int link_join(struct link_run *run) {
    struct io_error error;
    const int64_t n = run->groups;
    struct found found = {
        .target = io_allocate(n, sizeof *found.target, "links", &error),
        .shared = io_allocate(n, sizeof *found.shared, "links", &error),
        .weight = io_allocate(n, sizeof *found.weight, "links", &error),
    };
    run->descendant = io_allocate(n, sizeof *run->descendant, "links", &error);
    run->progenitor = io_allocate(n, sizeof *run->progenitor, "links", &error);
    run->weight = io_allocate(n, sizeof *run->weight, "links", &error);
    run->shared = io_allocate(n, sizeof *run->shared, "links", &error);
    int status = CLI_DONE;
    if (!found.target || !found.shared || !found.weight || !run->descendant ||
        !run->progenitor || !run->weight || !run->shared)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    for (int64_t g = 0; status == CLI_DONE && g < n; ++g) {
        run->descendant[g] = run->progenitor[g] = -1;
        run->weight[g] = 0;
        run->shared[g] = 0;
    }
    if (status == CLI_DONE)
        status = join_all(run, &found);
    free(found.target), free(found.shared), free(found.weight);
    return status;
}
