#define _DEFAULT_SOURCE
#include "inflate.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_THREADS = 64, PAGE = 4096, BLOCK = 32768 /* bytes, in the first cache */ };

/* Linux's MADV_POPULATE_WRITE, which older headers do not name and older kernels refuse. */
enum { POPULATE_WRITE = 23 };

struct job {
    hid_t dataset;
    int rank;
    bool shuffled;
    H5T_class_t sees; /* numbers that are looked at; else H5T_NO_CLASS */
    int axes;
    size_t number, row, chunk;    /* bytes of each */
    int64_t first, count, height; /* rows: wanted, and of a chunk */
    char *values;
    /* What the threads share, HDF5 among it. */
    pthread_mutex_t lock;
    int64_t next; /* chunk */
    bool failed;
    bool compares; /* nothing is kept, and it ends with a number that is another */
    struct io_hdf5_inflated *found;
};

/* Whether the filters are deflate, or shuffle and then deflate. */
static bool look_at_filters(struct job *job, hid_t creation) {
    H5Z_filter_t filter[2] = {0};
    const int n = H5Pget_nfilters(creation);
    for (int k = 0; k < n && k < 2; ++k) {
        size_t values = 0;
        unsigned flags;
        filter[k] =
            H5Pget_filter2(creation, (unsigned)k, &flags, &values, NULL, 0, NULL, NULL);
    }
    job->shuffled = filter[0] == H5Z_FILTER_SHUFFLE;
    return (n == 1 || n == 2) && filter[n - 1] == H5Z_FILTER_DEFLATE &&
           (n == 1 || job->shuffled);
}

static bool look_at_shape(struct job *job, hid_t creation) {
    hsize_t shape[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(job->dataset);
    job->rank = H5Sget_simple_extent_dims(space, shape, NULL);
    H5Sclose(space);
    if (job->rank < 1 || H5Pget_chunk(creation, H5S_MAX_RANK, chunk) != job->rank)
        return false;
    job->height = (int64_t)chunk[0];
    job->row = job->number;
    for (int axis = 1; axis < job->rank; ++axis) {
        if (chunk[axis] != shape[axis])
            return false;
        job->row *= chunk[axis];
    }
    job->chunk = job->row * (size_t)job->height;
    return job->chunk > 0 && job->first + job->count <= (int64_t)shape[0];
}

static H5T_class_t class_seen(const struct job *job, hid_t type) {
    const H5T_class_t class = H5Tget_class(type);
    const bool whole = class == H5T_INTEGER && job->number == 8;
    const bool real =
        class == H5T_FLOAT && (job->number == 4 || job->number == 8) && job->axes <= 3;
    return whole || real ? class : H5T_NO_CLASS;
}

static bool look(struct job *job, hid_t type) {
    const hid_t stored = H5Dget_type(job->dataset),
                creation = H5Dget_create_plist(job->dataset);
    job->number = H5Tget_size(type);
    const bool good = H5Tequal(stored, type) > 0 &&
                      H5Pget_layout(creation) == H5D_CHUNKED &&
                      look_at_filters(job, creation) && look_at_shape(job, creation);
    H5Pclose(creation);
    H5Tclose(stored);
    job->axes = good && job->row / job->number < 4 ? (int)(job->row / job->number) : 4;
    job->sees = class_seen(job, type);
    return good;
}

/* The next chunk as it lies in the file, if there is one. */
static bool take(struct job *job, uint8_t *packed, size_t room, size_t *bytes,
                 int64_t *chunk) {
    hsize_t stored = 0, at[H5S_MAX_RANK] = {0};
    uint32_t left_out = 0;
    pthread_mutex_lock(&job->lock);
    *chunk = job->next;
    const bool more = !job->failed && *chunk * job->height < job->first + job->count;
    if (more) {
        at[0] = (hsize_t)(*chunk * job->height);
        job->next++;
        job->failed = H5Dget_chunk_storage_size(job->dataset, at, &stored) < 0 ||
                      stored == 0 || stored > room ||
                      H5Dread_chunk(job->dataset, H5P_DEFAULT, at, &left_out, packed) < 0 ||
                      left_out != 0;
    }
    const bool good = more && !job->failed;
    pthread_mutex_unlock(&job->lock);
    *bytes = (size_t)stored;
    return good;
}

/* All first bytes of the numbers come first, then all second ones. */
static inline void gather_bytes(const uint8_t *in, size_t stride, size_t n, size_t size,
                                char *out) {
    for (size_t i = 0; i < n; ++i) {
        for (size_t b = 0; b < size; ++b)
            out[i * size + b] = (char)in[b * stride + i];
    }
}

static void put_bytes(const uint8_t *in, size_t stride, size_t bytes, size_t size,
                      char *out) {
    if (size == 8)
        gather_bytes(in, stride, bytes / 8, 8, out);
    else if (size == 4)
        gather_bytes(in, stride, bytes / 4, 4, out);
    else if (size == 1)
        memcpy(out, in, bytes);
    else
        gather_bytes(in, stride, bytes / size, size, out);
}

/* Pages that are written next are asked for at once: the kernel takes less time for them
 * than page by page. They are a block's, so that its zeros are still in the cache. */
static void touch(const char *block, size_t bytes) {
    const uintptr_t mask = ~(uintptr_t)(PAGE - 1), begin = (uintptr_t)block & mask;
    const uintptr_t end = ((uintptr_t)block + bytes + PAGE - 1) & mask;
    madvise((void *)begin, end - begin, POPULATE_WRITE);
}

/* Rows as they lie in memory are looked at while they are in the cache. */
static void see(const struct job *job, const char *rows, size_t bytes,
                struct io_seen *seen) {
    const int64_t n = (int64_t)(bytes / job->row);
    if (job->sees == H5T_INTEGER)
        io_see_integers(seen, (const int64_t *)rows, n);
    else if (job->sees == H5T_FLOAT)
        io_see(seen, rows, (int)job->number, job->axes, n);
}

/* How many of a chunk's rows are wanted, and the first of them. */
static int64_t wanted(const struct job *job, int64_t chunk, int64_t *from) {
    const int64_t begin = chunk * job->height, end = begin + job->height,
                  last = job->first + job->count;
    *from = begin > job->first ? begin : job->first;
    return (end < last ? end : last) - *from;
}

/* Puts what a chunk has of the rows where they belong, some at a time; NULL: into
 * `instead`.
 */
static void put(const struct job *job, int64_t chunk, const uint8_t *plain, char *instead,
                struct io_seen *seen) {
    int64_t from;
    const size_t bytes = (size_t)wanted(job, chunk, &from) * job->row,
                 skipped = (size_t)(from - chunk * job->height) * job->row;
    char *out =
        job->values ? job->values + (size_t)(from - job->first) * job->row : instead;
    const size_t size = job->shuffled ? job->number : 1, stride = job->chunk / size;
    const size_t some = BLOCK / job->row > 0 ? BLOCK / job->row * job->row : job->row;
    for (size_t done = 0; done < bytes; done += some) {
        const size_t now = bytes - done < some ? bytes - done : some;
        if (job->values)
            touch(out + done, now);
        put_bytes(plain + (skipped + done) / size, stride, now, size, out + done);
        see(job, out + done, now, seen);
    }
}

static void *work(void *argument) {
    struct job *job = argument;
    const size_t room = libdeflate_zlib_compress_bound(NULL, job->chunk);
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
    uint8_t *packed = malloc(room), *plain = malloc(job->chunk);
    uint8_t *before = malloc(job->compares ? room : 1);
    char *instead = malloc(job->compares ? job->chunk : 1);
    size_t bytes, bytes_before = 0;
    int64_t chunk, from;
    struct io_seen seen = io_seen_none();
    const bool ready = unpacker && packed && plain && before && instead;
    bool good = ready;
    while (good && take(job, packed, room, &bytes, &chunk)) {
        if (job->values == NULL && !job->compares)
            continue;
        /* rows of one number are packed alike, but in the last chunk */
        if (bytes == bytes_before && memcmp(packed, before, bytes) == 0) {
            seen.rows += wanted(job, chunk, &from);
            continue;
        }
        good = libdeflate_zlib_decompress(unpacker, packed, bytes, plain, job->chunk,
                                          NULL) == LIBDEFLATE_SUCCESS;
        if (good)
            put(job, chunk, plain, instead, &seen);
        if (job->compares) {
            good &= seen.low[0] == seen.high[0];
            memcpy(before, packed, bytes);
            bytes_before = bytes;
        }
    }
    if (unpacker)
        libdeflate_free_decompressor(unpacker);
    free(packed);
    free(plain);
    free(before);
    free(instead);
    pthread_mutex_lock(&job->lock);
    job->failed |= !good;
    job->found->spoilt |= ready && !good;
    io_seen_join(&job->found->seen, &seen);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

/* HDF5 prints what fails, in each thread that did not forbid it. */
static void *work_quietly(void *job) {
    pthread_mutex_lock(&((struct job *)job)->lock);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    pthread_mutex_unlock(&((struct job *)job)->lock);
    return work(job);
}

static bool run(struct job *job, hid_t type, int threads) {
    *job->found = (struct io_hdf5_inflated){.seen = io_seen_none()};
    if (job->count < 1 || !look(job, type))
        return false;
    job->next = job->first / job->height;
    const int64_t chunks = (job->first + job->count - 1) / job->height - job->next + 1;
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    threads = chunks < threads ? (int)chunks : threads;
    pthread_t thread[MOST_THREADS];
    int others = 0;
    pthread_mutex_init(&job->lock, NULL);
    while (others < threads - 1 &&
           pthread_create(&thread[others], NULL, work_quietly, job) == 0)
        ++others;
    work(job);
    for (int k = 0; k < others; ++k)
        pthread_join(thread[k], NULL);
    pthread_mutex_destroy(&job->lock);
    return !job->failed;
}

bool io_hdf5_inflate(hid_t dataset, hid_t type, int64_t first, int64_t count, int threads,
                     void *values, struct io_hdf5_inflated *found) {
    struct job job = {.dataset = dataset,
                      .first = first,
                      .count = count,
                      .values = values,
                      .found = found};
    return run(&job, type, threads);
}

bool io_hdf5_is_one_number(hid_t dataset, hid_t type, int64_t count, int threads,
                           double *number) {
    struct io_hdf5_inflated found;
    struct job job = {
        .dataset = dataset, .count = count, .compares = true, .found = &found};
    const bool done = run(&job, type, threads);
    *number = found.seen.low[0];
    return done && job.sees == H5T_FLOAT && job.axes == 1 && found.seen.rows == count &&
           !found.seen.odd && found.seen.low[0] == found.seen.high[0];
}
