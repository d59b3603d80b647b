/* Units that are told in words: "1e10 Msun/h". */
#include "formats.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double worth; /* in HACC's Mpc/h or Msun/h, but for h */
} units[] = {
    {"Mpc", 1},  {"kpc", 1e-3},         {"pc", 1e-6}, {"cm", 1 / 3.0856775814913673e24},
    {"Msun", 1}, {"g", 1 / 1.98841e33},
};
enum { UNITS = sizeof units / sizeof *units };

/* How many of which unit; UNITS where it is none of them. */
static int find(const char *text, double *many, bool *per_h) {
    char *rest;
    if (text == NULL)
        return UNITS;
    *many = strtod(text, &rest);
    if (rest == text)
        *many = 1;
    rest += strspn(rest, " ");
    for (int k = 0; k < UNITS; ++k) {
        const size_t length = strlen(units[k].name);
        *per_h =
            strncmp(rest, units[k].name, length) == 0 && strcmp(rest + length, "/h") == 0;
        if (*per_h || strcmp(rest, units[k].name) == 0)
            return k;
    }
    return UNITS;
}

bool catalogue_take_apart(const char *text, double h, double *many, const char **unit) {
    bool per_h;
    const int k = find(text, many, &per_h);
    if (k == UNITS)
        return false;
    *many /= per_h ? h : 1;
    *unit = units[k].name;
    return true;
}

/* Of one unit. */
static bool in_hacc(const char *text, double h, double *factor) {
    bool per_h;
    const int k = find(text, factor, &per_h);
    if (k == UNITS || (!per_h && !(h > 0)))
        return false;
    *factor *= units[k].worth * (per_h ? 1 : h);
    return true;
}

bool catalogue_in_hacc(const char *text, double h, double *factor) {
    double product = 1, one = 1;
    bool known = text != NULL;
    char *copy = known ? strdup(text) : NULL;
    for (char *part = copy; known && part;) {
        char *next = strstr(part, " * ");
        if (next)
            *next = '\0';
        const bool is_velocity = part != copy && strncmp(part, "km", 2) == 0;
        known = is_velocity || in_hacc(part, h, &one);
        product *= is_velocity ? 1 : one;
        part = next ? next + 3 : NULL;
    }
    free(copy);
    if (known && copy)
        *factor = product;
    return known && copy;
}
