#include "formats.h"

#include <errno.h>
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

static void put_value(FILE *stream, const struct catalogue_column *column, int64_t index) {
    if (column->type == CATALOGUE_I64)
        fprintf(stream, "%" PRId64, ((const int64_t *)column->data)[index]);
    else if (column->type == CATALOGUE_U8)
        fprintf(stream, "%d", ((const uint8_t *)column->data)[index]);
    else
        fprintf(stream, "%.17g", ((const double *)column->data)[index]);
}

int catalogue_put_csv(FILE *stream, const struct catalogue *catalogue) {
    errno = 0;
    if (catalogue->comments)
        put_comments(stream, catalogue);
    put_names(stream, catalogue);
    for (int64_t i = 0; i < catalogue->n && ferror(stream) == 0; ++i) {
        for (int k = 0; k < catalogue->n_columns; ++k) {
            const struct catalogue_column *column = &catalogue->columns[k];
            for (int axis = 0; axis < column->components; ++axis) {
                if (k > 0 || axis > 0)
                    fputc(',', stream);
                put_value(stream, column, column->components * i + axis);
            }
        }
        fputc('\n', stream);
    }
    if (fflush(stream) == 0 && ferror(stream) == 0)
        return 0;
    return errno != 0 ? errno : EIO;
}
