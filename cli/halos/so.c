/* Spherical overdensities around the most bound particles. */
#include "so.h"
#include "cli/halos/centers/centers.h"
#include "cli/halos/spheres/inside.h"
#include "cli/command.h"
#include "halos.h"
#include "cli/halos/types/units.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/cosmology.h>

static const char usual[] = "vir,200m,200c,500c,2500c";

/* How much denser or thinner particles may be than the universe's matter: some leave out
 * the gas. */
static const double thinnest = 0.5, densest = 1.05;

static bool is_name(const char *word, size_t length) {
    if (length == 3 && memcmp(word, "vir", 3) == 0)
        return true;
    const size_t whole = strspn(word, "0123456789");
    const size_t point = word[whole] == '.';
    const size_t parts = point ? strspn(word + whole + 1, "0123456789") : 0;
    const size_t digits = whole + point + parts;
    return whole > 0 && digits + 1 == length && (!point || parts > 0) &&
           strspn(word, "0.") < digits && (word[digits] == 'c' || word[digits] == 'm');
}

bool halos_so_is_name(const char *text) {
    return is_name(text, strlen(text));
}

const char *halos_so_within(const char *properties) {
    if (properties == NULL)
        return "200c";
    return strcmp(properties, "none") == 0 ? NULL : properties;
}

int halos_so_named(const struct halos_so *so, const char *name) {
    for (int k = 0; k < so->n; ++k) {
        if (strcmp(so->thresholds[k].name, name) == 0)
            return k;
    }
    return -1;
}

static void describe(const char *name, const char *center, char about[3][96]) {
    static const char *const what[] = {"mass in", "comoving radius of", "particles in"};
    const size_t last = strlen(name) - 1;
    for (int k = 0; k < 3; ++k) {
        if (strcmp(name, "vir") == 0)
            snprintf(about[k], sizeof about[k],
                     "%s the sphere around %s of the virial density", what[k], center);
        else
            snprintf(about[k], sizeof about[k],
                     "%s the sphere around %s of %.*s times the %s density", what[k],
                     center, (int)last, name,
                     name[last] == 'c' ? "critical" : "mean matter");
    }
}

static void name_columns(struct halos_so_threshold *t) {
    static const char *const columns[] = {"mass", "radius", "count"};
    char name[sizeof t->name]; /* apart from *t, which gcc 12 takes for one object */
    memcpy(name, t->name, sizeof name);
    for (int k = 0; k < 3; ++k)
        snprintf(t->columns[k], sizeof t->columns[k], "%s_%s", columns[k], name);
    describe(name, "mbp_position", t->about[0]);
    describe(name, "position", t->about[1]);
}

bool halos_so_parse(const char *list, struct halos_so *so, struct io_error *error) {
    so->n = 0;
    if (strcmp(list, "none") == 0)
        return true;
    for (const char *word = list;; ++word) {
        const size_t length = strcspn(word, ",");
        struct halos_so_threshold *t = &so->thresholds[so->n];
        if (!is_name(word, length) || length >= sizeof t->name)
            return io_fail(error,
                           "'%.*s' is not vir, or a number and c (critical) or m (mean)",
                           (int)length, word);
        if (so->n == WEFT_SO_MOST)
            return io_fail(error, "more than %d overdensities", WEFT_SO_MOST);
        memcpy(t->name, word, length);
        t->name[length] = '\0';
        if (halos_so_named(so, t->name) >= 0)
            return io_fail(error, "'%s' comes twice", t->name);
        name_columns(t);
        so->n++;
        word += length;
        if (*word == '\0')
            return true;
    }
}

void halos_so_usual(struct halos_so *so) {
    struct io_error error;
    halos_so_parse(usual, so, &error);
}

bool halos_so_agree(const struct halos_options *options, struct io_error *error) {
    const char *within = halos_so_within(options->properties);
    const char *further = options->profiles ? "--profiles"
                          : options->shapes ? "--shapes"
                                            : NULL;
    const bool wants = further || (options->properties && within);
    const char *given = options->properties ? "--properties" : further;
    const char *name = options->so.n > 0 ? "--so" : given;
    struct halos_so so = options->so;
    if (!options->so_given)
        halos_so_usual(&so);
    if (further && within == NULL)
        return io_fail(error, "%s and --properties=none exclude each other", further);
    if (wants && halos_so_named(&so, within) < 0)
        return io_fail(error, "%s: %s is not one of --so", given, within);
    if (options->so.n == 0 && !wants)
        return true;
    if (!centers_contain(options->centers, "mbp"))
        return io_fail(error, "%s needs the center mbp", name);
    return !options->region.given ||
           io_fail(error,
                   "%s and --region exclude each other: spheres need all particles around "
                   "a halo",
                   name);
}

static double mass_of_all(const struct halos_run *run) {
    const struct snapshot_particles *particles = &run->particles;
    const void *masses = particles->field[SNAPSHOT_MASSES];
    double sum = 0;
    if (masses == NULL)
        return particles->mass * (double)particles->n;
    for (int64_t k = 0; k < particles->n; ++k)
        sum += particles->bytes[SNAPSHOT_MASSES] == 4 ? (double)((const float *)masses)[k]
                                                      : ((const double *)masses)[k];
    return sum;
}

/* Densities in the snapshot's units, comoving. False, and why, where the file does not tell
 * what they need. */
static bool find_densities(struct halos_run *run, struct io_error *error) {
    const struct snapshot_info *info = &run->info;
    const weft_cosmology cosmology = {.h = info->cosmology.h,
                                      .omega_matter = info->cosmology.omega_matter,
                                      .omega_lambda = info->cosmology.omega_lambda};
    if (!(cosmology.h > 0) || !(cosmology.omega_matter > 0) || isnan(info->redshift))
        return io_fail(error, "the file does not tell %s",
                       isnan(info->redshift) ? "its redshift" : "its cosmology");
    const double length = units_length_in_mpc(info->length_unit, cosmology.h);
    const double mass = units_mass_in_msun(info->mass_unit, cosmology.h);
    if (!(length > 0) || !(mass > 0))
        return io_fail(error, "the file's unit of %s, '%s', is not known",
                       length > 0 ? "mass" : "length",
                       length > 0 ? info->mass_unit : info->length_unit);
    weft_device *device = halos_any_device(run);
    const double a = 1 / (1 + info->redshift);
    const double comoving = a * a * a * length * length * length / mass;
    for (int k = 0; k < run->so.n; ++k) {
        struct halos_so_threshold *t = &run->so.thresholds[k];
        if (weft_cosmology_density(device, &cosmology, info->redshift, t->name,
                                   &t->density) != WEFT_OK) {
            io_fail(error, "%s", progress_error(device));
            weft_clear(device);
            return false;
        }
        t->density *= comoving;
    }
    weft_cosmology_epoch epoch;
    weft_cosmology_at(device, &cosmology, info->redshift, &epoch);
    run->so.gravity = WEFT_COSMOLOGY_GRAVITY * mass / length / a;
    run->so.hubble = epoch.hubble * a * length;
    return true;
}

/* Whether the masses fill a periodic box as matter does. */
static bool are_consistent(struct halos_run *run, struct io_error *error) {
    const struct snapshot_info *info = &run->info;
    const double volume = run->period[0] * run->period[1] * run->period[2];
    const double h = info->cosmology.h;
    const weft_cosmology today = {.h = h, .omega_matter = info->cosmology.omega_matter};
    double matter = 0;
    if (!(volume > 0) || run->info.n == 0 ||
        weft_cosmology_density(halos_any_device(run), &today, 0, "1m", &matter) != WEFT_OK)
        return true;
    double mass = mass_of_all(run);
    comm_reduce_f64(&run->comm, &mass, 1, COMM_SUM); /* of all ranks, or none is asked */
    const double length = units_length_in_mpc(info->length_unit, h);
    const double ratio = mass / volume * units_mass_in_msun(info->mass_unit, h) /
                         (length * length * length) / matter;
    return (ratio > thinnest && ratio < densest) ||
           io_fail(error,
                   "the particles are %.4g times as dense as the matter of the file's "
                   "cosmology",
                   ratio);
}

/* Whether the file tells enough for what is found where nothing is asked for. */
static bool tells_universe(const struct halos_run *run) {
    return run->info.cosmology.h > 0 && run->info.cosmology.omega_matter > 0;
}

bool halos_so_planned(const struct halos_run *run) {
    const struct halos_options *options = &run->options;
    if (options->region.given)
        return false;
    if (options->so_given)
        return options->so.n > 0;
    return centers_contain(options->centers, "mbp") && tells_universe(run) &&
           !isnan(run->info.redshift);
}

int halos_so_settle(struct halos_run *run) {
    const struct halos_options *options = &run->options;
    const char *within = halos_so_within(options->properties);
    const bool wants =
        options->profiles || options->shapes || (options->properties && within);
    const bool asked = options->so_given || wants;
    if (options->region.given) {
        if (run->info.cosmology.h > 0 && run->comm.rank == 0)
            progress_note("%s: spherical overdensities are left out: they need all "
                          "particles around a halo, beyond the region, too",
                          options->snapshot);
        return CLI_DONE;
    }
    struct io_error error = {0};
    run->so = options->so;
    run->so.within = -1;
    run->so.in_parts = halos_has_parts(run);
    if (!options->so_given && centers_contain(options->centers, "mbp"))
        halos_so_usual(&run->so);
    if (run->so.n == 0)
        return CLI_DONE;
    const bool found = find_densities(run, &error);
    const char *remedy = found || run->keeps ? "" : ": --assume tells it";
    if (!found && asked)
        return progress_fail(CLI_FAULT, "%s: %s: %s%s",
                             options->so_given ? "--so" : "--properties", options->snapshot,
                             error.text, remedy);
    const bool consistent = found && are_consistent(run, &error);
    if (!found || (!consistent && !asked)) {
        run->so.n = 0;
        if (tells_universe(run) && run->comm.rank == 0)
            progress_note("%s: spherical overdensities are left out: %s%s",
                          options->snapshot, error.text, remedy);
    } else if (!consistent && run->comm.rank == 0) {
        progress_note("%s: %s", options->snapshot, error.text);
    }
    if (run->so.n > 0 && within)
        run->so.within = halos_so_named(&run->so, within);
    return CLI_DONE;
}

/* HACC's names of mass, radius and count. */
static const char *const hacc[][4] = {
    {"200c", "sod_halo_mass", "sod_halo_radius", "sod_halo_count"},
    {"500c", "sod_halo_M500c", "sod_halo_R500c", NULL},
    {"2500c", "sod_halo_M2500c", "sod_halo_R2500c", NULL},
    {"vir", "sod_halo_MVir", "sod_halo_RVir", NULL}};

static const char *hacc_name(const char *threshold, int part) {
    for (size_t k = 0; k < sizeof hacc / sizeof *hacc; ++k) {
        if (strcmp(hacc[k][0], threshold) == 0)
            return hacc[k][1 + part];
    }
    return NULL;
}

static void add_columns(struct halos_run *run, bool subhalos,
                        const weft_so_spheres *spheres) {
    const int64_t n = spheres->centers;
    for (int k = 0; k < run->so.n; ++k) {
        const struct halos_so_threshold *t = &run->so.thresholds[k];
        const weft_array parts[] = {weft_slice(run->device, spheres->mass, k * n, n),
                                    weft_slice(run->device, spheres->radius, k * n, n),
                                    weft_slice(run->device, spheres->count, k * n, n)};
        static const enum halos_unit units[] = {HALOS_MASS, HALOS_LENGTH, HALOS_NO_UNIT};
        for (int part = 0; part < 3; ++part) {
            const struct halos_column column = {t->columns[part], 1, units[part],
                                                t->about[subhalos][part],
                                                subhalos ? NULL : hacc_name(t->name, part)};
            halos_add_column(run, &column, parts[part]);
        }
    }
}

/* Bytes of the particles in the spheres of the first threshold that are closed. */
static int64_t bytes_inside(const struct halos_run *run, int64_t n) {
    int64_t particles = 0;
    if (weft_check(run->device) == WEFT_OK && n > 0) {
        const int64_t *count = halos_column(run, run->so.thresholds[0].columns[2]);
        for (int64_t k = 0; k < n; ++k)
            particles += count[k] > 0 ? count[k] : 0;
    }
    return particles * (4 + 3 * run->particles.bytes[SNAPSHOT_COORDINATES] +
                        run->particles.bytes[SNAPSHOT_MASSES]);
}

/* How many particles around halos are kept from one look to the next: half as many again as
 * members, which is how far spheres are looked for at first. */
static int64_t spheres_kept(const struct halos_run *run,
                            const struct halos_so_centers *of) {
    enum { LEAST = 1 << 18 };
    const int64_t most = run->particles.n / 3 * 2;
    int64_t kept = 0;
    for (int64_t k = 0; k < of->n; ++k)
        kept += of->guess[k] + of->guess[k] / 2;
    kept = kept > LEAST ? kept : LEAST;
    return run->options.memory_limit > 0 ? 0 : kept < most ? kept : most;
}

void halos_so_around(struct halos_run *run, const struct halos_so_centers *of,
                     const weft_so_part *part) {
    weft_device *device = run->device;
    const int64_t n = of->n;
    const bool inside = run->so.within >= 0 && !of->subhalos;
    const weft_array around = weft_borrow_const(device, WEFT_F64, of->at, 3 * n);
    const weft_array guesses = weft_borrow_const(device, WEFT_I64, of->guess, n);
    const weft_array mass = halos_lend(run, SNAPSHOT_MASSES);
    const bool names = mass.type || inside;
    const weft_array ids = names ? halos_lend(run, SNAPSHOT_IDS) : (weft_array){0};
    struct spheres spheres = {.bodies = halos_bodies(run, mass),
                              .around = weft_points_interleaved(device, around),
                              .options = {.densities = run->so.n,
                                          .id = ids,
                                          .guess = guesses,
                                          .cells = run->cells,
                                          .part = part,
                                          .keep = inside ? spheres_kept(run, of) : 0}};
    for (int k = 0; k < run->so.n; ++k)
        spheres.options.density[k] = run->so.thresholds[k].density;
    weft_so(device, &spheres.bodies, &spheres.around, &spheres.options, &spheres.found);
    add_columns(run, of->subhalos, &spheres.found);
    if (inside && weft_check(device) == WEFT_OK)
        inside_measure(run, &spheres);
    weft_so_free(device, &spheres.found);
    const weft_array lent[] = {ids, mass, guesses, around};
    for (int k = 0; k < 4; ++k)
        halos_take_back(run, lent[k]);
    timings_end(&run->timings, TIMINGS_SO, bytes_inside(run, n));
}

int halos_so_find(struct halos_run *run) {
    const int64_t halos = run->halos.count;
    if (run->so.n == 0 || run->so.in_parts)
        return CLI_DONE;
    halos_show(run, "spherical overdensities");
    halos_so_around(run,
                    &(struct halos_so_centers){false, halos,
                                               halos_column(run, "mbp_position"),
                                               halos_column(run, "count")},
                    NULL);
    if (run->so.within >= 0 && weft_check(run->device) == WEFT_OK)
        inside_keep_hosts(run, inside_find_hosts(run, &run->columns, halos));
    timings_end(&run->timings, TIMINGS_SO, 0);
    return weft_check(run->device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                               progress_error(run->device));
}
