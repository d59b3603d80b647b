/* Densities of the universe against numbers worked out by hand. */
#include "harness.h"

#include <math.h>

static void expect_near(f64 found, f64 expected, f64 error) {
    ck_assert_msg(fabs(found - expected) <= error * fabs(expected), "%.12g, not %.12g",
                  found, expected);
}

static const weft_cosmology flat = {.h = 0.68, .omega_matter = 0.31, .omega_lambda = 0.69};

START_TEST(today) {
    weft_cosmology_epoch now;
    weft_cosmology_at(device, &flat, 0, &now);
    test_ok();
    expect_near(now.scale_factor, 1, 0);
    expect_near(now.hubble, 68, 1e-15);
    /* 2.7754e11 h^2 Msun/Mpc^3, as everybody has it. */
    expect_near(now.critical_density, 2.7754e11 * 0.68 * 0.68, 1e-4);
    expect_near(now.omega_matter, 0.31, 1e-15);
    expect_near(now.virial, 102.505, 1e-5);
}
END_TEST

/* At z = 1 E^2 = 0.31 * 8 + 0.69 = 3.17. */
START_TEST(earlier) {
    weft_cosmology_epoch now, then;
    weft_cosmology_at(device, &flat, 0, &now);
    weft_cosmology_at(device, &flat, 1, &then);
    test_ok();
    expect_near(then.scale_factor, 0.5, 0);
    expect_near(then.hubble, 68 * sqrt(3.17), 1e-14);
    expect_near(then.critical_density, 3.17 * now.critical_density, 1e-14);
    expect_near(then.omega_matter, 2.48 / 3.17, 1e-14);
    const f64 x = 2.48 / 3.17 - 1;
    expect_near(then.virial, 18 * 9.86960440108936 + 82 * x - 39 * x * x, 1e-14);
    /* Radiation and curvature; all matter: Einstein and de Sitter. */
    const weft_cosmology open = {
        .h = 1, .omega_matter = 0.3, .omega_lambda = 0.5, .omega_radiation = 0.1};
    weft_cosmology_at(device, &open, 1, &then);
    expect_near(then.hubble, 100 * sqrt(1.6 + 2.4 + 0.1 * 4 + 0.5), 1e-14);
    ck_assert(then.virial == 0);
    const weft_cosmology matter = {.h = 0.5, .omega_matter = 1};
    weft_cosmology_at(device, &matter, 3, &then);
    expect_near(then.virial, 177.6528792, 1e-9);
    test_ok();
}
END_TEST

START_TEST(names) {
    static const struct {
        const char *name;
        f64 critical;
    } good[] = {{"200c", 200}, {"2500c", 2500},
                {"0.5c", 0.5}, {"200m", 200 * 2.48 / 3.17},
                {"vir", 0},    {"200.25m", 200.25 * 2.48 / 3.17}};
    weft_cosmology_epoch then;
    weft_cosmology_at(device, &flat, 1, &then);
    for (int k = 0; k < 6; k++) {
        f64 density = 0;
        const f64 times = good[k].critical > 0 ? good[k].critical : then.virial;
        weft_cosmology_density(device, &flat, 1, good[k].name, &density);
        test_ok();
        expect_near(density, times * then.critical_density, 1e-14);
    }
    static const char *const bad[] = {"",      "c",      "m",     "200",   "200x",
                                      "200cc", "-1c",    "inf c", "nanc",  "1e3c",
                                      " 200c", "virial", "0m",    "1.2.3c"};
    for (int k = 0; k < 14; k++) {
        f64 density = 1;
        weft_cosmology_density(device, &flat, 1, bad[k], &density);
        ck_assert(density == 0);
        test_expect_error(WEFT_E_ARGUMENT, "neither vir nor");
    }
}
END_TEST

START_TEST(refusals) {
    weft_cosmology_epoch now;
    f64 density;
    weft_cosmology c = {.h = 0.7, .omega_matter = 0.3};
    weft_cosmology_density(device, &c, 0, "200c", &density); /* open, and no matter here */
    test_ok();
    weft_cosmology_density(device, &c, 0, "vir", &density);
    test_expect_error(WEFT_E_ARGUMENT, "flat");
    weft_cosmology_at(device, NULL, 0, &now);
    test_expect_error(WEFT_E_ARGUMENT, "'cosmology' is NULL");
    weft_cosmology_at(device, &flat, -1, &now);
    test_expect_error(WEFT_E_ARGUMENT, "redshift -1");
    weft_cosmology_at(device, &flat, NAN, &now);
    test_expect_error(WEFT_E_ARGUMENT, "redshift");
    c.h = 0;
    weft_cosmology_at(device, &c, 0, &now);
    test_expect_error(WEFT_E_ARGUMENT, "h is 0");
    c = (weft_cosmology){.h = 1, .omega_matter = -1};
    weft_cosmology_at(device, &c, 0, &now);
    test_expect_error(WEFT_E_ARGUMENT, "omega_matter is -1");
    c = (weft_cosmology){.h = 1, .omega_matter = 0.1, .omega_lambda = 3};
    weft_cosmology_at(device, &c, 1, &now); /* it bounced before that */
    test_expect_error(WEFT_E_ARGUMENT, "no expansion");
    ck_assert(now.hubble == 0);
    static const f64 no_h[] = {1e-300, 1e300};
    for (int k = 0; k < 2; k++) {
        c = (weft_cosmology){.h = no_h[k], .omega_matter = 0.3, .omega_lambda = 0.7};
        weft_cosmology_at(device, &c, 0, &now);
        test_expect_error(WEFT_E_ARGUMENT, "whose critical density no f64 holds");
        ck_assert(now.hubble == 0 && now.critical_density == 0);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {today, earlier, names, refusals};
    return test_main(argc, argv, "cosmology", tests, sizeof tests / sizeof *tests);
}
