/* No thread waits for another: whichever is held back in the middle of a primitive, the
 * others go on to its end, and the result is the same to the bit. */
#include "harness.h"
#include "held.kernel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

WEFT_GENERATOR(held_f32, f32, (value, i64, n))
WEFT_GENERATOR(held_u32, u32, (value, i64, n))
WEFT_GENERATOR(held_flag, u32, (value, i64, n))
WEFT_OPERATOR(held_plus, f32, 0)

enum { N = 1 << 19, BLOCK = 1 << 12 };

typedef enum holding { NOBODY, UNTIL_THE_END, NOW_AND_THEN } holding;
static holding hold;
static atomic_int end_seen, given_up;

static void rest(long milliseconds) {
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

void held_pass(i64 i, i64 n) {
    if (hold == UNTIL_THE_END && i == n - 1)
        atomic_store(&end_seen, 1);
    if (hold == UNTIL_THE_END && i == n / 3) {
        int patience = 5000;
        while (!atomic_load(&end_seen) && patience-- > 0)
            rest(1);
        if (!atomic_load(&end_seen))
            atomic_store(&given_up, 1);
    }
    if (hold == NOW_AND_THEN && i % BLOCK == 77 && (i / BLOCK * 2654435761u >> 7) % 16 == 0)
        rest(3);
}

typedef struct results {
    f32 f[N];
    u32 u[N], keys[N];
    i64 count;
} results;

typedef void primitive(weft_device *d, weft_array f, weft_array u, weft_array keys,
                       i64 *count);

static void scan(weft_device *d, weft_array f, weft_array u, weft_array keys, i64 *count) {
    (void)u, (void)keys, (void)count;
    weft_scan(d, weft_lazy(N, held_f32, .n = N), weft_op(held_plus), WEFT_INCLUSIVE, f);
}

static void scan_integers(weft_device *d, weft_array f, weft_array u, weft_array keys,
                          i64 *count) {
    (void)f, (void)keys, (void)count;
    weft_scan(d, weft_lazy(N, held_u32, .n = N), weft_plus(WEFT_U32), WEFT_EXCLUSIVE, u);
}

static void scan_by_key(weft_device *d, weft_array f, weft_array u, weft_array keys,
                        i64 *count) {
    (void)u, (void)count;
    weft_scan_by_key(d, keys, weft_lazy(N, held_f32, .n = N), weft_op(held_plus),
                     WEFT_INCLUSIVE, f);
}

static void copy_if(weft_device *d, weft_array f, weft_array u, weft_array keys,
                    i64 *count) {
    (void)f;
    weft_copy_if(d, keys, weft_lazy(N, held_flag, .n = N), u, count);
}

static void partition(weft_device *d, weft_array f, weft_array u, weft_array keys,
                      i64 *count) {
    (void)f, (void)keys;
    weft_partition(d, weft_lazy(N, held_u32, .n = N), weft_lazy(N, held_flag, .n = N), u,
                   count);
}

static void reduce_by_key(weft_device *d, weft_array f, weft_array u, weft_array keys,
                          i64 *count) {
    weft_reduce_by_key(d, keys, weft_lazy(N, held_f32, .n = N), weft_op(held_plus), u, f,
                       count);
}

static primitive *const primitives[] = {scan,    scan_integers, scan_by_key,
                                        copy_if, partition,     reduce_by_key};
enum { PRIMITIVES = sizeof primitives / sizeof *primitives };

static results *run(const char *name, primitive *p, holding how) {
    results *r = calloc(1, sizeof *r);
    weft_device *d = weft_open(name);
    const weft_array f = weft_array_new(d, WEFT_F32, N), u = weft_array_new(d, WEFT_U32, N),
                     keys = weft_array_new(d, WEFT_U32, N);
    for (i64 i = 0; i < N; i++)
        r->keys[i] = (u32)(i / 50 + i / 9000);
    weft_write(d, keys, r->keys);
    weft_fill(d, f, &(f32){0});
    weft_fill(d, u, &(u32){0});
    hold = how;
    atomic_store(&end_seen, 0);
    atomic_store(&given_up, 0);
    p(d, f, u, keys, &r->count);
    hold = NOBODY;
    weft_read(d, f, r->f);
    weft_read(d, u, r->u);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    weft_close(d);
    return r;
}

/* Holds threads back in each primitive, and compares with one thread. */
static void hold_each(const char *const *devices, int count, holding how) {
    for (int p = 0; p < PRIMITIVES; p++) {
        results *expected = run("pthreads:1", primitives[p], NOBODY);
        for (int k = 0; k < count; k++) {
            results *r = run(devices[k], primitives[p], how);
            ck_assert_msg(!given_up, "primitive %d of %s waits for a thread", p,
                          devices[k]);
            ck_assert_msg(memcmp(r, expected, sizeof *r) == 0, "primitive %d differs on %s",
                          p, devices[k]);
            free(r);
        }
        free(expected);
    }
}

START_TEST(one_is_held_until_the_others_are_through) {
    hold_each((const char *const[]){"pthreads:2", "pthreads:3", "pthreads:16"}, 3,
              UNTIL_THE_END);
}
END_TEST

START_TEST(some_are_held_now_and_then) {
    hold_each((const char *const[]){"pthreads:2", "pthreads:7", "pthreads:16"}, 3,
              NOW_AND_THEN);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {one_is_held_until_the_others_are_through,
                                  some_are_held_now_and_then};
    return test_main(argc, argv, "held", tests, sizeof tests / sizeof *tests);
}
