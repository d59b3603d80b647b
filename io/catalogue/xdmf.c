/* What ParaView and others need to show the halos of an HDF5 catalogue: a text beside it
 * (XDMF 3) that says which data set is what. */
#include "formats.h"
#include "io/files/xml.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void put_data(FILE *stream, const char *file, const struct catalogue_column *column,
                     int64_t n) {
    fprintf(stream, "<DataItem Format=\"HDF\" Dimensions=\"%" PRId64 "%s\" ", n,
            column->components == 3 ? " 3" : "");
    fputs(column->type == CATALOGUE_F64   ? "NumberType=\"Float\" Precision=\"8\">"
          : column->type == CATALOGUE_I64 ? "NumberType=\"Int\" Precision=\"8\">"
                                          : "NumberType=\"UChar\" Precision=\"1\">",
          stream);
    io_put_xml(stream, file);
    fprintf(stream, ":/halos/%s</DataItem>\n", column->name);
}

static void put_grid(FILE *stream, const char *file, const struct catalogue *catalogue) {
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
            "<Grid Name=\"halos\" GridType=\"Uniform\">\n"
            "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRId64
            "\" NodesPerElement=\"1\"/>\n",
            catalogue_rows(catalogue));
    for (int k = 0; k < catalogue->n_columns; ++k) {
        const struct catalogue_column *column = &catalogue->columns[k];
        if (column->components > 3)
            continue;
        if (strcmp(column->name, "center_of_mass") == 0) {
            fputs("<Geometry GeometryType=\"XYZ\">\n", stream);
            put_data(stream, file, column, catalogue_rows(catalogue));
            fputs("</Geometry>\n", stream);
        }
        fprintf(stream, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">\n",
                column->name, column->components == 3 ? "Vector" : "Scalar");
        put_data(stream, file, column, catalogue_rows(catalogue));
        fputs("</Attribute>\n", stream);
    }
    fputs("</Grid>\n</Domain>\n</Xdmf>\n", stream);
}

bool catalogue_write_xdmf(const char *path, const char *hdf5_path,
                          const struct catalogue *catalogue, struct io_error *error) {
    const char *slash = strrchr(hdf5_path, '/');
    struct io_output output;
    if (!io_output_open(&output, path, error))
        return false;
    errno = 0;
    put_grid(output.stream, slash == NULL ? hdf5_path : slash + 1, catalogue);
    const bool good = ferror(output.stream) == 0 ||
                      io_output_fail(&output, errno != 0 ? errno : EIO, error);
    return io_output_close(&output, good, error);
}
