/* Clusters over all ranks are those of one device. Started by mpirun, or alone. */
#include "scene.h"
#include "distributed/clusters.h"
#include "io/files/numbers.h"

#include <stdlib.h>

static void expect_clusters(const cloud *c, const weft_dbscan_options *options, i64 limit) {
    const i64 first = io_share(c->count, comm.rank, comm.size);
    struct table table = scene_share(c);
    const i64 n = table.n;
    i64 *expected = malloc((size_t)(c->count + 1) * sizeof *expected);
    i64 *label = malloc((size_t)(n + 1) * sizeof *label);
    const weft_array at = weft_borrow_const(device, WEFT_F64, c->at, 3 * c->count);
    const weft_array out = weft_array_new(device, WEFT_I64, c->count);
    const weft_points points = weft_points_interleaved(device, at);
    weft_dbscan(device, &points, options, out);
    weft_read(device, out, expected);
    weft_array_free(device, out);
    weft_return(device, at);
    test_ok();
    ck_assert_msg(clusters_find(&comm, device, &table, options, first, limit, label), "%s",
                  comm.error.text);
    for (i64 i = 0; i < n; i++)
        ck_assert_msg(label[i] == expected[first + i],
                      "point %lld of %lld: label %lld, not %lld (eps %g, min_points %lld, "
                      "core_only %d, limit %lld)",
                      (long long)(first + i), (long long)c->count, (long long)label[i],
                      (long long)expected[first + i], options->eps,
                      (long long)options->min_points, options->core_only, (long long)limit);
    table_free(&table);
    free(label);
    free(expected);
}

static void expect_all(const cloud *c, f64 eps, f64 box) {
    const i64 least[] = {1, 2, 5};
    for (int periodic = 0; periodic < 8; periodic += periodic ? 6 : 1)
        for (size_t k = 0; k < sizeof least / sizeof *least; k++) {
            weft_dbscan_options options = {.eps = eps,
                                           .min_points = least[k],
                                           .box = {periodic & 1 ? box : 0,
                                                   periodic & 2 ? box : 0,
                                                   periodic & 4 ? box : 0}};
            expect_clusters(c, &options, 0);
            options.core_only = 1;
            if (options.min_points > 2)
                expect_clusters(c, &options, 0);
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

/* Core points across all ranks and the faces of the box, borders between two clusters. */
START_TEST(chains) {
    enum { N = 1200 };
    cloud c = cloud_new(N, 1);
    for (i64 i = 0; i < N; i++) {
        const i64 k = i * 701 % N;
        cloud_set(&c, i, (f64)(k - k % 40 * (k % 3)) / N - 3, (f64)(k % 7) / N + 10, 0);
    }
    expect_all(&c, 3.1 / N, 1);
    expect_all(&c, 7.0 / N, 1);
    expect_all(&c, 3, 1); /* farther than the box is wide */
    cloud_free(&c);
}
END_TEST

START_TEST(coincident) {
    cloud c = cloud_coincident(83);
    expect_all(&c, 0, 128);
    expect_all(&c, 1, 83);
    cloud_free(&c);
}
END_TEST

START_TEST(in_pieces) {
    cloud c = cloud_clumps(4000, 1, 9);
    for (i64 least = 1; least < 9; least += least + 1) {
        const weft_dbscan_options options = {
            .eps = 0.015, .min_points = least, .box = {1, 1, 1}};
        expect_clusters(&c, &options, 1000 * 110);
        expect_clusters(&c, &options, 300 * 110);
    }
    cloud_free(&c);
}
END_TEST

/* What befalls one rank befalls all. */
START_TEST(failures) {
    const weft_dbscan_options bad = {.eps = -1, .min_points = 5};
    const struct comm before = comm;
    cloud c = cloud_clumps(100, 1, 1);
    const i64 first = io_share(100, comm.rank, comm.size);
    struct table table = scene_share(&c);
    i64 label[100];
    ck_assert(!clusters_find(&comm, device, &table, &bad, first, 0, label));
    ck_assert_int_eq(comm.culprit, 0);
    weft_clear(device);
    table_free(&table);
    comm = before;
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {clumps, few, chains, coincident, in_pieces, failures};
    return scene_main(argc, argv, "clusters", tests, sizeof tests / sizeof *tests);
}
