#include "tables.h"
#include "io/files/visible.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of a name without an ending _0, _1, ...; 0: it has none. */
static int numbered(const char *name, long *number) {
    const char *bar = strrchr(name, '_');
    char *end;
    if (bar == NULL || bar[1] < '0' || bar[1] > '9')
        return 0;
    *number = strtol(bar + 1, &end, 10);
    return *end == '\0' ? (int)(bar - name) : 0;
}

/* How many columns from the first on are the numbers of one, from _0 on; of others 1. */
static int alike(const struct columns_column *first, int most) {
    long number = 0;
    const int length = numbered(first->name, &number);
    int n = 1;
    if (length == 0 || number != 0)
        return 1;
    while (n < most && numbered(first[n].name, &number) == length && number == n &&
           strncmp(first[n].name, first->name, (size_t)length) == 0)
        ++n;
    return n;
}

/* The name of n columns: "shape_axes_0..8". */
static void name_of(const struct columns_column *column, int n, char *text, size_t room) {
    char name[COLUMNS_NAME + 16];
    snprintf(name, sizeof name, n > 1 ? "%s..%d" : "%s", column->name, n - 1);
    visible(name, text, room);
}

static void print_column(const struct columns_column *column, int n, int width) {
    char name[4 * COLUMNS_NAME + 64], about[4 * COLUMNS_ABOUT], unit[COLUMNS_UNIT + 32],
        shown[4 * sizeof unit];
    snprintf(unit, sizeof unit, "%s%s%s", column->unit,
             column->unit[0] && column->frame[0] ? ", " : "", column->frame);
    name_of(column, n, name, sizeof name);
    printf("  %-*s  %-3s", width, name, column->type);
    if (unit[0])
        printf("  [%s]", visible(unit, shown, sizeof shown));
    if (column->about[0])
        printf("  %s", visible(column->about, about, sizeof about));
    putchar('\n');
}

void tables_print(const struct columns_file *file) {
    char shown[4 * COLUMNS_NAME + 64];
    for (int k = 0; k < file->n_tables; ++k) {
        const struct columns_table *table = &file->tables[k];
        int width = 0;
        for (int c = 0, n = 1; c < table->n_columns; c += n) {
            n = alike(&table->columns[c], table->n_columns - c);
            name_of(&table->columns[c], n, shown, sizeof shown);
            const int length = (int)strlen(shown);
            width = length > width ? length : width;
        }
        printf("%s: %" PRId64 " rows\n", visible(table->name, shown, sizeof shown),
               table->n);
        for (int c = 0, n = 1; c < table->n_columns; c += n) {
            n = alike(&table->columns[c], table->n_columns - c);
            print_column(&table->columns[c], n, width);
        }
    }
}
