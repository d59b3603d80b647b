/* Every potential lies within its bounds: what weft_mbp and weft_potential rest on.
 * Compiled with the library's own sources, since bounds are not public. */
#include "harness.h"

#include "algorithms/mbp/bounds/mbp_bounds.h"

#include <stdlib.h>

static f64 uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

/* Halos in rows on the host. */
typedef struct host_slots {
    i64 halos, rows, *offset;
    u32 *row_halo, *extent, *heaviest;
    f64 *at[3], *mass, *depth; /* depth: |phi|, scaled as bounds are */
} host_slots;

static host_slots slots_new(const i64 *sizes, i64 halos) {
    host_slots s = {.halos = halos, .offset = calloc((size_t)halos + 1, sizeof(i64))};
    for (i64 h = 0; h < halos; h++)
        s.offset[h + 1] = s.offset[h] + sizes[h];
    s.rows = s.offset[halos] / MBP_ROW + halos;
    const size_t slots = (size_t)(s.rows * MBP_ROW);
    s.row_halo = calloc((size_t)s.rows, sizeof(u32));
    s.extent = calloc((size_t)halos, sizeof(u32));
    s.heaviest = calloc((size_t)halos, sizeof(u32));
    s.mass = calloc(slots, sizeof(f64));
    s.depth = calloc(slots, sizeof(f64));
    for (int axis = 0; axis < 3; axis++)
        s.at[axis] = calloc(slots, sizeof(f64));
    for (i64 row = 0; row < s.rows; row++)
        mbp_slots_row(row, halos, s.offset, s.row_halo, s.extent, s.heaviest);
    return s;
}

enum { COARSE = 4 };

/* Cusps of several slopes, so that pairs come close; or a flat cloud; or coarse places,
 * which many members share. */
static void fill(host_slots *s, int shape, u64 seed) {
    for (i64 h = 0; h < s->halos; h++) {
        const i64 first = MBP_ROW * mbp_first_row(s->offset, h);
        for (i64 slot = first; slot < first + mbp_members(s->offset, h); slot++) {
            const f64 r = 30 * pow(uniform(&seed), shape == COARSE ? 1 : shape);
            for (int axis = 0; axis < 3; axis++) {
                f64 *to = s->at[axis] + slot;
                *to = slot == first ? 0 : r * (uniform(&seed) - 0.4);
                if (shape == COARSE)
                    *to = 2 * rint(*to / 2);
                s->extent[h] = max(s->extent[h], mbp_exponent(*to));
            }
            s->mass[slot] = shape == 2 ? 1 + 50 * uniform(&seed) : 3;
            s->heaviest[h] = max(s->heaviest[h], mbp_exponent(s->mass[slot]));
        }
    }
}

static void slots_free(host_slots *s) {
    free(s->offset), free(s->row_halo), free(s->extent), free(s->heaviest), free(s->mass);
    free(s->depth);
    for (int axis = 0; axis < 3; axis++)
        free(s->at[axis]);
}

static mbp_slots lend(const host_slots *s, f64 softening) {
    const i64 slots = s->rows * MBP_ROW;
    return (mbp_slots){.halos = s->halos,
                       .members = s->offset[s->halos],
                       .rows = s->rows,
                       .count = slots,
                       .of = {softening, test_array(WEFT_I64, s->offset, s->halos + 1),
                              test_array(WEFT_U32, s->row_halo, s->rows),
                              test_array(WEFT_U32, s->extent, s->halos),
                              test_array(WEFT_U32, s->heaviest, s->halos)},
                       .at = {test_array(WEFT_F64, s->at[0], slots),
                              test_array(WEFT_F64, s->at[1], slots),
                              test_array(WEFT_F64, s->at[2], slots),
                              test_array(WEFT_F64, s->mass, slots)}};
}

static void give_back(const mbp_slots *lent) {
    const weft_array all[] = {lent->of.offset,   lent->of.row_halo, lent->of.extent,
                              lent->of.heaviest, lent->at.x,        lent->at.y,
                              lent->at.z,        lent->at.mass};
    for (int k = 0; k < 8; k++)
        weft_array_free(device, all[k]);
}

/* Over all pairs. */
static void define_depths(host_slots *s, f64 softening) {
    for (i64 h = 0; h < s->halos; h++) {
        const i64 first = MBP_ROW * mbp_first_row(s->offset, h),
                  end = first + mbp_members(s->offset, h);
        for (i64 i = first; i < end; i++) {
            f64 sum = 0;
            for (i64 j = first; j < end; j++) {
                f64 r2 = softening * softening;
                for (int axis = 0; axis < 3; axis++)
                    r2 += (s->at[axis][j] - s->at[axis][i]) *
                          (s->at[axis][j] - s->at[axis][i]);
                if (j != i && r2 > 0)
                    sum += s->mass[j] / sqrt(r2);
            }
            s->depth[i] = sum * mbp_scale(s->heaviest[h]) / mbp_scale(s->extent[h]);
        }
    }
}

/* How a check bounds: from all pairs where the tolerance is 0; by all, or by one in three,
 * as they walk who are left after a first walk; or closely, in f64. */
typedef struct way {
    f64 tolerance;
    int step, closely;
} way;

static void walk(const mbp_slots *lent, way by, mbp_bounds_arrays to) {
    const i64 slots = lent->rows * MBP_ROW, count = slots / by.step;
    u32 *host = malloc((size_t)(slots + 1) * sizeof *host);
    u32 *deep = malloc((size_t)lent->halos * sizeof *deep);
    for (i64 k = 0; k < count; k++)
        host[k] = (u32)(k * by.step);
    for (i64 h = 0; h < lent->halos; h++)
        deep[h] = f32_bits(1000);
    const weft_array places = test_array(WEFT_U32, host, count);
    const weft_array best = test_array(WEFT_U32, deep, lent->halos);
    weft_scope_open(device);
    mbp_tree tree = mbp_tree_build(device, lent);
    if (by.closely) {
        mbp_tree64_build(device, lent, &tree);
        mbp_tree64_walk_by(device, lent, &tree, by.tolerance, 1, best, places, to);
    } else {
        mbp_plan_of(device)->by_tree(device, lent, &tree, by.tolerance, by.step, best,
                                     places, to);
    }
    weft_scope_close(device);
    weft_array_free(device, places), weft_array_free(device, best);
    free(host), free(deep);
}

static void check(const host_slots *s, f64 softening, way by, int tells) {
    const i64 slots = s->rows * MBP_ROW;
    f32 *low = malloc((size_t)slots * sizeof *low);
    f32 *high = malloc((size_t)slots * sizeof *high);
    const mbp_slots lent = lend(s, softening);
    weft_scope_open(device);
    const mbp_bounds_arrays bounds = mbp_bound_nothing(device, &lent);
    if (by.tolerance > 0)
        walk(&lent, by, bounds);
    else
        mbp_plan_of(device)->by_pairs(device, &lent, bounds);
    weft_read(device, bounds.low, low);
    weft_read(device, bounds.high, high);
    weft_scope_close(device);
    test_ok();
    i64 told = 0;
    for (i64 h = 0; h < s->halos; h++) {
        const i64 first = MBP_ROW * mbp_first_row(s->offset, h);
        for (i64 i = first; i < first + mbp_members(s->offset, h); i++) {
            const f64 d = s->depth[i];
            ck_assert_msg((f64)low[i] <= d && d <= (f64)high[i],
                          "halo %lld, member %lld: %.9g not in [%.9g, %.9g]", (long long)h,
                          (long long)(i - first), d, (f64)low[i], (f64)high[i]);
            told += (f64)low[i] > 0.9 * d && (f64)high[i] < 1.1 * d;
        }
    }
    /* Bounds that say nothing would pass, too. */
    ck_assert_msg(!tells || told * by.step >= s->offset[s->halos] * 9 / 10,
                  "only %lld bounds are close", (long long)told);
    free(low), free(high);
    give_back(&lent);
}

/* Whether a member before it, of those from `first` on, is where one is. */
static int is_behind(const host_slots *s, i64 first, i64 i) {
    for (i64 j = first; j < i; j++)
        if (s->at[0][j] == s->at[0][i] && s->at[1][j] == s->at[1][i] &&
            s->at[2][j] == s->at[2][i])
            return 1;
    return 0;
}

/* Halos of one kernel each: upper bounds of all, but of those that another member at their
 * place stands for, and a lower one of the largest. */
static void check_short(const host_slots *s, f64 softening, int tells) {
    const i64 slots = s->rows * MBP_ROW, n = s->offset[s->halos];
    f32 *high = malloc((size_t)slots * sizeof *high);
    u32 *best = malloc((size_t)s->halos * sizeof *best);
    const mbp_slots lent = lend(s, softening);
    weft_scope_open(device);
    const weft_array deepest = weft_scratch(device, WEFT_U32, s->halos);
    const mbp_bounds_arrays found = mbp_short_by_halo(device, &lent, deepest);
    weft_read(device, found.high, high);
    weft_read(device, deepest, best);
    weft_scope_close(device);
    test_ok();
    i64 told = 0;
    for (i64 h = 0; h < s->halos; h++) {
        const i64 first = MBP_ROW * mbp_first_row(s->offset, h);
        const i64 end = first + mbp_members(s->offset, h);
        f64 most = 0;
        for (i64 i = first; i < end; i++) {
            const f64 d = s->depth[i];
            most = fmax(most, d);
            ck_assert_msg(d <= (f64)high[i] ||
                              (high[i] == -1 && softening == 0 && is_behind(s, first, i)),
                          "halo %lld, member %lld: %.9g above %.9g", (long long)h,
                          (long long)(i - first), d, (f64)high[i]);
            told += (f64)high[i] < 1.1 * d;
        }
        for (i64 i = end; i < MBP_ROW * mbp_first_row(s->offset, h + 1); i++)
            ck_assert(high[i] == -1);
        ck_assert_msg((f64)bits_f32(best[h]) <= most, "halo %lld: %.9g below %.9g",
                      (long long)h, most, (f64)bits_f32(best[h]));
    }
    ck_assert_msg(!tells || told >= n * 9 / 10, "only %lld bounds are close",
                  (long long)told);
    free(high), free(best);
    give_back(&lent);
}

START_TEST(bounds) {
    static const i64 sizes[] = {5000, 1300, 513, 64, 17, 16, 2, 1};
    for (int shape = first_kind % COARSE; shape <= COARSE; shape += kind_step)
        for (int soft = 0; soft < 3; soft++) {
            host_slots s = slots_new(sizes, sizeof sizes / sizeof *sizes);
            fill(&s, shape, (u64)(10 * shape + soft));
            define_depths(&s, soft * soft * 0.3);
            /* In cusps some pairs are too close for any claim in f32. */
            const int tells = soft > 0 || shape < 2;
            const way ways[] = {{0, 1, 0},    {1e-2, 1, 0}, {1e-5, 1, 0}, {1e-2, 3, 0},
                                {1e-5, 3, 0}, {1e-2, 1, 1}, {1e-5, 1, 1}, {1e-9, 3, 1}};
            for (int k = 0; k < 8; k++)
                check(&s, soft * soft * 0.3, ways[k],
                      (tells || ways[k].closely) && ways[k].tolerance < 1e-4);
            slots_free(&s);
        }
}
END_TEST

START_TEST(short_halos) {
    static const i64 sizes[] = {4095, 1300, 513, 64, 31, 20, 17, 16, 15, 2, 1};
    for (int shape = first_kind % COARSE; shape <= COARSE; shape += kind_step)
        for (int soft = 0; soft < 3; soft++) {
            host_slots s = slots_new(sizes, sizeof sizes / sizeof *sizes);
            fill(&s, shape, (u64)(10 * shape + soft));
            define_depths(&s, soft * soft * 0.3);
            check_short(&s, soft * soft * 0.3, shape != 2 && (soft > 0 || shape < 2));
            slots_free(&s);
        }
}
END_TEST

/* Potentials that are nearly those defined lie within what they are off by, which is little
 * unless members of a halo are too close for f32. */
static void check_near(const host_slots *s, f64 softening, int tells) {
    const i64 n = s->offset[s->halos];
    f64 *phi = malloc((size_t)n * sizeof *phi), *off = malloc((size_t)n * sizeof *off);
    const mbp_slots lent = lend(s, softening);
    weft_scope_open(device);
    const weft_array potential = weft_scratch(device, WEFT_F64, n);
    const weft_array spread = weft_scratch(device, WEFT_F64, s->halos);
    mbp_near(device, &lent, potential, spread);
    weft_read(device, potential, phi);
    weft_read(device, spread, off);
    weft_scope_close(device);
    test_ok();
    for (i64 h = 0; h < s->halos; h++) {
        const i64 first = MBP_ROW * mbp_first_row(s->offset, h), begin = s->offset[h];
        const f64 scale = mbp_scale(s->extent[h]) / mbp_scale(s->heaviest[h]);
        f64 most = 0;
        for (i64 m = begin; m < s->offset[h + 1]; m++) {
            const f64 d = s->depth[first + m - begin] * scale;
            most = fmax(most, d);
            ck_assert_msg(fabs(phi[m] + d) <= off[h] + 1e-12 * d || off[h] == INFINITY,
                          "halo %lld, member %lld: %.17g is not within %g of %.17g",
                          (long long)h, (long long)(m - begin), phi[m], off[h], -d);
        }
        ck_assert_msg(!tells || s->offset[h + 1] - begin == 1 || off[h] <= 2e-10 * most,
                      "halo %lld: %g of %g", (long long)h, off[h], most);
        ck_assert(!(off[h] < 0x1p-33 * most));
    }
    free(phi), free(off);
    give_back(&lent);
}

/* Around what one work-item adds up, and where an eighth of all is more. */
START_TEST(nearly) {
    static const i64 sizes[] = {16400, 4097, 2049, 2048, 300, 17, 16, 15, 2, 1};
    for (int shape = first_kind % COARSE; shape <= COARSE; shape += kind_step)
        for (int soft = 0; soft < 3; soft += 2) {
            const i64 skip =
                shape != first_kind % COARSE || soft == 0; /* the longest once */
            host_slots s =
                slots_new(sizes + skip, (i64)(sizeof sizes / sizeof *sizes) - skip);
            fill(&s, shape, (u64)(10 * shape + soft));
            define_depths(&s, soft * soft * 0.3);
            check_near(&s, soft * soft * 0.3, soft > 0 || shape < COARSE);
            slots_free(&s);
        }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {bounds, short_halos, nearly};
    return test_main(argc, argv, "mbp_bounds", tests, 3);
}
