/* A catalogue that several processes write, each its rows: the bytes of one. */
#include "catalogue_sample.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 4 };

/* Rows begin .. end of the sample. */
struct share {
    struct catalogue catalogue;
    struct catalogue_column column[8], profile[8];
    struct catalogue_members members;
    struct catalogue_subhalos subhalos;
    struct catalogue_column of_subhalos[8];
};

static void cut_columns(const struct catalogue_column *from, int n, int64_t begin,
                        struct catalogue_column *to) {
    for (int k = 0; k < n; ++k) {
        const size_t row =
            (size_t)from[k].components * (from[k].type == CATALOGUE_U8 ? 1 : 8);
        to[k] = from[k];
        to[k].data = (const char *)from[k].data + (size_t)begin * row;
    }
}

static void cut(const struct catalogue *all, int64_t begin, int64_t end,
                struct share *share) {
    const struct catalogue_rest rest = {begin, all->n - end},
                                inside = {offsets[begin], offsets[N] - offsets[end]};
    share->catalogue = *all;
    share->catalogue.n = end - begin;
    share->catalogue.rest = rest;
    share->catalogue.columns = share->column;
    cut_columns(all->columns, all->n_columns, begin, share->column);
    share->catalogue.profiles = share->profile;
    cut_columns(all->profiles, all->n_profiles, begin, share->profile);
    if (all->members) {
        share->members = *all->members;
        share->members.offset += begin;
        share->members.rest = inside;
        share->catalogue.members = &share->members;
    }
    if (all->subhalos) {
        share->subhalos = *all->subhalos;
        share->subhalos.n = end - begin;
        share->subhalos.rest = rest;
        share->subhalos.members = inside;
        share->subhalos.offset += begin;
        share->subhalos.particle_id += offsets[begin];
        share->subhalos.columns = share->of_subhalos;
        cut_columns(all->subhalos->columns, all->subhalos->n_columns, begin,
                    share->of_subhalos);
        share->catalogue.subhalos = &share->subhalos;
    }
}

/* Shares in any order; the first, which lays out, may have no rows. */
static void write_shares(const char *path, struct share *share, int n) {
    struct io_output output;
    struct io_error error;
    struct catalogue_place place;
    struct catalogue_check check[MOST];
    int64_t bytes[MOST];
    ck_assert(catalogue_is_shared(path));
    ck_assert(io_output_open(&output, path, &error));
    ck_assert(catalogue_place_new(&share[0].catalogue, &place, &error));
    ck_assert_msg(catalogue_lay_out(&output, &share[0].catalogue, &place, &error), "%s",
                  error.text);
    for (int k = 0; k < n; ++k)
        ck_assert(catalogue_measure(path, &share[k].catalogue, &bytes[k], &error));
    for (int k = n - 1; k >= 0; --k) {
        int64_t before = 0;
        for (int j = 0; j < k; ++j)
            before += bytes[j];
        ck_assert(catalogue_put(path, fileno(output.stream), &share[k].catalogue, &place,
                                before, &check[k], &error));
    }
    ck_assert(catalogue_seal(path, fileno(output.stream), &share[0].catalogue, &place,
                             check, n, &error));
    catalogue_place_free(&place);
    ck_assert(io_output_close(&output, true, &error));
}

static void check_shares(const struct catalogue *all, const char *name) {
    static struct share share[MOST];
    struct io_error error;
    size_t n, n_shared;
    ck_assert_msg(catalogue_write(scratch(name), all, &error), "%s", error.text);
    char *bytes = slurp(scratch(name), &n);
    for (int a = 0; a <= N; ++a)
        for (int b = a; b <= N; ++b)
            for (int c = b; c <= N; ++c) {
                const int end[] = {0, a, b, c, N};
                for (int k = 0; k < MOST; ++k)
                    cut(all, end[k], end[k + 1], &share[k]);
                write_shares(scratch(name), share, MOST);
                char *shared = slurp(scratch(name), &n_shared);
                ck_assert(n_shared == n && memcmp(shared, bytes, n) == 0);
                free(shared);
            }
    free(bytes);
}

START_TEST(as_one) {
    struct catalogue all = whole();
    const struct catalogue_subhalos subhalos = {.n = N,
                                                .n_columns = 5,
                                                .columns = columns,
                                                .offset = offsets,
                                                .particle_id = members};
    const double edge[] = {0, 1, 2, 3};
    all.subhalos = &subhalos;
    all.n_profiles = 1;
    all.profiles = &columns[4];
    all.profile_edge = edge;
    check_shares(&all, "all.hdf5");
    all.members = NULL;
    all.subhalos = NULL;
    all.comments = true;
    check_shares(&all, "all.csv");
    static const double small[N] = {0.1, 3, -0.0};
    struct catalogue_column hacc[4];
    memcpy(hacc, columns, sizeof hacc);
    hacc[3].data = small;
    all.columns = hacc;
    all.n_columns = 4;
    check_shares(&all, "all.gio");
}
END_TEST

/* As many rows as threads make text of at once, and more. */
START_TEST(by_threads) {
    enum { MANY = 70000 };
    static int64_t numbers[MANY];
    for (int64_t i = 0; i < MANY; ++i)
        numbers[i] = i * i * i;
    const struct catalogue_column column = {"x",     CATALOGUE_I64, 1,    "1", "",
                                            numbers, NULL,          NULL, 0,   0};
    struct catalogue catalogue = {.n = MANY, .n_columns = 1, .columns = &column};
    struct io_error error;
    size_t n, n_alike;
    ck_assert(catalogue_write(scratch("one.csv"), &catalogue, &error));
    char *one = slurp(scratch("one.csv"), &n);
    for (int threads = 2; threads < 200; threads = 3 * threads - 1) {
        catalogue.threads = threads;
        ck_assert(catalogue_write(scratch("many.csv"), &catalogue, &error));
        char *many = slurp(scratch("many.csv"), &n_alike);
        ck_assert(n == n_alike && memcmp(one, many, n) == 0);
        free(many);
    }
    free(one);
}
END_TEST

START_TEST(who_shares) {
    ck_assert(!catalogue_is_shared("-"));
    ck_assert(!catalogue_is_shared("/dev/null"));
    ck_assert(catalogue_is_shared("a.gio"));
    ck_assert(catalogue_is_shared("a.csv"));
    ck_assert(catalogue_is_shared("not-there/a.hdf5"));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {as_one, by_threads, who_shares};
    return io_test_main("catalogue shared", tests, sizeof tests / sizeof *tests);
}
