#include "place.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool io_put_at(const char *path, int descriptor, const void *bytes, size_t n, int64_t at,
               struct io_error *error) {
    const char *from = bytes;
    while (n > 0) {
        const ssize_t done = pwrite(descriptor, from, n, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return io_fail(error, "cannot write %s: %s", path, strerror(errno));
        from += done;
        at += done;
        n -= (size_t)done;
    }
    return true;
}
