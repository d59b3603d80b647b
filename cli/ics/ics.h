/* weft ics: what is asked for, and the universe behind it. */
#ifndef WEFT_CLI_ICS_H
#define WEFT_CLI_ICS_H

#include "cli/options.h"
#include "cli/timings.h"
#include "io/files/error.h"

struct ics_options {
    struct shared_options shared;
    const char *output, *table; /* table: NULL for the formula, or k and p */
    const double *k, *p;        /* [rows] in its place; NULL: none */
    int64_t rows;
    int64_t n; /* particles along an axis; 0: not given */
    uint64_t seed;
    double box, redshift;                      /* box: NaN: not given */
    double h, omega_matter, omega_baryon, n_s; /* flat */
    double sigma8;                             /* NaN: not given; 0: as the table has it */
    int64_t order;
    bool fixed;
    const char *of_formula; /* an option that only the formula has; NULL: not given */
};

struct ics_options ics_options_default(void);

/* Whether they are in their ranges and go together; settles sigma8. */
bool ics_options_agree(struct ics_options *options, struct io_error *error);

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

struct ics_run {
    struct ics_options options;
    char *command; /* as it was typed */
    struct timings timings;
    weft_device *device;
    struct ics_spectrum spectrum;
    struct ics_growth growth;
    double *position; /* [n^3][3] comoving Mpc */
    float *velocity;  /* [n^3][3] peculiar km/s */
};

/* Makes the particles. Returns the exit status. */
int ics_make(struct ics_run *run);

/* The mass of a particle, in 1e10 Msun. */
double ics_particle_mass(const struct ics_run *run);

/* Writes them to the output. Returns the exit status. */
int ics_save(struct ics_run *run);

/* All but device and command. */
void ics_release(struct ics_run *run);

#endif
