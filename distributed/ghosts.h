/* Ghosts: copies of particles that lie within reach of another domain than their own, so
 * that it can tell who of its own is a friend of theirs. */
#ifndef WEFT_DISTRIBUTED_GHOSTS_H
#define WEFT_DISTRIBUTED_GHOSTS_H

#include "domains.h"
#include "distributed/table/table.h"

/* The context of the rules below. Ghosts that go only to domains of a larger number than
 * their own let each pair of friends be seen by at least one of two domains; those that go
 * `both` ways let each domain see all friends of its own. */
struct ghosts {
    const struct domains *domains;
    const struct positions *positions;
    double reach[3];
    bool both;
    int64_t limit; /* bytes of the device that may be used; 0: all */
};

/* How far friends can be from each other on each axis, as domains_near measures it, all
 * roundings included: in the differences that decide who is a friend (relative to the
 * difference, which in a period is at most the sum of two coordinates) and in domains_place
 * (relative to the period).
 *   farthest   the largest absolute coordinate on each axis */
void ghosts_reach(double linking_length, const double period[3], const double farthest[3],
                  double reach[3]);

/* The largest absolute coordinate on each axis: of the particles [begin, end), and of all.
 * False after comm_fail: memory. */
void ghosts_farthest_of(const struct positions *positions, int64_t begin, int64_t end,
                        double farthest[3]);
bool ghosts_farthest(struct comm *comm, const struct positions *positions,
                     double farthest[3]);

/* Plans which of a rank's own particles, those of its domain, others take as ghosts: with
 * `index`, of those alone that have one, not below 0. Free `mailing` in each case. */
bool ghosts_plan(struct comm *comm, weft_device *device, const struct ghosts *ghosts,
                 const int64_t *index, struct mailing *mailing);

/* The particle's domain; and the others that take it as a ghost. */
int ghosts_owner(const void *ghosts, int64_t row, int *parts);
int ghosts_others(const void *ghosts, int64_t row, int *parts);

#endif
