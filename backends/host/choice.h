/* Which of two ways to the same bytes is the faster here, found out while a program runs.
 *
 * What a way costs depends on the processor's make, its memory, how many threads there are
 * and what else runs; so no rule tells it, and what was measured elsewhere is only where a
 * choice begins: with way 0. Whole calls take the one way or the other, and their times
 * are told. A trial is a stretch of calls of the way that is kept, one of the other, and
 * one of the first again. The first call of a stretch does not count, since it pays for
 * what the other way left in the caches; of the others the least time counts, and the
 * kept way's stretches lie on both sides, so that neither a few slow calls nor a machine
 * that becomes faster or slower once hands the choice to the other way. That needs 5 %,
 * too. Then all calls take the way that is kept, up to the next trial; those come ever
 * more seldom, and cost 3 calls of the other way, or 2 where the second takes half as long
 * again as the kept way.
 *
 * A choice serves calls that are alike: of one primitive, in memory or by one generator,
 * of about one size, beyond the caches (a call's times are otherwise no more than noise,
 * and a shorter probe would measure caches alone). It belongs to a device, and so to one
 * thread. To use it:
 *
 *     const int way = host_choose(choice);
 *     const f64 begin = host_seconds();
 *     ... do it, in that way ...
 *     host_learn(choice, (host_seconds() - begin) / bytes);
 */
#ifndef WEFT_BACKENDS_HOST_CHOICE_H
#define WEFT_BACKENDS_HOST_CHOICE_H

#include "core/backend.h"
#include "weft/short_names.h"

/* All zeros at first. */
typedef struct host_choice {
    int kept;      /* the way, 0 or 1 */
    i32 call;      /* of a trial */
    i32 rest, gap; /* calls before the next trial: that are left, and that there were */
    f64 least[2];  /* times of this trial: of the way that is kept, and of the other */
} host_choice;

/* The way of the next call. */
int host_choose(const host_choice *choice);
/* What that call took, a byte. */
void host_learn(host_choice *choice, f64 time);
/* Of a clock that only goes forward. */
f64 host_seconds(void);

/* The choices of a device: for results of 2^k bytes and more, from HOST_STREAM_BYTES on;
 * of generators for the last few, as each takes a time of its own for a byte. */
enum { HOST_CHOICE_SIZES = 8, HOST_CHOICE_GENERATORS = 16 };
typedef struct host_choices {
    host_choice copy[HOST_CHOICE_SIZES], scan[HOST_CHOICE_SIZES], runs[HOST_CHOICE_SIZES];
    struct host_generated {
        const weft_generator *by;
        host_choice size[HOST_CHOICE_SIZES];
    } generated[HOST_CHOICE_GENERATORS];
    u32 generators; /* that there were, each time that one was not among the last */
} host_choices;

/* The one for a result of so many bytes; NULL where there are none, or it is small. */
host_choice *host_choice_for(host_choice *choices, u64 bytes);
/* The same of what a generator makes. */
host_choice *host_choice_of(host_choices *choices, const weft_generator *by, u64 bytes);

#endif
