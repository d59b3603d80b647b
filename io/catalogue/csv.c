#include "formats.h"

#include <inttypes.h>

static void put_name(FILE *stream, const struct catalogue_column *column, int k) {
    fputs(column->name, stream);
    if (column->components == 3)
        fprintf(stream, "_%c", "xyz"[k]);
    else if (column->components > 1)
        fprintf(stream, "_%d", k);
}

static void put_names(FILE *stream, const struct catalogue *catalogue) {
    const char *comma = "";
    for (int k = 0; k < catalogue->n_columns; ++k) {
        const struct catalogue_column *column = &catalogue->columns[k];
        for (int axis = 0; axis < column->components; ++axis) {
            fputs(comma, stream);
            put_name(stream, column, axis);
            comma = ",";
        }
    }
    fputc('\n', stream);
}

static void put_comments(FILE *stream, const struct catalogue *catalogue) {
    const struct catalogue_header *header = &catalogue->header;
    fprintf(
        stream,
        "# box %.17g %.17g %.17g %s, comoving; scale factor %.17g, h %.9g, Omega_m %.9g, "
        "Omega_Lambda %.9g\n# linking length %.17g %s, at least %" PRId64
        " particles, softening %.9g %s\n",
        header->box[0], header->box[1], header->box[2], header->length_unit,
        header->scale_factor, header->h, header->omega_matter, header->omega_lambda,
        header->linking_length, header->length_unit, header->min_members, header->softening,
        header->length_unit);
    if (header->has_region)
        fprintf(stream, "# region %.17g:%.17g,%.17g:%.17g,%.17g:%.17g %s\n",
                header->region[0][0], header->region[0][1], header->region[1][0],
                header->region[1][1], header->region[2][0], header->region[2][1],
                header->length_unit);
    for (int k = 0; k < catalogue->n_columns; ++k) {
        const struct catalogue_column *column = &catalogue->columns[k];
        fprintf(stream, "# %s [%s%s%s]: %s\n", column->name, column->unit,
                column->frame ? ", " : "", column->frame ? column->frame : "",
                column->description);
    }
}

void catalogue_put_names(FILE *stream, const struct catalogue *catalogue) {
    if (catalogue->comments)
        put_comments(stream, catalogue);
    put_names(stream, catalogue);
}
