/* Linear power spectra: a formula, or a table. */
#include "ics.h"
#include "io/files/standard.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Eisenstein and Hu 1998 (ApJ 496, 605), section 4.2: the shape without oscillations. */
static double transfer(const struct ics_options *o, double k) {
    const double matter = o->omega_matter * o->h * o->h;
    const double baryon = o->omega_baryon * o->h * o->h;
    const double part = o->omega_baryon / o->omega_matter, theta = 2.7255 / 2.7;
    const double sound = 44.5 * log(9.83 / matter) / sqrt(1 + 10 * pow(baryon, 0.75));
    const double alpha =
        1 - 0.328 * log(431 * matter) * part + 0.38 * log(22.3 * matter) * part * part;
    const double gamma =
        o->omega_matter * o->h * (alpha + (1 - alpha) / (1 + pow(0.43 * k * sound, 4)));
    const double q = k / o->h * theta * theta / gamma;
    const double l = log(2 * exp(1) + 1.8 * q), c = 14.2 + 731 / (1 + 62.5 * q);
    return l / (l + c * q * q);
}

double ics_spectrum_at(const struct ics_spectrum *spectrum, double k) {
    if (spectrum->n == 0) {
        const double t = transfer(spectrum->options, k);
        return spectrum->factor * pow(k, spectrum->options->n_s) * t * t;
    }
    const double x = log(k), *at = spectrum->k, *p = spectrum->p;
    int64_t low = 0, high = spectrum->n - 1;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        *(at[middle] <= x ? &low : &high) = middle;
    }
    const double part = fmin(fmax((x - at[low]) / (at[high] - at[low]), 0), 1);
    return spectrum->factor * exp(p[low] + part * (p[high] - p[low]));
}

double ics_spectrum_sigma8(const struct ics_spectrum *spectrum) {
    const double pi = 3.14159265358979323846, radius = 8 / spectrum->options->h;
    const double step = 1e-3;
    double sum = 0;
    for (double x = log(1e-4 / radius); x < log(3e2 / radius); x += step) {
        const double k = exp(x), y = k * radius;
        if (spectrum->n > 0 && (x < spectrum->k[0] || x > spectrum->k[spectrum->n - 1]))
            continue;
        const double w =
            y < 0.01 ? 1 - y * y / 10 : 3 * (sin(y) - y * cos(y)) / (y * y * y);
        sum += step * k * k * k * ics_spectrum_at(spectrum, k) * w * w / (2 * pi * pi);
    }
    return sqrt(sum);
}

static const char *table_of(const struct ics_spectrum *s) {
    return s->options->table ? s->options->table : "power";
}

/* Adds k and P, which are a line of a file or a row of the caller's. */
static bool add_row(struct ics_spectrum *s, const char *what, int64_t number, double k,
                    double p, struct io_error *error) {
    if (!(k > 0 && p > 0 && isfinite(k) && isfinite(p)))
        return io_fail(error, "%s %" PRId64 " of %s is not k and P, two numbers above 0",
                       what, number, table_of(s));
    if (s->n > 0 && !(log(k) > s->k[s->n - 1]))
        return io_fail(error, "%s %" PRId64 " of %s: k does not ascend", what, number,
                       table_of(s));
    if (s->n % 1024 == 0) {
        const size_t bytes = (size_t)(s->n + 1024) * sizeof(double);
        double *more = realloc(s->k, bytes);
        s->k = more ? more : s->k;
        double *other = more ? realloc(s->p, bytes) : NULL;
        s->p = other ? other : s->p;
        if (other == NULL)
            return io_fail(error, "out of memory: %s", table_of(s));
    }
    s->k[s->n] = log(k);
    s->p[s->n++] = log(p);
    return true;
}

static bool read_table(struct ics_spectrum *s, struct io_error *error) {
    const char *path = s->options->table;
    FILE *stream = standard_stream(path);
    char line[1024];
    bool good = stream != NULL;
    if (!good)
        return io_fail(error, "cannot open %s: %s", path, strerror(errno));
    for (int64_t number = 1; good && fgets(line, sizeof line, stream); ++number) {
        double k, p;
        char rest;
        const size_t blank = strspn(line, " \t\r\n");
        if (line[blank] == '#' || line[blank] == '\0')
            continue;
        if (sscanf(line, "%lf%*1[, \t]%lf %c", &k, &p, &rest) != 2)
            k = p = NAN;
        good = add_row(s, "line", number, k, p, error);
    }
    if (good && ferror(stream))
        good = io_fail(error, "cannot read %s: %s", path, strerror(errno));
    fclose(stream);
    return good;
}

/* Of a file or of the caller. */
static bool take_table(struct ics_spectrum *s, struct io_error *error) {
    const struct ics_options *o = s->options;
    if (o->table && !read_table(s, error))
        return false;
    for (int64_t row = 0; !o->table && row < o->rows; ++row)
        if (!add_row(s, "row", row, o->k[row], o->p[row], error))
            return false;
    return s->n >= 2 || io_fail(error, "%s has fewer than two wave numbers", table_of(s));
}

/* That the table reaches over all modes of the box. */
static bool check_reach(const struct ics_spectrum *s, struct io_error *error) {
    const double first = 2 * 3.14159265358979323846 / s->options->box;
    const double last = first * sqrt(3) * (double)(s->options->n / 2);
    const double low = exp(s->k[0]), high = exp(s->k[s->n - 1]);
    return (low <= first * (1 + 1e-9) && high >= last * (1 - 1e-9)) ||
           io_fail(error, "%s has k from %.6g to %.6g /Mpc, and the box needs %.6g to %.6g",
                   table_of(s), low, high, first, last);
}

bool ics_spectrum_open(struct ics_spectrum *spectrum, const struct ics_options *options,
                       struct io_error *error) {
    *spectrum = (struct ics_spectrum){.options = options, .factor = 1};
    const bool has_table = options->table || options->k;
    if (has_table && !(take_table(spectrum, error) && check_reach(spectrum, error)))
        return false;
    if (options->sigma8 > 0)
        spectrum->factor = pow(options->sigma8 / ics_spectrum_sigma8(spectrum), 2);
    return true;
}

void ics_spectrum_free(struct ics_spectrum *spectrum) {
    free(spectrum->k);
    free(spectrum->p);
}
