/* .npy, text and raw float32 as snapshots. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

static void text(const char *name, const char *lines) {
    spill(scratch(name), lines, strlen(lines));
}

static void expect_numbers(const void *values, int bytes, const double *wanted, int n) {
    for (int k = 0; k < n; ++k)
        ck_assert_double_eq(bytes == 4 ? (double)((const float *)values)[k]
                                       : ((const double *)values)[k],
                            wanted[k]);
}

START_TEST(columns_by_name) {
    static const double position[] = {1, 2, 3, 4, 5, 6}, velocity[] = {7, 8, 9, 10, 11, 12},
                        mass[] = {0.5, 0.25};
    struct snapshot_particles particles;
    text("a.csv", "# made by hand\nMass,note,vx,vy,vz,id,z,y,x\n"
                  "0.5,one,7,8,9,9223372036854775807,3,2,1\n\n"
                  "0.25,two,10,11,12,7.000000000000000000e+00,6,5,4\n");
    struct snapshot *snapshot = open_snapshot(scratch("a.csv"));
    ck_assert_int_eq(snapshot_info(snapshot)->n, 2);
    ck_assert_double_eq(snapshot_info(snapshot)->box[0], 0);
    ck_assert(isnan(snapshot_info(snapshot)->redshift));
    read_snapshot(snapshot, &particles);
    expect_numbers(particles.field[SNAPSHOT_COORDINATES], 8, position, 6);
    expect_numbers(particles.field[SNAPSHOT_VELOCITIES], 8, velocity, 6);
    expect_numbers(particles.field[SNAPSHOT_MASSES], 8, mass, 2);
    ck_assert_int_eq(((int64_t *)particles.field[SNAPSHOT_IDS])[0], INT64_MAX);
    ck_assert_int_eq(((int64_t *)particles.field[SNAPSHOT_IDS])[1], 7);
    ck_assert_int_eq(particles.ids_from, SNAPSHOT_IDS_FILE);
    snapshot_free(&particles);
    struct io_error error;
    ck_assert(snapshot_read_slice(snapshot, 1, 1, SNAPSHOT_ALL, &particles, &error));
    expect_numbers(particles.field[SNAPSHOT_COORDINATES], 8, position + 3, 3);
    snapshot_free(&particles);
    snapshot_close(snapshot);
}
END_TEST

START_TEST(columns_by_place) {
    static const double position[] = {1, 2, 3, 4, 5, 6};
    const float narrow[] = {1, 2, 3, 4, 5, 6};
    const char *const names[] = {"b.txt", "b.csv", "b.f32", "c.csv"};
    text("b.txt", "1 2 3\n4 5 6\n");
    text("b.csv", "left,middle,right\n1;2;3\n4;5;6");
    spill(scratch("b.f32"), narrow, sizeof narrow);
    text("c.csv", "x,?,z,vx,vy,vz,mass,id\n1,2,3\n4,5,6"); /* names no y, so no column */
    for (int k = 0; k < 4; ++k) {
        struct snapshot_particles particles;
        struct snapshot_contents contents;
        struct io_error error;
        struct snapshot *snapshot = open_snapshot(scratch(names[k]));
        read_snapshot(snapshot, &particles);
        ck_assert_int_eq(particles.ids_from, SNAPSHOT_IDS_INDEX);
        ck_assert_str_eq(particles.ids_note, "there are none");
        ck_assert_ptr_null(particles.field[SNAPSHOT_MASSES]);
        ck_assert_double_eq(particles.mass, 1);
        expect_numbers(particles.field[SNAPSHOT_COORDINATES],
                       particles.bytes[SNAPSHOT_COORDINATES], position, 6);
        snapshot_free(&particles);
        ck_assert(snapshot_list(snapshot, &contents, &error));
        ck_assert_int_eq(contents.n_arrays, 1);
        ck_assert_int_eq(contents.arrays[0].shape[0], 2);
        free(contents.arrays);
        snapshot_close(snapshot);
    }
}
END_TEST

START_TEST(refuses) {
    text("c.csv", "1,2\n3,4\n");
    expect_refused(scratch("c.csv"), WORDS("c.csv holds no positions in three dimensions"));
    text("c.csv", "x,y,z,id\n1,2,3,4.5\n");
    expect_refused(scratch("c.csv"), WORDS("line 2 does not hold an id: '4.5'"));
    text("c.csv", "x,y,z,id\n1,2,3,1e16\n");
    expect_refused(scratch("c.csv"), WORDS("line 2 does not hold an id: '1e16'"));
    text("c.csv", "x,y,z,id\n1,2,3,4\n1,2,3\n");
    expect_refused(scratch("c.csv"), WORDS("line 3 holds 3 numbers, those before 4"));
    text("c.csv", "x,y,z,mass\n1,2,3,0\n");
    expect_refused(scratch("c.csv"), WORDS("the mass of particle 0", "is not above 0"));
    text("c.csv", "x,y,z\n1,2,inf\n");
    expect_refused(scratch("c.csv"), WORDS("the position of particle 0", "not finite"));
    text("c.csv", "a,b,c,d\n1,2,3,4\n");
    expect_refused(scratch("c.csv"), WORDS("line 2 does not hold two or three numbers"));
    spill(scratch("c.f32"), "1234567", 7);
    spill(scratch("c.csv"), "1 2 3\0 4\n", 9);
    expect_refused(scratch("c.csv"), WORDS("line 1 holds a byte 0"));
    text("c.csv", "x y z X\n1 2 3 4\n");
    expect_refused(scratch("c.csv"), WORDS("has two columns x"));
    expect_refused(scratch("c.f32"), WORDS("7 bytes are not three float32 a point"));
}
END_TEST

/* Every byte of small files in turn made every interesting value. */
START_TEST(every_byte_is_survived) {
    static const char npy[] =
        "\x93NUMPY\x01\x00\x3e\x00"
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }  \n"
        "abcdefghijkl";
    static const char csv[] =
        "x,y,z,vx,vy,vz,mass,id\n1,2,3,4,5,6,7,8\n-1,2e3,.5,0,0,0,1,9\n";
    static const char values[] = {0, 1, ' ', ',', '-', '9', 'e', '\n', '\x7f', '\xff'};
    const struct {
        const char *name, *bytes;
        size_t n;
    } files[] = {{"d.npy", npy, sizeof npy - 1}, {"d.csv", csv, sizeof csv - 1}};
    for (int f = 0; f < 2; ++f) {
        char bytes[128];
        ck_assert_uint_le(files[f].n, sizeof bytes);
        memcpy(bytes, files[f].bytes, files[f].n);
        spill(scratch(files[f].name), bytes, files[f].n);
        snapshot_close(open_snapshot(scratch(files[f].name)));
        for (size_t k = 0; k < files[f].n * (sizeof values + 1); ++k) {
            const size_t at = k % files[f].n, v = k / files[f].n;
            struct io_error error = {""};
            struct snapshot_particles particles;
            const char kept = bytes[at];
            bytes[at] = v < sizeof values ? values[v] : kept;
            spill(scratch(files[f].name), bytes, v < sizeof values ? files[f].n : at);
            struct snapshot *snapshot = snapshot_open(scratch(files[f].name), &error);
            if (snapshot && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error))
                snapshot_free(&particles);
            else
                ck_assert_msg(strstr(error.text, files[f].name) != NULL, "%zu: %s", k,
                              error.text);
            snapshot_close(snapshot);
            bytes[at] = kept;
        }
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {columns_by_name, columns_by_place, refuses,
                                  every_byte_is_survived};
    return io_test_main("table", tests, sizeof tests / sizeof *tests);
}
