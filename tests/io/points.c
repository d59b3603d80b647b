/* Points in every format, right and wrong. */
#include "io/points.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static void put(const char *path, const void *bytes, size_t length) {
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(bytes, 1, length, stream), length);
    fclose(stream);
}

static void put_text(const char *path, const char *text) {
    put(path, text, strlen(text));
}

/* An .npy file of version 1 with this dictionary and these numbers. */
static void put_npy(const char *path, const char *dictionary, const void *numbers,
                    size_t length) {
    unsigned char bytes[1024] = "\x93NUMPY\x01";
    const size_t header = strlen(dictionary);
    bytes[8] = (unsigned char)(header & 255);
    bytes[9] = (unsigned char)(header >> 8);
    memcpy(bytes + 10, dictionary, header);
    memcpy(bytes + 10 + header, numbers, length);
    put(path, bytes, 10 + header + length);
}

static void expect(const char *path, int64_t n, int axes, int bytes, const double *values) {
    struct points points;
    struct io_error error;
    double low[3] = {INFINITY, INFINITY, INFINITY},
           high[3] = {-INFINITY, -INFINITY, -INFINITY};
    ck_assert_msg(points_read(path, 0, 1, 2, &points, &error), "%s", error.text);
    ck_assert_int_eq(points.n, n);
    ck_assert_int_eq(points.axes, axes);
    ck_assert_int_eq(points.bytes, bytes);
    for (int64_t k = 0; k < n * axes; ++k) {
        const double value = bytes == 4 ? (double)((const float *)points.values)[k]
                                        : ((const double *)points.values)[k];
        ck_assert_double_eq(value, values[k]);
        low[k % axes] = fmin(low[k % axes], value);
        high[k % axes] = fmax(high[k % axes], value);
    }
    for (int axis = 0; axis < axes; ++axis) {
        ck_assert_double_eq(points.low[axis], low[axis]);
        ck_assert_double_eq(points.high[axis], high[axis]);
    }
    ck_assert_double_eq(points.box[0], 0);
    points_free(&points);
    /* Shares follow each other. */
    int64_t next = 0;
    for (int share = 0; share < 4; ++share) {
        ck_assert_msg(points_read(path, share, 4, 1, &points, &error), "%s", error.text);
        ck_assert_int_eq(points.first, next);
        ck_assert_int_eq(points.total, n);
        for (int64_t k = 0; k < points.n * axes; ++k) {
            const double value = bytes == 4 ? (double)((const float *)points.values)[k]
                                            : ((const double *)points.values)[k];
            ck_assert_double_eq(value, values[next * axes + k]);
        }
        next += points.n;
        points_free(&points);
    }
    ck_assert_int_eq(next, n);
}

static void expect_failure(const char *path, const char *words) {
    struct points points;
    struct io_error error = {""};
    ck_assert(!points_read(path, 0, 1, 2, &points, &error));
    ck_assert_msg(strstr(error.text, words) && strstr(error.text, path), "%s: %s", path,
                  error.text);
    unlink(path);
}

static const double six[] = {1.5, -2, 3, 4, 5e-3, 6e10};

START_TEST(text) {
    put_text("t.csv", "x,y,z\n1.5,-2,3\n\n# no point\n 4 ; 5e-3 ;6e10\r\n");
    expect("t.csv", 2, 3, 8, six);
    put_text("t.csv", "1.5 -2\n3\t4\n0.005, 6e10");
    expect("t.csv", 3, 2, 8, six);
    put_text("t.csv", "\xef\xbb\xbf"
                      "1.5,-2,3\n4,5e-3,6e10\n"); /* as Windows marks UTF-8 */
    expect("t.csv", 2, 3, 8, six);
    put_text("t.csv", "\xef\xbb\xbf"
                      "\"id\",\"x\",\"y\"\n7,1.5,-2\n8,3,4\n\"9\",5e-3,6e10\n");
    expect("t.csv", 3, 2, 8, six);
    put_text("t.csv", "x,y\n");
    expect("t.csv", 0, 3, 8, NULL);
    put_text("t.txt", "");
    expect("t.txt", 0, 3, 8, NULL);
    unlink("t.txt");
    put_text("t.csv", "1,2,3\n1,2\n");
    expect_failure("t.csv", "line 2 holds 2 numbers, those before 3");
    put_text("t.csv", "1,2,3,4\n");
    expect_failure("t.csv", "line 1 does not hold two or three numbers");
    put_text("t.csv", "x,y,z\n1,2,3\n1,b,3\n");
    expect_failure("t.csv", "line 3 does not hold");
    put_text("t.csv", "1,2,3?\n1,2,3\n"); /* no header, which holds no number */
    expect_failure("t.csv", "line 1 does not hold a number: '3?'");
    put_text("t.csv", "x,y,z\nx,y,z\n");
    expect_failure("t.csv", "line 2 does not hold");
    put_text("t.csv", "1,2,3\n1,nan,3\n");
    expect_failure("t.csv", "y of point 1 is not a finite number");
    expect_failure("t.csv", "No such file");
}
END_TEST

/* As people and their programs write tables. */
START_TEST(text_in_the_wild) {
    static const char *const alike[] = {
        "x [Mpc],y [Mpc],z (Mpc)\n1.5,-2,3\n4,5e-3,6e10\n",
        "x [Mpc]\ty [Mpc] z (h-1 Mpc)\n1.5 -2 3\n4 5e-3 6e10\n",
        "\"halo id\",\"x\",\"y\",\"z\"\n7,1.5,-2,3\n8,4,5e-3,6e10\n",
        "# a remark\n1.5 -2 3 # the first\n4 5e-3 6e10# and last\n",
        "# z x y\n3 1.5 -2\n6e10 4 5e-3\n",
        "#id z x y\n1 3 1.5 -2\n2 6e10 4 5e-3\n",
        "# between x and y\n1.5 -2 3\n4 5e-3 6e10\n",
        "# y, x\nx,y,z\n1.5,-2,3\n4,5e-3,6e10\n",
        "1.5,-2,3,\n4,5e-3,6e10,\n",
    };
    for (size_t k = 0; k < sizeof alike / sizeof *alike; ++k) {
        put_text("t.txt", alike[k]);
        expect("t.txt", 2, 3, 8, six);
    }
    unlink("t.txt");
    static const char *const names[] = {"t.dat", "t.asc", "t.tsv", "t.TXT"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        put_text(names[k], "1.5\t-2\t3\n4\t5e-3\t6e10\n");
        expect(names[k], 2, 3, 8, six);
        unlink(names[k]);
    }
    put_text("t.csv", "1,,2,3\n");
    expect_failure("t.csv", "line 1: column 2 is empty");
    put_text("t.tsv", "x\ty\tz\n1\t\t2\n");
    expect_failure("t.tsv", "line 2: column 2 is empty");
    put_text("t.csv", "1,5;2,5;3,5\n");
    expect_failure("t.csv", "line 1 has commas between semicolons: decimal commas");
    put_text("t.txt", "x y z\n1,5 2,5 3,5\n");
    expect_failure("t.txt", "line 2: column 2 is '5 2': blanks between");
    put_text("t.csv", "x;y\n1,5;2\n");
    expect_failure("t.csv", "line 2 has commas between semicolons");
}
END_TEST

START_TEST(many_lines) {
    enum { LINES = 5000 };
    FILE *stream = fopen("t.csv", "w");
    double *values = malloc(2 * LINES * sizeof *values);
    for (int k = 0; k < LINES; ++k) {
        fprintf(stream, "%d,%.17g\n", k, k / 7.0);
        values[2 * k] = k;
        values[2 * k + 1] = k / 7.0;
    }
    fclose(stream);
    expect("t.csv", LINES, 2, 8, values);
    unlink("t.csv");
    free(values);
}
END_TEST

START_TEST(raw) {
    const float numbers[] = {1.5f, -2, 3, 4, 5, 6};
    const double values[] = {1.5, -2, 3, 4, 5, 6};
    put("t.f32", numbers, sizeof numbers);
    expect("t.f32", 2, 3, 4, values);
    put("t.f32", numbers, 0);
    expect("t.f32", 0, 3, 4, NULL);
    put("t.f32", numbers, 23);
    expect_failure("t.f32", "23 bytes are not three float32 a point");
    expect_failure("t.f32", "No such file");
}
END_TEST

START_TEST(npy) {
    const float narrow[] = {1.5f, -2, 3, 4, 0.25f, 6};
    const double values[] = {1.5, -2, 3, 4, 0.25, 6};
    unsigned char swapped[48];
    for (int k = 0; k < 48; ++k)
        swapped[k] = ((const unsigned char *)six)[k / 8 * 8 + 7 - k % 8];
    put_npy("t.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
            narrow, 24);
    expect("t.npy", 2, 3, 4, values);
    put_npy("t", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n", six, 48);
    expect("t", 3, 2, 8, six);
    unlink("t");
    put_npy("t.npy", "{'descr': '>f8', 'fortran_order': False, 'shape': (3, 2), }\n",
            swapped, 48);
    expect("t.npy", 3, 2, 8, six);
    put_npy("t.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }\n", six,
            0);
    expect("t.npy", 0, 2, 8, NULL);
    const double columns[] = {1.5, 3, 5e-3, -2, 4, 6e10}; /* each axis by itself */
    put_npy("t.npy", "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\n",
            columns, 48);
    expect("t.npy", 3, 2, 8, six);
    const int16_t small[] = {-300, 2, 0x7fff, 4, 5, -6};
    const double whole[] = {-300, 2, 0x7fff, 4, 5, -6},
                 turned[] = {-300, 4, 2, 5, 0x7fff, -6};
    put_npy("t.npy", "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n", small,
            12);
    expect("t.npy", 2, 3, 8, whole);
    put_npy("t.npy", "{'descr': '<i2', 'fortran_order': True, 'shape': (3, 2), }\n", small,
            12);
    expect("t.npy", 3, 2, 8, turned);
    const unsigned char bytes[] = {0, 255, 3, 0, 1, 0};
    const double big[] = {255, 768, 256}, single[] = {0, 255, 3, 0, 1, 0};
    put_npy("t.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n", bytes,
            6);
    expect("t.npy", 2, 3, 8, single);
    put_npy("t.npy", "{'descr': '>u2', 'fortran_order': False, 'shape': (1, 3), }\n", bytes,
            6);
    expect("t.npy", 1, 3, 8, big);
    const int64_t wide[] = {1, 2, -((int64_t)1 << 53) - 1};
    put_npy("t.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 3), }\n", wide,
            24);
    expect_failure("t.npy", "an integer beyond 2^53");
    put_npy("t.npy", "{'descr': '<c8', 'fortran_order': False, 'shape': (3, 2), }\n", six,
            48);
    expect_failure("t.npy", "neither f4, f8 nor integers");
    put_npy("t.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }\n", six,
            48);
    expect_failure("t.npy", "its shape (6,) is neither");
    put_npy("t.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 6), }\n", six,
            48);
    expect_failure("t.npy", "its shape (1, 6) is neither");
    put_npy("t.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3, 2), }\n",
            six, 48);
    expect_failure("t.npy", "is neither");
    put_npy("t.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n", six,
            47);
    expect_failure("t.npy", "47 bytes of numbers are not the 3 points");
    put_npy("t.npy", "{'descr': '<f8', 'shape': (3, 2), }\n", six, 48);
    expect_failure("t.npy", "its header is not NumPy's");
    put_npy("t.npy", "", six, 0);
    expect_failure("t.npy", "its header is not NumPy's");
    put("t.npy", "\x93NUMPY\x01\x00\xff\x00{", 11);
    expect_failure("t.npy", "its header is cut off");
    put("t.npy", "\x93NUMPY\x09\x00\xff\x00{", 11);
    expect_failure("t.npy", "version 9");
    put("t.npy", "\x93NUMPY", 6);
    expect_failure("t.npy", "version 0");
}
END_TEST

START_TEST(others_are_snapshots) {
    put_text("t.bin", "no snapshot");
    expect_failure("t.bin", "t.bin");
}
END_TEST

int main(void) {
    char folder[] = "/tmp/weft-points-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 2;
    Suite *suite = suite_create("points");
    TCase *group = tcase_create("points");
    tcase_add_test(group, text);
    tcase_add_test(group, text_in_the_wild);
    tcase_add_test(group, many_lines);
    tcase_add_test(group, raw);
    tcase_add_test(group, npy);
    tcase_add_test(group, others_are_snapshots);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return chdir("/") != 0 || rmdir(folder) != 0 || failed != 0;
}
