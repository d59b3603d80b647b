/* Friends-of-friends where maps of cells and parts of a period begin and end. */
#include "definitions.h"

#include <math.h>

static f64 some(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

/* More rows of cells than maps of some hold, with most particles where one ends and across
 * the period; and rows so long that a map holds one of them. */
START_TEST(many_rows) {
    const f64 ends[] = {0, 256 * 2 / 399.0, 255 * 2 / 399.0};
    u64 state = 17;
    cloud c = cloud_new(3000, 0), line = cloud_new(4000, 1);
    for (i64 i = 0; i < 3000; i++) {
        const f64 near = ends[i % 3] + 0.02 * (some(&state) - 0.5);
        const f64 y = i % 5 ? near : 2 * some(&state);
        const f64 x = i % 2 ? some(&state) : 0.1 * some(&state);
        cloud_set(&c, i, x, y < 0 ? y + 2 : y, 0.0155 * some(&state));
    }
    for (i64 i = 0; i < 4000; i++) {
        const f64 x = i % 4 ? line.at[3 * (i - i % 4)] : some(&state), side = 1.0 / 70000;
        cloud_set(&line, i, x + 2 * side * some(&state) * (f64)(i % 4 > 0),
                  3 * side * some(&state), 3 * side * some(&state));
    }
    for (int periodic = 0; periodic < 2; periodic++) {
        const f64 on = periodic;
        expect_fof(&c, (weft_fof_options){.linking_length = 0.005,
                                          .box = {on, 2 * on, 0.0155 * on}});
        expect_fof(&line, (weft_fof_options){.linking_length = 1.0 / 70000, .box = {on}});
    }
    cloud_free(&c);
    cloud_free(&line);
}
END_TEST

/* Rows of as many cells as words of the map have room for, of some more, and of one fewer.
 */
START_TEST(rows_of_whole_words) {
    for (int fit = 125; fit <= 129; fit++) {
        cloud c = cloud_clumps(1500, fit & 1, (u64)fit);
        for (i64 i = 0; i < c.count; i++) {
            const f64 *at = c.at + 3 * i;
            cloud_set(&c, i, at[0] - floor(at[0]), (at[1] - floor(at[1])) / 16,
                      (at[2] - floor(at[2])) / 16);
        }
        expect_fof(&c, (weft_fof_options){.linking_length = 1 / (fit + 0.5),
                                          .box = {1, 0.0625, 0.0625}});
        cloud_free(&c);
    }
}
END_TEST

/* Particles of a part of each period, around its end or not, at random: what a rank or a
 * piece has. */
START_TEST(part_of_a_box) {
    u64 seed = 11;
    for (int k = 0; k < 60; k++) {
        const f64 length = 0.002 + 0.06 * (f64)(test_random(&seed) >> 40) * 0x1p-24;
        cloud c = cloud_clumps(250, k & 1, (u64)k);
        for (int axis = 0; axis < 3; axis++) {
            const f64 from = (f64)(test_random(&seed) >> 40) * 0x1p-24;
            const f64 wide = 1 - 3 * length * (f64)(test_random(&seed) >> 40) * 0x1p-24;
            for (i64 i = 0; i < c.count; i++) {
                const f64 x = from + (k % 3 ? 0.4 : wide) * c.at[3 * i + axis];
                c.at[3 * i + axis] = (f64)(f32)(x < 1 ? x : x - 1);
            }
        }
        expect_fof(&c, (weft_fof_options){.linking_length = length, .box = {1, 1, 1}});
        cloud_free(&c);
    }
}
END_TEST

/* A gap of two of 64 parts, which is narrower than two lengths. */
START_TEST(part_of_a_box_with_a_narrow_gap) {
    cloud c = cloud_new(700, 0);
    u64 seed = 3;
    for (i64 i = 0; i < c.count; i++) {
        f64 at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = (f64)(test_random(&seed) >> 40) * 0x1p-24;
        const f64 x = 0.516 + 0.968 * at[0];
        cloud_set(&c, i, x < 1 ? x : x - 1, at[1], at[2]);
    }
    expect_fof(&c, (weft_fof_options){.linking_length = 0.0199, .box = {1, 1, 1}});
    cloud_free(&c);
}
END_TEST

/* So many that only some of them are looked at first, and a few in the middle of what then
 * seems empty: pairs across it. */
START_TEST(part_of_a_box_but_for_some) {
    enum { N = 4500, FEW = 20 };
    cloud c = cloud_clumps(N, 0, 5);
    for (i64 i = 0; i < N; i++) {
        const f64 x = 0.8 + 0.4 * c.at[3 * i];
        c.at[3 * i] = (f64)(f32)(x < 1 ? x : x - 1);
    }
    for (i64 i = 0; i < FEW; i++) {
        cloud_set(&c, 4 * i + 1, 0.4995, c.at[12 * i + 4], c.at[12 * i + 5]);
        cloud_set(&c, 4 * i + 3, 0.5005, c.at[12 * i + 4], c.at[12 * i + 5]);
    }
    expect_fof(&c, (weft_fof_options){.linking_length = 0.003, .box = {1, 1, 1}});
    cloud_free(&c);
}
END_TEST

/* Keys are made for particles within a closed period, before it is known where they lie:
 * some lie periods away. */
START_TEST(periods_away) {
    for (int wide = 0; wide <= 1; wide++) {
        cloud c = cloud_clumps(1500, wide, 23);
        for (i64 i = 0; i < c.count; i++) {
            const f64 *at = c.at + 3 * i, far = (f64)(i % 7) - 3;
            cloud_set(&c, i, at[0] + far, at[1] - (f64)(i % 3), at[2] - far);
        }
        expect_fof(&c, (weft_fof_options){.linking_length = 0.04, .box = {1, 1, 1}});
        cloud_free(&c);
    }
}
END_TEST

/* And lengths of which a period just fits eight cells, or seven, by how far apart the
 * particles lie. */
START_TEST(lengths_at_an_edge) {
    cloud c = cloud_new(1500, 1);
    u64 state = 5;
    for (i64 i = 0; i < c.count; i++)
        cloud_set(&c, i, 0.45 * some(&state), 0.45 * some(&state), 0.45 * some(&state));
    for (int ulps = -24; ulps <= 8; ulps += 4) {
        const f64 length = 0.125 / 1.0001 * (1 + ulps * 0x1p-53);
        expect_fof(&c, (weft_fof_options){.linking_length = length, .box = {1, 1, 1}});
    }
    cloud_free(&c);
}
END_TEST

/* Particles in the order of planes of each axis, as of a lattice, in a box of three sides
 * that is periodic on none, one or all of them: cells go by the same planes. Half of the
 * clouds are on a lattice, with neighbours at just the length. */
START_TEST(planes_of_each_axis) {
    const f64 side[3] = {1, 0.75, 0.875};
    u64 state = 29;
    for (int k = 0; k < 48; k++) {
        const int axis = k % 3, periods = k / 3 % 4, on_lattice = k / 12 % 2;
        cloud c = cloud_new(2000, k / 24);
        for (i64 i = 0; i < c.count; i++) {
            f64 at[3];
            for (int l = 0; l < 3; l++)
                at[l] = side[l] * some(&state);
            const f64 plane = (f64)i / (f64)c.count + 0.03 * some(&state);
            at[axis] = side[axis] * (plane < 1 ? plane : plane - 1);
            for (int l = 0; l < 3 && on_lattice; l++)
                at[l] = floor(32 * at[l]) / 32;
            cloud_set(&c, i, at[0], at[1], at[2]);
        }
        weft_fof_options options = {.linking_length = on_lattice ? 1 / 32.0 : 0.05};
        for (int l = 0; l < 3; l++)
            options.box[l] =
                periods == 3 || (periods > 0 && l == (axis + periods) % 3) ? side[l] : 0;
        expect_fof(&c, options);
        cloud_free(&c);
    }
}
END_TEST

/* Open axes, on which a few particles tell where all of them lie: every ninth. Others lie
 * beyond that on one side, as many units away from particles at an edge as make 0 of a
 * difference. */
START_TEST(beyond_what_some_tell) {
    enum { COUNT = 8300, FAR = 16, EVERY = 9 };
    const f64 length = 0.01;
    for (int axis = 0; axis < 3; axis++)
        for (int above = 0; above <= 1; above++) {
            cloud c = cloud_new(COUNT, 1);
            const f64 sign = above ? 1 : -1, box = axis > 0 ? 1 : 0;
            u64 state = 29;
            for (i64 i = 0; i < COUNT; i++)
                cloud_set(&c, i, some(&state), some(&state), some(&state));
            for (i64 j = 0; j < FAR; j++) {
                f64 at[3] = {0.5, 0.5, 0.5};
                at[(axis + 1) % 3] = 0.05 * (f64)j;
                at[axis] = above + sign * length * (2 - (f64)j / 4);
                cloud_set(&c, EVERY * j + 1, at[0], at[1], at[2]);
                at[axis] += 256 * length * sign;
                cloud_set(&c, EVERY * j + 2, at[0], at[1], at[2]);
            }
            expect_fof(&c, (weft_fof_options){.linking_length = length,
                                              .box = {box, axis == 2 ? box : 0, 0}});
            cloud_free(&c);
        }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {many_rows,
                                  rows_of_whole_words,
                                  part_of_a_box,
                                  part_of_a_box_with_a_narrow_gap,
                                  part_of_a_box_but_for_some,
                                  periods_away,
                                  lengths_at_an_edge,
                                  planes_of_each_axis,
                                  beyond_what_some_tell};
    return test_main(argc, argv, "fof_maps", tests, sizeof tests / sizeof *tests);
}
