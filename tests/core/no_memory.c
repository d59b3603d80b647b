/* Every allocation fails in turn, once, and then from there on: each time the calls end
 * with an error or with the right results, nothing leaks, and the device works again. */
#include "harness.h"
#include "failing.h"
#include "no_memory.kernel.h"

#include <string.h>

WEFT_GENERATOR(no_memory_key, u32, (value, u32, bits))
WEFT_GENERATOR(no_memory_is_odd, u32, (in, u32, x))
WEFT_GENERATOR(no_memory_coordinate, f32, (value, u32, salt))
WEFT_COMPARISON(no_memory_falling, u32)
WEFT_PAIRS(no_memory_pairs, u32, 0, (in, u32, x))

enum { N = 9000, RESULTS = 22 };

/* What a step of some algorithm tells the host. */
typedef struct outcome {
    weft_status status;
    i64 result[RESULTS];
} outcome;

static i64 sum_of(weft_device *d, weft_array x) {
    u32 sum = 0;
    weft_reduce(d, x, weft_plus(WEFT_U32), &sum);
    return sum;
}

static void sort_and_search(weft_device *d, i64 *result) {
    const weft_array key = weft_scratch(d, WEFT_U32, N),
                     value = weft_scratch(d, WEFT_U32, N);
    const weft_array a = weft_scratch(d, WEFT_U32, N), b = weft_scratch(d, WEFT_U32, N);
    const weft_array c = weft_scratch(d, WEFT_U32, 2 * N);
    weft_transform(d, N, key, no_memory_key, .bits = 12);
    weft_sequence(d, value, &(u32){5}, &(u32){3});
    weft_sort_by_key(d, key, value, WEFT_DESCENDING);
    weft_scan(d, value, weft_plus(WEFT_U32), WEFT_EXCLUSIVE | WEFT_REVERSE, a);
    weft_scan_by_key(d, key, a, weft_maximum(WEFT_U32), WEFT_INCLUSIVE, b);
    result[0] = sum_of(d, b);
    weft_reduce_by_key(d, key, value, weft_plus(WEFT_U32), a, b, &result[1]);
    weft_min_element(d, value, &result[2]);
    weft_sort(d, key, WEFT_ASCENDING);
    weft_lower_bound(d, key, weft_lazy(N, no_memory_key, .bits = 12), a);
    weft_gather(d, value, a, b);
    result[3] = sum_of(d, b);
    weft_copy_if(d, key, weft_lazy(N, no_memory_is_odd, .x = value), a, &result[4]);
    weft_unique(d, key, b, &result[5]);
    weft_merge(d, key, key, c);
    result[6] = sum_of(d, c);
    weft_histogram(d, weft_lazy(N, no_memory_key, .bits = 6), weft_slice(d, a, 0, 64));
    result[7] = sum_of(d, weft_slice(d, a, 0, 32));
}

static void draw(weft_device *d, i64 *result) {
    const weft_array x = weft_scratch(d, WEFT_U32, N);
    weft_copy(d, weft_random(N, WEFT_UNIFORM_U32, .seed = 1), x);
    weft_shuffle(d, x, 2);
    result[0] = sum_of(d, weft_slice(d, x, 0, N / 2));
    const weft_array sorted = weft_slice(d, x, 0, N / 3),
                     rest = weft_slice(d, x, N / 3, N / 3),
                     out = weft_scratch(d, WEFT_U32, N),
                     values = weft_scratch(d, WEFT_U32, N);
    weft_sort(d, sorted, WEFT_ASCENDING);
    weft_set_union_by_key(d, sorted, rest, sorted, rest, out, values, &result[1]);
    result[2] = sum_of(d, weft_slice(d, values, 0, result[1]));
    weft_sort_by_key_with(d, rest, sorted, weft_comparison_of(no_memory_falling));
    result[1] += sum_of(d, weft_slice(d, sorted, 0, N / 6));
}

static void expand_and_find(weft_device *d, i64 *result) {
    const weft_array x = weft_scratch(d, WEFT_U32, N), y = weft_scratch(d, WEFT_U32, N),
                     offsets = weft_scratch(d, WEFT_I64, 101);
    const weft_operator *plus = weft_plus(WEFT_U32);
    const weft_array both[] = {x, y};
    weft_transform(d, N, x, no_memory_key, .bits = 12);
    weft_sequence(d, offsets, &(i64){0}, &(i64){N / 100});
    weft_expand(d, x, weft_lazy(N, no_memory_key, .bits = 1), y, &result[0]);
    weft_expand_sources(d, weft_constant(N, 1u), y, (weft_array){0}, NULL);
    weft_scan_from(d, x, plus, &(u32){9}, WEFT_EXCLUSIVE, y);
    weft_scan_by_key_from(d, x, y, plus, &(u32){5}, WEFT_EXCLUSIVE | WEFT_REVERSE, y);
    weft_reduce_segments(d, x, offsets, plus, weft_slice(d, y, 0, 100));
    weft_sort_segments(d, x, y, offsets, WEFT_ASCENDING);
    weft_find(d, y, &(u32){1234567}, &result[1]);
    weft_rotate(d, x, 1000);
    weft_replace_if(d, y, weft_lazy(N, no_memory_is_odd, .x = x), &(u32){3});
    weft_partition(d, x, weft_lazy(N, no_memory_is_odd, .x = x), x, NULL);
    weft_remove_if(d, x, weft_lazy(N, no_memory_is_odd, .x = y), x, &result[2]);
    weft_copy_if_each(d, 2, both, weft_lazy(N, no_memory_is_odd, .x = y), both, NULL);
    weft_unique_by_key(d, x, y, x, y, &result[3]);
    result[4] = sum_of(d, y);
}

static void pairs(weft_device *d, i64 *result) {
    static const i64 ends[4] = {0, 10, 700, 1000};
    static u32 lent[1000];
    const weft_array x = weft_borrow(d, WEFT_U32, lent, 1000);
    const weft_array offsets = weft_borrow_const(d, WEFT_I64, ends, 4);
    const weft_array out = weft_array_new(d, WEFT_U32, 1000);
    weft_transform(d, 1000, x, no_memory_key, .bits = 10);
    weft_pairs(d, offsets, out, no_memory_pairs, .x = x);
    *result = sum_of(d, out);
    weft_return(d, x);
    weft_return(d, offsets);
    weft_array_free(d, out);
}

/* Another queue and events; its errors are this device's. */
static void queues(weft_device *d, i64 *result) {
    weft_device *other = weft_open_queue(d);
    const weft_array x = weft_array_new(other, WEFT_U32, N);
    weft_transform(other, N, x, no_memory_key, .bits = 9);
    weft_event *event = weft_record(other);
    weft_wait_for(d, event);
    weft_event_free(event);
    if (weft_check(d) == WEFT_OK)
        *result = sum_of(d, x);
    weft_close(other);
}

static void find_halos(weft_device *d, i64 *result) {
    const weft_array x = weft_scratch(d, WEFT_F32, N), y = weft_scratch(d, WEFT_F32, N),
                     z = weft_scratch(d, WEFT_F32, N), label = weft_scratch(d, WEFT_U32, N);
    weft_transform(d, N, x, no_memory_coordinate, .salt = 1);
    weft_transform(d, N, y, no_memory_coordinate, .salt = 77);
    weft_transform(d, N, z, no_memory_coordinate, .salt = 1234);
    const weft_points points = weft_points_separate(d, x, y, z);
    const weft_fof_options options = {
        .linking_length = 2000, .box = {65536, 65536, 65536}, .min_friends = 1};
    weft_halos halos;
    weft_fof(d, &points, &options, label);
    weft_halos_group(d, label, (weft_array){0}, 3, &halos);
    result[0] = halos.count;
    result[1] = halos.members;
    weft_halos_free(d, &halos);
}

static outcome step(weft_device *d) {
    outcome o;
    memset(&o, 0, sizeof o); /* they are compared as bytes */
    weft_scope_open(d);
    sort_and_search(d, o.result);
    draw(d, o.result + 13);
    weft_scope_close(d);
    weft_scope_open(d);
    expand_and_find(d, o.result + 16);
    weft_scope_close(d);
    pairs(d, o.result + 8);
    queues(d, o.result + 21);
    weft_scope_open(d);
    find_halos(d, o.result + 9);
    weft_scope_close(d);
    const weft_memory use = weft_memory_use(d);
    o.result[11] = (i64)use.used;
    o.status = weft_check(d);
    return o;
}

/* What went wrong with the k-th allocation failing; NULL: nothing. */
static const char *fail_at(const char *name, long k, int stays, const outcome *right,
                           int *happened) {
    const long live = failing_live();
    const char *wrong = NULL;
    failing_set(k, stays);
    weft_device *d = weft_open(name);
    const int opened = weft_check(d) == WEFT_OK;
    const outcome o = step(d);
    *happened = failing_happened();
    failing_set(-1, 0);
    if (o.status == WEFT_OK && memcmp(&o, right, sizeof o) != 0)
        wrong = "a result is wrong";
    if (o.status != WEFT_OK && (o.status != WEFT_E_MEMORY || !*weft_error(d)))
        wrong = "the error is not that memory was short";
    if (o.status != WEFT_OK && (o.result[9] != 0 || o.result[11] != 0))
        wrong = "something is left of it";
    weft_clear(d);
    if (opened) {
        const outcome again = step(d);
        if (memcmp(&again, right, sizeof again) != 0)
            wrong = "the device does not work again";
    }
    weft_close(d);
    return wrong ? wrong : failing_live() == live ? NULL : "memory leaks";
}

static outcome undisturbed(const char *name) {
    weft_device *d = weft_open(name);
    const outcome o = step(d);
    weft_close(d);
    return o;
}

START_TEST(each_allocation) {
    const char *name = weft_backend_name(device);
    const outcome first = undisturbed(name), right = undisturbed(name);
    ck_assert_int_eq(right.status, WEFT_OK);
    ck_assert_mem_eq(&first, &right, sizeof right);
    ck_assert(right.result[9] > 0 && right.result[11] == 0);
    for (int stays = 0; stays < 2; stays++) {
        int happened = 1;
        long k = 0;
        for (; happened; k++) {
            const char *wrong = fail_at(name, k, stays, &right, &happened);
            if (wrong) /* handles of arrays are kept for later devices: once */
                wrong = fail_at(name, k, stays, &right, &happened);
            ck_assert_msg(!wrong, "allocation %ld fails%s: %s", k,
                          stays ? " and all later ones" : "", wrong);
        }
        ck_assert_int_gt(k, 40);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {each_allocation};
    return test_main(argc, argv, "no_memory", tests, sizeof tests / sizeof *tests);
}
