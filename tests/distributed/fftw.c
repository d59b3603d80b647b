/* Grids that ranks share against FFTW's, which has slabs. */
#include "scene.h"
#include "distributed/slabs/slabs.h"

#include <fftw3-mpi.h>
#include <math.h>
#include <stdlib.h>

/* The same on all ranks; numbers that f32 holds. */
static f64 *random_numbers(i64 count, u64 seed) {
    f64 *x = malloc((size_t)count * sizeof *x);
    for (i64 i = 0; i < count; i++)
        x[i] = (f64)((i64)test_random(&seed) >> 41) * 0x1p-22;
    return x;
}

/* Ours, all of it on all ranks. */
static f64 *transform(const struct slabs *s, weft_type type, const f64 *x) {
    const i64 *n = s->n, length = n[2] / 2 + 1, area = n[1] * n[2];
    const struct slab planes = slabs_planes(s, comm.rank), rows = slabs_rows(s, comm.rank);
    const struct slab columns = slabs_columns(s, comm.rank);
    const i64 points = planes.count * area, waves = n[0] * rows.count * columns.count;
    f64 *all = calloc((size_t)weft_fourier_length(n), sizeof *all);
    f64 *wide = malloc((size_t)(points + 2 * waves) * sizeof *wide + 1);
    f32 *narrow = malloc((size_t)(points + 2 * waves) * sizeof *narrow + 1);
    for (i64 i = 0; i < points; i++)
        narrow[i] = (f32)(wide[i] = x[planes.first * area + i]);
    const bool is_wide = type == WEFT_F64;
    const weft_array real = test_array(type, is_wide ? (void *)wide : narrow, points);
    const weft_array spectrum = weft_array_new(device, type, 2 * waves);
    ck_assert(slabs_transform(s, device, WEFT_FOURIER_FORWARD, real, spectrum));
    weft_read(device, spectrum, is_wide ? (void *)wide : narrow);
    test_ok();
    for (i64 w = 0; w < 2 * waves; w++) {
        const i64 column = w / 2 % columns.count, row = w / 2 / columns.count;
        const i64 line = row / rows.count * n[1] + rows.first + row % rows.count;
        all[2 * (line * length + columns.first + column) + w % 2] =
            is_wide ? wide[w] : (f64)narrow[w];
    }
    ck_assert(comm_reduce_f64(&comm, all, (int)weft_fourier_length(n), COMM_SUM));
    weft_array_free(device, real);
    weft_array_free(device, spectrum);
    free(wide), free(narrow);
    return all;
}

/* The planes that FFTW gives this rank, to 4 units of the last place of the root of the
 * mean square, times log2 of the number of points. */
static void compare(const i64 n[3], const f64 *x, const f64 *got, weft_type type) {
    const i64 length = n[2] / 2 + 1, points = n[0] * n[1] * n[2];
    ptrdiff_t planes, first;
    const ptrdiff_t room =
        fftw_mpi_local_size_3d(n[0], n[1], length, MPI_COMM_WORLD, &planes, &first);
    f64 *real = fftw_alloc_real(2 * (size_t)room + 1);
    fftw_complex *waves = fftw_alloc_complex((size_t)room + 1);
    fftw_plan plan = fftw_mpi_plan_dft_r2c_3d(n[0], n[1], n[2], real, waves, MPI_COMM_WORLD,
                                              FFTW_ESTIMATE);
    ck_assert_ptr_nonnull(plan);
    for (i64 row = 0; row < planes * n[1]; row++) /* padded to 2 length */
        for (i64 k = 0; k < n[2]; k++)
            real[row * 2 * length + k] = x[(first * n[1] + row) * n[2] + k];
    fftw_execute(plan);
    f64 squares = 0;
    for (i64 i = 0; i < points; i++)
        squares += x[i] * x[i];
    const f64 bound =
        4 * (type == WEFT_F64 ? 0x1p-53 : 0x1p-24) * sqrt(squares) * log2((f64)points);
    for (i64 w = 0; w < planes * n[1] * length; w++)
        for (int part = 0; part < 2; part++)
            ck_assert_double_eq_tol(waves[w][part],
                                    got[2 * (first * n[1] * length + w) + part], bound);
    fftw_destroy_plan(plan);
    fftw_free(real);
    fftw_free(waves);
}

START_TEST(same) {
    static const i64 sides[][3] = {{4, 4, 4},    {6, 6, 6},    {10, 10, 10}, {16, 16, 16},
                                   {20, 20, 20}, {12, 10, 14}, {30, 7, 4},   {64, 64, 64}};
    for (size_t g = 0; g < sizeof sides / sizeof *sides; g++)
        for (int wide = 0; wide < 2; wide++)
            for (int each = 0; each < 4; each++) { /* 0: as it is chosen */
                const weft_type type = wide ? WEFT_F64 : WEFT_F32;
                const i64 *n = sides[g];
                struct slabs s = slabs_of(&comm, n, type);
                if (each > comm.size)
                    continue;
                s.count = each ? comm.size / each : s.count;
                s.each = each ? each : s.each;
                f64 *x = random_numbers(n[0] * n[1] * n[2], g + 1);
                f64 *got = transform(&s, type, x);
                compare(n, x, got, type);
                free(x), free(got);
            }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {same};
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    const int failed = scene_main(argc, argv, "fftw", tests, 1);
    return failed;
}
