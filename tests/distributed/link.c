/* Groups over all ranks are those of one device. Started by mpirun, or alone. */
#include "scene.h"
#include "distributed/link.h"

#include <stdlib.h>
#include <string.h>
#include <weft/mcp.h>

/* With ids beside. */
static struct table share(const cloud *c) {
    struct table table = scene_share(c);
    const i64 *index = table.column[LINK_INDEX];
    i64 *id = malloc((size_t)table.n * sizeof *id + 1);
    for (i64 i = 0; i < table.n; i++)
        id[i] = 7 * index[i];
    table.bytes[LINK_ID] = sizeof *id;
    table.column[LINK_ID] = id;
    return table;
}

/* Labels and positions that stay on the device are of all rows. */
static u32 *read_labels(const struct link_device *there, const struct table *table) {
    const size_t bytes = table->bytes[LINK_POSITION];
    u32 *label = malloc((size_t)table->n * sizeof *label + 1);
    char *position = malloc((size_t)table->n * bytes + 1);
    weft_read(device, weft_slice(device, there->label, 0, table->n), label);
    if (there->position.type) {
        const i64 words = table->n * (i64)(bytes / sizeof *label);
        weft_read(device, weft_slice(device, there->position, 0, words), (u32 *)position);
        ck_assert_mem_eq(position, table->column[LINK_POSITION], (size_t)table->n * bytes);
    }
    ck_assert_int_eq(weft_check(device), WEFT_OK);
    free(position);
    return label;
}

/* That each particle that takes part is on one rank, beside its group's first. */
static void expect(const cloud *c, const weft_fof_options *options, i64 limit, bool stay) {
    struct table table = share(c);
    u32 *label, *expected = malloc((size_t)c->count * sizeof *expected + 1);
    run_fof(c, options, expected);
    i64 sums[4] = {0, 0, 0, 0}, all[2] = {0, 0};
    for (i64 i = 0; i < c->count; i++)
        if (expected[i] != UINT32_MAX) {
            all[0]++;
            all[1] += i * i;
        }
    struct link_device there = {.device = device, .stay = stay};
    ck_assert_msg(link_groups(&comm, &there, &table, options, limit, &label), "%s",
                  comm.error.text);
    const bool stays =
        stay && comm.size > 1 && limit == 0 && weft_device_style(device) == WEFT_SIMT;
    ck_assert_int_eq(label == NULL, stays);
    ck_assert_int_eq(there.label.type != 0, stays);
    ck_assert_int_eq(there.position.type != 0, stays && table.n > 0);
    if (stays)
        label = read_labels(&there, &table);
    link_forget(&there);
    const i64 *index = table.column[LINK_INDEX], *id = table.column[LINK_ID];
    for (i64 i = 0; i < table.n; i++) {
        const u32 *friends = table.column[LINK_FRIENDS];
        if (label[i] == UINT32_MAX)
            continue;
        ck_assert_int_eq(id[i], 7 * index[i]);
        ck_assert_int_le(label[i], i);
        ck_assert_int_eq(index[label[i]], expected[index[i]]);
        ck_assert(options->min_friends == 0 || friends[i] >= options->min_friends);
        sums[0]++;
        sums[1] += index[i] * index[i];
    }
    for (i64 i = 0; i < there.own; i++) {
        sums[2]++;
        sums[3] += index[i] * index[i];
    }
    ck_assert(comm_reduce_i64(&comm, sums, 4, COMM_SUM));
    for (int k = 0; k < 4; k++) /* in groups, and in domains */
        ck_assert_int_eq(sums[k], all[k % 2]);
    table_free(&table);
    free(label);
    free(expected);
    ck_assert_uint_eq(weft_memory_use(device).used, 0);
}

static void expect_groups(const cloud *c, const weft_fof_options *options, i64 limit) {
    expect(c, options, limit, false);
    expect(c, options, limit, true);
}

static void expect_all(const cloud *c, f64 length, f64 box) {
    for (int periodic = 0; periodic < 8; periodic += periodic ? 6 : 1)
        for (i64 least = 0; least < 6; least += 3) {
            const weft_fof_options options = {
                .linking_length = length,
                .box = {periodic & 1 ? box : 0, periodic & 2 ? box : 0,
                        periodic & 4 ? box : 0},
                .min_friends = least,
            };
            expect_groups(c, &options, 0);
        }
}

START_TEST(clumps) {
    scene_clumps(expect_all);
}
END_TEST

START_TEST(few) {
    scene_few(expect_all);
}
END_TEST

/* One group that crosses all ranks and the faces of the box; links that zigzag. */
START_TEST(chains) {
    enum { N = 1200 };
    cloud c = cloud_new(N, 1);
    for (i64 i = 0; i < N; i++) {
        const i64 k = i * 701 % N;
        cloud_set(&c, i, (f64)k / N - 3, (f64)(k * 5 % N) / N + 10, (f64)(i % 2) / 1000);
    }
    expect_all(&c, 5.1 / N, 1);
    expect_all(&c, 5.001 / N, 1);
    expect_all(&c, 3, 1); /* farther than the box is wide */
    cloud_free(&c);
}
END_TEST

START_TEST(coincident) {
    cloud c = cloud_coincident(3);
    expect_all(&c, 0, 1);
    expect_all(&c, 0, 2);
    cloud_free(&c);
}
END_TEST

START_TEST(in_pieces) {
    const weft_fof_options options = {.linking_length = 0.015, .box = {1, 1, 1}};
    cloud c = cloud_clumps(4000, 1, 9);
    expect_groups(&c, &options, 1000 * 110);
    cloud_free(&c);
}
END_TEST

START_TEST(threads) {
    const weft_fof_options options = {.linking_length = 0.002, .box = {1, 1, 1}};
    const int before = comm.threads;
    cloud c = cloud_clumps(60000, 0, 7);
    comm.threads = 3;
    expect_groups(&c, &options, 0);
    expect_groups(&c, &options, 20000 * 110);
    comm.threads = before;
    cloud_free(&c);
}
END_TEST

/* What befalls one rank befalls all. */
START_TEST(failures) {
    const weft_fof_options bad = {.linking_length = -1};
    const struct comm before = comm;
    cloud c = cloud_clumps(100, 1, 1);
    struct table table = share(&c);
    u32 *label;
    struct link_device there = {.device = device};
    ck_assert(!link_groups(&comm, &there, &table, &bad, 0, &label));
    ck_assert_int_eq(comm.culprit, 0);
    ck_assert_ptr_null(label);
    ck_assert_ptr_nonnull(strstr(comm.error.text, "linking length"));
    weft_clear(device);
    table_free(&table);
    comm = before;
    if (comm.rank == comm.size - 1)
        comm_fail(&comm, 2);
    i64 one = 1;
    ck_assert(!comm_reduce_i64(&comm, &one, 1, COMM_SUM));
    ck_assert_int_eq(comm.culprit, comm.size - 1);
    ck_assert_int_eq(comm.status, 2);
    ck_assert(!comm_agree(&comm));
    comm = before;
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {clumps,    few,     chains,  coincident,
                                  in_pieces, threads, failures};
    return scene_main(argc, argv, "link", tests, sizeof tests / sizeof *tests);
}
