#include "tables.h"
#include "io/files/visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_column(const struct columns_column *column, int width) {
    char name[4 * COLUMNS_NAME], about[4 * COLUMNS_ABOUT], unit[COLUMNS_UNIT + 32],
        shown[4 * sizeof unit];
    snprintf(unit, sizeof unit, "%s%s%s", column->unit,
             column->unit[0] && column->frame[0] ? ", " : "", column->frame);
    printf("  %-*s  %-3s", width, visible(column->name, name, sizeof name), column->type);
    if (unit[0])
        printf("  [%s]", visible(unit, shown, sizeof shown));
    if (column->about[0])
        printf("  %s", visible(column->about, about, sizeof about));
    putchar('\n');
}

void tables_print(const struct columns_file *file) {
    char shown[4 * COLUMNS_NAME];
    for (int k = 0; k < file->n_tables; ++k) {
        const struct columns_table *table = &file->tables[k];
        int width = 0;
        for (int c = 0; c < table->n_columns; ++c) {
            const int length = (int)strlen(table->columns[c].name);
            width = length > width ? length : width;
        }
        printf("%s: %" PRId64 " rows\n", visible(table->name, shown, sizeof shown),
               table->n);
        for (int c = 0; c < table->n_columns; ++c)
            print_column(&table->columns[c], width);
    }
}
