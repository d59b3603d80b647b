#include "assumed.h"
#include "io/format.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum number { PARTICLE, BOX, REDSHIFT, H, OMEGA_M, OMEGA_LAMBDA, NUMBERS };

static const struct {
    const char *name, *in_words;
    double least; /* and above it, but for a redshift of 0 */
} numbers[] = {{"particle", "masses", 0},   {"box", "box", 0},
               {"redshift", "redshift", 0}, {"h", "h", 0},
               {"omega_m", "Omega_m", 0},   {"omega_lambda", "Omega_Lambda", -INFINITY}};

/* Numbers and units that are not assumed are NaN and "". */
static struct assumed {
    double number[NUMBERS];
    struct unit {
        char name[SNAPSHOT_UNIT_LENGTH];
        struct snapshot_unit unit;
    } length, mass;
    bool any;
} assumed;

static bool read_unit(const char *what, const char *text, const struct io_unit *units,
                      struct unit *unit, struct io_error *error) {
    char plain[SNAPSHOT_UNIT_LENGTH];
    snprintf(plain, sizeof plain, "%s%s", strncmp(text, "1e10M", 5) == 0 ? "1e10 " : "",
             strncmp(text, "1e10M", 5) == 0 ? text + 4 : text);
    const size_t length = strlen(plain);
    const bool over_h = length > 2 && strcmp(plain + length - 2, "/h") == 0;
    if (over_h)
        plain[length - 2] = '\0';
    int k = 0;
    while (units[k].name && strcmp(plain, units[k].name) != 0)
        ++k;
    if (units[k].name == NULL)
        return io_fail(error, "'%s' is no unit of %s: %s, %s%s%s, each with or without /h",
                       text, what, units[0].name, units[1].name, units[2].name ? ", " : "",
                       units[2].name ? units[2].name : "");
    unit->unit = (struct snapshot_unit){.cgs = units[k].cgs, .h_exponent = over_h ? -1 : 0};
    snprintf(unit->name, sizeof unit->name, "%s%s", plain, over_h ? "/h" : "");
    return true;
}

static bool read_number(enum number k, const char *text, struct assumed *into,
                        struct io_error *error) {
    char *end;
    const double value = strtod(text, &end);
    const bool allowed =
        value > numbers[k].least || (k == REDSHIFT && value == numbers[k].least);
    if (end == text || *end != '\0' || !isfinite(value) || !allowed)
        return io_fail(error, "'%s' is no %s", text, numbers[k].name);
    into->number[k] = value;
    return true;
}

/* False and a sentence where it is there already. */
static bool is_new(const char *name, bool is_there, struct io_error *error) {
    return !is_there || io_fail(error, "'%s' comes twice", name);
}

static bool read_one(char *word, struct assumed *into, struct io_error *error) {
    char *value = strchr(word, '=');
    if (value == NULL)
        return io_fail(error, "'%s' is not NAME=VALUE", word);
    *value++ = '\0';
    if (strcmp(word, "length") == 0)
        return is_new(word, into->length.name[0] != '\0', error) &&
               read_unit("length", value, io_lengths, &into->length, error);
    if (strcmp(word, "mass") == 0)
        return is_new(word, into->mass.name[0] != '\0', error) &&
               read_unit("mass", value, io_masses, &into->mass, error);
    for (enum number k = 0; k < NUMBERS; ++k) {
        if (strcmp(word, numbers[k].name) == 0)
            return is_new(word, !isnan(into->number[k]), error) &&
                   read_number(k, value, into, error);
    }
    return io_fail(error,
                   "there is no '%s': names are length, mass, particle, box, redshift, h, "
                   "omega_m and omega_lambda",
                   word);
}

bool snapshot_assume(const char *list, struct io_error *error) {
    struct assumed into = assumed;
    assumed.any = false;
    if (*list == '\0')
        return true;
    char *copy = io_join(list, "", error), *rest = copy;
    bool done = copy != NULL;
    if (!into.any) {
        into = (struct assumed){.any = true};
        for (enum number k = 0; k < NUMBERS; ++k)
            into.number[k] = NAN;
    }
    while (done && rest) {
        char *word = rest;
        rest = strchr(word, ',');
        if (rest)
            *rest++ = '\0';
        done = read_one(word, &into, error);
    }
    free(copy);
    if (done)
        assumed = into;
    return done;
}

void assumed_redshift(struct snapshot_info *info) {
    if (!assumed.any || isnan(assumed.number[REDSHIFT]) || !isnan(info->redshift))
        return;
    info->redshift = assumed.number[REDSHIFT];
    info->scale_factor = 1 / (1 + info->redshift);
}

static bool differ(const char *path, const char *name, const char *told,
                   const char *assumed_to_be, struct io_error *error) {
    return io_fail(error, "%s tells its %s, %s: it is not taken to be %s", path, name, told,
                   assumed_to_be);
}

static bool fill_number(const char *path, enum number k, bool told, double *value,
                        struct io_error *error) {
    const double wanted = assumed.number[k];
    char texts[2][32];
    if (isnan(wanted))
        return true;
    const double size = k == REDSHIFT ? 1 + wanted : fabs(wanted);
    if (told && fabs(*value - wanted) > 1e-6 * size) {
        snprintf(texts[0], sizeof texts[0], "%.9g", *value);
        snprintf(texts[1], sizeof texts[1], "%.9g", wanted);
        return differ(path, numbers[k].in_words, texts[0], texts[1], error);
    }
    if (!told)
        *value = wanted;
    return true;
}

static bool fill_unit(const char *path, const char *name, const struct unit *unit,
                      char text[SNAPSHOT_UNIT_LENGTH], struct snapshot_unit *worth,
                      struct io_error *error) {
    if (unit->name[0] == '\0' || strcmp(text, unit->name) == 0)
        return true;
    if (strcmp(text, "code") != 0)
        return differ(path, name, text, unit->name, error);
    memcpy(text, unit->name, SNAPSHOT_UNIT_LENGTH);
    *worth = unit->unit;
    return true;
}

/* Of particles without masses, which count as 1 each. */
static bool fill_particle(const char *path, struct snapshot_info *info,
                          struct io_error *error) {
    const bool counted = strcmp(info->mass_unit, "1") == 0;
    if (isnan(assumed.number[PARTICLE]))
        return !counted || assumed.mass.name[0] == '\0' ||
               io_fail(error, "%s has no masses: particle=M tells that of each", path);
    if (!counted)
        return io_fail(error, "%s has masses of its own: none is assumed", path);
    info->mass = assumed.number[PARTICLE];
    snprintf(info->mass_unit, sizeof info->mass_unit, "code");
    return true;
}

static bool fill_box(const char *path, struct snapshot_info *info, struct io_error *error) {
    for (int axis = 0; axis < 3 && !isnan(assumed.number[BOX]); ++axis) {
        const bool told = info->box[axis] > 0;
        if (!fill_number(path, BOX, told, &info->box[axis], error))
            return false;
        info->periodic[axis] = info->periodic[axis] || !told;
    }
    return true;
}

static bool fill_cosmology(const char *path, struct snapshot_info *info,
                           struct io_error *error) {
    struct snapshot_cosmology *c = &info->cosmology;
    const bool had_h = c->h > 0 && isfinite(c->h);
    const bool had_matter = c->omega_matter > 0 && isfinite(c->omega_matter);
    const bool had_lambda = had_matter && isfinite(c->omega_lambda);
    if (!fill_number(path, REDSHIFT, !isnan(info->redshift), &info->redshift, error) ||
        !fill_number(path, H, had_h, &c->h, error) ||
        !fill_number(path, OMEGA_M, had_matter, &c->omega_matter, error) ||
        !fill_number(path, OMEGA_LAMBDA, had_lambda, &c->omega_lambda, error))
        return false;
    if (!had_lambda && c->omega_matter > 0 && isnan(assumed.number[OMEGA_LAMBDA]))
        c->omega_lambda = 1 - c->omega_matter;
    return true;
}

static bool is_a_cosmology(const char *path, const struct snapshot_cosmology *c,
                           struct io_error *error) {
    const bool finite =
        isfinite(c->h) && isfinite(c->omega_matter) && isfinite(c->omega_lambda);
    return (finite && c->h >= 0 && c->omega_matter >= 0) ||
           io_fail(
               error,
               "%s: h %g, Omega_m %g and Omega_Lambda %g are no cosmology; h and omega_m "
               "can be assumed",
               path, c->h, c->omega_matter, c->omega_lambda);
}

bool assumed_fill_in(struct snapshot *snapshot, struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    const char *path = snapshot->parts[0].path;
    if (!assumed.any)
        return is_a_cosmology(path, &info->cosmology, error);
    assumed_redshift(info);
    return fill_cosmology(path, info, error) &&
           is_a_cosmology(path, &info->cosmology, error) && fill_box(path, info, error) &&
           fill_particle(path, info, error) &&
           fill_unit(path, "unit of length", &assumed.length, info->length_unit,
                     &snapshot->length, error) &&
           fill_unit(path, "unit of mass", &assumed.mass, info->mass_unit, &snapshot->mass,
                     error);
}
