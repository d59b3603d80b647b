/* Names of units, and what they are in cgs. */
#ifndef WEFT_IO_UNITS_H
#define WEFT_IO_UNITS_H

struct io_unit {
    const char *name;
    double cgs;
};

/* A name of NULL ends them. */
extern const struct io_unit io_lengths[], io_masses[];

#endif
