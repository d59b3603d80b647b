/* weft ics: what is asked for, and the universe behind it. */
#ifndef WEFT_CLI_ICS_H
#define WEFT_CLI_ICS_H

#include "cli/options.h"
#include "io/files/error.h"

struct ics_options {
    struct shared_options shared;
    const char *output, *table; /* table: NULL for the formula */
    int64_t n;                  /* particles along an axis */
    uint64_t seed;
    double box, redshift;
    double h, omega_matter, omega_baryon, n_s; /* flat */
    double sigma8;                             /* 0: as the table has it */
    int order;
    bool fixed;
};

/* Ends the process on a usage error. */
void ics_parse(int argc, char **argv, struct ics_options *options);

/* A linear power spectrum at z = 0, by the logarithms of k and P where it is a table. */
struct ics_spectrum {
    const struct ics_options *options;
    int64_t n;
    double *k, *p; /* logarithms [n] */
    double factor;
};

/* Reads the table, and finds the factor that sigma8 asks for. */
bool ics_spectrum_open(struct ics_spectrum *spectrum, const struct ics_options *options,
                       struct io_error *error);
void ics_spectrum_free(struct ics_spectrum *spectrum);

/* P at a wave number in 1/Mpc, in Mpc^3. Outside of a table it is that at its end. */
double ics_spectrum_at(const struct ics_spectrum *spectrum, double k);

/* The root mean square of linear density in spheres of 8 Mpc/h. */
double ics_spectrum_sigma8(const struct ics_spectrum *spectrum);

/* The universe at one redshift. */
struct ics_growth {
    double scale_factor, hubble;      /* H in km/s/Mpc */
    double growth;                    /* relative to z = 0 */
    double rate, second_rate, second; /* d ln D / d ln a; of second order; 3/7 ... */
};
struct ics_growth ics_growth_at(const struct ics_options *options, double redshift);

#endif
