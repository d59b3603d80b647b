#include "input.h"
#include "io/crew/crew.h"
#include "standard.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One read at most; systems give no more than about 2^31 bytes at once. */
static const uint64_t MOST_BYTES = (uint64_t)1 << 30;

/* Bytes of a row of what threads share, and so many of them at most: disks turn. */
enum { UNIT = 1 << 10, MOST_READERS = 64 };

bool io_input_open(struct io_input *input, const char *path, struct io_error *error) {
    struct stat status;
    *input = (struct io_input){.descriptor = standard_open(path), .path = path};
    if (input->descriptor < 0 || fstat(input->descriptor, &status) != 0) {
        io_fail_read(error, path);
    } else if (!S_ISREG(status.st_mode)) {
        io_fail(error, "cannot read %s: it is not a regular file", path);
    } else {
        input->length = (int64_t)status.st_size;
        return true;
    }
    io_input_close(input);
    return false;
}

void io_input_close(struct io_input *input) {
    if (input->descriptor >= 0)
        close(input->descriptor);
    input->descriptor = -1;
}

bool io_input_holds(const struct io_input *input, uint64_t offset, uint64_t count,
                    uint64_t each) {
    const uint64_t length = (uint64_t)input->length;
    return offset <= length && (each == 0 || count <= (length - offset) / each);
}

/* 0, or why not: -1 where the file ends before. */
static int read_all(int descriptor, uint64_t offset, char *to, uint64_t n) {
    while (n > 0) {
        const ssize_t got =
            pread(descriptor, to, (size_t)(n < MOST_BYTES ? n : MOST_BYTES), (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : -1;
        to += got;
        offset += (uint64_t)got;
        n -= (uint64_t)got;
    }
    return 0;
}

/* What several threads read: most of the time goes into memory that nothing touched yet. */
struct reading {
    int descriptor;
    uint64_t offset, n;
    char *to;
    atomic_int fault;
};

static void read_part(void *context, int64_t begin, int64_t end, int part) {
    struct reading *r = context;
    const uint64_t first = (uint64_t)begin * UNIT, last = (uint64_t)end * UNIT;
    const int fault = read_all(r->descriptor, r->offset + first, r->to + first,
                               (last < r->n ? last : r->n) - first);
    (void)part;
    if (fault != 0)
        atomic_store(&r->fault, fault);
}

bool io_input_read(const struct io_input *input, uint64_t offset, void *bytes, uint64_t n,
                   const char *what, struct io_error *error) {
    struct reading reading = {input->descriptor, offset, n, bytes, 0};
    if (!io_input_holds(input, offset, n, 1))
        return io_fail(error, "%s is cut off: %s is missing", input->path, what);
    const int threads = input->threads < MOST_READERS ? input->threads : MOST_READERS;
    crew_run(threads, (int64_t)((n + UNIT - 1) / UNIT), read_part, &reading);
    const int fault = atomic_load(&reading.fault);
    return fault == 0 || io_fail(error, "cannot read %s: %s", input->path,
                                 fault > 0 ? strerror(fault) : "it became shorter");
}
