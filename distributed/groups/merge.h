/* One name for a group whose members lie on several ranks. */
#ifndef WEFT_DISTRIBUTED_GROUPS_MERGE_H
#define WEFT_DISTRIBUTED_GROUPS_MERGE_H

#include "distributed/table/table.h"

/* A group's name: the smallest input index of its members, and the rank that has it. Names
 * of different groups differ, and the smaller name is that of the smaller index. */
enum { MERGE_RANKS = 1 << 16 };
static inline int64_t merge_name(int64_t index, int rank) {
    return index * MERGE_RANKS + rank;
}
static inline int64_t merge_index(int64_t name) {
    return name / MERGE_RANKS;
}
static inline int merge_rank(int64_t name) {
    return (int)(name % MERGE_RANKS);
}

/* The groups of a rank that cross to others, by their labels, which ascend; each of its
 * other groups has the name that its first particle gives it. */
struct names {
    int64_t n;
    uint32_t *label;
    int64_t *name;
};
void names_free(struct names *names);

/* Finds them.
 *   n        own particles, which ascend by their index
 *   index    [n] in the input
 *   ghosts   on which way own particles went to others, and the ghosts came
 *   sent     [ghosts->route.n_to]: for each of these the first of its group, among the
 *            rank's own particles and then its ghosts
 *   came     [ghosts->route.n_from]: the same for the ghosts
 *   names    out; free it in each case
 * A ghost that is in a group with own particles of the rank it came to makes one group of
 * that and its own: each pair of groups that share ghosts is an edge, kept once on both
 * sides, along which the smaller name goes until nothing changes. Traffic: 4 bytes a ghost,
 * and for each edge 4 bytes and 16 more for each domain that a group's name crosses. */
bool merge_groups(struct comm *comm, weft_device *device, int64_t n, const int64_t *index,
                  const struct mailing *ghosts, const uint32_t *sent, const uint32_t *came,
                  struct names *names);

#endif
