/* What a snapshot's units are worth. */
#ifndef WEFT_CLI_HALOS_UNITS_H
#define WEFT_CLI_HALOS_UNITS_H

/* In Mpc and solar masses, h divided out; 0 where that is not known. */
double units_length_in_mpc(const char *unit, double h);
double units_mass_in_msun(const char *unit, double h);

#endif
