/* A reader on any bytes at all: a sentence, or particles, the same ones in whatever pieces
 * they are read. FUZZ_NAME is the name that the file gets, which for some formats tells
 * what they are; FUZZ_PART is another that it has, so that it may be the second of two
 * parts.
 *
 * libFuzzer or mutate.c calls LLVMFuzzerTestOneInput; without them, main below runs the
 * files that it is given. */
#include "io/format.h"
#include "io/genericio/crc64.h"
#include "io/mixture.h"
#include "io/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[128], path[160], part[160];

static void remove_folder(void) {
    unlink(part);
    unlink(path);
    rmdir(folder);
}

static void write_file(const unsigned char *bytes, size_t n) {
    if (path[0] == '\0') {
        snapshot_own_process();
        const char *where = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/weft-fuzz-XXXXXX", where ? where : "/tmp");
        if (mkdtemp(folder) == NULL)
            abort();
        snprintf(path, sizeof path, "%s/%s", folder, FUZZ_NAME);
        snprintf(part, sizeof part, "%s/%s", folder, FUZZ_PART);
        if (symlink(FUZZ_NAME, part) != 0)
            abort();
        atexit(remove_folder);
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        abort();
}

/* Checksums are always right here, or no change of a byte would get past them. */
uint64_t __wrap_crc64(uint64_t crc, const void *bytes, size_t n);
uint64_t __wrap_crc64(uint64_t crc, const void *bytes, size_t n) {
    (void)crc;
    (void)bytes;
    (void)n;
    return UINT64_MAX;
}

/* What HDF5 does is not rehearsed where its crashes are to be seen, and ours behind them;
 * else it has 1 s in place of a minute. A file is rehearsed a dozen times, and what never
 * ends would else be taken for a reader that hangs. */
struct act {
    void (*act)(const void *what);
    const void *what;
};

static void hurry(const void *of) {
    const struct act *act = of;
    setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});
    act->act(act->what);
}

bool __real_io_rehearse(void (*act)(const void *what), const void *what);
bool __wrap_io_rehearse(void (*act)(const void *what), const void *what);
bool __wrap_io_rehearse(void (*act)(const void *what), const void *what) {
    return FUZZ_BARE || __real_io_rehearse(hurry, &(struct act){act, what});
}

/* The particles from a third on are those of the whole. */
static void read_slice(struct snapshot *snapshot, const struct snapshot_particles *all) {
    struct io_error error;
    struct snapshot_particles some;
    const int64_t first = all->n / 3, n = all->n / 2;
    if (!snapshot_read_slice(snapshot, first, n, SNAPSHOT_ALL, &some, &error))
        abort();
    for (enum snapshot_field f = 0; f < SNAPSHOT_IDS; ++f) {
        const size_t row = (size_t)(snapshot_components(f) * all->bytes[f]);
        if (row != 0 && memcmp(some.field[f], (char *)all->field[f] + (size_t)first * row,
                               (size_t)n * row) != 0)
            abort();
    }
    snapshot_free(&some);
}

static void read_points(void) {
    struct io_error error = {""};
    struct points points;
    if (points_read(path, 1, 2, 2, &points, &error))
        points_free(&points);
    else if (error.text[0] == '\0')
        abort();
}

/* Several types as one, whole and from a third on. */
static void read_mixture(void) {
    static const int types[] = {1, 0, 5};
    struct io_error error = {""};
    struct snapshot_particles all, some;
    struct mixture *mixture = mixture_open(path, 3, types, SNAPSHOT_ALL, &error);
    const bool read = mixture && mixture_read(mixture, SNAPSHOT_ALL, &all, &error);
    if (!read && error.text[0] == '\0')
        abort();
    if (read) {
        const int64_t first = all.n / 3, n = all.n / 2;
        const size_t row = 3 * (size_t)all.bytes[SNAPSHOT_COORDINATES];
        if (!mixture_read_slice(mixture, first, n, SNAPSHOT_ALL, &some, &error) ||
            (n > 0 && memcmp(some.field[SNAPSHOT_COORDINATES],
                             (char *)all.field[SNAPSHOT_COORDINATES] + (size_t)first * row,
                             (size_t)n * row) != 0))
            abort();
        snapshot_free(&some);
        snapshot_free(&all);
    }
    mixture_close(mixture);
}

static void read_others(const struct snapshot *snapshot) {
    struct io_error error;
    for (int k = 0; k < snapshot->n_others; ++k) {
        const struct snapshot_other *other = &snapshot->others[k];
        const int64_t n = snapshot->info.n;
        void *values =
            io_allocate(n * other->components, (size_t)other->bytes, "others", &error);
        if (values != NULL)
            snapshot_read_other(snapshot, k, 0, n, values, &error);
        free(values);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n) {
    struct io_error error = {""};
    struct snapshot_particles particles;
    struct snapshot_contents contents;
    write_file(bytes, n);
    struct snapshot *snapshot = snapshot_inspect(path, &error);
    bool good = snapshot != NULL;
    if (good && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error)) {
        read_slice(snapshot, &particles);
        snapshot_free(&particles);
    } else {
        good = false;
    }
    if (snapshot != NULL && snapshot_list(snapshot, &contents, &error))
        free(contents.arrays);
    else
        good = false;
    if (good)
        read_others(snapshot);
    snapshot_close(snapshot);
    read_mixture();
    read_points();
    if (!good && error.text[0] == '\0')
        abort(); /* it failed and does not say why */
    return 0;
}

#ifndef FUZZER
int main(int argc, char **argv) {
    for (int k = 1; k < argc; ++k) {
        static unsigned char bytes[1 << 16];
        FILE *file = fopen(argv[k], "rb");
        if (file == NULL)
            return 2;
        const size_t n = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        LLVMFuzzerTestOneInput(bytes, n);
    }
    printf("%d files\n", argc - 1);
    return argc == 1;
}
#endif
