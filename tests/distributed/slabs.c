/* Grids that ranks share: transforms are those of the whole, bytes; planes around are those
 * that others have. */
#include "scene.h"
#include "distributed/slabs/slabs.h"

#include <stdlib.h>

static const struct {
    i64 n[3], piece;
    weft_type type;
} grids[] = {
    {{16, 16, 16}, 100, WEFT_F32}, {{16, 16, 16}, 3, WEFT_F32}, {{12, 10, 14}, 1, WEFT_F64},
    {{30, 7, 4}, 2, WEFT_F32},     {{3, 2, 6}, 5, WEFT_F64},    {{1, 9, 2}, 1, WEFT_F32},
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

/* This rank's part of a whole spectrum: its rows of all planes. */
static void *rows_of(const struct slabs *s, const void *whole, size_t bytes) {
    const struct slab own = slabs_rows(s, comm.rank);
    const size_t row = (size_t)(2 * (s->n[2] / 2 + 1)) * bytes;
    const size_t plane = row * (size_t)own.count;
    char *part = malloc((size_t)s->n[0] * plane + 1);
    for (i64 x = 0; x < s->n[0]; x++)
        memcpy(part + (size_t)x * plane,
               (const char *)whole + (size_t)(x * s->n[1] + own.first) * row, plane);
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

START_TEST(transform) {
    for (int g = 0; g < GRIDS; g++) {
        const weft_type type = grids[g].type;
        struct slabs s = slabs_of(&comm, grids[g].n, type);
        s.piece = grids[g].piece;
        const size_t bytes = WEFT_SIZE(type);
        const struct slab planes = slabs_planes(&s, comm.rank);
        const i64 area = s.n[1] * s.n[2], rows = slabs_rows(&s, comm.rank).count;
        char *x = random_numbers(type, s.n[0] * area, (u64)g + 1);
        char *z = random_numbers(type, weft_fourier_length(s.n), (u64)g + 9);
        char *zx = define(&s, type, WEFT_FOURIER_FORWARD, x);
        char *xz = define(&s, type, WEFT_FOURIER_INVERSE, z);
        const weft_array real = weft_array_new(device, type, planes.count * area);
        const weft_array spectrum =
            weft_array_new(device, type, s.n[0] * rows * 2 * (s.n[2] / 2 + 1));
        void *expected = rows_of(&s, zx, bytes), *part = rows_of(&s, z, bytes);
        const size_t before = (size_t)(planes.first * area) * bytes;
        weft_write(device, real, (void *)(x + before));
        ck_assert(slabs_transform(&s, device, WEFT_FOURIER_FORWARD, real, spectrum));
        expect(spectrum, expected);
        expect(real, x + before);
        weft_write(device, spectrum, part);
        ck_assert(slabs_transform(&s, device, WEFT_FOURIER_INVERSE, real, spectrum));
        expect(real, xz + before);
        weft_array_free(device, real);
        weft_array_free(device, spectrum);
        free(x), free(z), free(zx), free(xz), free(expected), free(part);
    }
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

START_TEST(planes_around) {
    for (i64 n = 1; n < 20; n += n < 4 ? 1 : 5) {
        const struct slabs s = slabs_of(&comm, (i64[]){n, 3, 2}, WEFT_F32);
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

int main(int argc, char **argv) {
    const TTest *const tests[] = {transform, planes_around, failure};
    return scene_main(argc, argv, "slabs", tests, sizeof tests / sizeof *tests);
}
