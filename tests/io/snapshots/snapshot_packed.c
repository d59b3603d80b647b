/* Numbers of compressed arrays are looked at as they are unpacked: the same is refused, and
 * told, as of arrays that are not compressed. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

enum { N = 300, CHUNK = 64 };

static double position[N][3], velocity[N][3], mass[N];
static int64_t id[N];

static void begin(void) {
    for (int i = 0; i < N; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            position[i][axis] = made_position(i, axis);
            velocity[i][axis] = i - 7 * axis;
        }
        mass[i] = 2.5;
        id[i] = 3 * (N - i) + 5;
    }
}

static void add(hid_t group, const char *name, hid_t type, hsize_t columns,
                const void *values) {
    const hid_t memory = type == H5T_STD_I64LE ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    const hid_t space = H5Screate_simple(2, (const hsize_t[]){N, columns}, NULL),
                creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, (const hsize_t[]){CHUNK, columns});
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 1);
    const hid_t array =
        H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ck_assert_int_ge(H5Dwrite(array, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(array);
    H5Pclose(creation);
    H5Sclose(space);
}

static const char *made(hid_t real) {
    const hid_t file = make_file(scratch("p.hdf5")), group = make_group(file, "PartType1");
    add(group, "Coordinates", real, 3, position);
    add(group, "Velocities", real, 3, velocity);
    add(group, "Masses", real, 1, mass);
    add(group, "ParticleIDs", H5T_STD_I64LE, 1, id);
    H5Gclose(group);
    H5Fclose(file);
    return scratch("p.hdf5");
}

static const int places[] = {0, CHUNK - 1, CHUNK, 200, N - 1};

START_TEST(refused) {
    const double odd[] = {NAN, INFINITY, -INFINITY}, low[] = {0, -1};
    char what[64];
    for (int p = 0; p < 5; ++p) {
        const int i = places[p];
        for (int k = 0; k < 3; ++k) {
            begin();
            position[i][k] = odd[k];
            snprintf(what, sizeof what, "the position of particle %d in", i);
            expect_refused(made(k == 1 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE),
                           WORDS(what, "not finite"));
            begin();
            velocity[i][k] = odd[k];
            snprintf(what, sizeof what, "the velocity of particle %d in", i);
            expect_refused(made(k == 1 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE),
                           WORDS(what, "not finite"));
            begin();
            mass[i] = odd[k];
            snprintf(what, sizeof what, "the mass of particle %d in", i);
            expect_refused(made(H5T_IEEE_F32LE), WORDS(what, "not finite"));
        }
        for (int k = 0; k < 2; ++k) {
            begin();
            mass[i] = low[k];
            expect_refused(made(H5T_IEEE_F64LE), WORDS(what, "not above 0"));
        }
    }
}
END_TEST

START_TEST(ids_of_them) {
    struct snapshot_particles particles;
    for (int p = -1; p < 5; ++p) {
        for (int large = 0; large < 2; ++large) {
            begin();
            if (p >= 0)
                id[places[p]] = large ? -4 : id[places[p] == 100 ? 101 : 100];
            struct snapshot *snapshot = open_snapshot(made(H5T_IEEE_F32LE));
            read_snapshot(snapshot, &particles);
            ck_assert_int_eq(particles.ids_from,
                             p < 0 ? SNAPSHOT_IDS_FILE : SNAPSHOT_IDS_INDEX);
            const int64_t *ids = particles.field[SNAPSHOT_IDS];
            for (int i = 0; i < N; ++i)
                ck_assert_int_eq(ids[i], p < 0 ? id[i] : i);
            snapshot_free(&particles);
            snapshot_close(snapshot);
        }
    }
}
END_TEST

/* Places are enclosed, of slices, too. */
START_TEST(enclosed) {
    struct snapshot_particles particles;
    struct io_error error;
    begin();
    struct snapshot *snapshot = open_snapshot(made(H5T_IEEE_F64LE));
    for (int p = 0; p < 5; ++p) {
        const int64_t first = places[p] / 2, n = N - first - p;
        snapshot_set_threads(snapshot, p);
        ck_assert(
            snapshot_read_slice(snapshot, first, n, SNAPSHOT_ALL, &particles, &error));
        for (int axis = 0; axis < 3; ++axis) {
            double low = INFINITY, high = -INFINITY;
            for (int64_t i = first; i < first + n; ++i) {
                low = fmin(low, position[i][axis]);
                high = fmax(high, position[i][axis]);
            }
            ck_assert(particles.low[axis] == low && particles.high[axis] == high);
        }
        ck_assert_mem_eq(particles.field[SNAPSHOT_COORDINATES], position[first],
                         (size_t)n * sizeof *position);
        ck_assert_mem_eq(particles.field[SNAPSHOT_MASSES], mass + first,
                         (size_t)n * sizeof *mass);
        snapshot_free(&particles);
    }
    snapshot_close(snapshot);
}
END_TEST

/* Two files of one snapshot, whose particles have these masses. */
static const char *made_parts(const double of[2]) {
    static const char *const names[] = {"q.0.hdf5", "q.1.hdf5"};
    for (int k = 0; k < 2; ++k) {
        struct recipe recipe = full_recipe(N);
        recipe.first = k * N;
        recipe.n_files = 2;
        recipe.total = 2 * N;
        recipe.masses = 0;
        make_snapshot(scratch(names[k]), &recipe);
        for (int i = 0; i < N; ++i)
            mass[i] = of[k];
        const hid_t file = H5Fopen(scratch(names[k]), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t group = H5Gopen2(file, "PartType1", H5P_DEFAULT);
        add(group, "Masses", H5T_IEEE_F64LE, 1, mass);
        H5Gclose(group);
        H5Fclose(file);
    }
    return scratch(names[0]);
}

START_TEST(one_mass_of_several_files) {
    const double of[3][2] = {{2.5, 2.5}, {2.5, 2.75}, {2.75, 2.5}};
    double found;
    for (int k = 0; k < 3; ++k) {
        struct snapshot *snapshot = open_snapshot(made_parts(of[k]));
        ck_assert(snapshot_info(snapshot)->n_parts == 2);
        ck_assert(snapshot_has_one_mass(snapshot, &found) == (k == 0));
        ck_assert(k > 0 || found == 2.5);
        snapshot_close(snapshot);
    }
}
END_TEST

/* Also where each chunk has its own. */
START_TEST(one_mass) {
    double found;
    begin();
    for (int i = CHUNK; i < N; ++i)
        mass[i] = 2.75;
    struct snapshot *chunks = open_snapshot(made(H5T_IEEE_F64LE));
    for (int k = 0; k < 60; ++k) { /* threads that have one chunk each, sooner or later */
        snapshot_set_threads(chunks, k % 6);
        ck_assert(!snapshot_has_one_mass(chunks, &found));
    }
    snapshot_close(chunks);
    begin();
    for (int i = CHUNK; i < 2 * CHUNK; ++i) /* packed, as long as those beside it */
        mass[i] = 2.75;
    struct snapshot *amid = open_snapshot(made(H5T_IEEE_F64LE));
    ck_assert(!snapshot_has_one_mass(amid, &found));
    snapshot_close(amid);
    for (int p = -1; p < 5; ++p) {
        for (int wide = 0; wide < 2; ++wide) {
            begin();
            if (p >= 0)
                mass[places[p]] = 2.75;
            struct snapshot *snapshot =
                open_snapshot(made(wide ? H5T_IEEE_F64LE : H5T_IEEE_F32LE));
            snapshot_set_threads(snapshot, p);
            ck_assert(snapshot_has_one_mass(snapshot, &found) == (p < 0));
            ck_assert(p >= 0 || found == 2.5);
            snapshot_close(snapshot);
        }
    }
    const double none[] = {0, -2.5, NAN, INFINITY};
    for (int k = 0; k < 4; ++k) {
        begin();
        for (int i = 0; i < N; ++i)
            mass[i] = none[k];
        struct snapshot *snapshot = open_snapshot(made(H5T_IEEE_F64LE));
        ck_assert(!snapshot_has_one_mass(snapshot, &found));
        snapshot_close(snapshot);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {refused, ids_of_them, enclosed, one_mass,
                                  one_mass_of_several_files};
    return io_test_main("snapshot_packed", tests, sizeof tests / sizeof *tests);
}
