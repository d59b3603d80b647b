/* The caller's allocator: every byte of arrays and scratch is its own and comes back to it,
 * and each of its allocations fails in turn. And where arrays lie in memory of the host. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "allocator.kernel.h"

WEFT_KERNEL(allocator_add, (value, u32, more), (inout, u32, x))
WEFT_GENERATOR(allocator_mixed, u32, (value, u32, shift))

enum { N = 70000, MOST = 4096 };

/* An allocator that knows each of its pieces, and can fail. */
typedef struct ledger {
    struct {
        char *memory, *base;
        size_t bytes;
    } piece[MOST];
    size_t pieces, live;
    long asked, fail_at; /* from 1 on; 0: none fails */
    int stays, wrong;
    size_t astray; /* of what is aligned */
} ledger;

static void *allocate(void *user, size_t bytes, size_t alignment) {
    ledger *l = user;
    l->asked++;
    if (l->fail_at && (l->asked == l->fail_at || (l->stays && l->asked > l->fail_at)))
        return NULL;
    l->wrong |= alignment == 0 || (alignment & (alignment - 1)) != 0 || bytes == 0;
    char *base = bytes < SIZE_MAX / 2 ? malloc(bytes + 2 * alignment) : NULL;
    if (!base || l->pieces == MOST) {
        free(base);
        return NULL;
    }
    char *memory = base + (alignment - (uintptr_t)base % alignment) % alignment + l->astray;
    memset(memory, 0x5a, bytes);
    l->piece[l->pieces].memory = memory;
    l->piece[l->pieces].base = base;
    l->piece[l->pieces++].bytes = bytes;
    l->live += bytes;
    return memory;
}

static void release(void *user, void *memory, size_t bytes) {
    ledger *l = user;
    size_t k = 0;
    while (k < l->pieces && l->piece[k].memory != memory)
        k++;
    if (k == l->pieces || l->piece[k].bytes != bytes) {
        l->wrong = 1;
        return;
    }
    free(l->piece[k].base);
    l->live -= bytes;
    l->piece[k] = l->piece[--l->pieces];
}

static int holds(const ledger *l, const void *memory, size_t bytes) {
    const char *begin = memory;
    for (size_t k = 0; k < l->pieces; k++)
        if (l->piece[k].memory <= begin &&
            begin + bytes <= l->piece[k].memory + l->piece[k].bytes)
            return 1;
    return 0;
}

static weft_allocator allocator_of(ledger *l) {
    return (weft_allocator){.allocate = allocate, .release = release, .user = l};
}

/* A device on this backend with the allocator; NULL where buffers are not host memory. */
static weft_device *open_with(ledger *l) {
    weft_device *d = weft_open(weft_backend_name(device));
    const weft_allocator a = allocator_of(l);
    if (weft_use_allocator(d, &a) != WEFT_E_BACKEND)
        return d;
    ck_assert_str_eq(weft_backend_name(device), "opencl");
    ck_assert_ptr_nonnull(strstr(weft_error(d), "do not lie in memory of the host"));
    weft_close(d);
    return NULL;
}

typedef struct outcome {
    u32 sorted[N], sum;
    i64 runs;
} outcome;

static void step(weft_device *d, outcome *o) {
    memset(o, 0, sizeof *o);
    const weft_array x = weft_array_new(d, WEFT_U32, N);
    weft_scope_open(d);
    const weft_array y = weft_scratch(d, WEFT_U32, N), z = weft_scratch(d, WEFT_U32, N);
    weft_transform(d, N, x, allocator_mixed, .shift = 12);
    weft_copy(d, x, y);
    weft_sort_by_key(d, x, y, WEFT_ASCENDING);
    weft_for_each(d, N, allocator_add, .more = 1, .x = x);
    weft_scan(d, x, weft_plus(WEFT_U32), WEFT_EXCLUSIVE, z);
    weft_reduce(d, z, weft_plus(WEFT_U32), &o->sum);
    weft_unique(d, x, z, &o->runs);
    weft_scope_close(d);
    weft_read(d, x, o->sorted);
    weft_array_free(d, x);
}

START_TEST(every_byte_comes_back) {
    static ledger l;
    static outcome got, expected;
    l = (ledger){0};
    step(device, &expected);
    weft_device *d = open_with(&l);
    if (!d)
        return;
    ck_assert_uint_eq(l.live, 0);
    step(d, &got);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    ck_assert_mem_eq(&got, &expected, sizeof got);
    ck_assert_uint_ge(l.live, weft_memory_use(d).held);
    ck_assert_uint_gt(weft_memory_use(d).held, 3 * N * 4);
    const long asked = l.asked;
    step(d, &got);
    ck_assert_int_eq(l.asked, asked);
    weft_memory_trim(d);
    ck_assert_uint_eq(l.live, 0);
    const weft_array left = weft_array_new(d, WEFT_F64, 1000);
    ck_assert_uint_ge(l.live, 8000);
    ck_assert_ptr_nonnull(left.buffer);
    weft_close(d);
    ck_assert_uint_eq(l.live, 0);
    ck_assert_uint_eq(l.pieces, 0);
    ck_assert_int_eq(l.wrong, 0);
}
END_TEST

START_TEST(each_allocation_fails) {
    static ledger l;
    static outcome got, expected;
    step(device, &expected);
    for (int stays = 0; stays < 2; stays++) {
        long k = 1, errors = 0;
        for (;; k++) {
            l = (ledger){.fail_at = k, .stays = stays};
            weft_device *d = open_with(&l);
            if (!d)
                return;
            step(d, &got);
            const int failed = l.asked >= k;
            if (weft_check(d) == WEFT_OK) {
                ck_assert_mem_eq(&got, &expected, sizeof got);
                ck_assert(!failed || !stays);
            } else {
                errors++;
                ck_assert_int_eq(weft_check(d), WEFT_E_MEMORY);
                ck_assert_ptr_nonnull(strstr(weft_error(d), "bytes"));
                ck_assert_uint_eq(weft_memory_use(d).used, 0);
            }
            weft_clear(d);
            l.fail_at = 0;
            step(d, &got);
            ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
            ck_assert_mem_eq(&got, &expected, sizeof got);
            weft_close(d);
            ck_assert_uint_eq(l.live, 0);
            ck_assert_int_eq(l.wrong, 0);
            if (!failed)
                break;
        }
        ck_assert_int_ge(k, 4);
        ck_assert(stays ? errors == k - 1 : errors == 0); /* a second attempt succeeds */
    }
}
END_TEST

static void refuse(const weft_allocator *a, const char *words) {
    weft_use_allocator(device, a);
    test_expect_error(WEFT_E_ARGUMENT, words);
}

START_TEST(wrong_allocators) {
    static ledger l;
    l = (ledger){0};
    weft_device *d = open_with(&l);
    if (!d)
        return;
    weft_close(d);
    weft_allocator a = allocator_of(&l);
    a.release = NULL;
    refuse(&a, "weft_use_allocator: 'allocator' lacks a function");
    a = allocator_of(&l);
    a.reserved[4] = 1;
    refuse(&a, "'allocator' has members that version");
    a.reserved[4] = 0;
    weft_array x = weft_array_new(device, WEFT_U32, 10);
    refuse(&a, "comes before the device's first array, but 256 bytes are in use");
    weft_array_free(device, x);
    weft_use_allocator(device, &a);
    l.astray = 8;
    x = weft_array_new(device, WEFT_U32, 10);
    ck_assert_ptr_null(x.buffer);
    test_expect_error(WEFT_E_ARGUMENT, "'allocate' is not aligned to 64 bytes");
    ck_assert_uint_eq(l.live, 0);
    weft_use_allocator(device, NULL);
    const long asked = l.asked;
    weft_array_free(device, weft_array_new(device, WEFT_U32, 10));
    ck_assert_int_eq(l.asked, asked);
    ck_assert_int_eq(l.wrong, 0);
}
END_TEST

/* The address is in the allocator's memory, and what is written there is the array's. */
START_TEST(addresses) {
    static ledger l;
    u32 host[100];
    l = (ledger){0};
    weft_device *d = open_with(&l);
    if (!d)
        return;
    const weft_array x = weft_array_new(d, WEFT_U32, 100);
    u32 *at = weft_address(d, x);
    ck_assert(holds(&l, at, 400) && (uintptr_t)at % 64 == 0);
    for (u32 i = 0; i < 100; i++)
        at[i] = i;
    weft_for_each(d, 90, allocator_add, .more = 1000, .x = weft_slice(d, x, 10, 90));
    ck_assert_ptr_eq(weft_address(d, weft_slice(d, x, 10, 90)), at + 10);
    for (u32 i = 0; i < 100; i++)
        ck_assert_uint_eq(at[i], i < 10 ? i : i + 1000);
    weft_read(d, x, host);
    ck_assert_mem_eq(at, host, sizeof host);
    ck_assert_ptr_null(weft_address(d, weft_array_new(d, WEFT_U32, 0)));
    ck_assert_int_eq(weft_check(d), WEFT_OK);
    ck_assert_ptr_null(weft_address(d, weft_lazy(5, allocator_mixed, .shift = 12)));
    ck_assert_int_eq(weft_check(d), WEFT_E_ARGUMENT);
    weft_clear(d);
    weft_array_free(d, x);
    ck_assert_ptr_null(weft_address(d, x));
    ck_assert_int_eq(weft_check(d), WEFT_E_ARGUMENT);
    weft_close(d);
    ck_assert_uint_eq(l.live, 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {every_byte_comes_back, each_allocation_fails,
                                  wrong_allocators, addresses};
    return test_main(argc, argv, "allocator", tests, sizeof tests / sizeof *tests);
}
