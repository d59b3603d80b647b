/* What ParaView needs: a text (XDMF 3) that says where cells are. */
#include "density.h"
#include "io/files/output.h"
#include "io/files/xml.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A grid of cells, from `low` on, `size` along each axis. */
static void put_place(FILE *stream, int64_t number, const int64_t cells[3],
                      const double low[3], const double size[3]) {
    fprintf(stream,
            "<Grid Name=\"%" PRId64 "\" GridType=\"Uniform\">\n"
            "<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"%" PRId64 " %" PRId64
            " %" PRId64 "\"/>\n<Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n",
            number, cells[2] + 1, cells[1] + 1, cells[0] + 1);
    fprintf(stream,
            "<DataItem Format=\"XML\" Dimensions=\"3\" NumberType=\"Float\" "
            "Precision=\"8\">%.17g %.17g %.17g</DataItem>\n",
            low[2], low[1], low[0]);
    fprintf(stream,
            "<DataItem Format=\"XML\" Dimensions=\"3\" NumberType=\"Float\" "
            "Precision=\"8\">%.17g %.17g %.17g</DataItem>\n</Geometry>\n",
            size[2], size[1], size[0]);
}

static void put_data(FILE *stream, const char *file, const char *group, int field,
                     int precision, const int64_t cells[3]) {
    const char *name = density_name(field);
    const bool vector = field == DENSITY_VELOCITY;
    fprintf(stream,
            "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Cell\">\n"
            "<DataItem Format=\"HDF\" Dimensions=\"%" PRId64 " %" PRId64 " %" PRId64
            "%s\" NumberType=\"Float\" Precision=\"%d\">",
            name, vector ? "Vector" : "Scalar", cells[2], cells[1], cells[0],
            vector ? " 3" : "", precision);
    io_put_xml(stream, file);
    fprintf(stream, ":/%s/%s</DataItem>\n</Attribute>\n", group, name);
}

static void put_patches(FILE *stream, const char *file, const struct density *density) {
    static const int64_t cells[3] = {DENSITY_PATCH, DENSITY_PATCH, DENSITY_PATCH};
    fputs("<Grid Name=\"sheet\" GridType=\"Collection\" CollectionType=\"Spatial\">\n",
          stream);
    for (int64_t p = 0; p < density->n_patches; ++p) {
        const struct density_patch *patch = &density->patches[p];
        double low[3], size[3];
        char group[64];
        if (!patch->whole)
            continue;
        for (int k = 0; k < 3; ++k) {
            size[k] = density->header.box[k] / (double)(density->grid[k] << patch->level);
            low[k] = (double)patch->first[k] * size[k];
        }
        snprintf(group, sizeof group, "data/grid_%010" PRId64, p);
        put_place(stream, p, cells, low, size);
        put_data(stream, file, group, DENSITY_MASS, 8, cells);
        fputs("</Grid>\n", stream);
    }
    fputs("</Grid>\n", stream);
}

static void put_grid(FILE *stream, const char *file, const struct density *density) {
    const double low[3] = {0, 0, 0};
    double size[3];
    for (int k = 0; k < 3; ++k)
        size[k] = density->header.box[k] / (double)density->shape[k];
    put_place(stream, 0, density->shape, low, size);
    for (int k = 0; k < DENSITY_FIELDS; ++k)
        if (density->fields >> k & 1)
            put_data(stream, file, "xdmf", k, 4, density->shape);
    fputs("</Grid>\n", stream);
}

bool density_write_xdmf(const char *path, const char *hdf5_path,
                        const struct density *density, struct io_error *error) {
    const char *slash = strrchr(hdf5_path, '/');
    const char *file = slash == NULL ? hdf5_path : slash + 1;
    struct io_output output;
    if (!io_output_open(&output, path, error))
        return false;
    errno = 0;
    fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n", output.stream);
    if (density->patches)
        put_patches(output.stream, file, density);
    else
        put_grid(output.stream, file, density);
    fputs("</Domain>\n</Xdmf>\n", output.stream);
    const bool good = ferror(output.stream) == 0 ||
                      io_output_fail(&output, errno != 0 ? errno : EIO, error);
    return io_output_close(&output, good, error);
}
