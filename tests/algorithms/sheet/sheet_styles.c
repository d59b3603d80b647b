/* Sheets with tetrahedra of all shapes: the same on every backend, by every way there is
 * through them. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "sheet_scene.h"

#include <stdlib.h>
#include <string.h>

#include "sheet_words.kernel.h"
WEFT_KERNEL(sheet_words, (value, sheet_frame, f), (in, f64, position, 0),
            (shared, u32, windows, 0), (shared, u32, units, 0))

static weft_device *open_serial(const char *style) {
    setenv("WEFT_STYLE", style, 1);
    weft_device *serial = scene_serial();
    unsetenv("WEFT_STYLE");
    return serial;
}

/* Corners of all shapes side by side, masses and streams, in units of both. */
START_TEST(styles_are_equal) {
    enum { SIDE = 6, CELLS = 12 };
    scene_deposit *const calls[] = {weft_sheet_deposit, weft_sheet_streams};
    weft_device *const on[] = {device, open_serial("simd"), open_serial("simt")};
    static i64 units[3][CELLS * CELLS * CELLS];
    sheet s = scene_sheet(SIDE, SIDE, SIDE, CELLS);
    u64 seed = 11;
    for (i64 i = 0; i < s.sites; i++) {
        const scene_shape shape =
            scene_shape_of((int)(i % SCENE_KINDS), (int)(i / SCENE_KINDS), &seed);
        scene_place(&shape, &seed, s.x + 3 * i);
    }
    for (int way = 0; way < 4; way++) {
        const int tessellation = way & 1 ? WEFT_TESSELLATION_MEAN : WEFT_TESSELLATION_ABEL;
        const weft_sheet_options o = {.grid = {CELLS, CELLS, CELLS},
                                      .tessellation = (weft_tessellation)tessellation,
                                      .units = scene_units(&s, tessellation, way / 2)};
        memset(units, 0, sizeof units);
        for (int k = 0; k < 3; k++)
            scene_add(on[k], &s, &o, calls[way & 1], units[k]);
        ck_assert_mem_eq(units[0], units[1], sizeof units[0]);
        ck_assert_mem_eq(units[0], units[2], sizeof units[0]);
    }
    weft_close(on[1]), weft_close(on[2]);
    free(s.x);
}
END_TEST

/* Where 64-bit sums are two words and a carry. */
START_TEST(words_are_equal) {
    enum { SIDE = 5, CELLS = 9 };
    static i64 units[2][CELLS * CELLS * CELLS];
    sheet s = scene_sheet(SIDE, SIDE, SIDE, CELLS);
    scene_scatter(&s, 3, 5);
    const i64 n = 6 * s.sites, none = 0;
    for (int large = 0; large < 2; large++) {
        const i64 one = scene_units(&s, WEFT_TESSELLATION_ABEL, large);
        const weft_sheet_options o = {.grid = {CELLS, CELLS, CELLS}, .units = one};
        const sheet_frame frame = {.n = {SIDE, SIDE, SIDE},
                                   .cells = {CELLS, CELLS, CELLS},
                                   .count = {CELLS, CELLS, CELLS},
                                   .box = {CELLS, CELLS, CELLS},
                                   .scale = {1, 1, 1},
                                   .units = (f64)one,
                                   .end = n,
                                   .each = 6};
        memset(units, 0, sizeof units);
        scene_add(device, &s, &o, weft_sheet_deposit, units[0]);
        weft_scope_open(device);
        const weft_array position = weft_scratch(device, WEFT_F64, 3 * s.sites);
        const weft_array windows = weft_scratch(device, WEFT_U32, n);
        const weft_array out = weft_scratch(device, WEFT_I64, CELLS * CELLS * CELLS);
        weft_write(device, position, s.x);
        weft_fill(device, out, &none);
        weft_for_each(device, n / 6, sheet_words, .f = frame, .position = position,
                      .windows = windows, .units = weft_as(device, out, WEFT_U32));
        weft_read(device, out, units[1]);
        weft_scope_close(device);
        test_ok();
        ck_assert_int_eq(scene_total(units[1], CELLS * CELLS * CELLS), one * n);
        ck_assert_mem_eq(units[0], units[1], sizeof units[0]);
    }
    free(s.x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {styles_are_equal, words_are_equal};
    return test_main(argc, argv, "sheet_styles", tests, sizeof tests / sizeof *tests);
}
