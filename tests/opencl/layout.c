/* Structs that the device's compiler lays out in another way than the host's: an error that
 * names them, before anything runs. */
#include "suite.h"
#include "layout.kernel.h"

#include <string.h>

WEFT_KERNEL(layout_of_swapped, (inout, layout_swapped, x))
WEFT_KERNEL(layout_of_around, (value, layout_around, x), (out, u32, out))
WEFT_KERNEL(layout_of_parted, (inout, layout_parted, x))
WEFT_KERNEL(layout_of_longer, (inout, layout_longer, x))
WEFT_KERNEL(layout_of_alike, (inout, layout_alike, x))

static void expect_refused(const char *function, const char *words) {
    const char *says = weft_error(device);
    ck_assert_int_eq(weft_check(device), WEFT_E_BUILD);
    ck_assert_msg(strncmp(says, function, strlen(function)) == 0, "%s", says);
    ck_assert_msg(strstr(says, words) != NULL, "%s", says);
    weft_clear(device);
}

START_TEST(refused) {
    device = weft_open("opencl");
    const weft_array swapped = weft_array_new(device, WEFT_STRUCT(layout_swapped), 4);
    const weft_array parted = weft_array_new(device, WEFT_STRUCT(layout_parted), 4);
    const weft_array longer = weft_array_new(device, WEFT_STRUCT(layout_longer), 4);
    const weft_array words = weft_array_new(device, WEFT_U32, 4);
    weft_for_each(device, 4, layout_of_swapped, .x = swapped);
    expect_refused("layout_of_swapped", "layout_swapped may have other members");
    weft_for_each(device, 4, layout_of_around, .x = {.before = 1}, .out = words);
    expect_refused("layout_of_around", "layout_around may have other members");
    weft_for_each(device, 4, layout_of_parted, .x = parted);
    expect_refused("layout_of_parted", "layout_parted may have other members");
    weft_for_each(device, 4, layout_of_longer, .x = longer);
    expect_refused("layout_of_longer", "has_another_size_on_the_host");
    weft_close(device);
}
END_TEST

START_TEST(alike) {
    device = weft_open("opencl");
    layout_alike host[3];
    memset(host, 9, sizeof host);
    const weft_array x = test_array(WEFT_STRUCT(layout_alike), host, 3);
    weft_for_each(device, 3, layout_of_alike, .x = x);
    weft_read(device, x, host);
    test_ok();
    for (int k = 0; k < 3; k++) {
        ck_assert_uint_eq(host[k].a, 9);
        ck_assert_uint_eq(host[k].b[1], 9);
        ck_assert_uint_eq(host[k].b[2], 1);
        ck_assert_uint_eq(host[k].c.a, 2);
        ck_assert(host[k].c.b == 3);
        ck_assert_uint_eq(host[k].d, 4);
        ck_assert_int_eq(host[k].e, 5);
    }
    weft_close(device);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {refused, alike};
    return suite_main("opencl layout", tests, sizeof tests / sizeof *tests);
}
