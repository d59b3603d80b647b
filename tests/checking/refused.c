/* What runs on the checking backend is compiled for OpenCL as well, where a device is: what
 * that refuses is an error of the first call, and on a device without it, of none. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "refused.kernel.h"
#include "refused_address.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(refused_kernel, (in, f64, x), (out, u32, y))
WEFT_GENERATOR(refused_lazy, u32, (in, f64, x))
WEFT_OPERATOR(refused_plus, u32, 0)
WEFT_PAIRS(refused_pairs, u32, 0, (in, u32, x))
WEFT_KERNEL(refused_address, (in, u32, x), (out, u32, y))
WEFT_BUNDLE(refused_address_bundle, (in, u32, x))
WEFT_GENERATOR(refused_address_lazy, u32, (bundle, refused_address_bundle, all))

enum { N = 4 };
static int has_opencl;

/* What is ours in an error; the rest are the words of a driver's compiler, which may say
 * where the mistake is, and that it is one of address spaces. */
static void expect_sentence(const char *function, const char *error) {
    ck_assert_msg(strncmp(error, function, strlen(function)) == 0, "'%s' is not of %s",
                  error, function);
    ck_assert_msg(strchr(error, '\n') == NULL, "'%s' is more than a sentence", error);
    if (strstr(error, "refused.kernel.h"))
        ck_assert_msg(strstr(error, "refused.kernel.h:9:") != NULL, "'%s': where?", error);
    if (strstr(error, "address space") || strstr(error, "__global"))
        ck_assert_msg(strstr(error, "needs GLOBAL") != NULL, "'%s': no advice", error);
}

/* Which parameter lacks GLOBAL, where the compiler says that one does. */
static void expect_address(const char *parameter) {
    const char *error = weft_error(device);
    if (has_opencl && strstr(error, "address space"))
        ck_assert_msg(strstr(error, parameter) != NULL, "'%s': which?", error);
}

/* An error, or what the call gives without anyone who refuses it. */
static void expect(const char *function, weft_array y, u32 first) {
    u32 seen[N];
    if (has_opencl) {
        expect_sentence(function, weft_error(device));
        test_expect_error(WEFT_E_BUILD, " refuses it");
        return;
    }
    weft_read(device, y, seen);
    test_ok();
    ck_assert_uint_eq(seen[0], first);
}

static void call_all(void) {
    const f64 real[N] = {2.75, 0, 1, 1};
    const u32 whole[N] = {1, 2, 3, 4};
    const i64 ends[2] = {0, N};
    const weft_array x = test_array(WEFT_F64, real, N), z = test_array(WEFT_U32, whole, N),
                     y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, refused_kernel, .x = x, .y = y);
    expect("refused_kernel: ", y, 3);
    weft_copy(device, weft_lazy(N, refused_lazy, .x = x), y);
    expect("refused_lazy: ", y, 3);
    weft_reduce_into(device, z, weft_op(refused_plus), y);
    expect("refused_plus: ", y, 10);
    weft_reduce_into(device, weft_lazy(N, refused_lazy, .x = x), weft_plus(WEFT_U32), y);
    expect("", y, 5);
    weft_scan(device, z, weft_op(refused_plus), WEFT_INCLUSIVE, y);
    expect("refused_plus: ", y, 1);
    weft_scan_by_key(device, weft_lazy(N, refused_lazy, .x = x), z, weft_plus(WEFT_U32),
                     WEFT_INCLUSIVE, y);
    expect("", y, 1);
    weft_pairs(device, test_array(WEFT_I64, ends, 2), y, refused_pairs, .x = z);
    expect("refused_pairs: ", y, 10);
    weft_for_each(device, N, refused_address, .x = z, .y = y);
    expect_address("x of refused_address:");
    expect("refused_address: ", y, 1);
    const refused_address_bundle_arrays all = {.x = z};
    weft_reduce_into(device, weft_lazy(N, refused_address_lazy, .all = all),
                     weft_plus(WEFT_U32), y);
    expect_address("all.x of refused_address_lazy:");
    expect("", y, 10);
}

START_TEST(refused) {
    call_all();
    call_all(); /* as often as it is called */
}
END_TEST

/* What another device compiled is remembered, and what it refused is not. */
START_TEST(another_device) {
    weft_close(device);
    device = weft_open("checking");
    call_all();
}
END_TEST

START_TEST(not_asked_for) {
    const int had = has_opencl;
    has_opencl = 0;
    setenv("WEFT_CHECKING_OPENCL", "no", 1);
    call_all();
    setenv("WEFT_CHECKING_OPENCL", "yes", 1);
    has_opencl = had;
}
END_TEST

int main(int argc, char **argv) {
    weft_device *opencl = weft_open("opencl");
    has_opencl = weft_check(opencl) == WEFT_OK;
    weft_close(opencl);
    const TTest *const tests[] = {refused, another_device, not_asked_for};
    return test_main(argc, argv, "refused", tests, sizeof tests / sizeof *tests);
}
