/* GenericIO: every variant of the format, and every way in which a file may be damaged. */
#include "support.h"

#include "io/genericio/crc64.h"
#include "made_genericio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

/* Each variant of a small file of three ranks. */
static const struct genericio_recipe variants[] = {
    {.n_ranks = 3},
    {.n_ranks = 3, .wide = true},
    {.n_ranks = 3, .big = true},
    {.n_ranks = 3, .old = true},
    {.n_ranks = 3, .old = true, .big = true},
    {.n_ranks = 3, .blocks = true},
    {.n_ranks = 3, .blocks = true, .big = true, .wide = true},
#ifdef HAVE_BLOSC
    {.n_ranks = 3, .blocks = true, .blosc = true},
    {.n_ranks = 3, .blocks = true, .blosc = true, .big = true, .wide = true},
#endif
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *write_made(const char *name, const struct genericio_recipe *recipe) {
    size_t length;
    unsigned char *bytes = made_genericio(recipe, &length);
    spill(scratch(name), bytes, length);
    free(bytes);
    return scratch(name);
}

START_TEST(checksum) {
    /* the check value that the CRC's description gives */
    ck_assert_uint_eq(crc64(0, "123456789", 9), 0x995DC9BBDF1939FAu);
    unsigned char bytes[100];
    for (int k = 0; k < 100; ++k)
        bytes[k] = (unsigned char)(37 * k);
    for (size_t k = 0; k <= 100; ++k) {
        const uint64_t first = crc64(0, bytes, k), rest = crc64(0, bytes + k, 100 - k);
        ck_assert_uint_eq(crc64(first, bytes + k, 100 - k), crc64(0, bytes, 100));
        ck_assert_uint_eq(crc64_join(first, rest, 100 - k), crc64(0, bytes, 100));
    }
}
END_TEST

START_TEST(reads_each_variant) {
    for (int k = 0; k < VARIANTS; ++k) {
        struct snapshot_particles particles;
        struct snapshot_contents contents;
        struct io_error error;
        struct snapshot *snapshot = open_snapshot(write_made("s.gio", &variants[k]));
        const struct snapshot_info *info = snapshot_info(snapshot);
        ck_assert_int_eq(info->n, made_genericio_count(3));
        ck_assert_int_eq(info->bytes[SNAPSHOT_COORDINATES], variants[k].wide ? 8 : 4);
        ck_assert_double_eq(info->box[2], variants[k].old ? 0 : 64);
        ck_assert_int_eq(info->periodic[2], !variants[k].old);
        read_snapshot(snapshot, &particles);
        ck_assert_int_eq(particles.ids_from, SNAPSHOT_IDS_FILE);
        expect_made(&particles, 1);
        snapshot_free(&particles);
        for (int64_t first = 0; first <= info->n; ++first) {
            ck_assert_msg(snapshot_read_slice(snapshot, first, (info->n - first + 1) / 2,
                                              SNAPSHOT_ALL, &particles, &error),
                          "%s", error.text);
            expect_made(&particles, 1);
            snapshot_free(&particles);
        }
        ck_assert_msg(snapshot_list(snapshot, &contents, &error), "%s", error.text);
        ck_assert_int_eq(contents.n_arrays, 9);
        ck_assert_str_eq(contents.arrays[8].name, "mask");
        ck_assert_str_eq(contents.arrays[8].type, variants[k].big ? ">u2" : "u2");
        ck_assert_int_eq(contents.arrays[8].shape[0], info->n);
        ck_assert(contents.arrays[8].checked);
        free(contents.arrays);
        snapshot_close(snapshot);
    }
}
END_TEST

START_TEST(reads_split_files) {
    const int32_t partition[3] = {7, 2, 7};
    struct snapshot_particles particles;
    struct genericio_recipe recipe = {.n_ranks = 2, .all_ranks = 3};
    size_t length;
    unsigned char *map = made_genericio_map(partition, 3, &length);
    spill(scratch("s"), map, length);
    free(map);
    write_made("s#2", &recipe);
    recipe.first = made_genericio_count(2);
    recipe.n_ranks = 1;
    recipe.first_rank = 2;
    write_made("s#7", &recipe);
    struct snapshot *snapshot = open_snapshot(scratch("s"));
    ck_assert_int_eq(snapshot_info(snapshot)->n_parts, 2);
    ck_assert_int_eq(snapshot_info(snapshot)->n, made_genericio_count(2) + 3);
    read_snapshot(snapshot, &particles);
    expect_made(&particles, 1);
    snapshot_free(&particles);
    snapshot_close(snapshot);
    expect_refused(scratch("s#7"), WORDS("s#7 is a part of a split file: read", "/s"));
    remove(scratch("s#7"));
    expect_refused(scratch("s"), WORDS("cannot read", "s#7: No such file"));
    const int32_t impossible[1] = {-1};
    map = made_genericio_map(impossible, 1, &length);
    spill(scratch("s"), map, length);
    free(map);
    expect_refused(scratch("s"), WORDS("s names an impossible partition, -1"));
}
END_TEST

START_TEST(names_the_damaged_block) {
    struct snapshot_contents contents;
    struct io_error error;
    size_t n;
    char *bytes = slurp(write_made("d.gio", &variants[0]), &n);
    bytes[n - 9] ^= 4; /* the last of mask in the last rank */
    spill(scratch("d.gio"), bytes, n);
    free(bytes);
    struct snapshot *snapshot = open_snapshot(scratch("d.gio"));
    ck_assert(!snapshot_list(snapshot, &contents, &error));
    expect_words(error.text, WORDS("the block of mask in rank 2 of", "d.gio is damaged",
                                   "checksum is wrong"));
    snapshot_close(snapshot);
}
END_TEST

/* That a damaged file gives a sentence or the right particles; returns whether it was
 * read whole, every block verified. */
static bool survives(const char *path, const char *what, size_t place) {
    struct snapshot_particles particles;
    struct snapshot_contents contents;
    struct io_error error = {""};
    struct snapshot *snapshot = snapshot_open(path, &error);
    bool good =
        snapshot != NULL && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error);
    if (good) {
        ck_assert_int_eq(particles.n, made_genericio_count(3));
        expect_made(&particles, 1);
        snapshot_free(&particles);
        good = snapshot_list(snapshot, &contents, &error);
        if (good)
            free(contents.arrays);
    }
    if (!good && strstr(error.text, path) == NULL)
        ck_abort_msg("%s %zu: %s", what, place, error.text);
    snapshot_close(snapshot);
    return good;
}

/* A checksum covers every byte but those between blocks, of which there are none here. */
START_TEST(every_flipped_bit_is_found) {
    for (int k = 0; k < VARIANTS; ++k) {
        size_t n;
        char *bytes = slurp(write_made("f.gio", &variants[k]), &n);
        for (size_t at = 0; at < n; ++at) {
            bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
            spill(scratch("f.gio"), bytes, n);
            ck_assert_msg(!survives(scratch("f.gio"), "flipped", at),
                          "variant %d: byte %zu of %zu was flipped and not noticed", k, at,
                          n);
            bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
        }
        free(bytes);
    }
}
END_TEST

START_TEST(every_truncation_is_found) {
    for (int k = 0; k < VARIANTS; ++k) {
        size_t n;
        char *bytes = slurp(write_made("t.gio", &variants[k]), &n);
        for (size_t length = 0; length < n; ++length) {
            spill(scratch("t.gio"), bytes, length);
            ck_assert(!survives(scratch("t.gio"), "cut", length));
        }
        free(bytes);
    }
}
END_TEST

/* The stored CRC made right again after a change, so that the checks behind it are met. */
static void seal(unsigned char *bytes, size_t header) {
    const uint64_t crc = ~crc64(0, bytes, header);
    for (int k = 0; k < 8; ++k)
        bytes[header + (size_t)k] = (unsigned char)(crc >> 8 * k);
}

START_TEST(every_header_is_survived) {
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    for (int k = 5; k < VARIANTS; k += 2) {
        size_t n;
        unsigned char *bytes =
            (unsigned char *)slurp(write_made("h.gio", &variants[k]), &n);
        size_t header = 0;
        for (int b = 0; b < 8; ++b)
            header |= (size_t)bytes[8 + b] << 8 * (variants[k].big ? 7 - b : b);
        for (size_t at = 16; at < header; ++at) {
            const unsigned char kept = bytes[at];
            for (size_t v = 0; v < sizeof values; ++v) {
                struct io_error error;
                struct snapshot_contents contents;
                struct snapshot_particles particles;
                bytes[at] = values[v];
                seal(bytes, header);
                spill(scratch("h.gio"), bytes, n);
                struct snapshot *snapshot = snapshot_open(scratch("h.gio"), &error);
                if (snapshot && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error))
                    snapshot_free(&particles);
                if (snapshot && snapshot_list(snapshot, &contents, &error))
                    free(contents.arrays);
                snapshot_close(snapshot);
            }
            bytes[at] = kept;
        }
        free(bytes);
    }
}
END_TEST

START_TEST(refuses_what_it_cannot_read) {
    size_t n;
    unsigned char *bytes = (unsigned char *)slurp(write_made("r.gio", &variants[5]), &n);
    size_t header = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    memcpy(bytes + header - 48 * 27, "SZ", 2); /* the filter of the first block */
    seal(bytes, header);
    spill(scratch("r.gio"), bytes, n);
    expect_refused(scratch("r.gio"), WORDS("x in rank 0", "filter SZ, which is not read"));
    bytes[168] = 'q'; /* x is not there */
    seal(bytes, header);
    spill(scratch("r.gio"), bytes, n);
    expect_refused(scratch("r.gio"), WORDS("r.gio holds no positions"));
    free(bytes);
}
END_TEST

/* The reference writer's own files, where they are there. */
START_TEST(reads_the_reference) {
    static const char *const names[] = {"plain.gio", "blocks.gio", "blosc.gio"};
    const char *root = getenv("WEFT_SOURCE_ROOT");
    struct snapshot_particles first = {0};
    for (int k = 0; k < (variants[VARIANTS - 1].blosc ? 3 : 2); ++k) {
        char path[4096];
        struct snapshot_particles particles;
        struct io_error error;
        snprintf(path, sizeof path, "%s/../shared/data/genericio/%s", root ? root : ".",
                 names[k]);
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            break;
        fclose(file);
        struct snapshot *snapshot = open_snapshot(path);
        ck_assert_int_eq(snapshot_info(snapshot)->n, 2010);
        ck_assert(snapshot_read_slice(snapshot, 0, 2010, SNAPSHOT_ALL, &particles, &error));
        if (k == 0)
            first = particles;
        for (enum snapshot_field f = 0; k > 0 && f < SNAPSHOT_FIELDS; ++f)
            ck_assert(particles.field[f] == NULL ||
                      memcmp(particles.field[f], first.field[f],
                             2010 * (f == SNAPSHOT_COORDINATES ? 12 : 8)) == 0);
        if (k > 0)
            snapshot_free(&particles);
        snapshot_close(snapshot);
    }
    snapshot_free(&first);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {checksum,
                                  reads_each_variant,
                                  reads_split_files,
                                  names_the_damaged_block,
                                  every_flipped_bit_is_found,
                                  every_truncation_is_found,
                                  every_header_is_survived,
                                  refuses_what_it_cannot_read,
                                  reads_the_reference};
    return io_test_main("genericio", tests, sizeof tests / sizeof *tests);
}
