#include "formats.h"

#include <errno.h>
#include <inttypes.h>

static void put_names(FILE *stream, const struct catalogue *catalogue) {
    const char *comma = "";
    for (int k = 0; k < catalogue->n_columns; ++k) {
        const struct catalogue_column *column = &catalogue->columns[k];
        if (column->components == 1)
            fprintf(stream, "%s%s", comma, column->name);
        else
            fprintf(stream, "%s%s_x,%s_y,%s_z", comma, column->name, column->name,
                    column->name);
        comma = ",";
    }
    fputc('\n', stream);
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
