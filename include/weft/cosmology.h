/* Densities of the universe, as thresholds for weft_so. */
#ifndef WEFT_COSMOLOGY_H
#define WEFT_COSMOLOGY_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Today's parameters. What is left to 1 is curvature. */
typedef struct weft_cosmology {
    double h;            /* H0 in 100 km/s/Mpc */
    double omega_matter; /* of all matter */
    double omega_lambda;
    double omega_radiation;
    double reserved[4];
} weft_cosmology;

/* The same universe at one redshift. */
typedef struct weft_cosmology_epoch {
    double scale_factor;     /* 1 / (1 + z) */
    double hubble;           /* H(z), km/s/Mpc */
    double critical_density; /* 3 H^2 / (8 pi G), Msun/Mpc^3, physical */
    double omega_matter;     /* Omega_m(z) */
    double virial;           /* 18 pi^2 + 82 x - 39 x^2, x = Omega_m(z) - 1, in units of the
                             critical density; 0 where the universe is not flat */
    double reserved[4];
} weft_cosmology_epoch;

/* Flat is what deviates by less than this; the radiation that files leave out is more. */
#define WEFT_COSMOLOGY_FLAT 1e-3

/* H^2 = H0^2 (Omega_r (1+z)^4 + Omega_m (1+z)^3 + Omega_k (1+z)^2 + Omega_Lambda), with
 * G = 6.67430e-8 cm^3/g/s^2 (CODATA 2018), Msun = 1.98841e33 g (IAU's GM / G) and
 * Mpc = 3.0856775814913673e24 cm. *out is all 0 after an error.
 * Errors: WEFT_E_ARGUMENT (h or omega_matter is not above 0, a parameter is not finite,
 * redshift <= -1, H^2 <= 0, a critical density that no f64 holds).
 * Source: Bryan and Norman 1998 (ApJ 495, 80), equation 6. */
WEFT_API weft_status weft_cosmology_at(weft_device *device, const weft_cosmology *cosmology,
                                       double redshift, weft_cosmology_epoch *out);

/* That G in (km/s)^2 Mpc/Msun. */
#define WEFT_COSMOLOGY_GRAVITY 4.3009175497155327e-9

/* A threshold by its name, in Msun/Mpc^3, physical (times a^3: comoving): "NUMBERc" times
 * the critical density, "NUMBERm" times the mean density of matter, both at that redshift,
 * or "vir". 0 after an error.
 * Errors: WEFT_E_ARGUMENT (a name that is none of these; "vir" where the universe is not
 * flat), and those of weft_cosmology_at. */
WEFT_API weft_status weft_cosmology_density(weft_device *device,
                                            const weft_cosmology *cosmology,
                                            double redshift, const char *name,
                                            double *density);

#ifdef __cplusplus
}
#endif
#endif
