/* Every potential lies below its bound, and the deepest one of a halo above the halo's:
 * what weft_mbp rests on. Compiled with the library's own sources, since bounds are not
 * public. */
#include "harness.h"

#include "algorithms/mbp.h"
#include "algorithms/mbp_pairs.kernel.h"

#include <stdlib.h>

static f64 uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

/* Halos in rows on the host. */
typedef struct host_slots {
    i64 halos, rows, *offset;
    u32 *row_halo, *extent, *heaviest;
    f64 *at[3], *mass;
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
    for (int axis = 0; axis < 3; axis++)
        s.at[axis] = calloc(slots, sizeof(f64));
    for (i64 row = 0; row < s.rows; row++)
        mbp_row(row, halos, s.offset, s.row_halo);
    return s;
}

/* Cusps of several slopes, so that pairs come close; or a flat cloud. */
static void fill(host_slots *s, int shape, u64 seed) {
    for (i64 h = 0; h < s->halos; h++) {
        const i64 first = MBP_ROW * mbp_first_row(s->offset, h);
        for (i64 slot = first; slot < first + mbp_members(s->offset, h); slot++) {
            const f64 r = 30 * pow(uniform(&seed), shape);
            for (int axis = 0; axis < 3; axis++) {
                f64 *to = s->at[axis] + slot;
                *to = slot == first ? 0 : r * (uniform(&seed) - 0.4);
                s->extent[h] = max(s->extent[h], mbp_exponent(*to));
            }
            s->mass[slot] = shape == 2 ? 1 + 50 * uniform(&seed) : 3;
            s->heaviest[h] = max(s->heaviest[h], mbp_exponent(s->mass[slot]));
        }
    }
}

static void slots_free(host_slots *s) {
    free(s->offset), free(s->row_halo), free(s->extent), free(s->heaviest), free(s->mass);
    for (int axis = 0; axis < 3; axis++)
        free(s->at[axis]);
}

static mbp_slots lend(const host_slots *s) {
    const i64 slots = s->rows * MBP_ROW;
    return (mbp_slots){.halos = s->halos,
                       .members = s->offset[s->halos],
                       .rows = s->rows,
                       .offset = test_array(WEFT_I64, s->offset, s->halos + 1),
                       .row_halo = test_array(WEFT_U32, s->row_halo, s->rows),
                       .x = test_array(WEFT_F64, s->at[0], slots),
                       .y = test_array(WEFT_F64, s->at[1], slots),
                       .z = test_array(WEFT_F64, s->at[2], slots),
                       .mass = test_array(WEFT_F64, s->mass, slots),
                       .extent = test_array(WEFT_U32, s->extent, s->halos),
                       .heaviest = test_array(WEFT_U32, s->heaviest, s->halos)};
}

/* |phi|, scaled as bounds are. */
static f64 depth(const host_slots *s, i64 h, i64 i, f64 softening) {
    const i64 first = MBP_ROW * mbp_first_row(s->offset, h);
    f64 sum = 0;
    for (i64 j = first; j < first + mbp_members(s->offset, h); j++) {
        f64 r2 = softening * softening;
        for (int axis = 0; axis < 3; axis++)
            r2 += (s->at[axis][j] - s->at[axis][i]) * (s->at[axis][j] - s->at[axis][i]);
        if (j != i && r2 > 0)
            sum += s->mass[j] / sqrt(r2);
    }
    return sum * mbp_pairs_scale(s->heaviest[h]) / mbp_pairs_scale(s->extent[h]);
}

static void check(const host_slots *s, f64 softening, int by_tree, int tells) {
    const i64 slots = s->rows * MBP_ROW;
    const u32 zero = 0;
    f32 *high = malloc((size_t)slots * sizeof *high);
    u32 *best = malloc((size_t)s->halos * sizeof *best);
    const mbp_slots lent = lend(s);
    const weft_array to = weft_array_new(device, WEFT_F32, slots);
    const weft_array least = weft_array_new(device, WEFT_U32, s->halos);
    weft_fill(device, least, &zero);
    if (by_tree)
        mbp_bound_by_tree(device, &lent, softening, to, least);
    else
        mbp_bound_by_pairs(device, &lent, softening, to, least);
    weft_read(device, to, high);
    weft_read(device, least, best);
    test_ok();
    for (i64 h = 0; h < s->halos; h++) {
        const i64 first = MBP_ROW * mbp_first_row(s->offset, h);
        f64 deepest = 0;
        for (i64 i = first; i < first + mbp_members(s->offset, h); i++) {
            const f64 d = depth(s, h, i, softening);
            deepest = max(deepest, d);
            ck_assert_msg(d <= (f64)high[i], "halo %lld, member %lld: %.9g above %.9g",
                          (long long)h, (long long)(i - first), d, (f64)high[i]);
        }
        const f64 claimed = (f64)bits_f32(best[h]);
        ck_assert_msg(claimed <= deepest, "halo %lld: the deepest, %.9g, below %.9g",
                      (long long)h, deepest, claimed);
        /* Bounds that say nothing would pass, too. */
        ck_assert_msg(!tells || mbp_members(s->offset, h) < 2 || claimed > 0.5 * deepest,
                      "halo %lld: %.9g says little of %.9g", (long long)h, claimed,
                      deepest);
    }
    free(high), free(best);
}

START_TEST(bounds) {
    static const i64 sizes[] = {5000, 1300, 513, 64, 17, 16, 2, 1};
    for (int shape = 0; shape < 4; shape++)
        for (int soft = 0; soft < 3; soft++) {
            host_slots s = slots_new(sizes, sizeof sizes / sizeof *sizes);
            fill(&s, shape, (u64)(10 * shape + soft));
            /* In cusps some pairs are too close for any claim in f32. */
            const int tells = soft > 0 || shape < 2;
            check(&s, soft * soft * 0.3, 0, tells);
            check(&s, soft * soft * 0.3, 1, tells);
            slots_free(&s);
        }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {bounds};
    return test_main(argc, argv, "mbp_bounds", tests, 1);
}
