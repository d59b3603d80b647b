#include "input.h"
#include "standard.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One read at most; systems give no more than about 2^31 bytes at once. */
static const uint64_t MOST_BYTES = (uint64_t)1 << 30;

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

bool io_input_read(const struct io_input *input, uint64_t offset, void *bytes, uint64_t n,
                   const char *what, struct io_error *error) {
    char *to = bytes;
    if (!io_input_holds(input, offset, n, 1))
        return io_fail(error, "%s is cut off: %s is missing", input->path, what);
    while (n > 0) {
        const ssize_t got = pread(input->descriptor, to,
                                  (size_t)(n < MOST_BYTES ? n : MOST_BYTES), (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return io_fail(error, "cannot read %s: %s", input->path,
                           got < 0 ? strerror(errno) : "it became shorter");
        to += got;
        offset += (uint64_t)got;
        n -= (uint64_t)got;
    }
    return true;
}
