/* The same as Rockstar writes it: a list of halos a snapshot, out_0.list and on, with the
 * ids of their descendants. */
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "io/files/output.h"
#include "io/files/path.h"
#include "link.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/cosmology.h>

enum { PATH = 4096 };

/* The path of a snapshot's list. */
static bool name_list(const struct link_run *run, int s, char *path,
                      struct io_error *error) {
    const int length = snprintf(path, PATH, "%s/out_%d.list", run->options.output, s);
    return length < PATH || io_fail(error, "%s: the name is too long", run->options.output);
}

/* No list is a catalogue that is read, by whatever name, another list, the timings, or the
 * picture. */
static int check_lists(const struct link_run *run, char (*path)[PATH], const char **names) {
    struct io_error error;
    const int n = run->options.count;
    for (int s = 0; s < n; ++s) {
        if (!name_list(run, s, path[s], &error))
            return progress_fail(CLI_FAULT, "%s", error.text);
        names[s] = path[s];
        for (int c = 0; c < n; ++c)
            if (io_same_output(run->options.paths[c], path[s]))
                return outputs_refuse_input(path[s]);
    }
    names[n] = run->options.shared.timings;
    names[n + 1] = run->options.plot;
    return outputs_check(names, n + 2);
}

int link_check_lists(const struct link_run *run) {
    const size_t n = (size_t)run->options.count;
    char(*path)[PATH] = calloc(n, sizeof *path);
    const char **names = calloc(n + 2, sizeof *names);
    const int status = path && names
                           ? check_lists(run, path, names)
                           : progress_fail(CLI_FAULT, "out of memory: names of lists");
    free(names);
    free(path);
    return status;
}

/* The radius in Mpc/h of the mass of 1 Msun/h at the virial density; 0: it is not known. */
static double radius_of_one(const struct link_run *run, const struct link_catalogue *c) {
    const weft_cosmology cosmology = {
        .h = c->h, .omega_matter = c->omega_matter, .omega_lambda = c->omega_lambda};
    const double pi = 3.14159265358979323846, a = c->scale_factor;
    weft_cosmology_epoch epoch;
    if (!(c->omega_matter > 0) ||
        weft_cosmology_at(run->device, &cosmology, c->redshift, &epoch) != WEFT_OK)
        return 0;
    const double density = epoch.virial * epoch.critical_density / (c->h * c->h);
    return cbrt(3 / (4 * pi * density * a * a * a));
}

static void print_header(const struct link_run *run, const struct link_catalogue *c,
                         FILE *stream) {
    fprintf(
        stream,
        "#ID DescID Mvir Vmax Vrms Rvir Rs Np X Y Z VX VY VZ JX JY JZ Spin\n"
        "#a = %.9f\n"
        "#Om = %.6f; Ol = %.6f; h = %.6f\n"
        "#Box size: %.6f Mpc/h\n"
        "#Units: Masses in Msun / h\n"
        "#Units: Positions in Mpc / h (comoving)\n"
        "#Units: Velocities in km / s (physical, peculiar)\n"
        "#Units: Halo Distances, Lengths, and Radii in kpc / h (comoving)\n"
        "#Units: Angular Momenta in (Msun/h) * (Mpc/h) * km/s (physical)\n"
        "#Units: Spins are dimensionless\n"
        "#%s of weft %s: Mvir is the mass of the members, Rvir the radius of that mass\n"
        "#at the virial density, Rs the radius of Vmax by 2.1626; what is 0 is not "
        "known.\n",
        c->scale_factor, c->omega_matter, c->omega_lambda, c->h,
        c->box[0] * run->length_factor, run->subhalos ? "Subhalos" : "Halos",
        weft_version());
}

/* A vector's or a number's part; 0 where it is not known. */
static double part(const double *numbers, int64_t row, int components, int k) {
    return numbers ? numbers[components * row + k] : 0;
}

static void print_rows(const struct link_run *run, int s, FILE *stream) {
    const struct link_catalogue *c = &run->catalogue[s];
    const double *mass = link_numbers(run, "SubhaloMass"),
                 *x = link_numbers(run, "SubhaloPos"), *v = link_numbers(run, "SubhaloVel"),
                 *vmax = link_numbers(run, "SubhaloVmax"),
                 *rmax = link_numbers(run, "SubhaloVmaxRad"),
                 *dispersion = link_numbers(run, "SubhaloVelDisp");
    const int64_t *count = (const int64_t *)link_numbers(run, "SubhaloLen");
    const double one = radius_of_one(run, c);
    for (int64_t g = c->first; g < c->first + c->n; ++g) {
        const int64_t row = run->row[g], to = run->descendant[g];
        const bool next = to >= 0 && link_snapshot(run, to) == s + 1;
        const double m = 1e10 * mass[row];
        fprintf(stream,
                "%" PRId64 " %" PRId64 " %.6e %.3f %.3f %.4f %.4f %" PRId64
                " %.6f %.6f %.6f %.3f %.3f %.3f 0 0 0 0\n",
                g, next ? to : -1, m, part(vmax, row, 1, 0),
                sqrt(3) * part(dispersion, row, 1, 0), 1000 * one * cbrt(m),
                1000 / 2.1626 * part(rmax, row, 1, 0), count[row], x[3 * row],
                x[3 * row + 1], x[3 * row + 2], part(v, row, 3, 0), part(v, row, 3, 1),
                part(v, row, 3, 2));
    }
}

int link_write_lists(struct link_run *run) {
    struct io_error error;
    char path[PATH];
    for (int s = 0; s < run->n; ++s) {
        struct io_output output;
        if (!name_list(run, s, path, &error) || !io_output_open(&output, path, &error))
            return progress_fail(CLI_FAULT, "%s", error.text);
        progress_show("writing %s", path);
        errno = 0;
        print_header(run, &run->catalogue[s], output.stream);
        print_rows(run, s, output.stream);
        const bool done = fflush(output.stream) == 0 && !ferror(output.stream);
        if (!done)
            io_output_fail(&output, errno, &error);
        if (!io_output_close(&output, done, &error) || !done)
            return progress_fail(CLI_FAULT, "%s", error.text);
    }
    timings_end(&run->timings, TIMINGS_WRITE, 18 * 8 * run->groups);
    return CLI_DONE;
}
