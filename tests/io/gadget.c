/* Gadget-2 binary: both formats, either byte order, several files; and damaged ones. */
#include "support.h"

#include "made_gadget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

static const struct gadget_recipe whole = {
    .n = 11, .total = 11, .n_files = 1, .box = 64, .redshift = 3};

static const char *write_made(const char *name, const struct gadget_recipe *recipe) {
    size_t length;
    unsigned char *bytes = made_gadget(recipe, &length);
    spill(scratch(name), bytes, length);
    free(bytes);
    return scratch(name);
}

START_TEST(reads_each_variant) {
    for (int bits = 0; bits < 64; ++bits) {
        struct gadget_recipe recipe = whole;
        struct snapshot_particles particles;
        struct snapshot_contents contents;
        struct io_error error;
        recipe.big = bits & 1;
        recipe.named = bits & 2;
        recipe.wide = bits & 4;
        recipe.wide_ids = bits & 8;
        recipe.gas = bits & 16 ? 3 : 0;
        recipe.stars = bits & 32 ? 2 : 0;
        struct snapshot *snapshot = open_snapshot(write_made("s.gadget", &recipe));
        const struct snapshot_info *info = snapshot_info(snapshot);
        ck_assert_int_eq(info->n, 11);
        ck_assert_int_eq(info->count[0], recipe.gas);
        ck_assert_int_eq(info->count[4], recipe.stars);
        ck_assert_int_eq(info->bytes[SNAPSHOT_COORDINATES], recipe.wide ? 8 : 4);
        ck_assert_double_eq(info->box[1], 64);
        ck_assert(info->periodic[0]);
        ck_assert_double_eq(info->redshift, 3);
        ck_assert_str_eq(info->length_unit, "code");
        read_snapshot(snapshot, &particles);
        ck_assert_int_eq(particles.ids_from, SNAPSHOT_IDS_FILE);
        expect_made(&particles, 0.5); /* sqrt(a) */
        snapshot_free(&particles);
        ck_assert(snapshot_read_slice(snapshot, 4, 5, SNAPSHOT_ALL, &particles, &error));
        expect_made(&particles, 0.5);
        snapshot_free(&particles);
        ck_assert_msg(snapshot_list(snapshot, &contents, &error), "%s", error.text);
        ck_assert_int_eq(contents.n_arrays, recipe.gas ? 5 : 4);
        ck_assert_str_eq(contents.arrays[0].name, "POS");
        ck_assert_str_eq(contents.arrays[3].name, "MASS");
        ck_assert_int_eq(contents.arrays[3].shape[0], 11 + recipe.stars);
        free(contents.arrays);
        snapshot_close(snapshot);
    }
}
END_TEST

START_TEST(takes_the_mass_table) {
    struct gadget_recipe recipe = whole;
    struct snapshot_particles particles;
    recipe.table_mass = 2.5;
    recipe.stars = 3; /* which alone are in the block of masses */
    struct snapshot *snapshot = open_snapshot(write_made("m", &recipe));
    ck_assert_int_eq(snapshot_info(snapshot)->bytes[SNAPSHOT_MASSES], 0);
    read_snapshot(snapshot, &particles);
    ck_assert_ptr_null(particles.field[SNAPSHOT_MASSES]);
    ck_assert_double_eq(particles.mass, 2.5);
    snapshot_free(&particles);
    snapshot_close(snapshot);
}
END_TEST

START_TEST(reads_several_files) {
    struct gadget_recipe recipe = whole;
    struct snapshot_particles particles;
    recipe.n_files = 2;
    recipe.redshift = 0;
    recipe.total = 18;
    write_made("p.0", &recipe);
    recipe.first = 11;
    recipe.n = 7;
    write_made("p.1", &recipe);
    for (int k = 0; k < 3; ++k) {
        struct snapshot *snapshot = open_snapshot(scratch(k == 0   ? "p"
                                                          : k == 1 ? "p.0"
                                                                   : "p.1"));
        ck_assert_int_eq(snapshot_info(snapshot)->n_parts, 2);
        read_snapshot(snapshot, &particles);
        ck_assert_int_eq(particles.n, 18);
        expect_made(&particles, 1);
        snapshot_free(&particles);
        snapshot_close(snapshot);
    }
    recipe.wide = true;
    write_made("p.1", &recipe);
    expect_refused(scratch("p"), WORDS("POS has 8 bytes", "p.1 and 4"));
    recipe.wide = false;
    recipe.box = 32;
    write_made("p.1", &recipe);
    expect_refused(scratch("p"), WORDS("the box of", "p.1 is 32", "p.0 64"));
    recipe.box = 64;
    recipe.redshift = 1;
    write_made("p.1", &recipe);
    expect_refused(scratch("p"), WORDS("the redshift of", "p.1 is 1", "p.0 0"));
    recipe.redshift = 0;
    recipe.n = 6;
    write_made("p.1", &recipe);
    expect_refused(scratch("p"), WORDS("p.0", "18 particles", "there are 17"));
    recipe.n_files = 3;
    write_made("p.1", &recipe);
    expect_refused(scratch("p"), WORDS("p.1 says that it is one of 3 files"));
    remove(scratch("p.1"));
    expect_refused(scratch("p"), WORDS("cannot read", "p.1: No such file"));
    write_made("alone", &recipe);
    expect_refused(scratch("alone"), WORDS("alone", ".NUMBER"));
}
END_TEST

/* A sentence that names the file, or one beside it, or particles. There are no checksums: a
 * number that was changed is read as it stands. */
static void survive(const char *path, const char *stem, size_t place) {
    struct io_error error = {""};
    struct snapshot_particles particles;
    struct snapshot_contents contents;
    struct snapshot *snapshot = snapshot_open(path, &error);
    const bool opened = snapshot != NULL;
    if (opened && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error))
        snapshot_free(&particles);
    else if (strstr(error.text, stem) == NULL)
        ck_abort_msg("%zu: %s", place, error.text);
    if (opened && snapshot_list(snapshot, &contents, &error))
        free(contents.arrays);
    snapshot_close(snapshot);
}

START_TEST(every_flipped_bit_is_survived) {
    for (int named = 0; named < 2; ++named) {
        struct gadget_recipe recipe = whole;
        size_t n;
        recipe.named = named;
        recipe.gas = 2;
        char *bytes = slurp(write_made("f.0", &recipe), &n);
        for (size_t at = 0; at < n; ++at) {
            for (int bit = 0; bit < 8; ++bit) {
                bytes[at] = (char)(bytes[at] ^ 1 << bit);
                spill(scratch("f.0"), bytes, n);
                survive(scratch("f.0"), "/f.", at);
                bytes[at] = (char)(bytes[at] ^ 1 << bit);
            }
        }
        free(bytes);
    }
}
END_TEST

/* Every length is refused, but that format 2 may lack ids, or both ids and velocities. */
START_TEST(every_truncation_is_found) {
    for (int named = 0; named < 2; ++named) {
        struct gadget_recipe recipe = whole;
        int read = 0;
        size_t n;
        recipe.named = named;
        recipe.table_mass = 1;
        char *bytes = slurp(write_made("t.gadget", &recipe), &n);
        for (size_t length = 0; length < n; ++length) {
            struct io_error error = {""};
            struct snapshot_particles particles;
            spill(scratch("t.gadget"), bytes, length);
            struct snapshot *snapshot = snapshot_open(scratch("t.gadget"), &error);
            if (snapshot && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error)) {
                ++read;
                snapshot_free(&particles);
            } else if (strstr(error.text, "t.gadget") == NULL) {
                ck_abort_msg("%zu bytes: %s", length, error.text);
            }
            snapshot_close(snapshot);
        }
        ck_assert_int_eq(read, named ? 2 : 0);
        free(bytes);
    }
}
END_TEST

START_TEST(refuses_what_cannot_be) {
    struct gadget_recipe recipe = whole;
    size_t n;
    char *bytes = slurp(write_made("r", &recipe), &n);
    bytes[4 + 256] = 1; /* the length after the header */
    spill(scratch("r"), bytes, n);
    expect_refused(scratch("r"), WORDS("r is damaged", "length 256 and ends with 257"));
    free(bytes);
    recipe.redshift = -2;
    expect_refused(write_made("r", &recipe), WORDS("the redshift of", "r is -2"));
    recipe = whole;
    recipe.box = NAN;
    expect_refused(write_made("r", &recipe), WORDS("the box of", "r is"));
    recipe = whole;
    recipe.table_mass = -1;
    expect_refused(write_made("r", &recipe), WORDS("the mass table of", "-1"));
    recipe = whole;
    recipe.total = 12;
    expect_refused(write_made("r", &recipe), WORDS("12 particles", "there are 11"));
    bytes = slurp(write_made("r", &whole), &n);
    bytes[4 + 4] = 5; /* particles, but not those of the blocks */
    spill(scratch("r"), bytes, n);
    expect_refused(scratch("r"), WORDS("the block POS of", "132 bytes, neither 4 nor 8"));
    free(bytes);
    const double h = -0.7;
    bytes = slurp(write_made("r", &whole), &n);
    memcpy(bytes + 4 + 152, &h, 8);
    spill(scratch("r"), bytes, n);
    expect_refused(scratch("r"), WORDS("r: h -0.7", "no cosmology"));
    free(bytes);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {reads_each_variant,        takes_the_mass_table,
                                  reads_several_files,       every_flipped_bit_is_survived,
                                  every_truncation_is_found, refuses_what_cannot_be};
    return io_test_main("gadget", tests, sizeof tests / sizeof *tests);
}
