/* Whether a catalogue is there already, of this snapshot and these options. */
#include "cli/halos/halos.h"
#include "io/files/fingerprint.h"
#include "names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const uint64_t start = 0xcbf29ce484222325u;

static uint64_t mix(uint64_t hash, const char *text) {
    return fingerprint_bytes(hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* Of what decides on the files' contents; on one rank other things are found by default
 * than on several. */
static uint64_t hash_options(const struct halos_run *run) {
    const struct halos_options *options = &run->options;
    const double numbers[] = {
        options->linking_length,
        options->linking_length_absolute,
        (double)options->min_members,
        (double)options->min_friends,
        types_number(&options->types),
        options->periodic_given,
        options->periodic[0],
        options->periodic[1],
        options->periodic[2],
        options->box[0],
        options->box[1],
        options->box[2],
        options->centers,
        options->so_given,
        options->softening,
        (double)options->poisson_grid,
        options->members,
        options->profiles,
        options->shapes,
        options->subhalos,
        options->memory_limit > 0 || run->comm.size > 1,
    };
    uint64_t hash = fingerprint_bytes(start, numbers, sizeof numbers);
    for (int axis = 0; options->region.given && axis < 3; ++axis) {
        const double bounds[] = {options->region.whole[axis], options->region.from[axis],
                                 options->region.to[axis]};
        hash = fingerprint_bytes(hash, bounds, sizeof bounds);
    }
    for (int k = 0; k < options->so.n; ++k)
        hash = mix(hash, options->so.thresholds[k].name);
    hash = mix(hash, options->properties);
    hash = mix(hash, options->poisson_boundary);
    if (options->poisson_prove)
        hash = mix(hash, "prove");
    hash = mix(hash, run->xdmf);
    hash = mix(hash, options->labels);
    hash = mix(hash, options->plot);
    hash = mix(hash, options->plot_halo);
    if (options->plot_halo)
        hash = fingerprint_bytes(hash, &options->plot_tag, sizeof options->plot_tag);
    return mix(hash, weft_version());
}

static bool is_later(const struct stat *a, const struct stat *b) {
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Labels are written before the catalogue, all else after it. */
static bool are_files_there(const struct halos_run *run, const struct snapshot *snapshot) {
    const struct halos_options *options = &run->options;
    const char *const after[] = {run->xdmf, options->plot, options->plot_halo,
                                 options->shared.timings};
    struct stat catalogue, other;
    if (stat(run->output, &catalogue) != 0)
        return false;
    for (int part = 0; part < run->info.n_parts; ++part) {
        if (stat(snapshot_part(snapshot, part), &other) != 0 ||
            is_later(&other, &catalogue))
            return false;
    }
    if (options->labels &&
        (stat(options->labels, &other) != 0 || is_later(&other, &catalogue)))
        return false;
    for (size_t k = 0; k < sizeof after / sizeof *after; ++k) {
        if (after[k] && (stat(after[k], &other) != 0 || is_later(&catalogue, &other)))
            return false;
    }
    return true;
}

void halos_resume(struct halos_run *run, const struct snapshot *snapshot) {
    struct catalogue_record record;
    struct io_error error;
    snprintf(run->key[0], sizeof run->key[0], "%016" PRIx64, hash_options(run));
    snprintf(run->key[1], sizeof run->key[1], "%016" PRIx64,
             snapshot_fingerprint(snapshot));
    run->skipped = run->options.resume && are_files_there(run, snapshot) &&
                   catalogue_read_record(run->output, &record, &error) &&
                   strcmp(record.options_hash, run->key[0]) == 0 &&
                   strcmp(record.source_hash, run->key[1]) == 0;
    if (run->skipped)
        run->n_halos = record.n;
}
