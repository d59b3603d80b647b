/* SWIFT's own snapshots: the one that ships, and those in WEFT_SHARED_DATA or in
 * shared/data beside the source tree, where they are there. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums of the arrays as h5py reads them: FNV-1a over their little-endian 8-byte words. */
struct known {
    const char *name;
    int64_t n;
    double box;
    uint64_t sums[SNAPSHOT_FIELDS];
};

static const struct known lcdm64 = {
    "lcdm64.hdf5",
    64 * 64 * 64,
    50 / 0.68,
    {0x9fd7232d909670fe, 0x5016f910d1f37668, 0x4e715716d9d22325, 0x82fc251622af6713}};

static const struct known lcdm128 = {
    "lcdm128.hdf5",
    128 * 128 * 128,
    100 / 0.68,
    {0x7cdd17777ba22325, 0x82b8941c8d082325, 0x5c6a751c23a22325, 0x6f3443fd757cc25b}};

static uint64_t sum(const void *values, size_t bytes) {
    uint64_t hash = 0xcbf29ce484222325, word;
    for (size_t k = 0; k < bytes; k += sizeof word) {
        memcpy(&word, (const char *)values + k, sizeof word);
        hash = (hash ^ word) * 0x100000001b3;
    }
    return hash;
}

static void check_info(const struct snapshot_info *info, const struct known *known) {
    ck_assert_str_eq(info->format, "SWIFT HDF5");
    ck_assert(info->n == known->n && info->n_parts == 1 && info->count[0] == 0);
    ck_assert(info->bytes[SNAPSHOT_COORDINATES] == 8 && info->bytes[SNAPSHOT_MASSES] == 4);
    for (int axis = 0; axis < 3; ++axis) {
        ck_assert_double_eq_tol(info->box[axis], known->box, 1e-9);
        ck_assert(info->periodic[axis]);
    }
    ck_assert(fabs(info->redshift) < 1e-15 && fabs(info->scale_factor - 1) < 1e-15);
    ck_assert_str_eq(info->length_unit, "Mpc");
    ck_assert_str_eq(info->mass_unit, "1e10 Msun");
}

/* Whole and in slices. */
static void check_file(const char *folder, const struct known *known) {
    char path[4096];
    struct snapshot_particles whole, slice;
    struct io_error error;
    snprintf(path, sizeof path, "%s/%s", folder, known->name);
    struct snapshot *snapshot = open_snapshot(path);
    check_info(snapshot_info(snapshot), known);
    read_snapshot(snapshot, &whole);
    ck_assert_str_eq(whole.ids_note, "");
    size_t row[SNAPSHOT_FIELDS];
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        row[f] = (size_t)whole.bytes[f] * (f < 2 ? 3 : 1);
        ck_assert_uint_eq(sum(whole.field[f], (size_t)known->n * row[f]), known->sums[f]);
    }
    const int64_t step = known->n / 3 - 1;
    for (int64_t first = 0; first < known->n; first += step) {
        const int64_t count = known->n - first < step ? known->n - first : step;
        ck_assert(
            snapshot_read_slice(snapshot, first, count, SNAPSHOT_ALL, &slice, &error));
        for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
            ck_assert_int_eq(memcmp(slice.field[f],
                                    (char *)whole.field[f] + (size_t)first * row[f],
                                    (size_t)count * row[f]),
                             0);
        snapshot_free(&slice);
    }
    snapshot_free(&whole);
    snapshot_close(snapshot);
}

static const char *source_root(void) {
    const char *root = getenv("WEFT_SOURCE_ROOT");
    return root == NULL ? "." : root;
}

START_TEST(shipped) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/examples/data", source_root());
    check_file(folder, &lcdm64);
}
END_TEST

START_TEST(shared) {
    char beside[4096];
    const char *folder = getenv("WEFT_SHARED_DATA");
    snprintf(beside, sizeof beside, "%s/../shared/data/lcdm64.hdf5", source_root());
    FILE *there = folder == NULL ? fopen(beside, "rb") : NULL;
    if (folder == NULL && there == NULL) {
        fprintf(stderr, "skipped: WEFT_SHARED_DATA is not set and %s not there\n", beside);
        return;
    }
    if (there != NULL) {
        fclose(there);
        *strrchr(beside, '/') = '\0';
        folder = beside;
    }
    check_file(folder, &lcdm64);
    check_file(folder, &lcdm128);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {shipped, shared};
    return io_test_main("snapshot_real", tests, sizeof tests / sizeof *tests);
}
