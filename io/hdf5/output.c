#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* One write at most; systems refuse more than about 2^31 bytes at once. */
static const size_t MOST_BYTES = (size_t)1 << 30;

/* What travels to the driver with the access properties. */
struct target {
    int descriptor;
    int *failure;
};

struct driver_file {
    H5FD_t base; /* HDF5's own part, which has to come first */
    struct target target;
    haddr_t end_of_space, end_of_file;
};

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access,
                           haddr_t largest) {
    const struct target *target = H5Pget_driver_info(access);
    struct driver_file *file = calloc(1, sizeof *file);
    (void)name;
    (void)flags;
    (void)largest;
    if (file != NULL)
        file->target = *target;
    return (H5FD_t *)file;
}

static herr_t driver_close(H5FD_t *base) {
    free(base);
    return 0;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const struct driver_file *)base)->end_of_space;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((struct driver_file *)base)->end_of_space = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const struct driver_file *)base)->end_of_file;
}

/* Bytes that were never written, or were dropped, read as zeros. */
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void *buffer) {
    const struct driver_file *file = (const struct driver_file *)base;
    char *bytes = buffer;
    (void)type;
    (void)transfer;
    while (size > 0) {
        const ssize_t n = pread(file->target.descriptor, bytes,
                                size < MOST_BYTES ? size : MOST_BYTES, (off_t)address);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        bytes += n;
        address += (haddr_t)n;
        size -= (size_t)n;
    }
    memset(bytes, 0, size);
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *buffer) {
    struct driver_file *file = (struct driver_file *)base;
    const char *bytes = buffer;
    (void)type;
    (void)transfer;
    if (address + size > file->end_of_file)
        file->end_of_file = address + size;
    while (size > 0 && *file->target.failure == 0) {
        const ssize_t n = pwrite(file->target.descriptor, bytes,
                                 size < MOST_BYTES ? size : MOST_BYTES, (off_t)address);
        if (n < 0) {
            if (errno != EINTR)
                *file->target.failure = errno;
            continue;
        }
        bytes += n;
        address += (haddr_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing) {
    struct driver_file *file = (struct driver_file *)base;
    (void)transfer;
    (void)closing;
    if (*file->target.failure == 0 &&
        ftruncate(file->target.descriptor, (off_t)file->end_of_space) != 0)
        *file->target.failure = errno;
    file->end_of_file = file->end_of_space;
    return 0;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = 511, /* of the range that HDF5 leaves to unregistered drivers */
#endif
    .name = "weft",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(struct target),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

void io_hdf5_output_open(struct io_hdf5_output *output, int descriptor) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    *output = (struct io_hdf5_output){.driver = H5FDregister(&driver_class)};
    const struct target target = {descriptor, &output->failure};
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_driver(access, output->driver, &target);
    output->file = H5Fcreate("catalogue", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
}

bool io_hdf5_output_close(struct io_hdf5_output *output) {
    const bool closed = output->file >= 0 && H5Fclose(output->file) >= 0;
    H5FDunregister(output->driver);
    return closed && output->failure == 0;
}
