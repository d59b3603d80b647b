/* weft info: what is in a particle file. */
#include "cli/command.h"
#include "info_other.h"
#include "io/snapshot.h"
#include "cli/options.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct info_options {
    const char *file;
    bool quiet;
};

static const struct argp_option list[] = {
    {"quiet", 'q', NULL, 0, "print nothing; the exit status says whether the file is good",
     0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct info_options *options = state->input;
    switch (key) {
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->file)
            argp_error(state, "one file at a time: '%s' is one too many", text);
        options->file = text;
        return 0;
    case ARGP_KEY_END:
        if (options->file == NULL)
            argp_error(state, "a file is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = list,
    .parser = parse,
    .args_doc = "FILE",
    .doc = "Shows what is in a particle file, a catalogue, a grid or labels, and verifies "
           "every checksum in it.",
};

static void print_summary(const struct snapshot *snapshot) {
    const struct snapshot_info *info = snapshot_info(snapshot);
    printf("format      %s, %d file%s\n", info->format, info->n_parts,
           info->n_parts == 1 ? "" : "s");
    for (int k = 0; info->n_parts > 1 && k < info->n_parts; ++k)
        printf("            %s\n", snapshot_part(snapshot, k));
    for (int type = 0; type < SNAPSHOT_TYPES; ++type) {
        if (info->count[type] > 0 || type == 1)
            printf("PartType%-2d  %" PRId64 " particle%s%s\n", type, info->count[type],
                   progress_plural(info->count[type]), type == 1 ? ", dark matter" : "");
    }
    const double *box = info->box;
    if (box[0] > 0 || box[1] > 0 || box[2] > 0)
        printf("box         %.9g x %.9g x %.9g %s, comoving\n", box[0], box[1], box[2],
               info->length_unit);
    else
        printf("box         none, lengths in %s, comoving\n", info->length_unit);
    const bool *periodic = info->periodic;
    printf("periodic    %s%s%s%s\n", periodic[0] ? "x" : "", periodic[1] ? "y" : "",
           periodic[2] ? "z" : "", periodic[0] || periodic[1] || periodic[2] ? "" : "no");
    if (isnan(info->redshift))
        printf("redshift    not told\n");
    else
        printf("redshift    %.9g, scale factor %.9g\n",
               fabs(info->redshift) < 1e-9 ? 0 : info->redshift, info->scale_factor);
    const struct snapshot_cosmology *cosmology = &info->cosmology;
    if (cosmology->h > 0 || cosmology->omega_matter > 0)
        printf("cosmology   h %.9g, Omega_m %.9g, Omega_Lambda %.9g", cosmology->h,
               cosmology->omega_matter, cosmology->omega_lambda);
    if (cosmology->omega_baryon > 0)
        printf(", Omega_b %.9g", cosmology->omega_baryon);
    if (cosmology->h > 0 || cosmology->omega_matter > 0)
        printf("\n");
    if (info->bytes[SNAPSHOT_VELOCITIES])
        printf("velocities  peculiar\n");
    if (info->bytes[SNAPSHOT_MASSES])
        printf("mass        one a particle, in %s\n", info->mass_unit);
    else if (strcmp(info->mass_unit, "1") == 0)
        printf("mass        not told: each counts as 1\n");
    else
        printf("mass        %.9g %s each\n", info->mass, info->mass_unit);
}

static void print_arrays(const struct snapshot_contents *contents) {
    for (int k = 0; k < contents->n_arrays; ++k) {
        const struct snapshot_array *array = &contents->arrays[k];
        printf("%-36s %-4s", array->name, array->type);
        for (int axis = 0; axis < array->rank; ++axis)
            printf("%s%" PRId64, axis ? " x " : " ", array->shape[axis]);
        printf(", %s%s\n", array->storage, array->checked ? ", checksums right" : "");
    }
}

static int show_snapshot(struct snapshot *snapshot, bool quiet) {
    struct snapshot_contents contents = {0};
    struct io_error error;
    const bool good = snapshot_list(snapshot, &contents, &error);
    progress_end();
    if (good && !quiet) {
        print_summary(snapshot);
        print_arrays(&contents);
    }
    free(contents.arrays);
    return good ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}

static int show_other(struct columns_file *file, bool quiet) {
    struct io_error error;
    progress_end();
    return other_print(file, quiet, &error) ? CLI_DONE
                                            : progress_fail(CLI_FAULT, "%s", error.text);
}

/* Whether an HDF5 file that is no snapshot would like to be one. */
static bool has_particles(const struct columns_file *file) {
    bool found = false;
    for (int k = 0; k < file->n_tables; ++k)
        found = found || strncmp(file->tables[k].name, "PartType", 8) == 0;
    return found;
}

static int show(const struct info_options *options) {
    struct io_error error, other;
    int status = CLI_DONE;
    struct columns_file *file = NULL;
    struct snapshot *snapshot = snapshot_inspect(options->file, &error);
    if (snapshot)
        status = show_snapshot(snapshot, options->quiet);
    else if ((file = columns_open(options->file, &other)) != NULL && !has_particles(file))
        status = show_other(file, options->quiet);
    else if (!other_print_labels(options->file, options->quiet))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    snapshot_close(snapshot);
    columns_close(file);
    return status;
}

int command_info(int argc, char **argv) {
    struct info_options options = {0};
    options_parse(&argp, argc, argv, &options);
    progress_start(argv[0], options.quiet);
    progress_show("reading %s", options.file);
    return show(&options);
}
