/* Who became whom: groups of one snapshot among those of another, by the particles that
 * they share. */
#ifndef WEFT_LINKS_H
#define WEFT_LINKS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Groups of particles: halos or subhalos, each with its members in an order of importance,
 * as those of weft_subhalos_find are by energy. No id is twice among the members. */
typedef struct weft_links_groups {
    int64_t count, members;
    weft_array offset; /* [count + 1] i64, from 0: where the members of each begin */
    weft_array id;     /* [members] i64 */
    weft_array tag;  /* [count] i64: decides between equals; {0}: the place of the group */
    weft_array rank; /* [members] u32: in place of the number of each in its group; {0} */
    weft_array reserved[3];
} weft_links_groups;

/* For each group of `from` the group of `to` that it goes to. A particle that is number r
 * of its group in `from`, counted from 0, or of the rank r that is given (with 0 for all
 * particles in no order count alike), weighs floor(2^32 / (1 + sqrt(r))) there, with
 * f64's roundings. A group goes to the one with the largest weight of particles in both; of
 * those with equal weights to the one with most of them, then to that with the smallest
 * tag, and then to the first.
 *   target   [from.count] u32: a group of `to`; 2^32 - 1: no particle is in any
 *   weight   [from.count] u64: of the particles in both; {0}: not wanted
 *   shared   [from.count] u32: how many they are; {0}: not wanted
 * Descendants are the targets from a snapshot to a later one; main progenitors those from
 * the later one back, with weights by places there.
 * Cost: a table of the ids of `to`, where these are of at most 16 times as many numbers as
 * there are, else a sort of them and a search for each of `from`; a pass over the particles
 * in both and a sort of its runs, members side by side that go to one group, by the bits
 * that tell groups apart. Scratch of some 100 bytes per member.
 * Repeats: bit for bit on every backend.
 * Errors: WEFT_E_ARGUMENT (missing; an id that is twice in `to`, with its value),
 * WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: weights by rank as in Han et al. 2018 (MNRAS 474, 604) and Springel et al. 2021
 * (MNRAS 506, 2871), section 7. */
WEFT_API weft_status weft_links(weft_device *device, const weft_links_groups *from,
                                const weft_links_groups *to, weft_array target,
                                weft_array weight, weft_array shared);

#ifdef __cplusplus
}
#endif
#endif
