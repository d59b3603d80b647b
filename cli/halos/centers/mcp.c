/* The most connected particle of each halo. */
#include "centers.h"
#include "together.h"

#include <stdlib.h>
#include <weft/mcp.h>
#include <weft/transform.h>

/* The friends of each member, for the catalogue's list of members. */
static void count_friends(struct halos_run *run) {
    weft_device *device = run->device;
    const int64_t n = run->particles.n;
    const weft_array friends = run->friends
                                   ? weft_borrow_const(device, WEFT_U32, run->friends, n)
                                   : weft_array_new(device, WEFT_U32, n);
    const weft_array chosen = weft_array_new(device, WEFT_U32, run->halos.members);
    if (run->friends == NULL)
        weft_friends_count(device, &run->points, &run->rule, run->cells, friends);
    weft_gather(device, friends, run->halos.member, chosen);
    run->member_friends = halos_read_numbers(run, chosen);
    if (run->friends)
        weft_return(device, friends);
    else
        weft_array_free(device, friends);
    weft_array_free(device, chosen);
}

/* The member with the most of the friends that were counted among all particles. */
static void choose(struct halos_run *run, weft_array particle, weft_array friends) {
    const int64_t n = run->halos.count;
    uint32_t *member = halos_allocate(run, run->halos.members, sizeof *member);
    uint32_t *best = halos_allocate(run, n, sizeof *best);
    uint32_t *most = halos_allocate(run, n, sizeof *most);
    if (member && best && most &&
        weft_read(run->device, run->halos.member, member) == WEFT_OK) {
        for (int64_t h = 0; h < n; ++h) {
            best[h] = member[run->offset[h]];
            for (int64_t k = run->offset[h]; k < run->offset[h + 1]; ++k) {
                if (run->friends[member[k]] > run->friends[best[h]])
                    best[h] = member[k];
            }
            most[h] = run->friends[best[h]];
        }
        weft_write(run->device, particle, best);
        weft_write(run->device, friends, most);
    }
    free(member);
    free(best);
    free(most);
}

/* Every so-many-th member, of those in the halo's densest parts too; friends are counted
 * among all. */
static struct together_best look(struct halos_run *run, const struct together_halo *halo) {
    weft_device *device = run->device;
    const uint32_t first = (uint32_t)run->comm.rank, step = (uint32_t)run->comm.size;
    const int64_t n = (halo->halo.members - first + step - 1) / step, ends[] = {0, n};
    weft_halos share = halo->halo;
    share.members = n;
    share.offset = weft_scratch(device, WEFT_I64, 2);
    share.member = weft_scratch(device, WEFT_U32, n);
    weft_write(device, share.offset, ends);
    weft_sequence(device, share.member, &first, &step);
    weft_fof_options rule = run->rule;
    rule.min_friends = 1; /* others than the share's members take part */
    const weft_array particle = weft_scratch(device, WEFT_U32, 1);
    const weft_array friends = weft_scratch(device, WEFT_U32, 1);
    weft_mcp(device, &halo->points, &rule, NULL, &share, particle, friends);
    struct together_best best = {0, UINT32_MAX};
    uint32_t most = 0;
    weft_read(device, particle, &best.member);
    weft_read(device, friends, &most);
    best.merit = most;
    return best;
}

/* Of large halos, which come first. */
static void find_together(struct halos_run *run, weft_array particle, weft_array friends) {
    weft_device *device = run->device;
    struct together_best *best = together_find(run, look);
    for (int64_t h = 0; best && h < run->together; ++h) {
        const uint32_t most = (uint32_t)best[h].merit;
        weft_write(device, weft_slice(device, particle, h, 1), &best[h].member);
        weft_write(device, weft_slice(device, friends, h, 1), &most);
    }
    free(best);
}

static void search(struct halos_run *run, weft_array particle, weft_array friends) {
    weft_device *device = run->device;
    const int64_t skip = run->together;
    weft_scope_open(device);
    const weft_halos rest = together_rest(run);
    weft_mcp(device, &run->points, &run->rule, run->cells, &rest,
             weft_slice(device, particle, skip, rest.count),
             weft_slice(device, friends, skip, rest.count));
    weft_scope_close(device);
    find_together(run, particle, friends);
}

static void find(struct halos_run *run, weft_array particle, weft_array friends) {
    if (run->friends)
        choose(run, particle, friends);
    else
        search(run, particle, friends);
    if (run->options.members)
        count_friends(run);
}

extern const struct center center_mcp;
const struct center center_mcp = {
    .name = "mcp",
    .columns = {{"mcp_id", 1, HALOS_NO_UNIT, "id of the most connected particle", NULL},
                {"mcp_position", 3, HALOS_LENGTH,
                 "position of the most connected particle, as in the snapshot", NULL},
                {"mcp_friends", 1, HALOS_NO_UNIT,
                 "particles within the linking length of it", NULL}},
    .number = WEFT_U32,
    .uses_cells = true,
    .find = find,
};
