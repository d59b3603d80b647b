/* The most bound particle of halos of odd shapes, units and masses, against its definition,
 * bit for bit. */
#include "mbp_scene.h"

#include <math.h>

enum { ANY = 1 << 20 };

/* Members mirrored at the origin, in pairs: each potential is there twice, or nearly. */
static void mirror(scene *s, i64 first, i64 end) {
    for (i64 k = first; k + 1 < end; k += 2)
        for (int axis = 0; axis < 3; axis++)
            s->x[3 * k + 3 + axis] = -s->x[3 * k + axis];
}

enum { SHAPES = 9 };

/* Ties and near ties: a mirrored halo, two equal clumps, a shell, a line, equal points, a
 * lattice, a coincident pair at the edge, a close pair far out, two members. */
static scene scene_of_shapes(const i64 shape[SHAPES], i64 side, u64 seed) {
    scene s = scene_new(shape, SHAPES);
    const i64 *at = s.offset, half = shape[1] / 2;
    const f64 origin[3] = {0, 0, 0};
    scene_scatter(&s, at[0], at[1], origin, 1, &seed);
    mirror(&s, at[0], at[1]);
    scene_scatter(&s, at[1], at[1] + half, origin, 1, &seed);
    for (i64 i = at[1]; i < at[1] + half; i++)
        for (int axis = 0; axis < 3; axis++)
            s.x[3 * (i + half) + axis] = s.x[3 * i + axis] + 16 * (axis == 0);
    for (i64 i = at[2]; i < at[3]; i++) {
        const f64 c = 2 * scene_uniform(&seed) - 1, a = 6.283 * scene_uniform(&seed);
        s.x[3 * i] = sqrt(1 - c * c) * cos(a);
        s.x[3 * i + 1] = sqrt(1 - c * c) * sin(a);
        s.x[3 * i + 2] = c;
    }
    for (i64 i = at[3]; i < at[4]; i++)
        s.x[3 * i] = (f64)((i - at[3]) * 37 % shape[3]);
    for (i64 i = at[4]; i < at[5]; i++)
        s.x[3 * i] = s.x[3 * i + 1] = s.x[3 * i + 2] = 4;
    for (i64 i = at[5]; i < at[6]; i++) {
        const i64 place = (i - at[5]) * 10 % shape[5];
        s.x[3 * i] = (f64)(place / (side * side));
        s.x[3 * i + 1] = (f64)(place / side % side);
        s.x[3 * i + 2] = (f64)(place % side);
    }
    /* The pair adds nothing, unless it is softened. */
    scene_scatter(&s, at[6], at[7], origin, 1, &seed);
    for (int axis = 0; axis < 3; axis++)
        s.x[3 * at[6] + axis] = s.x[3 * at[7] - 3 + axis] = 3 * (axis == 2);
    /* As close as f64 tells apart: deeper than any core. */
    scene_scatter(&s, at[7], at[8], origin, 1, &seed);
    s.x[3 * at[7] + 600] = 1, s.x[3 * at[7] + 900] = 1 + 0x1p-52;
    for (int axis = 1; axis < 3; axis++)
        s.x[3 * at[7] + 600 + axis] = s.x[3 * at[7] + 900 + axis] = 1;
    s.x[3 * at[8]] = 1, s.x[3 * at[8] + 3] = 2;
    return s;
}

/* Each also far from the origin and spread over copies of a periodic box, softened and not,
 * and larger than where trees begin. */
START_TEST(shapes) {
    enum { NEAR, FAR, PERIODIC };
    const i64 small[SHAPES] = {1500, 1000, 1000, 1000, 1000, 729, 600, 512, 2};
    const i64 large[SHAPES] = {4200, 4200, 4200, 4200, 4199, 4913, 4200, 4200, 2};
    for (int k = first_kind; k < 8; k += kind_step) {
        const int is_large = k > 5, where = is_large ? PERIODIC * (k % 2) : k / 2;
        scene s = is_large ? scene_of_shapes(large, 17, 6) : scene_of_shapes(small, 9, 5);
        s.options.softening = k & 1 ? 0.01 : 0;
        s.verify = 1;
        for (i64 i = 0; i < 3 * s.n; i++)
            s.x[i] += where == FAR        ? 4096
                      : where == PERIODIC ? 16384 * (f64)(i % 7 - 3)
                                          : 0;
        for (int axis = 0; axis < 3 && where == PERIODIC; axis++)
            s.box[axis] = 16384;
        scene_compare(&s, ANY);
        scene_free(&s);
    }
}
END_TEST

/* Members whole and half boxes away from the first: halfway cases of remainder(). */
START_TEST(half_a_box) {
    const i64 some[] = {4200, 300, 50, 3};
    u64 seed = 31;
    scene s = scene_new(some, 4);
    for (i64 i = 0; i < 3 * s.n; i++)
        s.x[i] = 3 * scene_uniform(&seed);
    for (i64 i = 0; i < s.n; i += 2)
        s.x[3 * i] = 4 * (f64)(test_random(&seed) % 27) - 52;
    for (i64 h = 0; h < s.count; h++)
        s.x[3 * s.offset[h]] = 0;
    s.box[0] = s.box[2] = 8;
    s.options.softening = 0.1;
    scene_compare(&s, ANY);
    scene_free(&s);
}
END_TEST

static void coarsen(scene *s, i64 first, i64 end, f64 step) {
    for (i64 i = 3 * first; i < 3 * end; i++)
        s->x[i] = step * rint(s->x[i] / step);
}

/* Members at one place, in halos short and long: few places or many, as coordinates of low
 * precision make them, of equal and of other masses; nearly at one place; and a line, on
 * which potentials differ by little. */
START_TEST(coincident) {
    const i64 size[] = {4300, 4200, 4100, 4200, 1500, 300, 100};
    const f64 origin[3] = {0, 0, 0};
    for (int k = first_kind % 3; k < 3; k += kind_step) {
        scene s = scene_new(size, sizeof size / sizeof *size);
        const i64 *at = s.offset;
        u64 seed = (u64)k + 50;
        s.has_mass = k == 1;
        s.options.softening = k == 2 ? 0.01 : 0;
        s.verify = 1;
        for (i64 h = 0; h < s.count; h++)
            scene_scatter(&s, at[h], at[h + 1], origin, 1, &seed);
        coarsen(&s, at[0], at[1], 0x1p-5);
        coarsen(&s, at[1], at[2], 1);
        for (i64 i = at[2]; i < at[3]; i++)
            s.x[3 * i] = (f64)((i - at[2]) * 37 % 4100) / 3, s.x[3 * i + 1] = 0,
                    s.x[3 * i + 2] = 0;
        for (i64 i = at[3] + 1000; i < at[4]; i++)
            for (int axis = 0; axis < 3; axis++)
                s.x[3 * i + axis] = s.x[3 * (i - 1000) + axis] * (1 + 1e-12 * (f64)(i % 3));
        coarsen(&s, at[4], at[5], 0x1p-4);
        coarsen(&s, at[5], at[6], 0.5);
        coarsen(&s, at[6], at[7], 1);
        scene_compare(&s, ANY);
        scene_free(&s);
    }
}
END_TEST

/* Halos of which most members would be left to the definition without all that is done
 * about it: two piles, and a line whose middle is the most bound. */
START_TEST(piles) {
    const i64 size[] = {30001, 30000}; /* more than GPUs find by all pairs */
    scene s = scene_new(size, 2);
    for (i64 k = 0; k < size[0]; k++)
        s.x[3 * k] = (f64)k / 3;
    for (i64 k = size[0]; k < s.n; k++)
        s.x[3 * k] = (f64)(k % 2);
    u32 particle[2];
    f64 potential[2];
    scene_find(&s, particle, potential);
    ck_assert_uint_eq(particle[0], 15000);
    ck_assert_uint_eq(particle[1], 30001);
    ck_assert(potential[1] == -15000);
    scene_free(&s);
}
END_TEST

/* Units so small or large that squares leave the range of f32, and of f64; light members
 * beside heavy ones; a softening larger than the halo. */
START_TEST(extremes) {
    const i64 three[] = {300, 65, 2};
    const f64 length[] = {1e-30, 1e30, 1e-150, 1e160, 1e-300, 1};
    const f64 weight[] = {1e-30, 1e30, 1e-200, 1e100, 1, 1e-310};
    for (int k = first_kind % 6; k < 6; k += kind_step)
        for (int soft = 0; soft < 2; soft++) {
            scene s = scene_new(three, 3);
            scene_scatter_all(&s, 10, 1, (u64)k);
            s.has_mass = 1;
            s.options.softening = soft ? 1e3 * length[k] : 0;
            s.verify = 1;
            for (i64 i = 0; i < 3 * s.n; i++)
                s.x[i] *= length[k];
            for (i64 i = 0; i < s.n; i++)
                s.m[i] *= i % 3 ? weight[k] * 1e-7 : weight[k];
            scene_compare(&s, ANY);
            scene_free(&s);
        }
    scene s = scene_new((const i64[]){5000}, 1);
    const f64 tiny = 1e-200;
    for (i64 i = 0; i < s.n; i++)
        s.x[3 * i] = tiny * (f64)(i % 100);
    scene_compare(&s, ANY);
    scene_free(&s);
}
END_TEST

/* Masses over 40 decades, close_pairs, and in a halo where the heaviest member is alone. */
START_TEST(decades) {
    const i64 sizes_of[] = {4200, 700, 300, 65, 2};
    u64 seed = 17;
    for (int k = first_kind % 4; k < 4; k += kind_step) {
        scene s = scene_new(sizes_of, 5);
        scene_scatter_all(&s, 10, 1, (u64)k + 60);
        s.has_mass = 1;
        s.options.softening = k & 1 ? 0.05 : 0;
        s.verify = 1;
        for (i64 i = 0; i < s.n; i++)
            s.m[i] = pow(10, (k & 2 ? 40 : 4) * (scene_uniform(&seed) - 0.5));
        s.m[s.offset[1] + 500] = 1e30;
        scene_compare(&s, ANY);
        scene_free(&s);
    }
}
END_TEST

/* Pairs so close that rounded places tell little of how far apart they are, of members
 * lighter than a deeper pair; or nothing, of members as heavy, or lighter. */
START_TEST(close_pairs) {
    enum { HALOS = 300, EACH = 18 };
    i64 each[HALOS];
    u64 seed = 23;
    for (i64 h = 0; h < HALOS; h++)
        each[h] = EACH;
    for (int k = first_kind % 3; k < 3; k += kind_step) {
        const f64 deep = k < 2 ? 1e-4 : 1e-5;
        scene s = scene_new(each, HALOS);
        for (i64 i = 0; i < s.n; i++) {
            const int is_heavy = i % EACH < 2;
            const f64 close = k ? 1e-9 : pow(10, 0.5 * scene_uniform(&seed) - 5.9);
            s.m[i] = is_heavy || k == 1 ? 1 : 1e-3;
            for (int axis = 0; axis < 3; axis++)
                s.x[3 * i + axis] =
                    i % 2 ? s.x[3 * i - 3 + axis] : 2 * scene_uniform(&seed) - 1;
            s.x[3 * i] += i % 2 ? (is_heavy ? deep : close) : 0;
        }
        s.has_mass = s.verify = 1;
        scene_compare(&s, ANY);
        scene_free(&s);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {shapes,   half_a_box, coincident, piles,
                                  extremes, decades,    close_pairs};
    return test_main(argc, argv, "mbp_shapes", tests, sizeof tests / sizeof *tests);
}
