/* What every call says of a NULL, of members that it does not know, of options that it can
 * do without, and of particles that have no place or no mass. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Four particles, two of them friends, and all of them in one halo. */
static const f64 at[] = {0, 0, 0, 0.25, 0, 0, 2, 0, 0, 0, 3, 0};
enum { N = 4 };

static weft_points points;
static weft_bodies bodies;
static weft_halos halos;
static weft_array label, particle, potential;

static const weft_fof_options fof = {.linking_length = 0.5};
static const weft_dbscan_options dbscan = {.eps = 0.5, .min_points = 2};
static const weft_so_options so = {.densities = 1, .density = {0.5}};
static const weft_cosmology cosmology = {
    .h = 0.7, .omega_matter = 0.3, .omega_lambda = 0.7};

static void make(void) {
    const u32 zeros[N] = {0};
    points = weft_points_interleaved(device, test_array(WEFT_F64, at, 3 * N));
    bodies = (weft_bodies){.points = points, .particle_mass = 1};
    label = test_array(WEFT_U32, zeros, N);
    weft_halos_group(device, label, (weft_array){0}, 1, &halos);
    particle = weft_array_new(device, WEFT_U32, 1);
    potential = weft_array_new(device, WEFT_F64, N);
    test_ok();
    ck_assert_int_eq(halos.count, 1);
}

static void expect_null(const char *call, const char *name) {
    char words[100];
    snprintf(words, sizeof words, "%s: '%s' is NULL", call, name);
    test_expect_error(WEFT_E_ARGUMENT, words);
}

START_TEST(options_are_needed) {
    weft_so_spheres spheres;
    weft_cells *cells = NULL;
    const weft_array border = weft_array_new(device, WEFT_U32, N);
    const weft_array cluster = weft_array_new(device, WEFT_I32, N);
    make();
    weft_fof(device, &points, NULL, label);
    expect_null("weft_fof", "options");
    weft_fof_cells(device, &points, NULL, label, &cells);
    expect_null("weft_fof", "options");
    weft_friends_count(device, &points, NULL, NULL, label);
    expect_null("weft_friends_count", "options");
    weft_mcp(device, &points, NULL, NULL, &halos, particle, particle);
    expect_null("weft_mcp", "options");
    weft_dbscan(device, &points, NULL, cluster);
    expect_null("weft_dbscan", "options");
    weft_dbscan_borders(device, &points, NULL, border);
    expect_null("weft_dbscan_borders", "options");
    weft_so(device, &bodies, &points, NULL, &spheres);
    expect_null("weft_so", "options");
    ck_assert_int_eq(spheres.centers, 0);
}
END_TEST

/* The same as with options that are all 0. */
START_TEST(options_are_not_needed) {
    const weft_mbp_options mbp = {0};
    const weft_poisson_options poisson = {0};
    u32 found[4] = {N, N, N, N};
    f64 phi[4] = {0}, each[2][N];
    make();
    for (int k = 0; k < 2; k++) {
        weft_mbp(device, &bodies, k ? &mbp : NULL, &halos, particle, potential);
        weft_read(device, particle, &found[k]);
        weft_read(device, weft_slice(device, potential, 0, 1), &phi[k]);
        weft_poisson(device, &bodies, k ? &poisson : NULL, &halos, particle, potential);
        weft_read(device, particle, &found[2 + k]);
        weft_read(device, weft_slice(device, potential, 0, 1), &phi[2 + k]);
        weft_potential(device, &bodies, k ? &mbp : NULL, &halos, 0, potential);
        weft_read(device, potential, each[k]);
        weft_mbp_verify(device, &bodies, k ? &mbp : NULL, &halos, 1e-3);
        test_ok();
    }
    weft_mbp_share(device, &bodies, NULL, &halos, 0, 1, particle, potential);
    test_ok();
    ck_assert_uint_eq(found[0], 1);
    ck_assert(found[1] == found[0] && phi[1] == phi[0] && phi[0] == each[0][1]);
    ck_assert(found[3] == found[2] && phi[3] == phi[2]);
    ck_assert_mem_eq(each[0], each[1], sizeof each[0]);
}
END_TEST

START_TEST(inputs_and_outputs) {
    weft_so_spheres spheres;
    weft_halo_properties properties;
    weft_cosmology_epoch epoch;
    f64 density = 1;
    make();
    weft_fof(device, NULL, &fof, label);
    expect_null("weft_fof", "points");
    weft_mcp(device, &points, &fof, NULL, NULL, particle, particle);
    expect_null("weft_mcp", "halos");
    weft_mbp(device, NULL, NULL, &halos, particle, potential);
    expect_null("weft_mbp", "bodies");
    weft_mbp(device, &bodies, NULL, NULL, particle, potential);
    expect_null("weft_mbp", "halos");
    weft_mbp_share(device, NULL, NULL, &halos, 0, 1, particle, potential);
    expect_null("weft_mbp_share", "bodies");
    weft_mbp_verify(device, &bodies, NULL, NULL, 0);
    expect_null("weft_mbp_verify", "halos");
    weft_potential(device, NULL, NULL, &halos, 0, potential);
    expect_null("weft_potential", "bodies");
    weft_poisson(device, NULL, NULL, &halos, particle, potential);
    expect_null("weft_poisson", "bodies");
    weft_poisson(device, &bodies, NULL, NULL, particle, potential);
    expect_null("weft_poisson", "halos");
    weft_halos_measure(device, NULL, &halos, &properties);
    expect_null("weft_halos_measure", "bodies");
    weft_halos_measure(device, &bodies, NULL, &properties);
    expect_null("weft_halos_measure", "halos");
    weft_halos_measure(device, &bodies, &halos, NULL);
    expect_null("weft_halos_measure", "out");
    weft_so(device, NULL, &points, &so, &spheres);
    expect_null("weft_so", "bodies");
    weft_so(device, &bodies, NULL, &so, &spheres);
    test_expect_error(WEFT_E_ARGUMENT, "weft_so: centers: 'points' is NULL");
    weft_so(device, &bodies, &points, &so, NULL);
    expect_null("weft_so", "out");
    weft_halos_group(device, label, (weft_array){0}, 1, NULL);
    expect_null("weft_halos_group", "halos");
    weft_halos_labels(device, NULL, weft_array_new(device, WEFT_I64, N));
    expect_null("weft_halos_labels", "halos");
    weft_cosmology_at(device, NULL, 0, &epoch);
    expect_null("weft_cosmology", "cosmology");
    weft_cosmology_at(device, &cosmology, 0, NULL);
    expect_null("weft_cosmology", "out");
    weft_cosmology_density(device, NULL, 0, "200c", &density);
    expect_null("weft_cosmology", "cosmology");
    ck_assert(density == 0);
    weft_cosmology_density(device, &cosmology, 0, "200c", NULL);
    expect_null("weft_cosmology", "density");
    weft_halos_free(device, NULL);
    weft_halo_properties_free(device, NULL);
    weft_so_free(device, NULL);
    weft_cells_free(device, NULL);
    test_ok();
}
END_TEST

static void expect_unknown(const char *call, const char *name) {
    char words[100];
    snprintf(words, sizeof words, "%s: '%s' has members that version %s does not know",
             call, name, weft_version());
    test_expect_error(WEFT_E_ARGUMENT, words);
}

/* A program that sets what a later version added, in each byte in turn. */
START_TEST(newer_programs) {
    weft_so_spheres spheres;
    weft_halo_properties properties;
    weft_cosmology_epoch epoch;
    make();
    weft_bodies b = bodies;
    for (size_t k = 0; k < sizeof b.reserved; k++) {
        b = bodies;
        ((unsigned char *)&b.reserved)[k] = 1;
        weft_mbp(device, &b, NULL, &halos, particle, potential);
        expect_unknown("weft_mbp", "bodies");
    }
    weft_poisson(device, &b, NULL, &halos, particle, potential);
    expect_unknown("weft_poisson", "bodies");
    weft_halos_measure(device, &b, &halos, &properties);
    expect_unknown("weft_halos_measure", "bodies");
    weft_so(device, &b, &points, &so, &spheres);
    expect_unknown("weft_so", "bodies");
    weft_fof_options f = fof;
    f.reserved[5] = 1;
    weft_fof(device, &points, &f, label);
    expect_unknown("weft_fof", "options");
    weft_friends_count(device, &points, &f, NULL, label);
    expect_unknown("weft_friends_count", "options");
    weft_mcp(device, &points, &f, NULL, &halos, particle, particle);
    expect_unknown("weft_mcp", "options");
    weft_dbscan_options d = dbscan;
    d.reserved[0] = 1;
    weft_dbscan(device, &points, &d, weft_array_new(device, WEFT_I32, N));
    expect_unknown("weft_dbscan", "options");
    weft_dbscan_borders(device, &points, &d, label);
    expect_unknown("weft_dbscan_borders", "options");
    weft_mbp_options m = {.reserved = {1}};
    weft_mbp(device, &bodies, &m, &halos, particle, potential);
    expect_unknown("weft_mbp", "options");
    weft_mbp_share(device, &bodies, &m, &halos, 0, 1, particle, potential);
    expect_unknown("weft_mbp_share", "options");
    weft_potential(device, &bodies, &m, &halos, 0, potential);
    expect_unknown("weft_potential", "options");
    weft_poisson_options p = {.reserved = {[5] = 1}};
    weft_poisson(device, &bodies, &p, &halos, particle, potential);
    expect_unknown("weft_poisson", "options");
    weft_so_options s = so;
    s.reserved[5] = 1;
    weft_so(device, &bodies, &points, &s, &spheres);
    expect_unknown("weft_so", "options");
    const weft_so_part part = {.reserved = {[7] = 1}};
    s.reserved[5] = 0, s.part = &part;
    weft_so(device, &bodies, &points, &s, &spheres);
    expect_unknown("weft_so", "part");
    weft_cosmology c = cosmology;
    c.reserved[3] = 1;
    weft_cosmology_at(device, &c, 0, &epoch);
    expect_unknown("weft_cosmology", "cosmology");
}
END_TEST

/* What a program has that was compiled before anything was added: the members of version
 * 0.1 and zeros after them, in a struct of the size that it was. */
START_TEST(older_programs) {
    static const struct {
        f64 linking_length, box[3];
        i64 min_friends;
        u64 zeros[6];
    } old = {0.5, {0, 0, 0}, 0, {0}};
    weft_fof_options now;
    u32 group[N];
    ck_assert_uint_eq(sizeof old, sizeof now);
    memcpy(&now, &old, sizeof now);
    make();
    weft_fof(device, &points, &now, label);
    weft_read(device, label, group);
    test_ok();
    const u32 expected[N] = {0, 0, 2, 3};
    ck_assert_mem_eq(group, expected, sizeof group);
}
END_TEST

/* That all who weigh members of halos refuse these. */
static void expect_refused(const weft_bodies *strange, const weft_halos *some,
                           const char *words) {
    weft_halo_properties of;
    weft_subhalos subhalos;
    const weft_subhalos_options keeps = {.keep_unbound = 1, .least_halo = 1};
    weft_mbp(device, strange, NULL, some, particle, potential);
    test_expect_error(WEFT_E_ARGUMENT, words);
    weft_mbp_share(device, strange, NULL, some, 0, 2, particle, potential);
    test_expect_error(WEFT_E_ARGUMENT, words);
    weft_potential(device, strange, NULL, some, 0, potential);
    test_expect_error(WEFT_E_ARGUMENT, words);
    weft_mbp_verify(device, strange, NULL, some, 0);
    test_expect_error(WEFT_E_ARGUMENT, words);
    weft_poisson(device, strange, NULL, some, particle, potential);
    test_expect_error(WEFT_E_ARGUMENT, words);
    weft_halos_measure(device, strange, some, &of);
    test_expect_error(WEFT_E_ARGUMENT, words);
    weft_subhalos_find(device, strange, &keeps, some, &subhalos);
    test_expect_error(WEFT_E_ARGUMENT, words);
}

START_TEST(members_that_are_strange) {
    static const f64 masses[] = {0, -1, -0.0, INFINITY, NAN};
    static const u32 far[] = {0, 1, 2, N};
    weft_halos strange_halos;
    char words[100];
    make();
    strange_halos = halos;
    for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
        f64 mass[N] = {1, 2, masses[k], 3};
        f32 narrow[N] = {1, 2, (f32)masses[k], 3};
        weft_bodies strange = bodies;
        snprintf(words, sizeof words, "the mass %g of particle 2 is not above 0",
                 masses[k]);
        strange.mass =
            k % 2 ? test_array(WEFT_F64, mass, N) : test_array(WEFT_F32, narrow, N);
        expect_refused(&strange, &halos, words);
    }
    for (int axis = 0; axis < 3; axis++) {
        f64 x[3 * N];
        weft_bodies strange = bodies;
        memcpy(x, at, sizeof x);
        x[3 + axis] = axis ? -INFINITY : NAN;
        strange.points = weft_points_interleaved(device, test_array(WEFT_F64, x, 3 * N));
        expect_refused(&strange, &halos, "particle 1 has a coordinate that is not finite");
    }
    strange_halos.member = test_array(WEFT_U32, far, N);
    expect_refused(&bodies, &strange_halos,
                   "member 4 of a halo is none of the 4 particles");
    weft_halos_free(device, &halos);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {options_are_needed, options_are_not_needed,
                                  inputs_and_outputs, newer_programs,
                                  older_programs,     members_that_are_strange};
    return test_main(argc, argv, "arguments", tests, sizeof tests / sizeof *tests);
}
