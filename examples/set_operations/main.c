/* Which particles two snapshots share, and which are in one of them alone: sets are sorted
 * arrays. Thrust: set_intersection and its kin, examples/set_operations.cu. */
#include <stdio.h>
#include <weft/weft.h>
#include "set_operations.kernel.h"

WEFT_GENERATOR(set_operations_id, u64, (value, u64, first), (value, u64, step))

enum { BEFORE = 5000, AFTER = 4000, BOTH = BEFORE + AFTER };

typedef weft_status operation(weft_device *, weft_array, weft_array, weft_array, i64 *);

int main(void) {
    static u64 id[BOTH];
    static const struct {
        const char *name;
        operation *run;
    } operations[] = {{"in one or the other", weft_set_union},
                      {"in both", weft_set_intersection},
                      {"gone", weft_set_difference},
                      {"in one alone", weft_set_symmetric_difference}};
    weft_device *device = weft_open(NULL);
    const weft_array before = weft_lazy(BEFORE, set_operations_id, .first = 7, .step = 6);
    const weft_array after = weft_lazy(AFTER, set_operations_id, .first = 3, .step = 10);
    const weft_array out = weft_array_new(device, WEFT_U64, BOTH);
    for (int k = 0; k < 4; k++) {
        i64 count = 0;
        operations[k].run(device, before, after, out, &count);
        if (weft_read(device, weft_slice(device, out, 0, count), id) != WEFT_OK)
            break;
        u64 sum = 0;
        for (i64 i = 0; i < count; i++)
            sum += id[i];
        printf("%s: %lld, %llu ... %llu, sum %llu\n", operations[k].name, (long long)count,
               (unsigned long long)id[0], (unsigned long long)id[count - 1],
               (unsigned long long)sum);
    }
    const weft_status status = weft_check(device);
    if (status != WEFT_OK)
        fprintf(stderr, "set_operations: %s\n", weft_error(device));
    weft_close(device);
    return status != WEFT_OK;
}
