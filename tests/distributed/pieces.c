/* Space in domains, and friends found piece by piece: the same as all at once. */
#include "definitions.h"
#include "distributed/ghosts.h"
#include "distributed/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mcp.h>

static f64 gap(f64 d, f64 period) {
    return fabs(period > 0 ? remainder(d, period) : d);
}

/* A particle's domains are its own and those of all particles within reach. */
START_TEST(domains_meet) {
    enum { N = 250, MOST = 40 };
    const f64 periods[][3] = {{0, 0, 0}, {1, 1, 1}, {1, 0, 0.5}};
    cloud c = cloud_clumps(N, 1, 11);
    const struct positions positions = {.at = c.at, .bytes = 8, .n = N};
    for (int k = 0; k < 3; k++)
        for (int n = 1; n <= MOST; n += n < 4 ? 1 : 9) {
            struct domains domains;
            f64 sample[3 * 128], place[N][3];
            int owner[N], near[MOST], count[MOST] = {0};
            domains_sample(periods[k], &positions, 128, sample);
            ck_assert(domains_cut(&domains, n, periods[k], sample, 128));
            for (i64 i = 0; i < N; i++) {
                domains_place(periods[k], &positions, i, place[i]);
                owner[i] = domains_owner(&domains, place[i]);
                ck_assert(owner[i] >= 0 && owner[i] < n);
                count[owner[i]]++;
            }
            for (int d = 0; d < n && n <= 4; d++)
                ck_assert_int_ge(count[d], N / n / 2);
            for (i64 i = 0; i < N; i++) {
                const f64 reach[3] = {0.01 * (f64)(i % 7), 0.02, i % 50 ? 0.03 : 2};
                const int found = domains_near(&domains, place[i], reach, near);
                ck_assert_int_le(found, n);
                u64 is_near = 0;
                int missed = 0;
                for (int f = 0; f < found; f++) {
                    ck_assert(!(is_near >> near[f] & 1));
                    is_near |= (u64)1 << near[f];
                }
                for (i64 j = 0; j < N; j++) {
                    int within = 1;
                    for (int a = 0; a < 3; a++)
                        within &= gap(place[i][a] - place[j][a], periods[k][a]) <= reach[a];
                    missed += within && !(is_near >> owner[j] & 1);
                }
                ck_assert_int_eq(missed, 0);
            }
            domains_free(&domains);
        }
    cloud_free(&c);
}
END_TEST

struct scene {
    cloud c;
    weft_fof_options options;
};

static struct scene scene(int which) {
    struct scene s = {.c = cloud_clumps(which == 4 ? 1 : 3000, which % 2, (u64)which),
                      .options = {.linking_length = 0.02}};
    for (int axis = 0; axis < 3; axis++)
        s.options.box[axis] = which < 3 || (which == 3 && axis == 1) ? 1 : 0;
    if (which == 1) /* far outside of the box */
        for (i64 i = 0; i < s.c.count; i++)
            cloud_set(&s.c, i, s.c.at[3 * i] + (f64)(i % 5) - 2, s.c.at[3 * i + 1] - 1000,
                      s.c.at[3 * i + 2]);
    if (which == 2) /* one group through all pieces, and around */
        for (i64 i = 0; i < s.c.count; i++)
            cloud_set(&s.c, i, (f64)((i * 7) % 3000) / 3000, 0.5, (f64)(i % 2) / 64);
    if (which == 5) /* coincident particles on the faces of cells */
        for (i64 i = 0; i < s.c.count; i++)
            cloud_set(&s.c, i, (f64)(i % 10) / 10, (f64)(i % 4) / 4, (f64)(i % 6) / 6);
    if (which == 5)
        s.options.linking_length = 0;
    return s;
}
enum { SCENES = 6 };

/* The cloud's positions as they lie in memory. */
static void *lay(const cloud *c) {
    f64 *wide = malloc((size_t)(3 * c->count + 1) * sizeof *wide);
    f32 *narrow = (void *)wide;
    for (i64 k = 0; k < 3 * c->count; k++)
        if (c->wide)
            wide[k] = c->at[k];
        else
            narrow[k] = (f32)c->at[k];
    return narrow;
}

/* What a device finds of domains [first, n) is what the host tells of each particle, but
 * for some that lie a millionth of a period farther. */
static void expect_same(const struct domains *domains, const struct positions *positions,
                        i64 first, const f64 reach[3]) {
    const i64 n = positions->n - first;
    uint16_t *owner = malloc((size_t)n * sizeof *owner + 1);
    f64 farther[3];
    u32 *row;
    for (int k = 0; k < 3; k++)
        farther[k] = reach[k] + 2e-6 * fmax(domains->period[k], 1);
    domains_owners(domains, positions, first, n, owner);
    for (i64 i = 0; i < n; i++) {
        f64 place[3];
        domains_place(domains->period, positions, first + i, place);
        ck_assert_int_eq(owner[i], domains_owner(domains, place));
    }
    for (int own = 0; own < domains->n; own++) {
        const i64 limit = own % 2 ? 64 * 65 : 0; /* 65 rows at a time */
        i64 k = 0;
        const i64 listed =
            domains_list_edge(device, domains, own, positions, reach, limit, &row);
        for (i64 i = 0; i < positions->n; i++) {
            f64 place[3];
            domains_place(domains->period, positions, i, place);
            const bool inside = domains_is_inside(domains, own, place, reach);
            const bool is_listed = k < listed && row[k] == i;
            ck_assert(is_listed || inside);
            ck_assert(!is_listed || i % 3 == 0 ||
                      !domains_is_inside(domains, own, place, farther));
            k += is_listed;
        }
        ck_assert_int_eq(k, listed);
        free(row);
    }
    test_ok();
    free(owner);
}

/* Places on faces and cuts, and between; and one that is outside, alone. */
static void expect_sides(i64 size, int ranks, int bytes, i64 odd, f32 outside) {
    enum { MOST = 5000 };
    const f64 period[3] = {1, 0.1, 3};
    static f64 wide[3 * MOST];
    static f32 narrow[3 * MOST];
    static uint16_t owner[MOST];
    f64 sample[3 * 256], far[3] = {0, 0.05, 0}, expected[3] = {0, 0.05, 0};
    for (i64 k = 0; k < 3 * size; k++) {
        const f64 x = (f64)(k * 7919 % 1009) / 1009 * period[k % 3];
        wide[k] = k % 11 ? x : k % 2 ? 0 : period[k % 3] / 4;
        narrow[k] = (f32)wide[k] < period[k % 3] ? (f32)wide[k] : 0;
    }
    if (odd >= 0) {
        narrow[odd] = outside;
        wide[odd] = outside == 0.1F ? 0.1 : (f64)outside;
    }
    const void *at = bytes == 4 ? (const void *)narrow : wide;
    const struct positions positions = {.at = at, .bytes = bytes, .n = size};
    struct domains domains;
    struct domains_sides sides;
    domains_sample(period, &positions, 256, sample);
    ck_assert(domains_cut(&domains, ranks, period, sample, 256));
    ck_assert_int_eq(domains_find_sides(&domains, &sides), ranks <= DOMAINS_FEW);
    const bool found =
        ranks <= DOMAINS_FEW && domains_owners_within(&sides, at, bytes, size, owner, far);
    ck_assert_int_eq(found, ranks <= DOMAINS_FEW && odd < 0);
    for (i64 i = 0; found && i < size; i++) {
        f64 place[3];
        domains_place(period, &positions, i, place);
        ck_assert_int_eq(owner[i], domains_owner(&domains, place));
        for (int axis = 0; axis < 3; axis++)
            expected[axis] = fmax(expected[axis], place[axis]);
    }
    ck_assert_mem_eq(far, expected, sizeof far);
    domains_free(&domains);
}

static void expect_all_sides(i64 size, int ranks, int bytes) {
    expect_sides(size, ranks, bytes, -1, 0);
    for (i64 odd = 0; odd < 3 * size; odd += 1 + 3 * size / 4) {
        const f32 end = odd % 3 == 0 ? 1 : odd % 3 == 1 ? 0.1F : 3;
        expect_sides(size, ranks, bytes, odd, -1e-30F);
        expect_sides(size, ranks, bytes, odd, NAN);
        expect_sides(size, ranks, bytes, odd, INFINITY);
        expect_sides(size, ranks, bytes, odd, end);
    }
}

START_TEST(sides_are_owners) {
    const i64 sizes[] = {0, 1, 15, 16, 17, 65, 1000, 2047, 2048, 2049, 5000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int ranks = 1; ranks <= 65; ranks += ranks < 9 ? 1 : 8) {
            expect_all_sides(sizes[s], ranks, 4);
            expect_all_sides(sizes[s], ranks, 8);
        }
}
END_TEST

/* Every third particle is farther outside than a period; places on faces and cuts. */
START_TEST(devices_know_domains) {
    const f64 periods[][3] = {{0, 0, 0}, {1, 1, 1}, {1, 0, 0.5}};
    const i64 sizes[] = {0, 1, 2, 65, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int k = 0; k < 6; k++) {
            cloud c = cloud_clumps(sizes[s], k % 2, 13);
            for (i64 i = 0; i < c.count; i++) {
                const f64 *at = c.at + 3 * i, far = i % 3 ? (f64)(i % 2) - 1 : 7;
                cloud_set(&c, i, i % 7 ? at[0] + far : floor(4 * at[0]) / 4 - 1, at[1],
                          i % 5 ? at[2] - far / 2 : 0.5);
            }
            void *at = lay(&c);
            const struct positions positions = {
                .at = at, .bytes = k % 2 ? 8 : 4, .n = c.count};
            for (int n = 1; n <= 9; n += n < 4 ? 1 : 5) {
                struct domains domains;
                f64 sample[3 * 64];
                const f64 reach[3] = {0.01, n % 2 ? 0.03 : 0, 0.25};
                domains_sample(periods[k / 2], &positions, 64, sample);
                ck_assert(domains_cut(&domains, n, periods[k / 2], sample, 64));
                expect_same(&domains, &positions, 0, reach);
                expect_same(&domains, &positions, c.count / 3, reach);
                domains_free(&domains);
            }
            free(at);
            cloud_free(&c);
        }
}
END_TEST

/* Places within some roundings of where an edge ends, within the period and outside, whose
 * length f32 rounds. */
START_TEST(edges_are_rounded) {
    enum { N = 512 };
    const f64 period[3] = {0.7, 0, 4e5}, reach[3] = {0.003, 0.05, 0.001};
    static f64 wide[3 * N];
    static f32 narrow[3 * N];
    u64 state = 3;
    for (int n = 2; n <= 5; n++) {
        struct domains domains;
        f64 sample[3 * 64];
        for (i64 k = 0; k < 3 * 64; k++)
            sample[k] = (f64)(test_random(&state) >> 11) * 0x1p-53 * fmax(period[k % 3], 1);
        ck_assert(domains_cut(&domains, n, period, sample, 64));
        for (i64 k = 0; k < 3 * N; k++) {
            const int axis = (int)(k % 3), own = (int)(test_random(&state) % (u64)n);
            const struct domains_box *box = &domains.boxes[own];
            const bool above = test_random(&state) % 2;
            const f64 end =
                above ? box->low[axis] + reach[axis] : box->high[axis] - reach[axis];
            const f64 at = isfinite(end) ? end : 0.5 * fmax(period[axis], 1);
            const f64 off = ((f64)(test_random(&state) % 17) - 8) * (k % 2 ? 1e-16 : 6e-8);
            wide[k] = at + off * fabs(at) - (k % 5 < 2 ? period[axis] : 0);
            narrow[k] = (f32)wide[k];
        }
        expect_same(&domains, &(struct positions){.at = wide, .bytes = 8, .n = N}, 0,
                    reach);
        expect_same(&domains, &(struct positions){.at = narrow, .bytes = 4, .n = N}, 0,
                    reach);
        domains_free(&domains);
    }
}
END_TEST

START_TEST(pieces_are_one) {
    for (int which = 0; which < SCENES; which++) {
        struct scene s = scene(which);
        const i64 n = s.c.count;
        struct comm comm = {.size = 1, .culprit = -1};
        const struct positions positions = {
            .at = lay(&s.c), .bytes = s.c.wide ? 8 : 4, .n = n};
        u32 *expected = malloc((size_t)n * sizeof *expected);
        u32 *label = malloc((size_t)n * sizeof *label);
        run_fof(&s.c, &s.options, expected);
        for (i64 room = 1600; room >= 400; room /= 4) {
            const i64 limit = room * pieces_particle(positions.bytes);
            const bool done =
                pieces_fof(&comm, device, &positions, &s.options, limit, label);
            if (which == 5 && !done)
                break;
            ck_assert_msg(done, "%d, %lld: %s", which, (long long)room, comm.error.text);
            ck_assert_mem_eq(expected, label, (size_t)n * sizeof *label);
        }
        free((void *)(uintptr_t)positions.at);
        free(expected);
        free(label);
        cloud_free(&s.c);
    }
}
END_TEST

START_TEST(friends_are_counted) {
    for (int which = 0; which < SCENES; which++) {
        struct scene s = scene(which);
        const i64 n = s.c.count;
        struct comm comm = {.size = 1, .culprit = -1};
        const struct positions positions = {
            .at = lay(&s.c), .bytes = s.c.wide ? 8 : 4, .n = n};
        u32 *friends = malloc((size_t)n * sizeof *friends);
        const i64 limit = 1500 * pieces_particle(positions.bytes);
        ck_assert(pieces_friends(&comm, device, &positions, &s.options, limit, friends));
        for (i64 i = 0; i < n; i += 37) {
            u32 count = 0;
            for (i64 j = 0; j < n; j++)
                count += j != i && define_friends(&s.c, i, j, s.options.linking_length,
                                                  s.options.box);
            ck_assert_uint_eq(friends[i], count);
        }
        free((void *)(uintptr_t)positions.at);
        free(friends);
        cloud_free(&s.c);
    }
}
END_TEST

/* The device never holds more than it may, but for tables of a processor's threads. */
START_TEST(limit_is_kept) {
    const weft_fof_options options = {.linking_length = 0.002, .box = {1, 1, 1}};
    cloud c = cloud_clumps(60000, 0, 7);
    void *at = lay(&c);
    u32 *label = malloc((size_t)c.count * sizeof *label);
    struct comm comm = {.size = 1, .culprit = -1};
    const struct positions positions = {.at = at, .bytes = 4, .n = c.count};
    const i64 limit = c.count / 3 * pieces_particle(4);
    const i64 tables =
        weft_device_style(device) == WEFT_SIMD ? weft_concurrency(device) * 192 << 10 : 0;
    weft_memory_reset_peak(device);
    ck_assert(pieces_fof(&comm, device, &positions, &options, limit, label));
    ck_assert(pieces_friends(&comm, device, &positions, &options, limit, label));
    ck_assert_int_le((i64)weft_memory_use(device).peak, limit + tables);
    ck_assert_int_le((i64)weft_memory_use(device).held, limit + tables);
    free(at);
    free(label);
    cloud_free(&c);
}
END_TEST

/* A thousand friends do not fit where a hundred do. */
START_TEST(too_small) {
    enum { N = 1000 };
    static const f64 at[3 * N];
    static u32 label[N];
    const weft_fof_options options = {.linking_length = 1};
    const struct positions positions = {.at = at, .bytes = 8, .n = N};
    for (i64 room = 0; room <= 100; room += 100) {
        struct comm comm = {.size = 1, .culprit = -1};
        ck_assert(!pieces_fof(&comm, device, &positions, &options,
                              1 + room * pieces_particle(8), label));
        ck_assert_int_eq(comm.trouble, 1);
        ck_assert_ptr_nonnull(strstr(comm.error.text, "memory limit is too small"));
    }
    test_ok();
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        domains_meet,   devices_know_domains, edges_are_rounded, sides_are_owners,
        pieces_are_one, friends_are_counted,  limit_is_kept,     too_small};
    return test_main(argc, argv, "pieces", tests, sizeof tests / sizeof *tests);
}
