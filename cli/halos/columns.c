#include "columns.h"
#include "halos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void halos_columns_free(struct halos_columns *columns) {
    for (int k = 0; k < columns->n; ++k)
        free((void *)(uintptr_t)columns->column[k].data);
    free(columns->column);
    *columns = (struct halos_columns){0};
}

bool halos_columns_add(struct halos_columns *columns,
                       const struct catalogue_column *column) {
    const size_t n = (size_t)columns->n + 1;
    struct catalogue_column *longer = realloc(columns->column, n * sizeof *longer);
    if (longer == NULL) {
        free((void *)(uintptr_t)column->data);
        return false;
    }
    longer[columns->n++] = *column;
    columns->column = longer;
    return true;
}

const void *halos_columns_find(const struct halos_columns *columns, const char *name) {
    for (int k = 0; k < columns->n; ++k) {
        if (strcmp(columns->column[k].name, name) == 0)
            return columns->column[k].data;
    }
    return NULL;
}

const void *halos_column(const struct halos_run *run, const char *name) {
    return halos_columns_find(&run->columns, name);
}

void *halos_allocate(struct halos_run *run, int64_t count, size_t bytes_each) {
    void *memory = malloc((size_t)(count + 1) * bytes_each);
    if (memory == NULL)
        weft_fail(run->device, WEFT_E_MEMORY, "out of memory: %lld bytes of the catalogue",
                  (long long)count * (long long)bytes_each);
    return memory;
}

static const char *unit_of(const struct halos_run *run, enum halos_unit unit) {
    switch (unit) {
    case HALOS_LENGTH:
        return run->info.length_unit;
    case HALOS_MASS:
        return run->info.mass_unit;
    case HALOS_VELOCITY:
        return "km/s";
    case HALOS_POTENTIAL:
        return run->potential_unit;
    case HALOS_DENSITY:
        return run->density_unit;
    case HALOS_ENERGY:
        return run->energy_unit;
    case HALOS_SPIN:
        return run->spin_unit;
    case HALOS_VELOCITY2:
        return "km^2/s^2";
    default:
        return "1";
    }
}

static const char *frame_of(const struct halos_run *run, enum halos_unit unit) {
    if (unit == HALOS_MASS && strcmp(run->info.mass_unit, "1") == 0)
        return NULL; /* a number of particles */
    return unit == HALOS_LENGTH      ? "comoving"
           : unit == HALOS_VELOCITY  ? "peculiar"
           : unit == HALOS_VELOCITY2 ? "peculiar"
           : unit == HALOS_POTENTIAL ? "comoving"
           : unit == HALOS_DENSITY   ? "comoving"
           : unit == HALOS_SPIN      ? "comoving"
           : unit == HALOS_ENERGY    ? "physical"
           : unit == HALOS_MASS      ? "physical"
                                     : NULL;
}

/* The power of h in a unit; NaN where that is not known. */
static double power_of_h(const char *unit) {
    const size_t length = strlen(unit);
    if (strcmp(unit, "code") == 0)
        return NAN;
    return length > 2 && strcmp(unit + length - 2, "/h") == 0 ? -1 : 0;
}

static double h_scaling_of(const struct halos_run *run, enum halos_unit unit) {
    const double length = power_of_h(run->info.length_unit),
                 mass = power_of_h(run->info.mass_unit);
    return unit == HALOS_LENGTH      ? length
           : unit == HALOS_MASS      ? mass
           : unit == HALOS_POTENTIAL ? mass - length
           : unit == HALOS_DENSITY   ? mass - 3 * length
           : unit == HALOS_ENERGY    ? mass
           : unit == HALOS_SPIN      ? mass + length
                                     : 0;
}

void halos_keep_column(struct halos_run *run, const struct halos_column *column,
                       enum catalogue_type type, void *data) {
    const struct catalogue_column kept = {
        .name = column->name,
        .type = type,
        .components = column->components,
        .unit = unit_of(run, column->unit),
        .frame = frame_of(run, column->unit),
        .a_scaling = column->unit == HALOS_LENGTH      ? 1
                     : column->unit == HALOS_SPIN      ? 1
                     : column->unit == HALOS_POTENTIAL ? -1
                     : column->unit == HALOS_DENSITY   ? -3
                                                       : 0,
        .h_scaling = h_scaling_of(run, column->unit),
        .description = column->description,
        .data = data,
        .hacc = column->hacc,
    };
    if (!halos_columns_add(&run->columns, &kept))
        weft_fail(run->device, WEFT_E_MEMORY, "out of memory: a column of the catalogue");
}

int64_t *halos_read_numbers(struct halos_run *run, weft_array array) {
    uint32_t *narrow = halos_allocate(run, array.length, sizeof *narrow);
    int64_t *numbers = halos_allocate(run, array.length, sizeof *numbers);
    if (narrow == NULL || numbers == NULL ||
        weft_read(run->device, array, narrow) != WEFT_OK) {
        free(numbers);
        numbers = NULL;
    }
    for (int64_t k = 0; numbers && k < array.length; ++k)
        numbers[k] = narrow[k];
    free(narrow);
    return numbers;
}

static void *read_as_is(struct halos_run *run, weft_array array) {
    void *data = halos_allocate(run, array.length, WEFT_SIZE(array.type));
    if (data && weft_read(run->device, array, data) == WEFT_OK)
        return data;
    free(data);
    return NULL;
}

void halos_add_column(struct halos_run *run, const struct halos_column *column,
                      weft_array numbers) {
    const enum catalogue_type type = numbers.type == WEFT_F64  ? CATALOGUE_F64
                                     : numbers.type == WEFT_U8 ? CATALOGUE_U8
                                                               : CATALOGUE_I64;
    void *data = numbers.type == WEFT_U32 ? (void *)halos_read_numbers(run, numbers)
                                          : read_as_is(run, numbers);
    if (data)
        halos_keep_column(run, column, type, data);
}
