/* Coordinates of grids against nested loops. */
#include "harness.h"

#include "index.kernel.h"

WEFT_KERNEL(index_planes, (value, u32, ny), (out, u32, x), (out, u32, y), (out, u32, back))
WEFT_KERNEL(index_cubes, (value, u32, ny), (value, u32, nz), (out, u32, x), (out, u32, y),
            (out, u32, z), (out, u32, back))
WEFT_GENERATOR(index_wrapped, u32, (value, i32, step), (value, u32, n))

enum { ROOM = 6000 };
static u32 x[ROOM], y[ROOM], z[ROOM], back[ROOM];

static void check(u32 nx, u32 ny, u32 nz) {
    const i64 plane = (i64)nx * ny, cube = plane * nz;
    const weft_array a = weft_array_new(device, WEFT_U32, cube),
                     b = weft_array_new(device, WEFT_U32, cube),
                     c = weft_array_new(device, WEFT_U32, cube),
                     d = weft_array_new(device, WEFT_U32, cube);
    weft_for_each(device, plane, index_planes, .ny = ny, .x = a, .y = b, .back = d);
    weft_read(device, a, x), weft_read(device, b, y), weft_read(device, d, back);
    test_ok();
    u32 i = 0;
    for (u32 p = 0; p < nx; p++)
        for (u32 q = 0; q < ny; q++, i++)
            ck_assert(x[i] == p && y[i] == q && back[i] == i);
    weft_for_each(device, cube, index_cubes, .ny = ny, .nz = nz, .x = a, .y = b, .z = c,
                  .back = d);
    weft_read(device, a, x), weft_read(device, b, y), weft_read(device, c, z);
    weft_read(device, d, back);
    test_ok();
    i = 0;
    for (u32 p = 0; p < nx; p++)
        for (u32 q = 0; q < ny; q++)
            for (u32 r = 0; r < nz; r++, i++)
                ck_assert(x[i] == p && y[i] == q && z[i] == r && back[i] == i);
    weft_array_free(device, a), weft_array_free(device, b);
    weft_array_free(device, c), weft_array_free(device, d);
}

START_TEST(grids) {
    check(1, 1, 1);
    check(7, 1, 5);
    check(1, 64, 3);
    check(3, 5, 1);
    check(16, 16, 16);
    check(13, 17, 19);
}
END_TEST

START_TEST(beyond_32_bits) {
    const index_t i = (index_t)1 << 40;
    const weft_index3 at = weft_index_at3(i + 5, 1u << 20, 1u << 10);
    ck_assert(at.x == 1u << 10 && at.y == 0 && at.z == 5);
    ck_assert(weft_index_flat3(at.x, at.y, at.z, 1u << 20, 1u << 10) == i + 5);
}
END_TEST

START_TEST(periodic_axes) {
    static const i32 steps[] = {0, 1, -1, 4, -5, 12, -13, 2147483647, -2147483647 - 1};
    u32 got[5];
    for (int s = 0; s < 9; s++) {
        const weft_array out = weft_array_new(device, WEFT_U32, 5);
        weft_copy(device, weft_lazy(5, index_wrapped, .step = steps[s], .n = 5), out);
        weft_read(device, out, got);
        test_ok();
        for (i64 i = 0; i < 5; i++)
            ck_assert_int_eq(got[i], ((i + steps[s]) % 5 + 5) % 5);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {grids, beyond_32_bits, periodic_axes};
    return test_main(argc, argv, "index", tests, sizeof tests / sizeof *tests);
}
