/* Grids that ranks share: transforms are those of the whole, bytes; planes around are those
 * that others have. */
#include "scene.h"
#include "distributed/slabs/pencils.h"

#include <math.h>
#include <stdlib.h>
#include <weft/queue.h>

static const struct {
    i64 n[3], piece;
    weft_type type;
} grids[] = {
    {{16, 16, 16}, 100, WEFT_F32}, {{16, 16, 16}, 3, WEFT_F32}, {{12, 10, 14}, 1, WEFT_F64},
    {{30, 7, 4}, 2, WEFT_F32},     {{3, 2, 6}, 5, WEFT_F64},    {{1, 9, 2}, 1, WEFT_F32},
    {{4, 4, 4}, 1, WEFT_F32},      {{6, 6, 6}, 1, WEFT_F64},    {{10, 10, 10}, 2, WEFT_F32},
    {{20, 20, 20}, 4, WEFT_F64},
};
enum { GRIDS = sizeof grids / sizeof *grids };

/* The same numbers on all ranks. */
static void *random_numbers(weft_type type, i64 count, u64 seed) {
    f64 *wide = malloc((size_t)count * sizeof *wide + 1);
    f32 *narrow = malloc((size_t)count * sizeof *narrow + 1);
    for (i64 i = 0; i < count; i++) {
        wide[i] = (f64)(i64)test_random(&seed) * 0x1p-63;
        narrow[i] = (f32)wide[i];
    }
    free(type == WEFT_F64 ? (void *)narrow : (void *)wide);
    return type == WEFT_F64 ? (void *)wide : (void *)narrow;
}

/* A transform of the whole, and where its result is. */
static void *define(const struct slabs *s, weft_type type, weft_fourier_direction direction,
                    const void *in) {
    const i64 all = s->n[0] * s->n[1] * s->n[2], length = weft_fourier_length(s->n);
    const int back = direction == WEFT_FOURIER_INVERSE;
    void *out = malloc((size_t)(back ? all : length) * WEFT_SIZE(type));
    const weft_array real = weft_array_new(device, type, all);
    const weft_array spectrum = weft_array_new(device, type, length);
    weft_write(device, back ? spectrum : real, in);
    weft_fourier_transform(device, s->n, direction, real, spectrum);
    weft_read(device, back ? real : spectrum, out);
    weft_array_free(device, real);
    weft_array_free(device, spectrum);
    return out;
}

/* This rank's part of a whole spectrum: its columns of its rows of all planes. */
static void *rows_of(const struct slabs *s, const void *whole, size_t bytes) {
    const struct slab own = slabs_rows(s, comm.rank), some = slabs_columns(s, comm.rank);
    const i64 length = s->n[2] / 2 + 1;
    const size_t number = 2 * bytes, row = (size_t)some.count * number;
    char *part = malloc((size_t)(s->n[0] * own.count) * row + 1), *to = part;
    for (i64 x = 0; x < s->n[0]; x++)
        for (i64 y = own.first; y < own.first + own.count; y++, to += row)
            memcpy(to,
                   (const char *)whole +
                       (size_t)((x * s->n[1] + y) * length + some.first) * number,
                   row);
    return part;
}

static void expect(weft_array array, const void *expected) {
    const size_t bytes = (size_t)array.length * WEFT_SIZE(array.type);
    void *got = malloc(bytes + 1);
    weft_read(device, array, got);
    test_ok();
    ck_assert(memcmp(got, expected, bytes) == 0);
    free(got);
}

/* Forward and back, to the bit; and planes, rows and columns are each somebody's. */
static void check(const struct slabs *s, weft_type type, u64 seed) {
    const size_t bytes = WEFT_SIZE(type);
    const struct slab planes = slabs_planes(s, comm.rank);
    const i64 area = s->n[1] * s->n[2], rows = slabs_rows(s, comm.rank).count;
    const i64 columns = slabs_columns(s, comm.rank).count;
    char *x = random_numbers(type, s->n[0] * area, seed);
    char *z = random_numbers(type, weft_fourier_length(s->n), seed + 8);
    char *zx = define(s, type, WEFT_FOURIER_FORWARD, x);
    char *xz = define(s, type, WEFT_FOURIER_INVERSE, z);
    const weft_array real = weft_array_new(device, type, planes.count * area);
    const weft_array spectrum = weft_array_new(device, type, s->n[0] * rows * 2 * columns);
    void *expected = rows_of(s, zx, bytes), *part = rows_of(s, z, bytes);
    const size_t before = (size_t)(planes.first * area) * bytes;
    i64 all[2] = {planes.count, rows * columns};
    weft_write(device, real, (void *)(x + before));
    ck_assert(slabs_transform(s, device, WEFT_FOURIER_FORWARD, real, spectrum));
    expect(spectrum, expected);
    expect(real, x + before);
    weft_write(device, spectrum, part);
    ck_assert(slabs_transform(s, device, WEFT_FOURIER_INVERSE, real, spectrum));
    expect(real, xz + before);
    ck_assert(comm_reduce_i64(&comm, all, 2, COMM_SUM));
    ck_assert_int_eq(all[0], s->n[0]);
    ck_assert_int_eq(all[1], s->n[1] * (s->n[2] / 2 + 1));
    weft_array_free(device, real);
    weft_array_free(device, spectrum);
    free(x), free(z), free(zx), free(xz), free(expected), free(part);
}

START_TEST(transform) {
    for (int g = 0; g < GRIDS; g++) {
        struct slabs s = slabs_of(&comm, grids[g].n, grids[g].type);
        s.piece = grids[g].piece;
        check(&s, grids[g].type, (u64)g + 1);
    }
}
END_TEST

/* One memory for transforms of all sizes: it grows, and stays where there is enough. */
START_TEST(kept_room) {
    struct slabs_room room = {0};
    size_t most = 0;
    for (int g = 0; g < 2 * GRIDS; g++) {
        struct slabs s = slabs_of(&comm, grids[g % GRIDS].n, grids[g % GRIDS].type);
        const void *before = room.memory;
        s.piece = grids[g % GRIDS].piece;
        s.room = &room;
        check(&s, grids[g % GRIDS].type, (u64)g + 1);
        ck_assert(room.memory && room.bytes >= most);
        ck_assert(g < GRIDS || room.memory == before);
        most = room.bytes;
    }
    free(room.memory);
}
END_TEST

/* Every number of slabs, and of ranks that share each, some ranks with nothing. */
START_TEST(pencils) {
    for (int g = 0; g < GRIDS; g++)
        for (int count = 1; count <= comm.size; count++)
            for (int each = 1; each <= comm.size / count; each++) {
                struct slabs s = slabs_of(&comm, grids[g].n, grids[g].type);
                s.count = count;
                s.each = each;
                s.piece = grids[g].piece;
                check(&s, grids[g].type, (u64)g + 1);
            }
}
END_TEST

/* Whether this rank has rows for another, one way or back. */
static int sends(const struct slabs *s) {
    const int me = comm.rank;
    int some = 0;
    for (int r = 0; r < comm.size; r++)
        if (r != me && r % s->each == me % s->each)
            some |= (slabs_shared(s, me).count > 0 && slabs_rows(s, r).count > 0) ||
                    (slabs_shared(s, r).count > 0 && slabs_rows(s, me).count > 0);
    return some && slabs_columns(s, me).count > 0;
}

/* Rows by memory that all ranks reach, if a device has its own; where that is too small, or
 * ranks share a slab, as messages. */
static void check_shelves(struct slabs *s, weft_type type, u64 seed, size_t bytes) {
    struct comm_shelves small = *s->shelves;
    char *mine = small.of[comm.rank];
    i64 used = 0;
    small.bytes = bytes ? bytes : small.bytes;
    s->shelves = &small;
    memset(mine, 0xa5, 2 * small.bytes);
    check(s, type, seed);
    for (size_t k = 0; k < 2 * small.bytes; k++)
        used += mine[k] != (char)0xa5;
    ck_assert_int_eq(used > 0, bytes || s->each > 1 ? 0 : sends(s));
}

START_TEST(shelves) {
    struct comm_shelves found = {0, NULL, 0};
    ck_assert(slabs_find_shelves(&comm, device, &found));
    weft_device *beside = weft_open_queue(device);
    i64 apart = weft_device_style(device) == WEFT_SIMT;
    ck_assert(comm_reduce_i64(&comm, &apart, 1, COMM_MAX));
    ck_assert((found.of != NULL) == (apart && comm.size > 1));
    for (int g = 0; g < GRIDS && found.of; g++)
        for (int each = 1; each <= comm.size / 2; each++) {
            struct slabs s = slabs_of(&comm, grids[g].n, grids[g].type);
            s.count = comm.size / each;
            s.each = each;
            s.piece = grids[g].piece;
            for (int way = each > 1; way < 3; way++) {
                s.shelves = &found;
                s.beside = way == 1 ? beside : NULL;
                check_shelves(&s, grids[g].type, (u64)g + 1, way == 2);
            }
        }
    weft_close(beside);
}
END_TEST

/* What a rank tells of point i of a plane of the grid, its own or around its own. */
static i64 number(int rank, i64 plane, i64 i) {
    return (rank + 1) * 1000000 + plane * 1000 + i;
}

/* The sum of what all ranks have in a plane. */
static i64 sum_of(const struct slabs *s, i64 plane, i64 i) {
    i64 sum = 0;
    for (int r = 0; r < comm.size; r++) {
        const struct slab own = slabs_planes(s, r);
        const i64 end = own.count ? own.count + SLABS_ABOVE : -SLABS_BELOW;
        for (i64 p = -SLABS_BELOW; p < end; p++)
            if ((own.first + p + s->n[0]) % s->n[0] == plane)
                sum += number(r, plane, i);
    }
    return sum;
}

/* By messages, by shelves, and where these are too small. */
static void check_around(struct comm_shelves *by) {
    for (i64 n = 1; n < 20; n += n < 4 ? 1 : 5) {
        struct slabs s = slabs_of(&comm, (i64[]){n, 3, 2}, WEFT_F32);
        s.shelves = by;
        const struct slab own = slabs_planes(&s, comm.rank);
        const i64 extent = own.count > 0 ? own.count + SLABS_AROUND : 0, all = extent * 6;
        i64 *mesh = malloc((size_t)all * sizeof *mesh + 1);
        for (i64 k = 0; k < all; k++)
            mesh[k] = number(comm.rank, (own.first + k / 6 - SLABS_BELOW + n) % n, k % 6);
        const weft_array sums = test_array(WEFT_I64, mesh, all);
        ck_assert(slabs_add(&s, device, sums));
        for (i64 k = 6 * SLABS_BELOW; k < all - 6 * SLABS_ABOVE; k++)
            mesh[k] = sum_of(&s, own.first + k / 6 - SLABS_BELOW, k % 6);
        expect(sums, mesh);
        ck_assert(slabs_fill(&s, device, sums));
        for (i64 k = 0; k < all; k++)
            mesh[k] = sum_of(&s, (own.first + k / 6 - SLABS_BELOW + n) % n, k % 6);
        expect(sums, mesh);
        weft_array_free(device, sums);
        free(mesh);
    }
}

START_TEST(planes_around) {
    struct comm_shelves found = {0, NULL, 0}, small;
    ck_assert(slabs_find_shelves(&comm, device, &found));
    small = (struct comm_shelves){6 * sizeof(i64), found.of, 0};
    check_around(NULL);
    check_around(&found);
    ck_assert(comm_agree(&comm));
    if (found.of)
        memset(found.of[comm.rank], 0xa5, 4096);
    check_around(&small);
    for (int k = 0; k < 4096 && found.of; k++)
        ck_assert(found.of[comm.rank][k] == (char)0xa5);
}
END_TEST

/* All ranks end where the device of one has an error. */
START_TEST(failure) {
    const struct slabs s = slabs_of(&comm, (i64[]){4, 4, 4}, WEFT_F32);
    const struct comm before = comm;
    const weft_array none = weft_array_new(device, WEFT_F32, 0);
    if (comm.rank == comm.size - 1)
        weft_fail(device, WEFT_E_ARGUMENT, "nothing");
    const weft_array real =
        weft_array_new(device, WEFT_F32, slabs_planes(&s, comm.rank).count * 16);
    const weft_array spectrum =
        weft_array_new(device, WEFT_F32, slabs_rows(&s, comm.rank).count * 24);
    ck_assert(!slabs_transform(&s, device, WEFT_FOURIER_FORWARD, real, spectrum) ||
              comm.rank < comm.size - 1);
    ck_assert(!comm_agree(&comm));
    ck_assert(!slabs_fill(&s, device, none));
    weft_clear(device);
    comm = before;
}
END_TEST

/* A sum over all points for each wave, to 16 units of the last place of f64. */
static void define_slowly(const i64 n[3], const f64 *x, f64 *out) {
    const f64 pi = 3.14159265358979323846;
    const i64 points = n[0] * n[1] * n[2], length = n[2] / 2 + 1;
    for (i64 w = 0; w < n[0] * n[1] * length; w++) {
        const i64 a = w / length / n[1], b = w / length % n[1], c = w % length;
        f64 re = 0, im = 0;
        for (i64 p = 0; p < points; p++) {
            const i64 i = p / n[2] / n[1], j = p / n[2] % n[1], k = p % n[2];
            const f64 turns = (f64)(a * i % n[0]) / (f64)n[0] +
                              (f64)(b * j % n[1]) / (f64)n[1] +
                              (f64)(c * k % n[2]) / (f64)n[2];
            re += x[p] * cos(2 * pi * turns);
            im -= x[p] * sin(2 * pi * turns);
        }
        out[2 * w] = re;
        out[2 * w + 1] = im;
    }
}

START_TEST(definition) {
    static const i64 sides[][3] = {{4, 4, 4}, {6, 6, 6}, {2, 5, 6}};
    for (int g = 0; g < 3; g++) {
        const i64 *n = sides[g], all = n[0] * n[1] * n[2];
        const struct slabs s = slabs_of(&comm, n, WEFT_F64);
        const struct slab planes = slabs_planes(&s, comm.rank);
        const i64 numbers =
            n[0] * slabs_rows(&s, comm.rank).count * slabs_columns(&s, comm.rank).count * 2;
        f64 *x = random_numbers(WEFT_F64, all, 5);
        f64 *whole = malloc((size_t)weft_fourier_length(n) * sizeof *whole);
        f64 *got = malloc((size_t)numbers * sizeof *got + 1);
        const weft_array real = test_array(WEFT_F64, x + planes.first * n[1] * n[2],
                                           planes.count * n[1] * n[2]);
        const weft_array spectrum = weft_array_new(device, WEFT_F64, numbers);
        define_slowly(n, x, whole);
        f64 *expected = rows_of(&s, whole, sizeof *whole);
        ck_assert(slabs_transform(&s, device, WEFT_FOURIER_FORWARD, real, spectrum));
        weft_read(device, spectrum, got);
        test_ok();
        for (i64 k = 0; k < numbers; k++)
            ck_assert_double_eq_tol(got[k], expected[k], 1e-12);
        weft_array_free(device, real);
        weft_array_free(device, spectrum);
        free(x), free(whole), free(got), free(expected);
    }
}
END_TEST

/* Slabs where all ranks get some; pencils where more can take part. */
START_TEST(choice) {
    static const struct {
        i64 n[3];
        int ranks, count, each;
    } rows[] = {
        {{16, 16, 16}, 1, 1, 1},        {{16, 16, 16}, 6, 6, 1},
        {{16, 16, 16}, 16, 16, 1},      {{16, 16, 16}, 24, 8, 3},
        {{16, 16, 16}, 32, 16, 2},      {{4, 4, 4}, 9, 4, 2},
        {{6, 6, 6}, 9, 2, 4},           {{8, 8, 8}, 9, 8, 1},
        {{8, 8, 8}, 12, 4, 3},          {{8, 8, 8}, 64, 8, 8},
        {{8, 8, 8}, 1000, 8, 8},        {{30, 7, 4}, 8, 8, 1},
        {{256, 256, 256}, 257, 256, 1}, {{1024, 1024, 1024}, 16384, 1024, 16},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct comm many = {.size = rows[k].ranks};
        const struct slabs s = slabs_of(&many, rows[k].n, WEFT_F32);
        ck_assert_msg(s.count == rows[k].count && s.each == rows[k].each,
                      "row %d: %d slabs of %d ranks", (int)k, s.count, s.each);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {transform,  kept_room, pencils,       shelves,
                                  definition, choice,    planes_around, failure};
    return scene_main(argc, argv, "slabs", tests, sizeof tests / sizeof *tests);
}
