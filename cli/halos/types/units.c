#include "units.h"
#include "io/snapshot.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a unit is worth in another; 0 where that is not known. */
static double worth(const char *unit, const char *const names[], const double values[],
                    double scale, double h) {
    char copy[SNAPSHOT_UNIT_LENGTH];
    snprintf(copy, sizeof copy, "%s", unit);
    const size_t length = strlen(copy);
    const bool over_h = length > 2 && strcmp(copy + length - 2, "/h") == 0;
    if (over_h)
        copy[length - 2] = '\0';
    double value = 0;
    for (int k = 0; names[k]; ++k) {
        char *end = NULL;
        if (strcmp(copy, names[k]) == 0)
            value = values[k];
        else if (names[k][0] == ' ' && (value = strtod(copy, &end)) > 0)
            value = strcmp(end, names[k]) == 0 ? value / scale : 0;
        if (value > 0)
            break;
    }
    return over_h ? value / h : value;
}

double units_length_in_mpc(const char *unit, double h) {
    static const char *const names[] = {"Mpc", "kpc", "pc", " cm", NULL};
    static const double values[] = {1, 1e-3, 1e-6, 0};
    return worth(unit, names, values, 3.0856775814913673e24, h);
}

double units_mass_in_msun(const char *unit, double h) {
    static const char *const names[] = {"1e10 Msun", "Msun", " g", NULL};
    static const double values[] = {1e10, 1, 0};
    return worth(unit, names, values, 1.98841e33, h);
}
