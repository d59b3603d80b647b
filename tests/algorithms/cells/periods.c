/* Which periods are opened, and where they begin then. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/cells/grid/periods.h"
#include "algorithms/points/arguments.h"

enum { MOST = 30000 };

/* So many particles, x y z of each in turn or axis by axis, within [0, box). */
struct scene {
    i64 count, stride;
    int wide;
    f64 box[3], *at; /* [3 * count]: particle by particle */
};

static f64 some(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

static f64 coordinate(const struct scene *s, i64 i, int axis) {
    return s->at[3 * i + axis];
}

/* Particles in a part of each period, from a place on; those at odd places of the list may
 * lie elsewhere, one in so many of them. */
static struct scene make(i64 count, i64 stride, int wide, const f64 from[3], f64 part,
                         i64 stray, u64 *state) {
    struct scene s = {count, stride, wide, {1, 0.75, 3}, NULL};
    s.at = malloc((size_t)(3 * count) * sizeof *s.at);
    for (i64 i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const int strays = stray > 0 && i % (2 * stray) == 1;
            f64 x = from[k] + (strays ? 0.35 + 0.4 * some(state) : part * some(state));
            x = (x - floor(x)) * s.box[k] * (1 - 0x1p-20);
            s.at[3 * i + k] = wide ? x : (f64)(f32)x;
        }
    return s;
}

static points_words words_of(const struct scene *s, void *memory) {
    for (i64 i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) {
            const i64 j = s->stride == 3 ? 3 * i + k : k * s->count + i;
            if (s->wide)
                ((f64 *)memory)[j] = s->at[3 * i + k];
            else
                ((f32 *)memory)[j] = (f32)s->at[3 * i + k];
        }
    const i64 words = 3 * s->count << s->wide;
    const weft_array all = test_array(WEFT_U32, memory, words);
    const i64 step = (s->stride == 3 ? 1 : s->count) << s->wide;
    return (points_words){
        weft_slice(device, all, 0, words), weft_slice(device, all, step, words - step),
        weft_slice(device, all, 2 * step, words - 2 * step), s->stride, s->wide};
}

static int ascending(const void *a, const void *b) {
    const f64 x = *(const f64 *)a, y = *(const f64 *)b;
    return (x > y) - (x < y);
}

/* The widest gap of an axis, around its period. */
static f64 widest_gap(const struct scene *s, int axis) {
    f64 *x = malloc((size_t)s->count * sizeof *x), gap;
    for (i64 i = 0; i < s->count; i++)
        x[i] = coordinate(s, i, axis);
    qsort(x, (size_t)s->count, sizeof *x, ascending);
    gap = x[0] + s->box[axis] - x[s->count - 1];
    for (i64 i = 1; i < s->count; i++)
        gap = fmax(gap, x[i] - x[i - 1]);
    free(x);
    return gap;
}

/* What is opened has such a gap, and its bounds are those of its particles; wide gaps are
 * found. */
static void expect_open(const struct scene *s, f64 gap) {
    static f64 memory[3 * MOST];
    f64 box[3], from[3], turn[3];
    memcpy(box, s->box, sizeof box);
    weft_scope_open(device);
    const points_words words = words_of(s, memory);
    points_box bounds = points_bounds(device, "periods", &words, s->count);
    const points_box given = bounds;
    periods_open(device, "periods", &words, s->count, gap, box, &bounds, from, turn);
    weft_scope_close(device);
    ck_assert_msg(weft_check(device) == WEFT_OK, "%s", weft_error(device));
    for (int k = 0; k < 3; k++) {
        const f64 widest = widest_gap(s, k);
        f64 low = INFINITY, high = -INFINITY;
        for (i64 i = 0; i < s->count; i++) {
            const f64 x = coordinate(s, i, k), at = x < from[k] ? x + turn[k] : x;
            low = fmin(low, at);
            high = fmax(high, at);
        }
        ck_assert(box[k] == 0 || box[k] == s->box[k]);
        if (box[k] != 0) {
            ck_assert_msg(widest < gap + 3 * s->box[k] / 64,
                          "axis %d of %lld stays closed with a gap of %g", k,
                          (long long)s->count, widest);
            ck_assert(from[k] == 0 && turn[k] == 0);
            continue;
        }
        ck_assert(turn[k] == (from[k] > 0 ? s->box[k] : 0));
        ck_assert_msg(bounds.low[k] == low && bounds.high[k] == high,
                      "axis %d of %lld is from %g to %g, not %g to %g", k,
                      (long long)s->count, bounds.low[k], bounds.high[k], low, high);
        ck_assert(s->box[k] - (high - low) >= gap);
        if (from[k] == 0)
            ck_assert(low == given.low[k] && high == given.high[k]);
    }
}

START_TEST(parts_of_a_period) {
    static const i64 count[] = {1, 2, 63, 64, 65, 1000, 4097, 10000};
    u64 state = 7;
    for (int k = 0; k < 96; k++) {
        const f64 from[3] = {some(&state), some(&state), k % 5 ? some(&state) : 0};
        const f64 part = k % 3 == 0 ? 0.5 : k % 3 == 1 ? some(&state) : 0.2;
        struct scene s =
            make(count[k % 8], k / 8 & 1 ? 3 : 1, k / 16 & 1, from, part, 0, &state);
        expect_open(&s, k % 7 == 0 ? 0.3 : 0.01);
        free(s.at);
    }
}
END_TEST

/* Every other particle is looked at first, or one in eight, and in the middle of what then
 * seems empty there are some. */
START_TEST(some_are_not_looked_at) {
    u64 state = 9;
    for (int k = 0; k < 24; k++) {
        const f64 from[3] = {some(&state), k % 5 == 0 ? 0 : some(&state), 0.8};
        const i64 count = k % 2 ? 8000 : MOST - 1;
        struct scene s = make(count, k / 2 & 1 ? 3 : 1, k / 4 & 1, from, 0.1, 50, &state);
        expect_open(&s, 0.01);
        free(s.at);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {parts_of_a_period, some_are_not_looked_at};
    return test_main(argc, argv, "periods", tests, sizeof tests / sizeof *tests);
}
