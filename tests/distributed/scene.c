#include "scene.h"
#include "io/files/numbers.h"

#include <stdlib.h>

struct comm comm;

struct table scene_share(const cloud *c) {
    const i64 first = io_share(c->count, comm.rank, comm.size);
    const i64 n = io_share(c->count, comm.rank + 1, comm.size) - first;
    const size_t bytes = c->wide ? 8 : 4;
    struct table table = {.n = n};
    table.bytes[LINK_POSITION] = 3 * bytes;
    table.bytes[LINK_INDEX] = sizeof(i64);
    f64 *at = malloc((size_t)n * 3 * bytes + 1);
    i64 *index = malloc((size_t)n * sizeof *index + 1);
    for (i64 k = 0; k < 3 * n; k++)
        if (c->wide)
            at[k] = c->at[3 * first + k];
        else
            ((f32 *)at)[k] = (f32)c->at[3 * first + k];
    for (i64 i = 0; i < n; i++)
        index[i] = first + i;
    table.column[LINK_POSITION] = at;
    table.column[LINK_INDEX] = index;
    return table;
}

void scene_clumps(scene_expect *expect) {
    for (int wide = 0; wide < 2; wide++) {
        cloud c = cloud_clumps(2500, wide, 3);
        expect(&c, 0.004, 1);
        expect(&c, 0.02, 1);
        cloud_free(&c);
    }
}

void scene_few(scene_expect *expect) {
    for (i64 n = 0; n < 12; n += n < 3 ? 1 : 4) {
        cloud c = cloud_clumps(n, 1, 5);
        expect(&c, 0.3, 1);
        cloud_free(&c);
    }
}

cloud cloud_coincident(i64 places) {
    cloud c = cloud_new(900, 0);
    for (i64 i = 0; i < c.count; i++)
        cloud_set(&c, i, i < 300 ? 0.5 : (f64)(i % places), 1, i < 300 ? 0.5 : 1);
    return c;
}

int scene_main(int argc, char **argv, const char *name, const TTest *const tests[],
               int count) {
    if (!comm_open(&comm))
        return EXIT_FAILURE;
    /* On several ranks one by one: who went on after a failure would meet those that are
     * waiting within the test, and all would wait. */
    const int step = comm.size > 1 ? 1 : count;
    int failed = 0;
    for (int k = 0; !failed && k < count; k += step)
        failed = test_main(argc, argv, name, tests + k, step);
    if (failed) /* the launcher ends the others, which may be waiting */
        _Exit(failed);
    comm_close();
    return failed;
}
