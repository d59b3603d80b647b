/* Arrays once more with x fastest, float32. */
#include "io/hdf5/attribute.h"
#include "output.h"

void density_make_across(struct density_output *output) {
    const struct density *density = output->density;
    const hsize_t shape[4] = {(hsize_t)density->shape[2], (hsize_t)density->shape[1],
                              (hsize_t)density->shape[0], 3};
    const hid_t group =
        H5Gcreate2(output->hdf5.file, "xdmf", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    output->good = output->good && group >= 0;
    for (int k = 0; k < DENSITY_FIELDS && output->good; ++k) {
        if (!(density->fields >> k & 1))
            continue;
        output->across[k] = density_make(group, density_name(k), H5T_IEEE_F32LE,
                                         k == DENSITY_VELOCITY ? 4 : 3, shape);
        output->good = output->across[k] >= 0 && density_tell(output->across[k], k);
    }
    io_hdf5_close(group);
}

void density_put_across(struct density_output *output, int64_t first, int64_t count,
                        const struct density_planes *planes) {
    const struct density *density = output->density;
    const int64_t ny = density->shape[1], nz = density->shape[2];
    const hsize_t size[4] = {1, (hsize_t)ny, (hsize_t)count, 3};
    for (int field = 0; field < DENSITY_FIELDS; ++field) {
        const int each = field == DENSITY_VELOCITY ? 3 : 1;
        for (int64_t z = 0; z < nz && output->across[field] >= 0 && output->good; ++z) {
            const hsize_t begin[4] = {(hsize_t)z, 0, (hsize_t)first, 0};
            float *to = output->row;
            for (int64_t y = 0; y < ny; ++y)
                for (int64_t x = 0; x < count; ++x) {
                    double value[3];
                    density_value(density, field, planes, (x * ny + y) * nz + z, value);
                    for (int k = 0; k < each; ++k)
                        *to++ = (float)value[k];
                }
            output->good = density_write(output->across[field], H5T_NATIVE_FLOAT, begin,
                                         size, output->row);
        }
    }
}
